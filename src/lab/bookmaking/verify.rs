//! Checks of books and of named lines.
//!
//! The format is checked entry by entry. Legality is checked on the board: the positions of a book are found by playing from
//! the start position, every legal move from every position of the book.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use super::lines::BookLine;
use super::pgn::Issues;
use super::scorer::{MoveScorer, MoveScores, ScoreError, ScoreRequest};
use crate::base::progress::Progress;
use crate::base::text::plural;
use crate::base::value::{DRAW, Value, mated_in, moves_to_mate};
use crate::book::entry::{BookEntry, ENTRY_BYTES};
use crate::book::polyglot::{Book, split_legal};
use crate::chess::{Game, Move, Position};
use crate::search::report::ReportedScore;

/// The result of [`check_format`].
#[derive(Clone, Debug, Default)]
pub struct FormatCheck {
    /// Whole entries.
    pub entries: u64,
    /// Bytes after the last whole entry.
    pub trailing_bytes: u64,
    /// Entries whose key is below the previous one.
    pub unsorted: Issues,
    /// Repeated moves of a position.
    pub duplicates: Issues,
    /// Entries of weight 0, which are never played.
    pub zero_weight: u64,
}

/// Checks every entry of a file, which need not be sorted.
///
/// # Errors
/// If the file cannot be read.
pub fn check_format(path: &Path) -> io::Result<FormatCheck> {
    let mut reader = BufReader::with_capacity(1 << 16, File::open(path)?);
    let mut check = FormatCheck::default();
    let mut last = BookEntry::default();
    let mut moves = HashSet::new();
    loop {
        let mut bytes = [0; ENTRY_BYTES];
        let mut length = 0;
        while length < ENTRY_BYTES {
            match reader.read(&mut bytes[length..])? {
                0 => break,
                read => length += read,
            }
        }
        if length < ENTRY_BYTES {
            check.trailing_bytes = length as u64;
            return Ok(check);
        }
        let entry = BookEntry::from_bytes(&bytes);
        let place = || format!("entry {} ({:016x})", check.entries, entry.key);
        if entry.key < last.key {
            check.unsorted.add(place);
        }
        if entry.key != last.key || check.entries == 0 {
            moves.clear();
        }
        if !moves.insert(entry.raw_move) {
            let text = entry.move_text();
            check.duplicates.add(|| format!("{text} in {}", place()));
        }
        check.zero_weight += u64::from(entry.weight == 0);
        check.entries += 1;
        last = entry;
    }
}

/// The positions of a book that are reached from the start position.
#[derive(Clone, Debug, Default)]
pub struct BookContents {
    /// The positions by book key, with their legal book moves.
    pub positions: BTreeMap<u64, (Game, Vec<Move>)>,
    /// Plies to the farthest position.
    pub plies: usize,
    pub illegal: Issues,
    /// Entries of other positions.
    pub unreached: u64,
}

/// Finds the positions of a book by playing from the start position.
///
/// # Errors
/// If the book cannot be read.
pub fn contents(book: &Book) -> io::Result<BookContents> {
    let mut by_key: HashMap<u64, Vec<BookEntry>> = HashMap::new();
    book.for_each(|_, entry| {
        by_key.entry(entry.key).or_default().push(entry);
        true
    })?;
    let mut found = BookContents::default();
    let mut layer = vec![Game::new(Position::startpos())];
    let mut ply = 0;
    while !layer.is_empty() {
        let mut next = Vec::new();
        for game in layer {
            let Some(entries) = by_key.remove(&game.book_key()) else {
                continue;
            };
            found.plies = ply;
            let (moves, illegal) = split_legal(game.position(), entries);
            for entry in illegal {
                let (text, fen) = (entry.move_text(), game.position().to_fen());
                found.illegal.add(|| format!("{text} in {fen}"));
            }
            for &mv in &game.position().legal_moves() {
                let mut after = game.clone();
                after.play(mv);
                if by_key.contains_key(&after.book_key()) {
                    next.push(after);
                }
            }
            let moves = moves.into_iter().map(|entry| entry.mv).collect();
            found.positions.insert(game.book_key(), (game, moves));
        }
        layer = next;
        ply += 1;
    }
    found.unreached = by_key.values().map(|entries| entries.len() as u64).sum();
    Ok(found)
}

/// A book move that loses too much by search.
#[derive(Clone, Debug)]
pub struct Blunder {
    pub fen: String,
    /// In SAN.
    pub played: String,
    /// Against the best move.
    pub loss: Loss,
    /// The best move, in SAN.
    pub better: String,
}

/// What a move loses against the best one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loss {
    pub centipawns: Value,
    /// It misses a mate, or allows one.
    is_mate: bool,
}

impl Loss {
    fn between(best: Value, played: Value) -> Self {
        let mates = |value: Value| moves_to_mate(value).map(|_| value > 0);
        Self {
            centipawns: best - played,
            is_mate: mates(best) != mates(played),
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_mate {
            f.pad("mate")
        } else {
            self.centipawns.fmt(f)
        }
    }
}

fn best(scores: &MoveScores) -> Option<(Move, Value)> {
    scores.iter().copied().max_by_key(|&(_, score)| score)
}

/// Scores every move of a book; returns those that lose more than `margin` centipawns, the worst first.
///
/// # Errors
/// [`ScoreError`] if the log cannot be written or there is no memory.
pub fn blunders(
    contents: &BookContents,
    margin: Value,
    scorer: &MoveScorer,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Vec<Blunder>, ScoreError> {
    let requests: Vec<ScoreRequest> = contents
        .positions
        .values()
        .map(|(game, moves)| ScoreRequest {
            game: game.clone(),
            moves: moves.clone(),
            min_moves: 1,
        })
        .collect();
    progress.start(requests.len() as u64);
    let results = scorer.score_all(&requests, threads, progress)?;
    progress.finish();
    let mut found = Vec::new();
    for (request, scores) in requests.iter().zip(&results) {
        let Some((better, most)) = best(scores) else {
            continue;
        };
        let position = request.game.position();
        for &(mv, score) in scores.iter().filter(|(mv, _)| request.moves.contains(mv)) {
            if most - score > margin {
                found.push(Blunder {
                    fen: position.to_fen(),
                    played: position.san(mv).to_string(),
                    loss: Loss::between(most, score),
                    better: position.san(better).to_string(),
                });
            }
        }
    }
    found.sort_by_key(|blunder| std::cmp::Reverse(blunder.loss.centipawns));
    Ok(found)
}

/// The scores of a named line.
#[derive(Clone, Debug)]
pub struct LineReport {
    /// ECO code, opening and variation.
    pub names: [String; 3],
    pub is_recommended: bool,
    pub plies: usize,
    /// The move that loses most: number and SAN, loss, and the best move.
    pub worst: (String, Loss, String),
    /// The score at the end of the line, from White's view.
    pub end: ReportedScore,
}

/// Scores every move of every line, and the positions at their ends.
///
/// # Errors
/// [`ScoreError`] if the log cannot be written or there is no memory.
pub fn score_lines(
    lines: &[BookLine],
    scorer: &MoveScorer,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Vec<LineReport>, ScoreError> {
    let mut requests: BTreeMap<u64, ScoreRequest> = BTreeMap::new();
    for line in lines {
        let ends = line.end().map(|end| (end, None));
        let plies = line
            .plies
            .iter()
            .map(|(game, mv)| (game.clone(), Some(*mv)));
        for (game, mv) in plies.chain(ends) {
            let request = requests
                .entry(game.book_key())
                .or_insert_with(|| ScoreRequest {
                    game,
                    moves: Vec::new(),
                    min_moves: 1,
                });
            request
                .moves
                .extend(mv.filter(|mv| !request.moves.contains(mv)));
        }
    }
    let (keys, requests): (Vec<u64>, Vec<ScoreRequest>) = requests.into_iter().unzip();
    progress.start(requests.len() as u64);
    let results = scorer.score_all(&requests, threads, progress)?;
    progress.finish();
    let results: HashMap<u64, MoveScores> = keys.into_iter().zip(results).collect();
    Ok(lines
        .iter()
        .map(|line| line_report(line, &results))
        .collect())
}

fn line_report(line: &BookLine, results: &HashMap<u64, MoveScores>) -> LineReport {
    let scores_of = |game: &Game| results.get(&game.book_key());
    let mut worst = ("–".to_owned(), Loss::default(), String::new());
    for (ply, (game, mv)) in line.plies.iter().enumerate() {
        let Some(scores) = scores_of(game) else {
            continue;
        };
        let score = scores.iter().find(|(scored, _)| scored == mv);
        let (Some((better, most)), Some((_, score))) = (best(scores), score) else {
            continue;
        };
        let loss = Loss::between(most, *score);
        if loss.centipawns > worst.1.centipawns {
            let position = game.position();
            let dots = if ply % 2 == 0 { "." } else { "..." };
            let text = format!("{}{dots}{}", ply / 2 + 1, position.san(*mv));
            worst = (text, loss, position.san(better).to_string());
        }
    }
    let end = line.end().map_or(0, |end| {
        let is_mated = end.position().in_check() && !end.position().has_legal_move();
        let without_moves = if is_mated { mated_in(0) } else { DRAW };
        let score = scores_of(&end).and_then(best);
        let score = score.map_or(without_moves, |(_, score)| score);
        end.position().turn().fold_wb(score, -score)
    });
    LineReport {
        names: line.names.clone(),
        is_recommended: line.is_recommended,
        plies: line.plies.len(),
        worst,
        end: end.into(),
    }
}

/// A score in a table: centipawns, moves to mate, or `#` for a mate on the board.
fn score_text(score: ReportedScore) -> String {
    match score {
        ReportedScore::Centipawns(centipawns) => format!("{centipawns:+}"),
        ReportedScore::TablebaseWin(_) => "won".into(),
        ReportedScore::TablebaseLoss(_) => "lost".into(),
        ReportedScore::Mate(0) => "#".into(),
        ReportedScore::Mate(moves) => format!("mate {moves:+}"),
    }
}

/// The reports as a Markdown page.
pub fn markdown(reports: &[LineReport], nodes: u64, margin: Value) -> String {
    let played = reports.iter().filter(|report| report.is_recommended);
    let (count, kept) = (
        played.clone().count(),
        played
            .filter(|report| report.worst.1.centipawns <= margin)
            .count(),
    );
    let mut text = format!(
        "# The named lines, scored by search\n\n\
         {}, every move scored by a search of {}. Recommended: {count}; in {kept} of them no move loses more\nthan {margin} \
         centipawns. A move that does is not in the book, but the replies to it are. The others ({}) only give names.\n\
         `loss` is in centipawns, or a mate that the move misses or allows. `end` is the score at the end of the line from \
         White's view:\ncentipawns, moves to mate, or `#` for a mate on the board.\n\n\
         | ECO | line | plies | worst move | loss | better | end |\n|---|---|---|---|---|---|---|\n",
        plural(reports.len(), "line"),
        plural(usize::try_from(nodes).unwrap_or(usize::MAX), "node"),
        reports.len() - count,
    );
    for report in reports {
        let [eco, opening, variation] = &report.names;
        let (played, loss, better) = &report.worst;
        let mark = if report.is_recommended {
            ""
        } else {
            " (name only)"
        };
        let colon = if variation.is_empty() { "" } else { ": " };
        let _ = writeln!(
            text,
            "| {eco} | {opening}{colon}{variation}{mark} | {} | {played} | {loss} | {better} | {} |",
            report.plies,
            score_text(report.end)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::value::mate_in;

    #[test]
    fn mates_are_shown_as_mates() {
        let rows = [
            (mated_in(0), "#"),
            (mate_in(5), "mate +3"),
            (mated_in(4), "mate -2"),
        ];
        for (score, text) in rows {
            assert_eq!(score_text(score.into()), text);
        }
        assert_eq!(score_text(0.into()), "+0");
        for (best, played, text) in [
            (30, -5, "35"),
            (10, mated_in(8), "mate"),
            (mate_in(9), 800, "mate"),
            (mate_in(1), mate_in(5), "4"),
        ] {
            assert_eq!(Loss::between(best, played).to_string(), text);
        }
    }
}
