//! `info` lines. Their format and the legality of variations are checked in every test.

use std::time::{Duration, Instant};

use crate::checker::{Info, Score};
use crate::driver::{Engine, HANG, MIDDLEGAME, centipawns, within};

#[test]
fn scores_are_from_the_movers_view() {
    let mut engine = Engine::ready();
    let pair = [
        "3qk3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/3QK3 b - - 0 1",
    ];
    let scores = pair.map(|fen| {
        engine.send("ucinewgame");
        engine.position(&format!("fen {fen}"));
        engine
            // One ply: deeper, the order of equal moves differs between the two boards.
            .go("depth 1")
            .last()
            .score
            .map(centipawns)
            .expect("a score")
    });
    assert_eq!(scores[0], scores[1]);
    assert!(scores[0] < 0);
    engine.quit();
}

#[test]
fn mate_scores_have_a_full_variation() {
    let mut engine = Engine::ready();
    for (fen, depth) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 8),
        ("6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1", 10),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", 8),
        // Black is mated next move.
        ("7k/8/5K2/6Q1/8/8/8/8 b - - 0 1", 8),
    ] {
        engine.send("ucinewgame");
        engine.position(&format!("fen {fen}"));
        let answer = engine.go(&format!("depth {depth}"));
        let last = answer.last().clone();
        let Some(Score::Mate(moves)) = last.score else {
            engine.fail("no mate found")
        };
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
        assert_eq!(last.pv.len() as i64, plies, "{fen}");
        let end = engine.board().check_variation(&last.pv).expect("legal");
        assert!(end.is_checkmate(), "{fen}");
    }
    engine.quit();
}

#[test]
fn no_line_is_printed_twice() {
    for lines in [1, 3] {
        let mut engine = Engine::ready();
        engine.send(&format!("setoption name MultiPV value {lines}"));
        for go in ["depth 1", "depth 5", "nodes 3000"] {
            let answer = engine.go(go);
            let known = |info: &Info| (info.multipv, info.nodes, info.pv.clone());
            let mut printed: Vec<_> = answer.scored().map(known).collect();
            let count = printed.len();
            printed.sort();
            printed.dedup();
            assert_eq!(printed.len(), count, "MultiPV {lines}, {go}");
        }
        engine.quit();
    }
}

#[test]
fn no_bounds_in_the_first_second() {
    let mut engine = Engine::ready();
    engine.position(MIDDLEGAME);
    let answer = engine.go("depth 9");
    assert!(
        answer
            .scored()
            .all(|info| !info.is_bound || info.time >= Some(1000))
    );
    engine.quit();
}

#[test]
fn multipv_lines_are_complete_and_ordered() {
    for (fen, lines, legal) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            1,
            20,
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            3,
            20,
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            256,
            20,
        ),
        ("8/8/8/8/8/1r6/8/K1k5 w - - 0 1", 5, 1),
        ("7k/8/8/8/8/8/6r1/K7 w - - 0 1", 3, 1),
    ] {
        let mut engine = Engine::ready();
        engine.send(&format!("setoption name MultiPV value {lines}"));
        engine.position(&format!("fen {fen}"));
        let expected = engine.board().move_count().min(lines);
        assert!(engine.board().move_count() == legal || legal == 1);
        for go in ["depth 4", "nodes 2000"] {
            let answer = engine.go(go);
            let scored: Vec<_> = answer
                .scored()
                .filter(|info| !info.is_bound)
                .cloned()
                .collect();
            // Groups of lines 1 to k of one depth, best first, with different first moves.
            assert_eq!(scored.len() % expected, 0, "{fen} {lines}");
            for group in scored.chunks(expected) {
                for (index, info) in group.iter().enumerate() {
                    assert_eq!(info.multipv, Some(index as u64 + 1));
                    assert_eq!(info.depth, group[0].depth);
                }
                let scores = group.iter().filter_map(|info| info.score.map(centipawns));
                assert!(scores.rev().is_sorted(), "{group:#?}");
                let mut first: Vec<_> = group.iter().map(|info| &info.pv[0]).collect();
                first.sort();
                first.dedup();
                assert_eq!(first.len(), expected);
            }
        }
        engine.quit();
    }
}

#[test]
fn multipv_is_limited_by_searchmoves() {
    let mut engine = Engine::ready();
    engine.send("setoption name MultiPV value 5");
    let answer = engine.go("depth 3 searchmoves e2e4 d2d4");
    assert_eq!(
        answer.scored().filter_map(|info| info.multipv).max(),
        Some(2)
    );
    engine.quit();
}

#[test]
fn currmove_comes_only_after_some_seconds() {
    let mut engine = Engine::ready();
    engine.send("go infinite");
    let lines = engine.no_bestmove(Duration::from_millis(2500));
    assert!(
        lines
            .iter()
            .filter_map(|line| line.info.as_ref())
            .all(|info| info.currmove.is_none())
    );
    // Later they come, beginning with the first move.
    let deadline = Instant::now() + HANG;
    let first = loop {
        let line = engine.next(Duration::from_secs(2)).expect("a line");
        if let Some(number) = line.info.and_then(|info| info.currmove) {
            break number;
        }
        assert!(Instant::now() < deadline, "no currmove");
    };
    assert_eq!(first, 1);
    engine.stop(50);
    engine.quit();
}

#[test]
fn output_rate_is_limited() {
    let mut engine = Engine::ready();
    for fen in [
        "8/8/8/8/8/2k5/7q/K7 b - - 0 1",
        "8/8/8/8/8/8/8/K6k w - - 0 1",
        "k7/8/1K6/8/8/8/8/6Q1 w - - 0 1",
    ] {
        engine.position(&format!("fen {fen}"));
        let start = Instant::now();
        engine.send("go movetime 1000 depth 200");
        let answer = engine.answer(HANG);
        let early = answer
            .lines
            .iter()
            .filter(|line| line.at - start < Duration::from_millis(50))
            .count();
        assert!(early <= 25, "{fen}: {early} lines in 50 ms");
        let limit = 30 + answer.took.as_millis() as usize / 10;
        assert!(
            answer.lines.len() <= limit,
            "{fen}: {} lines",
            answer.lines.len()
        );
    }
    engine.quit();
}

#[test]
fn some_line_comes_every_second() {
    let engines = ["fen 8/8/8/8/8/8/8/K6k w - - 0 1", MIDDLEGAME].map(|fen| {
        let mut engine = Engine::ready();
        engine.position(fen);
        engine.send("go infinite");
        (fen, engine, Instant::now())
    });
    std::thread::sleep(Duration::from_secs(4));
    for (fen, mut engine, mut last) in engines {
        for line in engine.no_bestmove(Duration::from_millis(50)) {
            assert!(
                line.at.saturating_duration_since(last) < within(2200),
                "{fen}"
            );
            last = line.at;
        }
        assert!(last.elapsed() < within(2200), "{fen}");
        engine.stop(50);
        engine.quit();
    }
}

/// A move found after the last iteration has no variation yet; a move that stays best keeps its own.
#[test]
fn the_last_variation_is_not_shortened_by_stop() {
    let mut engine = Engine::ready();
    for depth in 4..11 {
        engine.send("ucinewgame");
        engine.position(MIDDLEGAME);
        engine.send("go infinite");
        let early = engine.until(&format!("info depth {depth} "), HANG);
        let exact = |info: &&Info| info.is_scored() && !info.is_bound;
        let mut known = early.iter().filter_map(|line| line.info.as_ref());
        let known = &known.rfind(exact).expect("a variation").pv;
        // Perhaps nothing more was searched.
        let answer = engine.stop(50);
        let last = answer.scored().rfind(exact).map_or(known, |info| &info.pv);
        if last[0] == known[0] {
            let lengths = (known.len(), last.len());
            assert!(lengths.1 >= lengths.0.min(3), "{lengths:?}");
        }
    }
    engine.quit();
}

#[test]
fn nodes_and_time_never_decrease() {
    let mut engine = Engine::ready();
    engine.send("setoption name Threads value 4");
    engine.position(MIDDLEGAME);
    let answer = engine.go("movetime 1500");
    let nodes: Vec<u64> = answer.infos().filter_map(|info| info.nodes).collect();
    assert!(nodes.is_sorted(), "{nodes:?}");
    let times: Vec<u64> = answer.infos().filter_map(|info| info.time).collect();
    assert!(times.is_sorted(), "{times:?}");
    engine.quit();
}

#[test]
fn time_counts_from_go() {
    let mut engine = Engine::ready();
    let answer = engine.go("movetime 300");
    let reported = Duration::from_millis(answer.last().time.expect("a time"));
    assert!(reported <= answer.took + Duration::from_millis(2));
    assert!(answer.took < reported + within(50));
    engine.quit();
}
