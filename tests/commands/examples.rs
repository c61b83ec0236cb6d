//! The examples run: those of games print what `docs/theory.md` shows, those of the library do what they say.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use rayon::prelude::*;

/// Set to any text, the page is rewritten with what the examples print.
const REWRITE: &str = "LUCENA_REWRITE";

#[test]
fn examples_print_what_the_page_shows() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/theory.md");
    let text = std::fs::read_to_string(page).expect("the page");
    let mut parts = text.split("<!-- example: ");
    let mut written = parts.next().expect("a first part").to_owned();
    let blocks: Vec<(&str, &str)> = parts
        .map(|part| part.split_once(" -->\n```text\n").expect("a block"))
        .collect();
    assert!(!blocks.is_empty());
    let outputs: Vec<String> = blocks
        .par_iter()
        .map(|(name, _)| printed(name, &[], ""))
        .collect();
    for ((name, after), output) in blocks.into_iter().zip(outputs) {
        let (_, rest) = after.split_once("```\n").expect("the end of a block");
        written += &format!("<!-- example: {name} -->\n```text\n{output}```\n{rest}");
    }
    if std::env::var_os(REWRITE).is_some() {
        std::fs::write(page, written).expect("the page is written");
    } else {
        assert_eq!(text, written, "set {REWRITE}=1 to rewrite the page");
    }
}

/// The figures of the last chapter are in the pages that they link to, and its files exist.
#[test]
fn figures_of_programs_are_measured() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/theory.md")).expect("the page");
    let (_, chapter) = page
        .split_once("## Historic programs")
        .expect("the chapter");
    let mut figures = 0;
    for row in chapter.lines().filter(|line| line.starts_with("| ")) {
        for link in row.split('[').skip(1) {
            let (figure, rest) = link.split_once("](").expect("a link");
            let (target, _) = rest.split_once(')').expect("the end of a link");
            let results = std::fs::read_to_string(root.join("docs").join(target)).expect(target);
            assert!(results.contains(figure), "{figure} in {target}");
            figures += 1;
        }
    }
    for file in chapter
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|code| code.starts_with("src/"))
    {
        assert!(root.join(file).is_file(), "{file}");
    }
    assert!(figures >= 8, "{figures}");
}

/// What an example of the library prints for these arguments and this input.
fn printed(name: &str, arguments: &[&str], input: &str) -> String {
    let output = run(name, arguments, input);
    assert!(output.status.success(), "{name}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Runs an example of the library.
fn run(name: &str, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--locked", "--example", name, "--"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cargo");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin
        .write_all(input.as_bytes())
        .expect("the input is read");
    drop(stdin);
    child.wait_with_output().expect("an end")
}

#[test]
fn invalid_arguments_are_named() {
    let table: &[(&str, &[&str], i32, &str)] = &[
        ("review", &[], 2, "usage: review GAMES.pgn [NODES]\n"),
        ("review", &["no/such.pgn"], 1, "error: no/such.pgn: "),
        (
            "selfplay",
            &[],
            2,
            "usage: selfplay FOLDER [GAMES] [NODES]\n",
        ),
        ("selfplay", &["Cargo.toml"], 1, "error: Cargo.toml: "),
    ];
    for &(name, arguments, code, message) in table {
        let output = run(name, arguments, "");
        let text = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(code), "{name}: {text}");
        assert!(text.starts_with(message), "{name}: {text}");
    }
}

#[test]
fn a_position_is_analysed() {
    let found = printed("analyse", &["8/8/8/8/8/2k5/8/K2q4 w - - 0 1", "2000"], "");
    assert!(found.contains("tablebase loss"), "{found}");
    let found = printed("analyse", &["startpos", "2000"], "");
    assert!(
        found.contains("book e4 ") && found.contains("depth  1"),
        "{found}"
    );
}

#[test]
fn a_game_is_played_and_reviewed() {
    let game = printed("play", &["800", "300"], "");
    let end = game.lines().last().expect("an end");
    let known = ["checkmate", "stalemate", "draw by", "unfinished"];
    assert!(known.iter().any(|known| end.starts_with(known)), "{game}");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/review.pgn");
    let review = printed("review", &[file, "200"], "");
    assert!(
        review.ends_with(" skipped\n") && review.lines().count() > 1,
        "{review}"
    );
}

#[test]
fn a_bot_answers_when_it_is_to_move() {
    let input = concat!(
        r#"{"type":"gameFull","black":{"id":"us"},"initialFen":"startpos","state":{"moves":"f2f3","btime":9000,"binc":0}}"#,
        "\n",
        r#"{"type":"gameState","moves":"f2f3 e7e5","btime":9000}"#,
        "\n",
        r#"{"type":"gameState","moves":"f2f3 e7e5 g2g4","btime":9000,"status":"started"}"#,
        "\n",
        r#"{"type":"gameState","moves":"f2f3 e7e5 g2g4","btime":9000,"status":"resign"}"#,
        "\nnonsense\n",
        r#"{"type":"gameState","moves":"f2f3 e7e9"}"#,
        "\n",
        // As the king's move, castling would be another move.
        r#"{"type":"gameFull","white":{"id":"us"},"initialFen":"5k2/8/8/8/8/8/4R1Q1/5K1R w H - 0 1","state":{"wtime":9000}}"#,
        "\n",
        r#"{"type":"gameFull","white":{"id":"them"},"initialFen":"startpos","state":{"wtime":9000}}"#,
        "\n",
    );
    let answers = printed("bot", &["us"], input);
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), 6, "{answers:?}");
    assert!(answers[0].starts_with(r#"{"move":""#), "{answers:?}");
    assert_eq!(answers[1], r#"{"move":"d8h4"}"#);
    assert!(
        answers[2..4]
            .iter()
            .all(|answer| answer.starts_with(r#"{"error":""#))
    );
    assert_eq!(answers[4], r#"{"move":"f1h1"}"#);
    assert_eq!(answers[5], r#"{"error":"not a game of us"}"#);
}

#[test]
fn training_games_are_played_and_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    let first = printed("selfplay", &[path, "2", "100"], "");
    assert!(first.starts_with("2 games, "), "{first}");
    assert_eq!(printed("selfplay", &[path, "2", "100"], ""), first);
}
