//! `isready` and `ucinewgame`.

use std::time::Instant;

use crate::driver::{Engine, HANG, within};

/// The first search does not wait for the system to provide the memory, nor does one after a new game.
#[test]
#[cfg(target_os = "linux")]
fn the_hash_is_in_memory_before_readyok() {
    let mut engine = Engine::ready();
    let resident = |engine: &Engine| crate::driver::process_status(engine.id(), "VmRSS");
    let before = resident(&engine);
    engine.send("setoption name Hash value 512");
    engine.send("isready");
    engine.until("readyok", HANG);
    assert!(resident(&engine) > before + 400 * 1024);
    engine.go("nodes 2000");
    engine.send("ucinewgame");
    engine.send("isready");
    engine.until("readyok", HANG);
    assert!(resident(&engine) > before + 400 * 1024);
    engine.quit();
}

#[test]
fn isready_during_a_search() {
    let mut engine = Engine::ready();
    engine.send("go infinite");
    engine.until("info", within(500));
    for _ in 0..100 {
        let start = Instant::now();
        let lines = engine.alive();
        assert!(start.elapsed() < within(50));
        assert!(lines.iter().all(|line| !line.text.starts_with("bestmove")));
    }
    // The search goes on.
    let nodes = |engine: &mut Engine| {
        let line = engine.until("info", HANG).pop().expect("a line");
        line.info.and_then(|info| info.nodes).unwrap_or(0)
    };
    let seen = nodes(&mut engine);
    while nodes(&mut engine) <= seen {}
    engine.stop(50);
    engine.quit();
}

#[test]
fn bestmove_comes_before_readyok() {
    let mut engine = Engine::ready();
    let mut in_order = 0;
    for _ in 0..30 {
        engine.send_bytes(b"go infinite\nstop\nisready\n");
        let lines = engine.until("readyok", HANG);
        if lines.iter().any(|line| line.text.starts_with("bestmove")) {
            in_order += 1;
        } else {
            engine.until("bestmove", HANG);
        }
    }
    // On a busy machine a search may take longer to stop than `readyok` waits.
    assert!(in_order > 20, "{in_order} of 30");
    engine.alive_and_silent();
    engine.quit();
}

#[test]
fn ucinewgame_is_done_before_readyok() {
    let mut engine = Engine::ready();
    engine.send("setoption name Hash value 512");
    engine.send("isready");
    engine.until("readyok", HANG);
    engine.send("ucinewgame");
    engine.send("isready");
    engine.until("readyok", HANG);
    let answer = engine.go("wtime 100 btime 100");
    assert!(answer.took < within(100));
    engine.quit();
}

#[test]
fn without_ucinewgame() {
    let mut engine = Engine::start();
    engine.position("startpos moves e2e4 e7e5");
    engine.go("depth 5");
    engine.position("fen 8/8/8/8/8/4k3/8/4K2R w K - 0 1");
    engine.go("depth 5");
    engine.quit();
}

#[test]
fn ucinewgame_during_a_search() {
    let mut engine = Engine::ready();
    engine.send("go infinite");
    engine.send("ucinewgame");
    engine.stop(1000);
    engine.alive_and_silent();
    engine.quit();
}

#[test]
fn go_without_position() {
    let mut engine = Engine::ready();
    engine.position("startpos moves e2e4");
    engine.go("depth 1");
    engine.send("ucinewgame");
    engine.alive();
    engine.forget_board();
    let answer = engine.go("depth 1");
    assert!(crate::checker::Board::new("startpos").is_legal(&answer.best));
    engine.quit();
}

#[test]
fn ucinewgame_makes_searches_repeatable() {
    let mut engine = Engine::ready();
    let mut runs = Vec::new();
    for _ in 0..3 {
        engine.send("ucinewgame");
        engine.position("startpos moves d2d4 g8f6 c2c4 e7e6");
        engine.alive();
        let answer = engine.go("nodes 20000");
        // Lines may be skipped, but those of one depth are equal.
        let facts = answer.scored().map(|info| {
            let facts = (info.score, info.nodes, info.hashfull, info.pv.clone());
            ((info.depth, info.multipv), facts)
        });
        let facts: std::collections::BTreeMap<_, _> = facts.collect();
        runs.push((
            answer.best.clone(),
            answer.ponder.clone(),
            answer.last().nodes,
            facts,
        ));
        // Another search in between changes nothing.
        engine.position("startpos moves e2e4");
        engine.go("depth 4");
    }
    for pair in runs.windows(2) {
        let [one, two] = pair else { unreachable!() };
        assert_eq!((&one.0, &one.1, one.2), (&two.0, &two.1, two.2));
        let both = one.3.keys().filter(|depth| two.3.contains_key(*depth));
        assert!(both.clone().count() > 3);
        for depth in both {
            assert_eq!(one.3[depth], two.3[depth], "{depth:?}");
        }
    }
    engine.quit();
}
