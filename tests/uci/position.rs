//! `position`: FENs, moves and errors.

use std::time::Duration;

use crate::checker::Score;
use crate::driver::{Engine, HANG, Line, within};

/// An engine after its first `go`: before that, errors of `position` are not reported at once.
fn after_go() -> Engine {
    let mut engine = Engine::ready();
    engine.go("depth 1");
    engine
}

/// Sends an invalid position; an error and `bestmove (none)` must follow.
fn is_refused(engine: &mut Engine, words: &str) {
    engine.send(&format!("position {words}"));
    let lines = engine.alive();
    assert_eq!(lines.len(), 1, "{words}");
    assert!(lines[0].text.starts_with("info string position"), "{words}");
    engine.forget_board();
    let answer = engine.go("depth 1");
    assert_eq!(answer.best, "(none)", "{words}");
}

#[test]
fn all_forms_of_position() {
    let mut engine = Engine::ready();
    for words in [
        "startpos",
        "startpos moves e2e4 c7c5",
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 c7c5",
        "startpos moves",
    ] {
        engine.position(words);
        engine.go("depth 1");
    }
    engine.quit();
}

#[test]
fn fens_with_four_or_five_fields() {
    let mut engine = Engine::ready();
    engine.lenient = true;
    let counts = ["", " 0", " 0 1"].map(|rest| {
        engine.position(&format!("fen 4k3/8/8/8/8/8/8/4K2R w K -{rest}"));
        engine.go("depth 1");
        engine.send("go perft 3");
        engine
            .until("Nodes searched", within(1000))
            .pop()
            .expect("a line")
            .text
    });
    assert!(counts.iter().all(|count| *count == counts[0]));
    engine.quit();
}

#[test]
fn en_passant_squares_without_a_capture() {
    let mut engine = Engine::ready();
    engine.lenient = true;
    let same = [
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "-",
        ),
        // The capturing pawn is pinned.
        ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "-"),
        (
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "f6",
        ),
    ];
    for (fen, shown) in same {
        engine.position(&format!("fen {fen}"));
        engine.send("d");
        let line = engine
            .until("FEN: ", within(1000))
            .pop()
            .expect("a line")
            .text;
        assert_eq!(line.split(' ').nth(4), Some(shown), "{line}");
        engine.alive();
        engine.go("depth 2");
    }
    engine.quit();
}

/// Before the first `go` the error waits, but not if a person asks about the position.
#[test]
fn the_first_command_that_needs_a_refused_position_names_the_error() {
    let mut engine = Engine::ready();
    engine.send("position startpos moves e2e4 e2e4");
    engine.alive_and_silent();
    for (command, answer) in [
        ("eval", "info string position: move 2 of 2: "),
        ("d", "info string no valid position is set"),
        ("flip", "info string no valid position is set"),
    ] {
        engine.send(command);
        let lines = engine.alive();
        assert_eq!(lines.len(), 1, "{command}");
        assert!(lines[0].text.starts_with(answer), "{}", lines[0].text);
    }
    engine.quit();
}

#[test]
fn malformed_fens_are_refused() {
    let mut engine = after_go();
    for words in [
        "blah",
        "",
        "fen",
        "fen blah",
        "fen startpos",
        "fen rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "fen rnbqkbnr/9/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "fen rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - a b",
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "startpos e2e4",
    ] {
        is_refused(&mut engine, words);
    }
    engine.position("startpos");
    engine.go("depth 1");
    engine.quit();
}

#[test]
fn fen_errors_name_the_field() {
    let mut engine = after_go();
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for (fen, expected) in [
        (
            format!("{board} w KQkq - 0 1 2"),
            "FEN: expected 4 to 6 fields",
        ),
        (
            "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1".into(),
            "FEN field 1",
        ),
        (format!("{board}[] w KQkq - 0 1"), "FEN: pieces in hand"),
        (
            "3q~k3/8/8/8/8/8/8/4K3 w - - 0 1".into(),
            "FEN: pieces marked as promoted",
        ),
        (format!("{board} w KQkq - 3+3 1"), "FEN: check counts"),
        (format!("{board} x KQkq - 0 1"), "FEN field 2"),
        (format!("{board} w xyz - 0 1"), "FEN field 3"),
        (format!("{board} w KQkq z9 0 1"), "FEN field 4"),
        (format!("{board} w KQkq - -1 1"), "FEN field 5"),
        (format!("{board} w KQkq - 65536 1"), "FEN field 5"),
        (
            format!("{board} w KQkq - 99999999999999999999 1"),
            "FEN field 5",
        ),
        (format!("{board} w KQkq - 0 65536"), "FEN field 6"),
    ] {
        engine.send(&format!("position fen {fen}"));
        let line = engine
            .until("info string position: ", within(1000))
            .pop()
            .expect("a line");
        let text = line.text.trim_start_matches("info string position: ");
        assert!(text.starts_with(expected), "{fen}: {text}");
    }
    engine.quit();
}

#[test]
fn impossible_positions_are_refused() {
    let mut engine = after_go();
    for fen in [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/8 w - - 0 1",
        "8/8/8/8/8/8/8/4K3 b - - 0 1",
        "4k2k/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1",
        "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1",
        "8/8/8/8/8/4k3/4K3/8 w - - 0 1",
        "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/p3K3 w - - 0 1",
        "QQQQkQQQ/QQQQQQQQ/8/8/8/8/8/4K3 w - - 0 1",
        "rnbqkbnr/pppppppp/pppppppp/8/8/PPPPPPPP/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        is_refused(&mut engine, &format!("fen {fen}"));
    }
    // A castling right without its rook is refused or dropped.
    engine.send("position fen 4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1");
    engine.alive();
    engine.go("depth 1");
    engine.position("startpos");
    engine.go("depth 1");
    engine.quit();
}

#[test]
fn illegal_moves_are_refused() {
    let mut engine = after_go();
    for moves in [
        "e2e4 e2e4",
        "e2e5",
        "e7e5",
        "blah",
        "e2e4 e7e5 e1g1",
        "e2e4q",
        "e2",
        "g1f3 0000 0000 e2e5",
    ] {
        is_refused(&mut engine, &format!("startpos moves {moves}"));
    }
    engine.position("startpos moves e2e4");
    engine.go("depth 1");
    engine.quit();
}

#[test]
fn upper_case_promotions_and_null_moves() {
    let mut engine = Engine::ready();
    engine.position("fen 8/4P1k1/8/8/8/8/8/4K3 w - - 0 1 moves e7e8q");
    engine.send("position fen 8/4P1k1/8/8/8/8/8/4K3 w - - 0 1 moves e7e8Q");
    engine.go("depth 1");
    engine.position("fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
    engine.send("position startpos moves 0000");
    engine.go("depth 1");
    engine.quit();
}

#[test]
fn castling_in_either_notation() {
    let before = "startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 g8f6";
    for chess960 in ["false", "true"] {
        for castling in ["e1g1", "e1h1"] {
            let mut engine = Engine::ready();
            engine.send(&format!("setoption name UCI_Chess960 value {chess960}"));
            engine.position(&format!("{before} {castling}"));
            assert_eq!(engine.board().turn(), shakmaty::Color::Black);
            engine.go("depth 1");
            engine.quit();
        }
    }
}

#[test]
fn repetitions_and_rule50_of_the_game_count() {
    let mut engine = Engine::ready();
    // White is lost, but can repeat the position for the third time.
    let fen = "fen 7k/8/8/8/8/8/1q6/3Q3K w - - 0 1";
    engine.position(&format!(
        "{fen} moves d1d8 h8h7 d8d3 h7h8 d3d8 h8h7 d8d3 h7h8"
    ));
    let answer = engine.go("depth 6 searchmoves d3d8");
    assert_eq!(answer.last().score, Some(Score::Centipawns(0)));
    // Halfmove clock 99: any quiet move draws.
    engine.position("fen 7k/8/8/8/8/8/R7/K7 w - - 99 80");
    let answer = engine.go("depth 4");
    assert_eq!(answer.last().score, Some(Score::Centipawns(0)));
    engine.quit();
}

#[test]
fn position_during_a_search() {
    let mut engine = Engine::ready();
    engine.position("startpos moves e2e4");
    engine.send("go infinite");
    engine.until("info", within(500));
    engine.send("position startpos");
    engine.no_bestmove(Duration::from_millis(100));
    // The checker still has the old position.
    engine.stop(50);
    engine.position("startpos");
    engine.go("depth 1");
    engine.quit();
}

#[test]
fn ucinewgame_keeps_the_refusal_of_a_position() {
    let mut engine = Engine::ready();
    engine.send("position fen 8/8/8/8/8/4k3/8/R3K3 w - - 0 1 moves e1e8");
    engine.send("ucinewgame");
    engine.send("go depth 1");
    let lines = engine.until("bestmove", HANG);
    let last = lines.last().expect("an answer");
    assert_eq!(last.text, "bestmove (none)");
    engine.quit();
}

#[test]
fn messages_beyond_the_limit_are_counted() {
    let mut engine = Engine::ready();
    for number in 0..23 {
        engine.send(&format!("setoption name MultiPV value x{number}"));
    }
    engine.send("go depth 1");
    let lines = engine.until("bestmove", HANG);
    let is_count = |line: &Line| line.text == "info string 3 more messages";
    assert!(lines.iter().any(is_count));
    engine.quit();
}
