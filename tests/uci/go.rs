//! `go` and its limits.

use std::thread;
use std::time::Duration;

use crate::checker::Score;
use crate::driver::{Engine, HANG, MIDDLEGAME, within};

#[test]
fn go_arguments_in_any_order() {
    let forms = [
        "depth 5 nodes 1000000 searchmoves e2e4 d2d4",
        "searchmoves e2e4 d2d4 nodes 1000000 depth 5",
        "nodes 1000000 searchmoves e2e4 d2d4 depth 5",
    ];
    let nodes = forms.map(|form| {
        let mut engine = Engine::ready();
        let nodes = engine.go(form).nodes();
        engine.quit();
        nodes
    });
    assert!(nodes.iter().all(|count| *count == nodes[0]), "{nodes:?}");
    let mut engine = Engine::ready();
    engine.send("go wtime 1000 btime 1000 ponder");
    engine.no_bestmove(Duration::from_millis(300));
    engine.stop(50);
    engine.quit();
}

#[test]
fn clocks_without_increment_or_the_other_clock() {
    let mut engine = Engine::ready();
    for words in ["wtime 100", "btime 100", "wtime 100 btime 100"] {
        for position in ["startpos", "startpos moves e2e4"] {
            engine.position(position);
            let took = engine.go(words).took;
            assert!(took < within(100), "{words} {position}: {took:?}");
        }
    }
    engine.quit();
}

#[test]
fn zero_and_negative_limits_answer_at_once() {
    let mut engine = Engine::ready();
    for words in [
        "wtime 0",
        "wtime 0 btime 0 winc 0 binc 0",
        "wtime 0 winc 1000",
        "wtime -50 btime 1000",
        "wtime 1 btime 1",
        "movetime 0",
        "movetime -1",
        "depth 0",
        "depth -3",
        "nodes 0",
        "mate 0",
    ] {
        let answer = engine.go(words);
        assert!(answer.took < within(50), "{words}: {:?}", answer.took);
        assert!(answer.nodes() >= 2, "{words}: an unsearched move");
    }
    engine.quit();
}

#[test]
fn moves_to_go() {
    let mut engine = Engine::ready();
    for time in [10, 50, 200, 500] {
        for moves in [0, 1, 2, 5, 40, 200] {
            let answer = engine.go(&format!("wtime {time} btime {time} movestogo {moves}"));
            assert!(
                answer.took < within(time),
                "wtime {time} movestogo {moves}: {:?}",
                answer.took
            );
        }
    }
    engine.quit();
}

#[test]
fn huge_numbers() {
    let mut engine = Engine::ready();
    engine.go("depth 3 wtime 99999999999 btime 99999999999");
    engine.go("depth 3 nodes 9223372036854775808");
    engine.go("depth 3 nodes 99999999999999999999999999999999999999999999999999");
    engine.go("nodes 500 depth 999");
    engine.go("movetime 50 depth 99999999999999");
    engine.go(
        "depth 3 movetime 18446744073709551616 winc 18446744073709551616 movestogo 99999999999",
    );
    engine.send("go wtime 99999999999999999999 winc 99999999999999999999");
    engine.no_bestmove(Duration::from_millis(200));
    engine.stop(50);
    engine.quit();
}

#[test]
fn missing_and_invalid_values() {
    let mut engine = Engine::ready();
    for (words, notices) in [
        ("depth 2 wtime", 1),
        ("nodes x depth 2", 1),
        ("depth 2 depth y blah", 2),
        ("movetime depth 2", 1),
    ] {
        let answer = engine.go(words);
        assert_eq!(
            answer.strings().len(),
            notices,
            "{words}: {:?}",
            answer.strings()
        );
    }
    // Without another limit the search ends after depth 1.
    for words in ["depth", "depth x", "wtime", "nodes btime", "winc x"] {
        let answer = engine.go(words);
        assert!(answer.strings()[0].contains("expected a number"), "{words}");
        assert_eq!(answer.last().depth, Some(1), "{words}");
    }
    engine.send("go ponder wtime");
    engine.no_bestmove(Duration::from_millis(200));
    engine.send("ponderhit");
    engine.answer(within(100));
    engine.send("go infinite depth");
    engine.no_bestmove(Duration::from_millis(200));
    engine.stop(50);
    engine.quit();
}

#[test]
fn movetime_is_used_and_kept() {
    let mut engine = Engine::ready();
    engine.send("setoption name Move Overhead value 20");
    for time in [20, 40, 100, 300] {
        let answer = engine.go(&format!("movetime {time}"));
        let reserve = Duration::from_millis(5);
        assert!(
            answer.took + reserve >= Duration::from_millis(time),
            "{time}: {:?}",
            answer.took
        );
        assert!(answer.took < within(time), "{time}: {:?}", answer.took);
    }
    engine.quit();
}

/// Most answers come in time, none early. 200 rounds with `LUCENA_STRICT`.
#[test]
fn movetime_distribution() {
    let rounds = if std::env::var_os("LUCENA_STRICT").is_some() {
        200
    } else {
        40
    };
    let mut engine = Engine::ready();
    let mut took: Vec<Duration> = Vec::new();
    for round in 0..rounds {
        engine.position(if round % 2 == 0 {
            "startpos"
        } else {
            MIDDLEGAME
        });
        took.push(engine.go("movetime 60").took);
    }
    took.sort();
    let shown = |share: usize| took[(took.len() - 1) * share / 100];
    eprintln!(
        "movetime 60: {:?} {:?} {:?}, at most {:?}",
        shown(5),
        shown(50),
        shown(99),
        shown(100)
    );
    // 5 ms are kept back for delays outside the engine.
    assert!(took[0] >= Duration::from_millis(55), "{:?}", took[0]);
    assert!(shown(50) <= within(60), "{:?}", shown(50));
    assert!(shown(100) <= within(110), "{:?}", shown(100));
    engine.quit();
}

#[test]
fn depth_limit_is_reached() {
    let mut engine = Engine::ready();
    for depth in [1, 2, 7] {
        let answer = engine.go(&format!("depth {depth}"));
        assert_eq!(
            answer.scored().next_back().and_then(|info| info.depth),
            Some(depth)
        );
    }
    engine.quit();
}

#[test]
fn node_limit_is_kept() {
    let mut engine = Engine::ready();
    engine.position(MIDDLEGAME);
    for nodes in [0, 1, 2, 10, 100, 1000, 10_000, 50_000] {
        let answer = engine.go(&format!("nodes {nodes}"));
        assert!(answer.nodes() <= nodes + 300, "{nodes}: {}", answer.nodes());
    }
    engine.quit();
}

#[test]
fn go_mate() {
    let mut engine = Engine::ready();
    engine.position("fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    let answer = engine.go("mate 1");
    assert_eq!(
        (answer.best.as_str(), answer.last().score),
        ("d1d8", Some(Score::Mate(1)))
    );
    engine.position("fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    let answer = engine.go("mate 2");
    assert_eq!(
        (answer.best.as_str(), answer.last().score),
        ("a1a6", Some(Score::Mate(2)))
    );
    // With `searchmoves`: the en passant capture discovers check by the bishop.
    engine.position("fen 5K2/8/2qk4/2nPp3/3r4/6B1/B7/3R4 w - e6 0 1");
    let answer = engine.go("mate 2 searchmoves d5e6");
    assert_eq!(
        (answer.best.as_str(), answer.last().score),
        ("d5e6", Some(Score::Mate(1)))
    );
    // A mate for the opponent ends the search, too.
    engine.position("fen 7k/8/5K2/6Q1/8/8/8/8 b - - 0 1");
    let answer = engine.go("mate 2");
    assert_eq!(answer.last().score, Some(Score::Mate(-1)));
    // Without such a mate the search goes on.
    engine.position("startpos");
    engine.send("go mate 1");
    engine.no_bestmove(Duration::from_millis(500));
    engine.stop(50);
    engine.quit();
}

#[test]
fn the_first_limit_reached_ends_the_search() {
    let mut engine = Engine::ready();
    assert!(engine.go("depth 200 nodes 2000").nodes() < 4000);
    assert_eq!(engine.go("depth 3 nodes 100000000").last().depth, Some(3));
    assert!(engine.go("movetime 50 depth 200").took < within(100));
    assert_eq!(engine.go("movetime 60000 depth 2").last().depth, Some(2));
    assert!(
        engine
            .go("wtime 100 btime 100 depth 200 nodes 1000000000 movetime 600000")
            .took
            < within(100)
    );
    assert!(engine.go("wtime 600000 btime 600000 nodes 1000").nodes() < 3000);
    engine.quit();
}

#[test]
fn searchmoves_at_any_place() {
    let mut engine = Engine::ready();
    for words in [
        "searchmoves a2a3 h2h4 depth 4",
        "depth 4 searchmoves a2a3 h2h4",
        "nodes 5000 searchmoves h2h4 a2a3 depth 4",
    ] {
        let answer = engine.go(words);
        assert!(["a2a3", "h2h4"].contains(&answer.best.as_str()));
        assert!(
            answer
                .scored()
                .all(|info| ["a2a3", "h2h4"].contains(&info.pv[0].as_str()))
        );
        assert_eq!(answer.last().depth, Some(4));
    }
    engine.quit();
}

#[test]
fn invalid_searchmoves_are_ignored() {
    let mut engine = Engine::ready();
    for words in [
        "searchmoves depth 2",
        "searchmoves e2e5 d7d5 depth 2",
        "searchmoves 0000 depth 2",
    ] {
        engine.go(words);
    }
    assert_eq!(engine.go("searchmoves e2e5 a2a3 d7d5 depth 2").best, "a2a3");
    // An invalid word does not end the list.
    let answer = engine.go("searchmoves a2a3 xx h2h4 depth 2");
    assert_eq!(answer.strings(), ["go: searchmoves: xx is not a move"]);
    assert!(["a2a3", "h2h4"].contains(&answer.best.as_str()));
    engine.quit();
}

#[test]
fn go_without_limits_is_infinite() {
    let mut engine = Engine::ready();
    engine.send("go");
    engine.no_bestmove(Duration::from_secs(1));
    engine.stop(50);
    engine.quit();
}

#[test]
fn infinite_waits_for_stop() {
    // A search that has nothing left to do waits for `stop`, asleep.
    let engines = [
        "8/8/8/8/8/8/8/K6k w - - 0 1",
        "k7/8/8/8/8/8/1q6/K7 w - - 0 1",
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    ]
    .map(|fen| {
        let mut engine = Engine::ready();
        engine.position(&format!("fen {fen}"));
        engine.send("go infinite");
        (fen, engine)
    });
    thread::sleep(Duration::from_millis(1500));
    for (fen, mut engine) in engines {
        engine.no_bestmove(Duration::from_millis(50));
        #[cfg(target_os = "linux")]
        if fen.starts_with("8/8") || fen.starts_with("k7") {
            let before = crate::driver::processor_ticks(engine.id());
            engine.no_bestmove(Duration::from_millis(500));
            let used = crate::driver::processor_ticks(engine.id()) - before;
            assert!(used <= 10, "{fen}: {used} ticks while it should sleep");
        }
        engine.stop(50);
        engine.quit();
    }
}

#[test]
fn go_during_a_search_stops_it() {
    let mut engine = Engine::ready();
    engine.send("go infinite");
    engine.send("go infinite");
    engine.until("bestmove", within(100));
    engine.no_bestmove(Duration::from_millis(300));
    engine.stop(50);
    engine.silent();
    // In one write, with a new position in between.
    engine.send_bytes(b"go infinite\nposition startpos moves e2e4\ngo infinite\nstop\n");
    engine.until("bestmove", within(100));
    engine.position("startpos moves e2e4");
    engine.answer(within(100));
    engine.alive();
    // A search with a clock does not delay the next one.
    engine.send("go wtime 600000 btime 600000");
    engine.send("go depth 2");
    engine.until("bestmove", within(100));
    engine.until("bestmove", HANG);
    engine.quit();
}

#[test]
fn go_waits_for_a_search_that_ends_by_itself() {
    let mut engine = Engine::ready();
    engine.send_bytes(b"go depth 5\ngo depth 6\ngo nodes 3000\ngo movetime 100\n");
    assert_eq!(engine.answer(HANG).last().depth, Some(5));
    assert_eq!(engine.answer(HANG).last().depth, Some(6));
    engine.answer(HANG);
    engine.answer(HANG);
    engine.silent();
    engine.quit();
}

#[test]
fn go_stops_the_last_search_and_none_before_it() {
    let mut engine = Engine::ready();
    engine.send_bytes(b"go depth 9\ngo infinite\ngo depth 3\ngo movetime 60000\ngo depth 2\n");
    assert_eq!(engine.answer(HANG).last().depth, Some(9));
    engine.answer(HANG);
    assert_eq!(engine.answer(HANG).last().depth, Some(3));
    engine.answer(HANG);
    assert_eq!(engine.answer(HANG).last().depth, Some(2));
    engine.silent();
    engine.quit();
}

#[test]
fn go_again_without_position() {
    let mut engine = Engine::ready();
    engine.position("startpos moves e2e4");
    for words in [
        "wtime 100 winc 100 btime 100 binc 100",
        "btime 100 binc 100 wtime 100 winc 100",
        "depth 2",
    ] {
        engine.go(words);
    }
    engine.quit();
}

#[test]
fn perft_counts_per_move() {
    let mut engine = Engine::ready();
    engine.lenient = true;
    for (fen, depth, nodes) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            4,
            197_281,
        ),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            3,
            97_862,
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 1, 14),
    ] {
        engine.position(&format!("fen {fen}"));
        for command in ["go perft", "perft"] {
            engine.send(&format!("{command} {depth}"));
            let lines = engine.until("Nodes searched: ", HANG);
            let mut sum = 0;
            for line in &lines[..lines.len() - 2] {
                let (text, count) = line.text.split_once(": ").expect("move: count");
                assert!(engine.board().is_legal(text), "{text}");
                sum += count.parse::<u64>().expect("a count");
            }
            assert_eq!(lines[lines.len() - 2].text, "");
            assert_eq!(
                lines[lines.len() - 1].text,
                format!("Nodes searched: {nodes}")
            );
            assert_eq!(sum, nodes);
            assert_eq!(lines.len() - 2, engine.board().move_count());
        }
    }
    engine.alive_and_silent();
    engine.quit();
}

#[test]
fn perft_without_a_depth() {
    let mut engine = Engine::ready();
    for command in ["go perft", "go perft x", "perft", "perft x"] {
        engine.send(command);
        engine.until("info string go: perft: expected a number", within(1000));
        engine.alive_and_silent();
    }
    engine.quit();
}

#[test]
fn days_on_the_clock() {
    let mut engine = Engine::ready();
    engine.send("go wtime 10000000000 btime 10000000000 winc 86400000 binc 86400000");
    engine.no_bestmove(Duration::from_millis(300));
    engine.stop(50);
    engine.quit();
}
