//! Opening books: Polyglot's published keys, valid and invalid files, playing from a book, and `lucena book`.

use std::path::Path;

use crate::common::books::{entries, game, write_book};
use crate::common::{Folder, lucena, lucena_with_input};
use lucena::book::entry;

/// The output for these UCI lines, given as arguments: each search runs to its end.
fn uci(input: &str) -> String {
    let output = lucena(&input.lines().collect::<Vec<_>>());
    // 1: a line was rejected, which the test checks by the output.
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The output for these UCI lines on standard input, written at once.
fn uci_at_once(input: &str) -> String {
    let output = lucena_with_input(&[], input);
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The lines with `bestmove`.
fn answers(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| line.starts_with("bestmove"))
        .collect()
}

#[test]
fn keys_match_the_published_polyglot_keys() {
    let published = [
        ("", 0x463b_9618_1691_fc9c_u64),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
    ];
    for (moves, key) in published {
        assert_eq!(game(None, moves).book_key(), key, "{moves}");
    }
}

#[test]
fn the_book_gives_move_and_ponder_move() {
    let folder = Folder::new("book-play");
    let path = folder.join("own.bin");
    let line = "g1h3 g8h6 h3g1 h6g8";
    write_book(&path, entries(None, &[(line, 7), ("a2a3", 0)]));
    let set = format!(
        "uci\nsetoption name OwnBook value true\nsetoption name Book File value {}\nisready\n",
        path.display()
    );
    let text = uci(&format!(
        "{set}position startpos\ngo wtime 1000 btime 1000\nposition startpos moves g1h3\ngo depth 3\n"
    ));
    assert_eq!(
        answers(&text),
        ["bestmove g1h3 ponder g8h6", "bestmove g8h6 ponder h3g1"],
        "{text}"
    );
    assert!(text.contains("info string book: one of 1 moves, chosen with 100 %"));
    // Off by default, with MultiPV, with other searchmoves and beyond Book Depth.
    let searched = [
        format!(
            "setoption name Book File value {}\ngo depth 4\n",
            path.display()
        ),
        format!("{set}setoption name MultiPV value 2\nposition startpos\ngo depth 4\n"),
        format!("{set}position startpos\ngo depth 4 searchmoves e2e4 d2d4\n"),
        format!("{set}setoption name Book Depth value 0\nposition startpos\ngo depth 4\n"),
    ];
    for input in searched {
        let text = uci(&input);
        assert!(!text.contains("info string book"), "{input}{text}");
        assert_ne!(answers(&text), ["bestmove g1h3 ponder g8h6"], "{input}");
    }
    let text = uci_at_once(&format!(
        "{set}position startpos\ngo depth 4 infinite\nstop\n"
    ));
    assert!(!text.contains("info string book"), "{text}");
    // The built-in book is the default, and the opening is named.
    let text = uci(
        "setoption name OwnBook value true\nposition startpos moves e2e4 e7e5 g1f3 b8c6 f1b5\ngo depth 4\n",
    );
    assert!(text.contains("info string C60 Ruy Lopez"), "{text}");
    assert!(text.contains("info string book: "), "{text}");
    let text = uci(&format!(
        "{set}position startpos\ngo depth 4 searchmoves g1h3\n"
    ));
    assert_eq!(answers(&text), ["bestmove g1h3 ponder g8h6"]);
    // While pondering, bestmove waits for ponderhit.
    let text = uci_at_once(&format!(
        "{set}position startpos\ngo ponder wtime 1000 btime 1000\nisready\nponderhit\n"
    ));
    assert!(text.ends_with("bestmove g1h3 ponder g8h6\n"), "{text}");
}

#[test]
fn book_moves_that_repeat_or_lose_are_not_played() {
    let folder = Folder::new("book-leave");
    let path = folder.join("repeats.bin");
    write_book(&path, entries(None, &[("g1f3 g8f6 f3g1 f6g8", 1)]));
    let set = |path: &Path| {
        let path = path.display();
        format!("setoption name OwnBook value true\nsetoption name Book File value {path}\n")
    };
    let text = uci(&format!(
        "{}position startpos moves g1f3 g8f6 f3g1\ngo depth 3\n",
        set(&path)
    ));
    assert!(!text.contains("info string book"), "{text}");
    let path = folder.join("loses.bin");
    write_book(&path, entries(None, &[("e2e4 e7e5 d1h5 b8c6 h5f7", 1)]));
    let text = uci(&format!(
        "{}position startpos moves e2e4 e7e5 d1h5 b8c6\ngo depth 6\n",
        set(&path)
    ));
    assert!(text.contains("looks refuted"), "{text}");
    assert!(!answers(&text)[0].contains("h5f7"), "{text}");
}

#[test]
fn chess960_castles_from_the_book() {
    let folder = Folder::new("book-chess960");
    let path = folder.join("castles.bin");
    let fen = "1r2k2r/pppppppp/8/8/8/8/PPPPPPPP/1R2K2R w HBhb - 0 1";
    write_book(&path, entries(Some(fen), &[("e1b1 e8h8", 1)]));
    let text = uci(&format!(
        "setoption name OwnBook value true\nsetoption name Book File value {}\n\
         setoption name UCI_Chess960 value true\nposition fen {fen}\ngo depth 1\n\
         position fen {fen} moves e1b1\ngo depth 1\n",
        path.display()
    ));
    assert_eq!(
        answers(&text),
        ["bestmove e1b1 ponder e8h8", "bestmove e8h8"]
    );
}

#[test]
fn a_seed_repeats_its_games() {
    let folder = Folder::new("book-seed");
    let path = folder.join("many.bin");
    let moves = [
        "a2a3", "b2b3", "c2c3", "d2d3", "e2e3", "g2g3", "h2h3", "c2c4",
    ];
    let lines: Vec<(&str, u16)> = moves.iter().map(|&mv| (mv, 5)).collect();
    write_book(&path, entries(None, &lines));
    let play = |seed: u32| {
        let games = "ucinewgame\nposition startpos\ngo depth 1\n".repeat(20);
        let text = uci(&format!(
            "setoption name OwnBook value true\nsetoption name Book File value {}\n\
             setoption name Book Seed value {seed}\n{games}",
            path.display()
        ));
        answers(&text)
            .iter()
            .map(|&line| line.to_owned())
            .collect::<Vec<_>>()
    };
    let (first, again, other) = (play(1), play(1), play(2));
    assert_eq!(first, again);
    assert_ne!(first, other);
    let distinct: std::collections::BTreeSet<_> = first.iter().collect();
    assert!(distinct.len() > 4, "{first:?}");
}

#[test]
fn invalid_files_are_reported_and_ignored() {
    let folder = Folder::new("book-bad");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("a file");
        path
    };
    let good: Vec<u8> = {
        let mut bytes = Vec::new();
        let mut entries = entries(None, &[("g1h3 g8h6", 3), ("c2c3", 2)]);
        entry::write(&mut entries, &mut bytes).expect("memory");
        bytes
    };
    let mut unsorted = good.clone();
    unsorted.rotate_left(16);
    let mut illegal = entries(None, &[("e2e4", 1)]);
    illegal[0].raw_move = 0x0fff;
    let illegal: Vec<u8> = illegal.iter().flat_map(|entry| entry.to_bytes()).collect();
    let cases = [
        (folder.join("missing.bin"), "missing.bin: "),
        (folder.to_path_buf(), "directory"),
        (file("empty.bin", b""), "no entry in it (0 bytes"),
        (file("short.bin", b"short"), "no entry in it (5 bytes"),
        (
            file(
                "text.bin",
                b"[Event \"?\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O 1/2-1/2\n",
            ),
            "not a sorted Polyglot book",
        ),
        (
            file("unsorted.bin", &unsorted),
            "not a sorted Polyglot book",
        ),
        (file("illegal.bin", &illegal), ""),
        (
            file("cut.bin", &good[..good.len() - 3]),
            "truncated; the last 13 bytes",
        ),
    ];
    for (path, words) in &cases {
        let text = uci(&format!(
            "setoption name OwnBook value true\nsetoption name Book File value {}\ngo depth 2\n",
            path.display()
        ));
        assert_eq!(answers(&text).len(), 1, "{}: {text}", path.display());
        assert!(
            text.contains(words),
            "{}: no {words} in {text}",
            path.display()
        );
    }
    // The valid book after invalid ones is used.
    let paths = std::env::join_paths([&cases[0].0, &cases[4].0, &file("good.bin", &good)])
        .expect("no path has a colon");
    let text = uci(&format!(
        "setoption name OwnBook value true\nsetoption name Book File value {}\n\
         setoption name Book Selection value Best\ngo depth 2\n",
        paths.display()
    ));
    assert_eq!(answers(&text), ["bestmove g1h3 ponder g8h6"], "{text}");
}
