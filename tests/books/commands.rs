//! The commands of `lucena book`.

use std::fs;
use std::path::Path;

use crate::common::books::{entries, write_book};
use crate::common::{Folder, lucena};

/// Output and errors of `lucena book …`, and whether it succeeds.
fn book(arguments: &[&str]) -> (String, bool) {
    let output = lucena(&[&["book"], arguments].concat());
    let text = [output.stdout, output.stderr].concat();
    (
        String::from_utf8(text).expect("UTF-8"),
        output.status.success(),
    )
}

const GAMES: &str = "[Event \"one\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 {a comment} Nc6 (2... d6) 1-0\n\n\
    [Event \"two\"]\n[Result \"1/2-1/2\"]\n\n1. e4 c5 2. Nf3 d6 1/2-1/2\n\n\
    [Event \"three\"]\n[Result \"0-1\"]\n\n1. d4 d5 0-1\n\n\
    [Event \"broken\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 Nc6 1-0\n\n\
    [Event \"atomic\"]\n[Variant \"Atomic\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n\
    [Event \"bad start\"]\n[SetUp \"1\"]\n[FEN \"nonsense\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n\
    [Event \"J\u{fc}rgen\"]\n[Result \"*\"]\n\n1. c4 Nf6 *\n";

#[test]
fn a_book_is_built_from_games_and_unusable_games_are_reported() {
    let folder = Folder::new("book-build");
    let text = |name: &str| folder.text(name);
    let (pgn, bin, latin, wide) = (
        text("games.pgn"),
        text("built.bin"),
        text("latin.pgn"),
        text("wide.pgn"),
    );
    std::fs::write(&pgn, GAMES).expect("a file");
    // A name in Latin-1 is not UTF-8; the moves are the same.
    let latin_bytes: Vec<u8> = GAMES.chars().map(|letter| letter as u8).collect();
    std::fs::write(&latin, latin_bytes).expect("a file");
    std::fs::write(&wide, b"\xff\xfe[\0E\0").expect("a file");
    let (output, good) = book(&[
        "build",
        "--pgn",
        &pgn,
        &latin,
        &wide,
        "--out",
        &bin,
        "--min-games",
        "1",
    ]);
    assert!(good, "{output}");
    for words in [
        "8 games",
        "warning: 7 games skipped",
        "game 4: line 19: `Ke3` is not legal; king moves: Ke2",
        "game 5: line 21: variant Atomic is not supported",
        "wide.pgn: text in UTF-16",
    ] {
        assert!(output.contains(words), "no {words} in {output}");
    }
    let (output, _) = book(&["probe", "--book", &bin]);
    for words in ["e2e4  e4           6", "c2c4  c4           2"] {
        assert!(output.contains(words), "no {words} in {output}");
    }
    // 1.d4 only lost: a move without points is left out.
    assert!(!output.contains("d2d4"), "{output}");
    let (output, good) = book(&["verify", &bin]);
    assert!(
        good && output.contains("entries 8, trailing bytes 0"),
        "{output}"
    );
    let (output, good) = book(&["build", "--pgn", "/no/such.pgn", "--out", &bin]);
    assert!(!good && output.contains("/no/such.pgn: "), "{output}");
    // Filters: one side, uniform weights.
    let uniform = ["--min-games", "1", "--only", "black", "--uniform"];
    let (output, good) = book(&[&["build", "--pgn", &pgn, "--out", &bin], &uniform[..]].concat());
    assert!(
        good && output.contains("book 4 positions, 4 moves"),
        "{output}"
    );
    let (output, _) = book(&["probe", "--book", &bin, "1.e4"]);
    assert!(output.contains("c7c5  c5           1 100.0 %"), "{output}");
}

#[test]
fn books_are_merged_printed_and_verified() {
    let folder = Folder::new("book-tools");
    let text = |name: &str| folder.text(name);
    let (one, two, both) = (text("one.bin"), text("two.bin"), text("both.bin"));
    write_book(Path::new(&one), entries(None, &[("e2e4 c7c5 g1f3", 3)]));
    write_book(
        Path::new(&two),
        entries(None, &[("d2d4", 4), ("e2e4 e7e5", 1)]),
    );
    let (output, good) = book(&["merge", &one, &two, "--out", &both]);
    assert!(
        good && output.contains("book 3 positions, 5 moves"),
        "{output}"
    );
    let (output, _) = book(&["tree", "--book", &both]);
    assert!(
        output.contains("└─1.e4 50 %") && output.contains("   ├─c5 75 %"),
        "{output}"
    );
    let (output, good) = book(&["merge", "--first", &one, &two, "--out", &both]);
    assert!(
        good && output.contains("book 3 positions, 3 moves"),
        "{output}"
    );
    assert!(!book(&["merge", &one, &two, "--out", &two]).1);
    let picture = text("tree.svg");
    let (_, good) = book(&["tree", "--book", &two, "--svg", &picture]);
    let drawn = std::fs::read_to_string(&picture).expect("a picture");
    assert!(good && drawn.starts_with("<svg") && drawn.contains(">1.d4 80 %</text>"));
    // Invalid books are reported.
    let mut bytes = std::fs::read(&one).expect("a book");
    bytes.rotate_right(16);
    bytes.pop();
    std::fs::write(&both, bytes).expect("a file");
    let (output, good) = book(&["verify", &both]);
    assert!(
        !good && output.contains("out of order") && output.contains("not a valid book"),
        "{output}"
    );
    let mut illegal = entries(None, &[("e2e4", 1), ("d2d4", 1)]);
    illegal[0].raw_move = 0x0fff;
    write_book(Path::new(&both), illegal);
    let (output, good) = book(&["verify", &both]);
    assert!(!good && output.contains("h8h8 in rnbqkbnr/"), "{output}");
}

#[test]
fn an_interrupted_grow_continues_and_gives_the_same_book() {
    let folder = Folder::new("book-grow");
    let text = |name: &str| folder.text(name);
    let (log, whole, resumed) = (text("log"), text("whole.bin"), text("resumed.bin"));
    let _ = std::fs::remove_file(&log);
    let recipe = ["--positions", "30", "--nodes", "200", "--threads", "2"];
    let grow =
        |out: &str, more: &[&str]| book(&[&["grow", "--out", out], &recipe[..], more].concat());
    let (output, good) = grow(&whole, &["--log", &log]);
    assert!(good && output.contains("book 30 positions"), "{output}");
    // Half of the log, its last line truncated.
    let judged = std::fs::read_to_string(&log).expect("a log");
    std::fs::write(&log, &judged[..judged.len() / 2]).expect("a file");
    let (_, good) = grow(&resumed, &["--log", &log]);
    assert!(good);
    let read = |path: &str| std::fs::read(path).expect("a book");
    assert_eq!(read(&whole), read(&resumed));
    let (output, good) = book(&["verify", &whole, "--nodes", "200", "--log", &log]);
    assert!(
        good && output.contains("more than 60 centipawns: 0"),
        "{output}"
    );
    let (output, good) = book(&["verify", &whole, "--nodes", "300", "--log", &log]);
    assert!(
        !good && output.contains("made with other nodes"),
        "{output}"
    );
}

#[test]
fn openings_are_named_from_san_uci_and_fen() {
    let ruy = "C60 Ruy Lopez";
    for words in [
        &["1.e4", "e5", "2.Nf3", "Nc6", "3.Bb5"][..],
        &["e2e4 e7e5 g1f3 b8c6 f1b5"],
        &["r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"],
    ] {
        let (output, good) = book(&[&["name"], words].concat());
        assert!(good && output.starts_with(ruy), "{words:?}: {output}");
    }
    let (output, good) = book(&["name", "e4", "Ke3"]);
    assert!(!good && output.contains("`Ke3` is not legal"), "{output}");
}

#[test]
fn inputs_and_existing_files_are_not_overwritten() {
    let folder = Folder::new("book-kept");
    let path = |name: &str| folder.text(name);
    let (games, empty, good) = (path("games.pgn"), path("empty.pgn"), path("good.bin"));
    let text = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n";
    fs::write(&games, text).expect("a file");
    fs::write(&empty, "").expect("a file");
    assert!(book(&["export", "--out", &good]).1);
    let whole = fs::read(&good).expect("the book");
    for arguments in [
        vec![
            "build",
            "--pgn",
            &games,
            "--min-games",
            "1",
            "--out",
            &games,
        ],
        vec!["name", "--compile", &games, "--out", &games],
        vec![
            "grow",
            "--pgn",
            &games,
            "--nodes",
            "1",
            "--positions",
            "1",
            "--out",
            &games,
        ],
        vec![
            "verify", "--pgn", &games, "--nodes", "1", "--report", &games,
        ],
        vec!["tree", "--book", &good, "--depth", "1", "--svg", &good],
        vec!["build", "--pgn", &empty, "--out", &good],
        vec!["name", "--compile", &empty, "--out", &good],
    ] {
        let (output, done) = book(&arguments);
        assert!(!done, "{arguments:?}: {output}");
    }
    assert_eq!(fs::read_to_string(&games).expect("the games"), text);
    assert_eq!(fs::read(&good).expect("the book"), whole);
}
