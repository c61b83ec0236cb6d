//! `bestmove`: its format and its legality are checked in every test, here the special cases.

use std::time::Duration;

use crate::checker::Score;
use crate::driver::{Engine, within};

const MATED: &str = "fen R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1";
const STALEMATED: &str = "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

#[test]
fn promotions_are_lower_case() {
    let mut engine = Engine::ready();
    engine.position("fen 8/5P1k/8/8/8/8/8/K7 w - - 0 1");
    let answer = engine.go("depth 6");
    assert!(
        ["f7f8q", "f7f8r"].contains(&answer.best.as_str()),
        "{}",
        answer.best
    );
    engine.quit();
}

#[test]
fn without_a_legal_move_bestmove_is_none() {
    let mut engine = Engine::ready();
    for (words, score, end) in [
        (MATED, Score::Mate(0), "checkmate"),
        (STALEMATED, Score::Centipawns(0), "stalemate"),
    ] {
        engine.position(words);
        for go in [
            "depth 5",
            "movetime 100",
            "wtime 1000 btime 1000",
            "nodes 100",
        ] {
            let answer = engine.go(go);
            assert_eq!(answer.best, "(none)");
            assert_eq!(answer.strings(), [format!("the game is over: {end}")]);
            let info = answer.infos().next_back().expect("an info line");
            assert_eq!((info.depth, info.score), (Some(0), Some(score)));
        }
    }
    engine.position("startpos moves e2e4");
    engine.go("depth 2");
    engine.quit();
}

#[test]
fn without_a_legal_move_infinite_waits_for_stop() {
    let mut engine = Engine::ready();
    for words in [MATED, STALEMATED] {
        for go in ["go infinite", "go", "go ponder wtime 100 btime 100"] {
            engine.position(words);
            engine.send(go);
            engine.until("info depth 0 score", within(100));
            engine.no_bestmove(Duration::from_millis(500));
            engine.alive();
            assert_eq!(engine.stop(50).best, "(none)");
        }
    }
    engine.quit();
}

#[test]
fn a_reply_that_leaves_a_dead_position_is_no_ponder_move() {
    let mut engine = Engine::ready();
    engine.send("setoption name SyzygyProbeLimit value 0");
    engine.position("fen 8/8/8/8/3k4/8/8/3KQ2q b - - 99 80");
    let answer = engine.go("depth 6");
    assert_eq!((answer.best.as_str(), answer.ponder), ("h1e1", None));
    engine.quit();
}

#[test]
fn a_drawn_position_still_gets_a_move() {
    let mut engine = Engine::ready();
    for (words, end) in [
        (
            "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
            "threefold repetition",
        ),
        ("fen 7k/8/8/8/8/8/R7/K7 w - - 100 80", "the fifty-move rule"),
        ("fen 8/8/8/8/8/8/8/K6k w - - 0 1", "insufficient material"),
    ] {
        engine.position(words);
        let answer = engine.go("depth 5");
        assert_ne!(answer.best, "(none)");
        let end = format!("the game is over: draw by {end}");
        assert_eq!(answer.strings(), [end]);
    }
    engine.position("startpos moves g1f3 g8f6 f3g1 f6g8");
    assert!(engine.go("depth 5").strings().is_empty());
    engine.quit();
}
