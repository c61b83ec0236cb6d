//! A reviewed game as one page of HTML that needs nothing else: the curve of expected points, key boards, concepts, moves.
//! No script; light and dark by the reader's choice; every text from the file escaped.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use super::judge::{Mark, Scale};
use super::profile::Profile;
use super::profile_picture::picture;
use super::profile_text::Table;
use super::report::{GameReport, MoveReport, SideReport, WhiteScore};
use crate::base::text::{escape, plural};
use crate::eval::UNITS_PER_CENTIPAWN;
use crate::explain::{ConceptSums, board_picture};
use crate::lab::atomic_file;

/// Boards on a page.
const MAX_BOARDS: usize = 12;
/// Concepts beside a board, and the half width of their bars in pixels.
const CONCEPTS: usize = 6;
const BAR: f64 = 60.0;
/// The size of the curve, in units of its picture.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 220.0;
const STYLE: &str = "
:root{color-scheme:light dark;--ink:#1a202c;--soft:#4a5568;--ground:#fff;--card:#f4f6f9;--line:#cbd5e0;--white:#2b6cb0;--black:#c05621;--fill:#d6e4f5}
@media(prefers-color-scheme:dark){:root{--ink:#e8ecf1;--soft:#a9b4c2;--ground:#12161c;--card:#1d232c;--line:#3b4655;--white:#7db5ec;--black:#f0935a;--fill:#23384f}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:60rem;color:var(--ink);background:var(--ground);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.4rem;margin:.2rem 0}h2{font-size:1.1rem;margin:1.6rem 0 .4rem}
p{margin:.3rem 0}.soft{color:var(--soft)}a{color:var(--white)}
table{border-collapse:collapse;width:100%}th{white-space:nowrap}th,td{text-align:left;padding:.25rem .5rem;border-bottom:1px solid var(--line)}td.n,th.n{text-align:right}
.scroll{overflow-x:auto}.numbers{margin:1rem 0}.numbers th{white-space:normal;width:33%}.profile{width:100%;min-width:34rem;height:auto;display:block}.d{white-space:nowrap}
.curve{width:100%;height:auto;display:block;background:var(--card);border-radius:.5rem}
.moves{line-height:1.9}.moves b{white-space:nowrap}
.key{display:grid;grid-template-columns:minmax(0,22rem) 1fr;gap:1rem;background:var(--card);border-radius:.5rem;padding:1rem;margin:1rem 0}
.key h3{margin:0;font-size:1.05rem}.board{width:100%;height:auto;background:#fff;border-radius:.3rem}.bars{width:100%;max-width:24rem;height:auto}
.bad{color:var(--black)}.good{color:var(--white)}
@media(max-width:40rem){.key{grid-template-columns:1fr}body{padding:.6rem}}
";

fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

/// The row of a game in the index.
#[derive(Clone, Debug)]
pub struct Entry {
    index: u64,
    white: SideReport,
    black: SideReport,
    result: String,
    date: String,
    opening: String,
}

impl Entry {
    pub fn of(game: &GameReport) -> Self {
        Self {
            index: game.index,
            white: game.white.clone(),
            black: game.black.clone(),
            result: game.result.clone(),
            date: game.record.tag("Date").unwrap_or_default().to_owned(),
            opening: opening(game),
        }
    }
}

fn opening(game: &GameReport) -> String {
    let found = game.opening.as_ref();
    found.map_or(String::new(), |found| {
        format!("{} {}", found.eco, found.name)
    })
}

fn file_name(index: u64) -> String {
    format!("game-{index:05}.html")
}

/// Writes the page of a game into a folder.
///
/// # Errors
/// If it cannot be written.
pub fn write(game: &GameReport, folder: &Path) -> io::Result<()> {
    let path = folder.join(file_name(game.index));
    atomic_file::write_bytes(&path, game_page(game).as_bytes())
}

/// Writes `index.html`, with the profile of a player if there is one.
///
/// # Errors
/// If it cannot be written.
pub fn write_index(entries: &[Entry], profile: Option<&Profile>, folder: &Path) -> io::Result<()> {
    let mut rows = String::new();
    for entry in entries {
        let accuracy = |side: &SideReport| {
            side.accuracy
                .map_or("–".into(), |value| format!("{value:.1}"))
        };
        let faults = |side: &SideReport| {
            format!(
                "{} / {} / {}",
                side.inaccuracies, side.mistakes, side.blunders
            )
        };
        let _ = writeln!(
            rows,
            "<tr><td><a href=\"{}\">{} – {}</a></td><td>{}</td><td class=\"d\">{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n d\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            file_name(entry.index),
            escape(&entry.white.name),
            escape(&entry.black.name),
            escape(&entry.result),
            escape(&entry.date),
            escape(&entry.opening),
            accuracy(&entry.white),
            faults(&entry.white),
            accuracy(&entry.black),
            faults(&entry.black),
        );
    }
    let profile = profile.map_or(String::new(), player);
    let body = format!(
        "{profile}<h1>Reviewed games</h1>\n<p class=\"soft\">Accuracy in percent by lichess's formula; inaccuracies / mistakes / blunders.</p>\n\
         <div class=\"scroll\"><table>\n<tr><th>game</th><th>result</th><th>date</th><th>opening</th>\
         <th class=\"n\">White</th><th class=\"n\">?! / ? / ??</th><th class=\"n\">Black</th><th class=\"n\">?! / ? / ??</th></tr>\n{rows}</table></div>\n"
    );
    let text = page("Reviewed games", &body);
    atomic_file::write_bytes(&folder.join("index.html"), text.as_bytes())
}

/// The profile of a player: a picture, and tables with the bounds.
fn player(profile: &Profile) -> String {
    let mut text = format!("<h1>{}</h1>\n", escape(&profile.player));
    let _ = writeln!(text, "<div class=\"scroll\">{}</div>", picture(profile));
    for Table { head, rows } in profile.tables() {
        let [one, two, three] = head.map(escape);
        let _ = writeln!(
            text,
            "<div class=\"scroll\"><table class=\"numbers\">\n<tr><th>{one}</th><th>{two}</th><th>{three}</th></tr>"
        );
        for row in rows {
            let [one, two, three] = row.map(|cell| escape(&cell));
            let _ = writeln!(
                text,
                "<tr><td>{one}</td><td>{two}</td><td>{three}</td></tr>"
            );
        }
        text += "</table></div>\n";
    }
    text + "<p class=\"soft\">In brackets: 95 percent bounds of a bootstrap over the games.</p>\n"
}

/// The page of a game, with a link to the index page.
pub fn game_page(game: &GameReport) -> String {
    const INDEX: &str = "<p><a href=\"index.html\">All games</a></p>\n";
    page_below(game, INDEX)
}

/// The page of a game without an index page.
pub fn single_page(game: &GameReport) -> String {
    page_below(game, "")
}

fn page_below(game: &GameReport, start: &str) -> String {
    let (white, black) = (escape(&game.white.name), escape(&game.black.name));
    let title = format!("{} – {}, {}", game.white.name, game.black.name, game.result);
    let tags =
        ["Event", "Site", "Date", "Round"].map(|name| game.record.tag(name).unwrap_or_default());
    let facts: Vec<String> = tags
        .into_iter()
        .filter(|value| !value.is_empty() && *value != "?" && *value != "-")
        .map(escape)
        .chain(game.opening.as_ref().map(|_| escape(&opening(game))))
        .collect();
    let mut body = format!(
        "{start}<h1>{white} – {black} <span>{}</span></h1>\n<p class=\"soft\">{}</p>\n",
        escape(&game.result),
        facts.join(" · ")
    );
    body += "<div class=\"scroll\"><table>\n<tr><th>player</th><th class=\"n\">accuracy</th><th class=\"n\"><abbr title=\"inaccuracies\">?!</abbr></th><th class=\"n\"><abbr title=\"mistakes\">?</abbr></th><th class=\"n\"><abbr title=\"blunders\">??</abbr></th></tr>\n";
    for side in [&game.white, &game.black] {
        let accuracy = side
            .accuracy
            .map_or("–".into(), |value| format!("{value:.1} %"));
        let _ = writeln!(
            body,
            "<tr><td>{}</td><td class=\"n\">{accuracy}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escape(&side.name),
            side.inaccuracies,
            side.mistakes,
            side.blunders
        );
    }
    body += "</table></div>\n";
    if !game.moves.is_empty() {
        body += "<h2>Expected points</h2>\n";
        body += &curve(game.start_points, &game.moves);
    }
    let keys = key_moves(&game.moves);
    if !keys.is_empty() {
        body += "<h2>Key moments</h2>\n<p class=\"soft\">Blue arrow: the best move. Orange arrow: the played one. Bars: what the evaluation of the position consists of, in pawns.</p>\n";
    }
    for mv in keys {
        body += &key_moment(mv);
    }
    body += "<h2>Moves</h2>\n<p class=\"moves\">";
    for mv in &game.moves {
        body += &one_move(mv);
    }
    let _ = writeln!(body, "{}</p>", escape(&game.result));
    body += &rules(game.scale);
    let _ = writeln!(body, "<p class=\"soft\">{}</p>", escape(&game.engine));
    page(&title, &body)
}

/// The rules of the marks.
fn rules(scale: Scale) -> String {
    let [inaccuracy, mistake, blunder] = scale.cut_offs();
    format!(
        "<h2>Marks</h2>\n<p class=\"soft\">?! loses at least {inaccuracy:.2} expected points, ? {mistake:.2}, ?? {blunder:.2}. \
         ! is the only move: the second best is 0.10 worse. !! is a sound sacrifice: also two pawns behind for four plies. \
         Nothing is marked as a mistake where the game was lost already.</p>\n"
    )
}

/// The moves with the greatest losses, then praised ones, in the order of the game.
fn key_moves(moves: &[MoveReport]) -> Vec<&MoveReport> {
    let mut marked: Vec<&MoveReport> = moves.iter().filter(|mv| mv.mark.is_some()).collect();
    marked.sort_by(|one, other| other.lost.total_cmp(&one.lost));
    marked.truncate(MAX_BOARDS);
    marked.sort_by_key(|mv| mv.ply);
    marked
}

/// A move with its number and sign: `12…Nf6??`.
fn name(mv: &MoveReport) -> String {
    let dots = if mv.by_black() { "…" } else { "." };
    let sign = mv.mark.map_or("", Mark::sign);
    format!("{}{dots}{}{sign}", mv.position.fullmoves(), mv.san)
}

fn class(mv: &MoveReport) -> &'static str {
    match mv.mark {
        Some(mark) if mark.is_mistake() => "bad",
        _ => "good",
    }
}

fn one_move(mv: &MoveReport) -> String {
    let number = if mv.by_black() {
        String::new()
    } else {
        format!("{}.", mv.position.fullmoves())
    };
    match mv.mark {
        Some(mark) => format!(
            "{number}<b class=\"{}\">{}{}</b> ",
            class(mv),
            escape(&mv.san),
            mark.sign()
        ),
        None => format!("{number}{} ", escape(&mv.san)),
    }
}

fn score_text(score: Option<WhiteScore>) -> String {
    score.map_or_else(|| "game over".into(), WhiteScore::text)
}

/// A board with its words and bars.
fn key_moment(mv: &MoveReport) -> String {
    let best = mv.best_moves.first().copied().unwrap_or(mv.played);
    let side = if mv.by_black() { "Black" } else { "White" };
    let words = format!(
        "Position {}, {side} to move. Played: {}. Best: {}.",
        mv.fen,
        name(mv),
        mv.best
    );
    let mut text = String::new();
    for sentence in &mv.text {
        let _ = writeln!(text, "<p>{}</p>", escape(sentence));
    }
    format!(
        "<section class=\"key\">\n<div>{}</div>\n<div><h3 class=\"{}\">{}</h3>\n<p class=\"soft\">{}</p>\n{text}{}</div>\n</section>\n",
        board_picture(&mv.position, best, mv.played, &words),
        class(mv),
        escape(&name(mv)),
        escape(&score_text(mv.score)),
        bars(mv)
    )
}

/// The concepts that the evaluation of a position consists of, the greatest ones.
fn bars(mv: &MoveReport) -> String {
    let mut lines = ConceptSums::of(&mv.position).lines;
    lines.sort_by_key(|line| -i64::from(line.net.0).abs());
    lines.truncate(CONCEPTS);
    let pawns = |units: i32| f64::from(units) / f64::from(UNITS_PER_CENTIPAWN) / 100.0;
    lines.retain(|line| pawns(line.net.0).abs() >= 0.05);
    let greatest = lines.first().map_or(1.0, |line| pawns(line.net.0).abs());
    let height = 20 * lines.len() + 18;
    let (mut drawn, mut words) = (String::new(), Vec::new());
    for (row, line) in lines.iter().enumerate() {
        let value = pawns(line.net.0);
        let (title, y) = (line.concept.title(), 20 * row + 30);
        let length = BAR * value.abs() / greatest;
        let x = if value < 0.0 { 250.0 - length } else { 250.0 };
        let fill = if value < 0.0 { "--black" } else { "--white" };
        let _ = writeln!(
            drawn,
            "<text x=\"180\" y=\"{y}\" text-anchor=\"end\">{title}</text><rect x=\"{x:.1}\" y=\"{}\" width=\"{length:.1}\" height=\"12\" fill=\"var({fill})\"/><text x=\"365\" y=\"{y}\" text-anchor=\"end\">{value:+.2}</text>",
            y - 11
        );
        words.push(format!("{title} {value:+.2}"));
    }
    if words.is_empty() {
        return String::new();
    }
    format!(
        "<svg class=\"bars\" viewBox=\"-16 0 386 {height}\" role=\"img\" aria-label=\"Evaluation by concept for White, in pawns: {}\" font-size=\"13\" fill=\"var(--ink)\">\n\
         <text x=\"246\" y=\"12\" text-anchor=\"end\" font-size=\"11\" fill=\"var(--black)\">◂ Black</text><text x=\"254\" y=\"12\" font-size=\"11\" fill=\"var(--white)\">White ▸</text>\n{drawn}</svg>\n",
        escape(&words.join(", "))
    )
}

/// White's expected points over the game, from those before the first move, with the marked moves.
fn curve(start: f64, moves: &[MoveReport]) -> String {
    let count = moves.len().max(1) as f64;
    let place =
        |index: usize, points: f64| (WIDTH * (index + 1) as f64 / count, HEIGHT * (1.0 - points));
    let mut path = format!("M0 {:.1}", HEIGHT * (1.0 - start));
    let (mut dots, mut marked) = (String::new(), Vec::new());
    for (index, mv) in moves.iter().enumerate() {
        let (x, y) = place(index, mv.white_points());
        let _ = write!(path, " L{x:.1} {y:.1}");
        if mv.mark.is_some() {
            let fill = if class(mv) == "bad" {
                "--black"
            } else {
                "--white"
            };
            let words = escape(&format!("{} {}", name(mv), score_text(mv.score)));
            let _ = writeln!(
                dots,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"var({fill})\"><title>{words}</title></circle>"
            );
            marked.push(words);
        }
    }
    let end = moves.last().map_or(0.5, MoveReport::white_points);
    let words = format!(
        "White's expected points after each of {}, from {start:.2} at the start to {end:.2} at the end. Marked: {}.",
        plural(moves.len(), "move"),
        if marked.is_empty() {
            "none".into()
        } else {
            marked.join("; ")
        }
    );
    format!(
        "<svg class=\"curve\" viewBox=\"-34 -8 {} {}\" role=\"img\" aria-label=\"{words}\" font-size=\"20\" fill=\"var(--soft)\">\n\
         <path d=\"{path} L{WIDTH} {HEIGHT} L0 {HEIGHT} Z\" fill=\"var(--fill)\"/>\n\
         <line x1=\"0\" y1=\"{half}\" x2=\"{WIDTH}\" y2=\"{half}\" stroke=\"var(--line)\"/>\n\
         <path d=\"{path}\" fill=\"none\" stroke=\"var(--white)\" stroke-width=\"2\"/>\n\
         <text x=\"-6\" y=\"14\" text-anchor=\"end\">1</text><text x=\"-6\" y=\"{}\" text-anchor=\"end\">½</text><text x=\"-6\" y=\"{HEIGHT}\" text-anchor=\"end\">0</text>\n{dots}</svg>\n",
        WIDTH + 48.0,
        HEIGHT + 16.0,
        HEIGHT / 2.0 + 4.0,
        half = HEIGHT / 2.0,
    )
}
