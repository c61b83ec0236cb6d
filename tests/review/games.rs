//! `lucena review`: what was in a PGN file stays, mistakes are marked, bad games are named and skipped.

use std::fs;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::process::Output;

use crate::common::schema::check;
use crate::common::{Folder, lucena, lucena_with_input};
use pgn_reader::{Nag, RawComment, Reader, SanPlus, Skip, Visitor};
use serde_json::Value;

const GAMES: &str = include_str!("../data/review.pgn");
const SCHEMA: &str = include_str!("../../docs/review.schema.json");

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Reviews a text and returns the annotated games and the reviews.
fn review(text: impl AsRef<[u8]>, arguments: &[&str]) -> (String, Vec<Value>) {
    let folder = Folder::new("review");
    let games = folder.write("games.pgn", text);
    let (pgn, json) = (folder.text("out.pgn"), folder.text("out.json"));
    let mut all = vec![
        "review",
        games.to_str().expect("text"),
        "--pgn",
        &pgn,
        "--json",
        &json,
    ];
    if !["--depth", "--movetime"]
        .iter()
        .any(|limit| arguments.contains(limit))
    {
        all.extend(["--nodes", "3000"]);
    }
    all.extend(arguments);
    let output = lucena(&all);
    assert!(output.status.success(), "{}", stderr(&output));
    let json = fs::read_to_string(json).expect("JSON");
    let json = json.lines().map(|line| {
        let mut game: Value = serde_json::from_str(line).expect("JSON");
        // The folder has another name each time.
        game["source"] = "games.pgn".into();
        game
    });
    (fs::read_to_string(pgn).expect("PGN"), json.collect())
}

/// All that a reader finds in a game, as text.
#[derive(Default)]
struct Everything;

impl Visitor for Everything {
    type Tags = Vec<String>;
    type Movetext = Vec<String>;
    type Output = Vec<String>;

    fn begin_tags(&mut self) -> ControlFlow<Vec<String>, Vec<String>> {
        ControlFlow::Continue(Vec::new())
    }

    fn begin_movetext(&mut self, tags: Vec<String>) -> ControlFlow<Vec<String>, Vec<String>> {
        ControlFlow::Continue(tags)
    }

    fn san(&mut self, found: &mut Vec<String>, san: SanPlus) -> ControlFlow<Vec<String>> {
        found.push(san.to_string());
        ControlFlow::Continue(())
    }

    fn nag(&mut self, found: &mut Vec<String>, nag: Nag) -> ControlFlow<Vec<String>> {
        found.push(nag.to_string());
        ControlFlow::Continue(())
    }

    fn comment(
        &mut self,
        found: &mut Vec<String>,
        text: RawComment<'_>,
    ) -> ControlFlow<Vec<String>> {
        let text = String::from_utf8_lossy(text.as_bytes());
        found.push(format!("{{{}}}", text.trim()));
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, found: &mut Vec<String>) -> ControlFlow<Vec<String>, Skip> {
        found.push("(".into());
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, found: &mut Vec<String>) -> ControlFlow<Vec<String>> {
        found.push(")".into());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, found: Vec<String>) -> Vec<String> {
        found
    }
}

fn everything(text: &str) -> Vec<Vec<String>> {
    let mut reader = Reader::new(Cursor::new(text));
    let mut games = Vec::new();
    while let Some(game) = reader.read_game(&mut Everything).expect("PGN") {
        games.push(game);
    }
    games
}

/// Whether all of `part` is in `whole`, in its order.
fn is_within(part: &[String], whole: &[String]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|item| rest.any(|other| other == item))
}

#[test]
fn another_reader_finds_everything_that_was_in_the_file() {
    let (pgn, _) = review(GAMES, &[]);
    let (before, after) = (everything(GAMES), everything(&pgn));
    assert_eq!(after.len(), 2);
    for (before, after) in before.iter().zip(&after) {
        assert!(is_within(before, after), "{before:?}\n{after:?}");
    }
    // pgn-reader drops such comments.
    assert!(pgn.contains("{ to the end of the line }"));
    assert!(pgn.contains(r#"[Event "Own game: \"quotes\" & <tags>"]"#));
    let again = review(&pgn, &[]).0;
    let moves = |text: &str| -> Vec<usize> { everything(text).iter().map(Vec::len).collect() };
    assert!(moves(&again) >= moves(&pgn));
}

#[test]
fn mistakes_are_marked_and_the_best_move_never_is() {
    let (pgn, json) = review(GAMES, &[]);
    let marks: Vec<(&str, &str)> = json
        .iter()
        .flat_map(|game| game["moves"].as_array().expect("moves"))
        .filter_map(|mv| Some((mv["move"].as_str()?, mv["mark"].as_str()?)))
        .collect();
    assert!(marks.contains(&("g4", "blunder")), "{marks:?}");
    assert!(marks.contains(&("Nf6", "blunder")), "{marks:?}");
    for mv in json
        .iter()
        .flat_map(|game| game["moves"].as_array().expect("moves"))
    {
        let lost = mv["lost"].as_f64().expect("a number");
        assert!((0.0..=1.0).contains(&lost), "{mv}");
        if mv["best"] == mv["move"] {
            assert!(
                lost == 0.0
                    && !["inaccuracy", "mistake", "blunder"]
                        .contains(&mv["mark"].as_str().unwrap_or(""))
            );
        }
    }
    assert!(
        pgn.contains("g4 $4") && pgn.contains("[%eval #-1]"),
        "{pgn}"
    );
    // The owner's own glyph stays alone.
    assert!(pgn.contains("Nf6 $6") && !pgn.contains("$4 $6"));
    assert_eq!(json[0]["opening"]["eco"], "A02");
    let black = json[0]["black"]["accuracy"].as_f64().expect("a number");
    let white = json[0]["white"]["accuracy"].as_f64().expect("a number");
    assert!(black > white && white < 70.0, "{white} {black}");
}

#[test]
fn a_side_that_has_lost_makes_no_mistakes() {
    let text =
        "[FEN \"7k/8/8/8/8/8/5q2/K7 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Kb1 Qe2 2. Ka1 Kg7 *\n";
    let (_, json) = review(text, &[]);
    let moves = json[0]["moves"].as_array().expect("moves");
    assert!(moves.iter().step_by(2).all(|mv| mv["mark"].is_null()));
}

#[test]
fn each_move_has_its_own_time() {
    let (_, games) = review("1. f3 e5 2. g4 Qh4# 0-1", &["--movetime", "10"]);
    let moves = games[0]["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 4);
    assert_eq!(moves[2]["mark"], "blunder", "{}", moves[2]);
}

#[test]
fn reviews_do_not_depend_on_threads_or_neighbours() {
    let one = review(GAMES, &["--threads", "1"]);
    assert_eq!(review(GAMES, &["--threads", "3"]), one);
    let second = GAMES.split("\n\n[Event").nth(1).expect("a game");
    let (alone, _) = review(format!("[Event{second}"), &[]);
    assert!(one.0.ends_with(&alone), "{alone}");
}

#[test]
fn bad_games_are_named_and_skipped() {
    let rows: [(&str, &[u8], &str); 12] = [
        ("illegal", b"1. e4 e5 2. Ke3 *", "`Ke3` is not legal"),
        ("no move", b"1. e4 xyzzy *", "not a move"),
        ("comment", b"1. e4 {x", "no end"),
        ("open", b"1. e4 (1. d4 *", "no end"),
        ("close", b"1. e4 ) *", "without a start"),
        ("null", b"1. e4 -- 2. d4 *", "null move"),
        ("nul", b"1. e4\n\0 e5 *", "NUL"),
        ("variant", b"[Variant \"Atomic\"]\n\n1. e4 *", "Atomic"),
        ("fen", b"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*", "king"),
        ("behind", b"1. e4 1-0 e5", "after the result"),
        ("glyph", b"1. e4 $999 *", "glyph"),
        ("illegal line", b"1. e4 (1. Ke2) *", "`Ke2` is not legal"),
    ];
    let mut text = Vec::new();
    let mut starts = Vec::new();
    for (name, game, _) in rows {
        starts.push(1 + text.iter().filter(|&&byte| byte == b'\n').count());
        text.extend_from_slice(format!("[Event \"{name}\"]\n").as_bytes());
        if !game.starts_with(b"[") {
            text.push(b'\n');
        }
        text.extend_from_slice(game);
        text.extend_from_slice(b"\n\n");
    }
    let deep = "(1. d4 ".repeat(10_000);
    text.extend_from_slice(format!("[Event \"deep\"]\n\n1. e4 {deep}\n\n").as_bytes());
    let long = "x".repeat(3 << 20);
    text.extend_from_slice(format!("[Event \"long\"]\n\n1. e4 {{{long}}} *\n\n").as_bytes());
    text.extend_from_slice(b"[White \"M\xfcller\"]\n\n1. e4 { sch\xf6n } *\n\n");
    text.extend_from_slice(b"[Event \"two results\"]\n[Result \"1-0\"]\n\n1. e4 0-1\n");
    let folder = Folder::new("review");
    let games = folder.write("games.pgn", &text);
    let pgn = folder.text("out.pgn");
    let output = lucena(&[
        "review",
        games.to_str().expect("text"),
        "--nodes",
        "500",
        "--pgn",
        &pgn,
    ]);
    assert_eq!(output.status.code(), Some(1));
    let errors = stderr(&output);
    for (number, (name, _, reason)) in (1..).zip(rows) {
        let place = format!("game {number}: line ");
        let line = errors.lines().find(|line| line.contains(&place));
        assert!(
            line.is_some_and(|line| line.contains(reason)),
            "{name}: {errors}"
        );
        // The line is one of the game's.
        let rest = line.and_then(|line| line.split_once(&place)?.1.split_once(':'));
        let line: usize = rest.expect("a line").0.parse().expect("a number");
        let start = starts[number - 1];
        assert!(
            (start..=start + 4).contains(&line),
            "{name}: {line}, {start}"
        );
    }
    assert!(
        errors.contains("game 13: line") && errors.contains("deeper"),
        "{errors}"
    );
    assert!(
        errors.contains("game 14: line") && errors.contains("longer"),
        "{errors}"
    );
    assert!(errors.contains("14 games skipped"));
    assert!(
        errors.contains("game 16: the Result tag is 1-0, but the result after the moves is 0-1"),
        "{errors}"
    );
    let written = fs::read_to_string(pgn).expect("UTF-8");
    assert!(
        written.contains("Müller") && written.contains("schön"),
        "{written}"
    );
    assert_eq!(written.matches("[Annotator").count(), 2);
}

#[test]
fn standard_input_and_compressed_files_are_read() {
    let output = lucena_with_input(
        &["review", "-", "--nodes", "500", "--json", "-"],
        "1. e4 *\n",
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let game: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(game["moves"][0]["uci"], "e2e4");
    let output = lucena(&[
        "review",
        "tests/data/review.pgn.xz",
        "tests/data/review.pgn.zst",
        "--nodes",
        "500",
        "--json",
        "-",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output).lines().count(), 4);
}

#[test]
fn an_output_is_no_input() {
    let folder = Folder::new("review");
    let games = folder.write("games.pgn", "1. e4 *\n");
    let games = games.to_str().expect("text");
    let output = lucena(&["review", games, "--pgn", games]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("also an input"));
    assert_eq!(fs::read_to_string(games).expect("a file"), "1. e4 *\n");
    let output = lucena(&["review", "no such file"]);
    assert_eq!(output.status.code(), Some(1));
    // The same for a file that does not exist yet.
    let [new, again] = ["new", "./new"].map(|name| folder.text(name));
    for (first, second, status) in [("--json", "--pgn", 2), ("--store", "--json", 1)] {
        let output = lucena(&["review", games, first, &new, second, &again]);
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        assert!(fs::metadata(&new).is_err(), "{second}");
    }
}

#[test]
fn json_follows_its_schema() {
    let text = format!("{GAMES}\n1. e4 *\n\n*\n");
    for arguments in [&["--depth", "3"][..], &["--scale", "chess.com"]] {
        let (_, games) = review(&text, arguments);
        assert_eq!(games.len(), 4);
        for game in games {
            check(SCHEMA, &game, "game").unwrap_or_else(|fault| panic!("{fault}"));
        }
    }
}

#[test]
fn a_store_and_shards_give_the_same_output() {
    let folder = Folder::new("review");
    let games = folder.write("games.pgn", format!("{GAMES}\n1. e4 e5 *\n\n1. d4 *\n"));
    let games = games.to_str().expect("text");
    let run = |name: &str, more: &[&str]| -> (Vec<u8>, Vec<u8>) {
        let (pgn, json) = (
            folder.text(&format!("{name}.pgn")),
            folder.text(&format!("{name}.json")),
        );
        let mut all = vec![
            "review", games, "--nodes", "2000", "--pgn", &pgn, "--json", &json,
        ];
        all.extend(more);
        let output = lucena(&all);
        assert!(output.status.success(), "{}", stderr(&output));
        (fs::read(&pgn).expect("PGN"), fs::read(&json).expect("JSON"))
    };
    let whole = run("whole", &[]);
    let stores = ["1", "2", "3"].map(|name| folder.text(&format!("{name}.store")));
    let mut parts = (Vec::new(), Vec::new());
    for (number, store) in (1..).zip(&stores) {
        let shard = format!("{number}/3");
        let (pgn, json) = run(
            &shard.replace('/', "-"),
            &["--shard", &shard, "--store", store],
        );
        parts.0.extend(pgn);
        parts.1.extend(json);
    }
    assert_eq!(parts, whole);
    let all = folder.text("all.store");
    let merge = lucena(&["store", "merge", &all, &stores[0], &stores[1], &stores[2]]);
    assert!(merge.status.success(), "{}", stderr(&merge));
    let export = || stdout(&lucena(&["store", "export", &all]));
    let before = export();
    assert!(before.lines().count() >= 12, "{before}");
    assert_eq!(run("again", &["--resume", &all]), whole);
    // Nothing was searched again, so nothing is new.
    assert_eq!(export(), before);
    let verify = lucena(&["store", "verify", &all]);
    assert!(verify.status.success() && stdout(&verify).contains("0 faults"));
    assert!(stdout(&lucena(&["store", "info", &all])).contains("nodes 2000"));
}

#[test]
fn damaged_stores_are_refused() {
    let folder = Folder::new("review");
    let games = folder.write("games.pgn", "1. e4 *\n");
    let games = games.to_str().expect("text");
    let store = folder.text("store");
    let run = || lucena(&["review", games, "--nodes", "500", "--store", &store]);
    assert!(run().status.success());
    let whole = fs::read(&store).expect("a store");
    for damage in 0..40 {
        let mut bytes = whole.clone();
        if damage % 4 == 0 {
            bytes.truncate(whole.len() * damage / 40);
        } else {
            for place in 0..64 {
                let place = (damage * 7919 + place * 104_729) % bytes.len();
                bytes[place] ^= 0x5a;
            }
        }
        fs::write(&store, &bytes).expect("a file");
        let output = run();
        let errors = stderr(&output);
        assert!(
            output.status.success() || output.status.code() == Some(1),
            "{damage}: {errors}"
        );
        assert!(!errors.contains("panicked"), "{damage}: {errors}");
        assert!(
            output.status.success() || errors.contains(&store),
            "{damage}: {errors}"
        );
    }
}

#[test]
fn outputs_that_cannot_be_written_are_named() {
    let folder = Folder::new("review");
    let games = folder.write("games.pgn", GAMES);
    let games = games.to_str().expect("text");
    let file = folder.write("file", "text\n");
    let file = file.to_str().expect("text");
    let empty = folder.write("empty", "");
    let missing = folder.text("none");
    let output = format!("{missing}/out.pgn");
    let no_folder = format!("{output}: the folder {missing} does not exist");
    for (arguments, message) in [
        (
            ["review", games, "--html", file],
            format!("{file}: not a folder"),
        ),
        (["review", games, "--pgn", &output], no_folder),
        (
            ["review", games, "--store", file],
            format!("{file}: not a store of reviews"),
        ),
    ] {
        let refused = lucena(&arguments);
        assert_eq!(refused.status.code(), Some(1), "{arguments:?}");
        assert_eq!(stderr(&refused), format!("error: {message}\n"));
    }
    for foreign in [file, empty.to_str().expect("text")] {
        let refused = lucena(&["store", "info", foreign]);
        assert_eq!(
            stderr(&refused),
            format!("error: {foreign}: not a store of reviews\n")
        );
    }
    assert_eq!(fs::read_to_string(file).expect("the file"), "text\n");
}

#[test]
fn pages_need_nothing_else_and_hostile_names_do_no_harm() {
    let folder = Folder::new("review");
    let pages = folder.text("pages");
    review(GAMES, &["--html", &pages]);
    for name in ["index.html", "game-00001.html", "game-00002.html"] {
        let page = fs::read_to_string(format!("{pages}/{name}")).expect("a page");
        assert!(page.len() < 500_000, "{name}: {}", page.len());
        assert!(!page.contains("<script") && !page.contains("http:") && !page.contains("https:"));
        assert!(!page.contains(" src=") && !page.contains("url("));
        for svg in page.split("<svg").skip(1) {
            let tag = svg.split('>').next().expect("a tag");
            assert!(
                tag.contains("aria-label=\"") && tag.contains("role=\"img\""),
                "{tag}"
            );
        }
    }
    let page = fs::read_to_string(format!("{pages}/game-00001.html")).expect("a page");
    assert!(page.contains("Ada &lt;script&gt;alert(1)&lt;/script&gt;"));
}
