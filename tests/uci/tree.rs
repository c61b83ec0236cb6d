//! `Search Mode` with values `MCTS` and `UCT`: every rule of the protocol holds as with alpha-beta. The driver checks each line.

use std::thread;
use std::time::Duration;

use crate::checker::Score;
#[cfg(target_os = "linux")]
use crate::driver::process_status;
use crate::driver::{Engine, MIDDLEGAME, within};

/// White mates in two: king g3, rook e1.
const MATE_IN_TWO: &str = "fen 8/8/8/8/8/5K2/4R3/7k w - - 0 1";

fn engine(mode: &str) -> Engine {
    let mut engine = Engine::ready();
    engine.send(&format!("setoption name Search Mode value {mode}"));
    engine
}

#[test]
fn all_limits_end_a_tree_search() {
    for mode in ["MCTS", "UCT"] {
        let mut engine = engine(mode);
        for place in ["startpos", MIDDLEGAME] {
            engine.position(place);
            for limit in [
                "depth 1",
                "depth 2",
                "nodes 1",
                "nodes 3000",
                "movetime 30",
                "movetime 0",
                "wtime 300 btime 300 winc 10 binc 10",
                "wtime 0 btime 0",
            ] {
                engine.go(limit);
            }
        }
        engine.quit();
    }
}

#[test]
fn a_node_limit_is_kept() {
    let mut engine = engine("MCTS");
    engine.position(MIDDLEGAME);
    let answer = engine.go("nodes 5000");
    assert_eq!(answer.nodes(), 5000);
    engine.quit();
}

#[test]
fn a_stop_and_a_ponder_hit_end_the_search() {
    for mode in ["MCTS", "UCT"] {
        let mut engine = engine(mode);
        engine.send("setoption name Threads value 2");
        engine.position(MIDDLEGAME);
        for round in 0..10_u64 {
            engine.send("go infinite");
            thread::sleep(Duration::from_millis(round * 7));
            let answer = engine.stop(50);
            assert!(answer.took < within(50), "{:?}", answer.took);
        }
        engine.send("go ponder wtime 500 btime 500");
        engine.no_bestmove(Duration::from_millis(200));
        engine.send("ponderhit");
        engine.answer(within(500));
        engine.quit();
    }
}

#[test]
fn an_infinite_search_of_a_solved_position_waits_for_the_stop() {
    for place in [
        "fen k7/8/1K6/8/8/8/8/7R w - - 0 1",
        "fen k7/8/K7/8/8/8/8/8 w - - 0 1",
    ] {
        let mut engine = engine("MCTS");
        engine.position(place);
        engine.send("go infinite");
        engine.no_bestmove(Duration::from_millis(300));
        engine.stop(50);
        engine.quit();
    }
}

#[test]
fn mates_are_found_and_counted() {
    for mode in ["MCTS", "UCT"] {
        let mut engine = engine(mode);
        engine.position(MATE_IN_TWO);
        let answer = engine.go("mate 2");
        assert_eq!(answer.last().score, Some(Score::Mate(2)), "{mode}");
        engine.quit();
    }
}

#[test]
fn a_tree_is_kept_only_for_moves_and_clocks_that_it_knows() {
    let mut engine = engine("MCTS");
    engine.position("fen r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5Q2/PPPP1PPP/RNB1KBNR w KQkq - 0 3");
    engine.go("nodes 4000 searchmoves f3f7");
    assert_ne!(engine.go("nodes 2000").best, "f3f7");

    // A mate in three moves comes after the fifty-move rule.
    let fen = "fen 8/8/1p2k3/1P6/8/4K3/3QQ3/7r w - -";
    engine.position(&format!("{fen} 0 80"));
    engine.go("nodes 20000");
    engine.position(&format!("{fen} 98 130"));
    let answer = engine.go("nodes 2000");
    assert!(
        matches!(answer.last().score, Some(Score::Centipawns(_))),
        "{:?}",
        answer.last().score
    );
    engine.quit();
}

#[test]
fn only_the_wanted_moves_are_searched() {
    let mut engine = engine("MCTS");
    engine.position("startpos");
    // The tree of the first search has the other moves, too.
    engine.go("nodes 2000");
    let answer = engine.go("nodes 2000 searchmoves a2a3 h2h3");
    assert!(["a2a3", "h2h3"].contains(&answer.best.as_str()));
    for info in answer.scored() {
        assert!(["a2a3", "h2h3"].contains(&info.pv[0].as_str()));
    }
    engine.quit();
}

#[test]
fn every_line_of_multi_pv_is_reported() {
    let mut engine = engine("MCTS");
    engine.send("setoption name MultiPV value 256");
    engine.send("setoption name UCI_ShowWDL value true");
    engine.position(MIDDLEGAME);
    let answer = engine.go("nodes 20000");
    let legal = engine.board().move_count();
    let mut first: Vec<&str> = answer
        .scored()
        .rev()
        .take(legal)
        .map(|info| info.pv[0].as_str())
        .collect();
    first.sort_unstable();
    first.dedup();
    assert_eq!(first.len(), legal);
    engine.quit();
}

#[test]
fn one_thread_repeats_its_answer() {
    let mut engine = engine("MCTS");
    let answer = |engine: &mut Engine| {
        engine.send("ucinewgame");
        engine.position(MIDDLEGAME);
        let first = engine.go("nodes 8000");
        engine.position(&format!("{MIDDLEGAME} moves c1g5 c8g4"));
        let second = engine.go("nodes 8000");
        (first.last().clone().pv, second.last().clone().pv)
    };
    let first = answer(&mut engine);
    assert_eq!(answer(&mut engine), first);
    engine.send("setoption name Deterministic value true");
    engine.send("setoption name Threads value 3");
    let first = answer(&mut engine);
    assert_eq!(answer(&mut engine), first);
    engine.quit();
}

#[test]
#[cfg(target_os = "linux")]
fn the_memory_is_that_of_hash() {
    const HASH: u64 = 24;
    let used = |hash: u64, words: &str| {
        let mut engine = engine("MCTS");
        engine.send(&format!("setoption name Hash value {hash}"));
        engine.position(MIDDLEGAME);
        engine.go(words);
        let used = process_status(engine.id(), "VmHWM");
        engine.quit();
        used
    };
    // The program itself.
    let base = used(1, "nodes 1000");
    // Long enough to fill the tree; a full tree goes on.
    let full = used(HASH, "nodes 1500000");
    let most = (HASH * 1024) * 11 / 10 + base;
    assert!(full <= most, "{full} kB, {base} kB without the tree");
}

#[test]
fn the_tree_is_explained() {
    let mut engine = engine("MCTS");
    engine.lenient = true;
    engine.position(MATE_IN_TWO);
    engine.send("tree");
    engine.until("info string tree: no search", within(50));
    engine.go("nodes 500");
    engine.send("tree f3g3");
    let lines = engine.until("line ", within(50));
    let text: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    assert!(
        text.iter().any(|line| line.starts_with("prior ")),
        "{text:?}"
    );
    engine.send("debug on");
    let answer = engine.go("nodes 500");
    let strings = answer.strings();
    assert!(
        strings
            .iter()
            .any(|line| line.starts_with("tree f3g3 visits ")),
        "{strings:?}"
    );
    engine.quit();
}

#[test]
fn only_a_tree_search_prints_its_tree() {
    let mut engine = engine("MCTS");
    engine.send("debug on");
    let has_tree = |engine: &mut Engine| {
        let answer = engine.go("nodes 500");
        (answer.strings().iter()).any(|line| line.starts_with("tree "))
    };
    engine.position("startpos");
    assert!(has_tree(&mut engine));
    engine.send("setoption name UCI_LimitStrength value true");
    engine.send("setoption name UCI_Elo value 1200");
    for position in ["startpos", "startpos moves e2e4"] {
        engine.position(position);
        assert!(!has_tree(&mut engine), "{position}");
    }
    engine.quit();
}
