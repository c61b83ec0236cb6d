//! `stop` and pondering. `tests/ponder.py` plays whole games with pondering.

use std::thread;
use std::time::{Duration, Instant};

use crate::driver::{Engine, HANG, within};

#[test]
fn stop_answers_at_once() {
    let mut engine = Engine::ready();
    engine.send("setoption name Threads value 2");
    engine.alive();
    for round in 0..60_u64 {
        engine.send("go infinite");
        thread::sleep(Duration::from_millis(round * 37 % 101));
        let answer = engine.stop(50);
        assert!(answer.took < within(50), "{:?}", answer.took);
    }
    engine.alive_and_silent();
    engine.quit();
}

/// From `stop` to `bestmove` and from `isready` to `readyok`, during a search and idle. With `LUCENA_STRICT` 1000 rounds and
/// 99 percent of the answers within 1 ms; 50 ms for `isready` during a search, when the reader waits for a processor.
#[test]
fn latency() {
    let strict = std::env::var_os("LUCENA_STRICT").is_some();
    let rounds: u64 = if strict { 1000 } else { 40 };
    let mut engine = Engine::ready();
    let (mut stops, mut readies, mut idle) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..rounds {
        let start = Instant::now();
        engine.send("isready");
        let line = engine.until("readyok", HANG).pop().expect("a line");
        idle.push(line.at.saturating_duration_since(start));
        engine.send("go infinite");
        thread::sleep(Duration::from_millis(1 + round * 37 % 50));
        let start = Instant::now();
        engine.send("isready");
        let line = engine.until("readyok", HANG).pop().expect("a line");
        readies.push(line.at.saturating_duration_since(start));
        let answer = engine.stop(50);
        stops.push(answer.took);
    }
    for (name, mut times, at_most) in [
        ("stop", stops, 1),
        ("isready", readies, 50),
        ("idle isready", idle, 1),
    ] {
        times.sort();
        let share = |percent: usize| times[(times.len() - 1) * percent / 100];
        eprintln!(
            "{name}: median {:?}, p99 {:?}, at most {:?}",
            share(50),
            share(99),
            share(100)
        );
        assert!(share(99) <= within(at_most), "{name}: {:?}", share(99));
    }
    engine.quit();
}

#[test]
fn stop_ends_perft_and_bench() {
    let mut engine = Engine::ready();
    engine.lenient = true;
    for (command, expected) in [
        ("go perft 12", "info string perft: stopped"),
        ("bench 60", "info string bench: stopped"),
    ] {
        engine.send(command);
        thread::sleep(Duration::from_millis(100));
        engine.send("stop");
        engine.until(expected, within(100));
        engine.alive_and_silent();
    }
    engine.go("depth 2");
    engine.quit();
}

#[test]
fn stop_right_after_go() {
    let mut engine = Engine::ready();
    for words in [
        "infinite",
        "wtime 600000 btime 600000",
        "ponder wtime 1000",
        "depth 100",
        "",
    ] {
        engine.send_bytes(format!("go {words}\nstop\n").as_bytes());
        engine.answer(within(100));
    }
    engine.alive_and_silent();
    engine.quit();
}

#[test]
fn one_bestmove_per_go() {
    let mut engine = Engine::ready();
    for round in 0..200 {
        // The stop comes at about the end of the search.
        engine.send("go movetime 2");
        if round % 3 == 0 {
            thread::sleep(Duration::from_millis(1));
        }
        engine.send("stop");
        engine.answer(HANG);
        engine.alive_and_silent();
    }
    engine.quit();
}

#[test]
fn pondering_holds_the_answer() {
    for (fen, limits) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "movetime 50",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "depth 2",
        ),
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "mate 1"),
        ("k7/8/8/8/8/8/1q6/K7 w - - 0 1", "wtime 100 btime 100"),
    ] {
        let mut engine = Engine::ready();
        engine.position(&format!("fen {fen}"));
        engine.send(&format!("go ponder {limits}"));
        engine.no_bestmove(Duration::from_millis(500));
        engine.send("ponderhit");
        engine.answer(within(200));
        engine.alive_and_silent();
        engine.quit();
    }
}

#[test]
fn the_clock_runs_from_the_ponderhit() {
    let mut engine = Engine::ready();
    engine.send("go ponder wtime 1000 btime 1000");
    engine.no_bestmove(Duration::from_secs(2));
    engine.send("ponderhit");
    let answer = engine.answer(within(1000));
    assert!(answer.took < within(1000));
    engine.quit();
}

/// The iteration that runs at the hit would take longer.
#[test]
fn a_hit_ends_the_search_for_the_only_legal_move() {
    let mut engine = Engine::ready();
    engine.position("fen r1bq1rk1/ppp2ppp/2n5/2b1p3/4P3/1Q1P4/PPPBnPPP/RN3RK1 w - - 0 10");
    engine.send("go ponder wtime 600000 btime 600000");
    engine.no_bestmove(Duration::from_millis(1000));
    engine.send("ponderhit");
    assert_eq!(engine.answer(within(100)).best, "g1h1");
    engine.quit();
}

#[test]
fn ponder_miss() {
    let mut engine = Engine::ready();
    engine.position("startpos moves e2e4 e7e5");
    engine.send("go ponder wtime 10000 btime 10000");
    engine.no_bestmove(Duration::from_millis(200));
    engine.send_bytes(b"stop\nposition startpos moves e2e4 c7c5\ngo depth 3\n");
    engine.answer(within(100));
    engine.position("startpos moves e2e4 c7c5");
    engine.answer(HANG);
    engine.alive();
    engine.quit();
}

#[test]
fn pondering_on_a_finished_game() {
    for fen in [
        "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    ] {
        for go in [
            "go ponder",
            "go ponder wtime 100 btime 100",
            "go ponder depth 3",
        ] {
            let mut engine = Engine::ready();
            engine.position(&format!("fen {fen}"));
            engine.send(go);
            engine.no_bestmove(Duration::from_millis(200));
            assert_eq!(engine.stop(50).best, "(none)");
            engine.send(go);
            engine.send("ponderhit");
            assert_eq!(engine.answer(within(100)).best, "(none)");
            engine.position("startpos");
            engine.go("depth 1");
            engine.quit();
        }
    }
}

#[test]
fn limits_count_from_the_ponderhit() {
    let mut engine = Engine::ready();
    engine.send("go ponder movetime 123");
    engine.no_bestmove(Duration::from_secs(1));
    engine.send("ponderhit");
    let answer = engine.answer(within(123));
    assert!(
        answer.took >= Duration::from_millis(100),
        "{:?}",
        answer.took
    );
    for limit in ["depth 2", "nodes 500"] {
        engine.send(&format!("go ponder {limit}"));
        engine.no_bestmove(Duration::from_millis(200));
        engine.send("ponderhit");
        assert!(engine.answer(within(50)).took < within(50));
    }
    engine.quit();
}

#[test]
fn ponderhit_and_stop_at_once() {
    let mut engine = Engine::ready();
    for _ in 0..20 {
        engine.send("go ponder wtime 60000 btime 60000");
        engine.send_bytes(b"ponderhit\nstop\n");
        engine.answer(within(100));
        engine.alive_and_silent();
    }
    engine.quit();
}

#[test]
fn ponder_moves_can_be_pondered_on() {
    let mut engine = Engine::ready();
    let mut moves = String::new();
    for _ in 0..6 {
        engine.position(format!("startpos moves{moves}").trim_end_matches(" moves"));
        let answer = engine.go("nodes 3000");
        let Some(ponder) = answer.ponder else { break };
        moves += &format!(" {} {ponder}", answer.best);
        engine.position(&format!("startpos moves{moves}"));
        engine.send("go ponder wtime 500 btime 500");
        engine.no_bestmove(Duration::from_millis(50));
        engine.send("ponderhit");
        moves += &format!(" {}", engine.answer(within(500)).best);
    }
    engine.quit();
}
