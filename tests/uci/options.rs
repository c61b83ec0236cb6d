//! `setoption`: names, values, errors, memory and threads.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::driver::{Answer, Engine, HANG, MIDDLEGAME, within};

/// The `option` lines.
fn options() -> Vec<String> {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.until("uciok", within(1000));
    engine.quit();
    lines
        .into_iter()
        .filter(|line| line.text.starts_with("option"))
        .map(|line| line.text)
        .collect()
}

/// The number of variations that a search prints.
fn variations(engine: &mut Engine) -> u64 {
    engine
        .go("depth 2")
        .scored()
        .filter_map(|info| info.multipv)
        .max()
        .unwrap_or(0)
}

#[test]
fn listed_options() {
    let known = [
        "option name Hash type spin default 16 min 1 max 33554432",
        "option name Threads type spin default 1 min 1 max 1024",
        "option name Clear Hash type button",
        "option name Ponder type check default false",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name Move Overhead type spin default 20 min 0 max 5000",
        "option name MultiPV_cp type spin default 0 min 0 max 10000",
        "option name Minimal type check default false",
        "option name Contempt type spin default 0 min -100 max 100",
        "option name White Contempt type spin default 0 min -100 max 100",
        "option name nodestime type spin default 0 min 0 max 10000",
        "option name Deterministic type check default false",
        "option name Debug Log File type string default <empty>",
        "option name UCI_Chess960 type check default false",
        "option name UCI_ShowWDL type check default false",
        "option name Raw Scores type check default false",
        "option name Weights File type string default <empty>",
        "option name UCI_EngineAbout type string default ",
    ];
    let lines = options();
    // In this order, with others in between.
    let mut places = known
        .iter()
        .map(|text| lines.iter().position(|line| line.starts_with(text)));
    assert!(places.clone().all(|place| place.is_some()), "{lines:#?}");
    assert!(places.by_ref().is_sorted());
}

#[test]
fn option_names_in_any_case() {
    let mut engine = Engine::ready();
    engine.send("setoption name multipv value 3");
    assert_eq!(variations(&mut engine), 3);
    engine.quit();
}

#[test]
fn clear_hash_empties_the_tt() {
    for form in [
        "setoption name Clear Hash",
        "setoption name Clear Hash value true",
    ] {
        let mut engine = Engine::ready();
        engine.send("setoption name Hash value 1");
        engine.position(MIDDLEGAME);
        // A search of one ply alone fills 1 or 2 per mille of 1 MiB.
        let hashfull = |answer: Answer| answer.infos().filter_map(|info| info.hashfull).next_back();
        let before = hashfull(engine.go("nodes 100000"));
        engine.send(form);
        engine.alive_and_silent();
        let after = hashfull(engine.go("depth 1"));
        assert!(
            before > Some(200) && after.is_some_and(|after| after < 5),
            "{before:?} {after:?}"
        );
        engine.quit();
    }
}

#[test]
fn spin_bounds_fit_in_31_bits() {
    for line in options().iter().filter(|line| line.contains(" type spin ")) {
        let (_, numbers) = line.split_once(" type spin ").expect("a spin");
        let words: Vec<&str> = numbers.split(' ').collect();
        let ["default", default, "min", min, "max", max] = words[..] else {
            panic!("{line}")
        };
        let [default, min, max] =
            [default, min, max].map(|text| text.parse::<i32>().expect("a number"));
        assert!(min <= default && default <= max, "{line}");
    }
}

#[test]
fn empty_strings() {
    let mut engine = Engine::ready();
    for line in [
        "setoption name UCI_EngineAbout value <empty>",
        "setoption name UCI_EngineAbout value",
    ] {
        engine.send(line);
        engine.alive_and_silent();
    }
    assert!(engine.go("depth 1").strings().is_empty());
    engine.quit();
}

#[test]
fn no_reserved_words_in_names_and_values() {
    for line in options() {
        let words: Vec<&str> = line.split(' ').collect();
        for word in ["name", "type", "default", "min", "max"] {
            assert!(
                words.iter().filter(|found| **found == word).count() <= 1,
                "{line}"
            );
        }
        assert!(!words.contains(&"value"), "{line}");
        // Only a combo has `var`, each with one word, and the default is one of them.
        let (head, vars) = line.split_once(" var ").unwrap_or((&line, ""));
        assert_eq!(head.contains(" type combo "), !vars.is_empty(), "{line}");
        let mut vars = vars.split(" var ");
        let default = head.rsplit(' ').next().expect("a word");
        assert!(
            !head.contains(" type combo ") || vars.clone().any(|var| var == default),
            "{line}"
        );
        assert!(vars.all(|var| !var.contains(' ')), "{line}");
    }
}

#[test]
fn invalid_values_keep_the_old_value() {
    let mut engine = Engine::ready();
    engine.send("setoption name MultiPV value 2");
    let wrong = [
        "Hash value abc",
        "Hash value -5",
        "Hash value",
        "Hash",
        "Threads value 999999999999",
        "Threads value 99999999999999999999999999999999999999999999",
        "MultiPV value 0",
        "MultiPV value 257",
        "MultiPV value 1.5",
        "Ponder value perhaps",
    ];
    for line in wrong {
        engine.send(&format!("setoption name {line}"));
        engine.alive_and_silent();
    }
    let answer = engine.go("depth 2");
    assert_eq!(answer.strings().len(), wrong.len());
    assert!(
        answer.lines[..wrong.len()]
            .iter()
            .all(|line| line.text.starts_with("info string option"))
    );
    assert_eq!(
        answer.scored().filter_map(|info| info.multipv).max(),
        Some(2)
    );
    engine.quit();
}

#[test]
fn unknown_options() {
    let mut engine = Engine::ready();
    engine.send("setoption name Nonsense value 3");
    engine.send("setoption name Other Nonsense");
    engine.send("setoption");
    engine.send("setoption value 3");
    engine.silent();
    engine.alive_and_silent();
    engine.quit();
}

#[test]
fn setoption_during_a_search() {
    let mut engine = Engine::ready();
    engine.send("go infinite");
    engine.until("info", within(500));
    engine.send("setoption name MultiPV value 3");
    engine.no_bestmove(Duration::from_millis(100));
    let answer = engine.stop(100);
    assert_eq!(
        answer.scored().filter_map(|info| info.multipv).max(),
        Some(1)
    );
    assert_eq!(variations(&mut engine), 3);
    engine.quit();
}

#[test]
#[cfg(target_os = "linux")]
fn hash_larger_than_the_memory() {
    let mut command = Command::new("sh");
    command.args([
        "-c",
        "ulimit -v 2000000 && exec \"$0\"",
        &crate::driver::program(),
    ]);
    let mut engine = Engine::start_as(&mut command);
    for _ in 0..2 {
        engine.send("setoption name Hash value 1000000");
        engine.alive_and_silent();
        let answer = engine.go("depth 5");
        assert!(
            answer.strings().iter().any(|text| text.contains("Hash")),
            "{:?}",
            answer.strings()
        );
    }
    engine.send("setoption name Hash value 32");
    engine.alive_and_silent();
    assert!(engine.go("depth 5").strings().is_empty());
    engine.quit();
}

#[test]
fn smallest_hash() {
    let mut engine = Engine::ready();
    engine.send("setoption name Hash value 1");
    engine.position(MIDDLEGAME);
    engine.go("depth 8");
    engine.quit();
}

#[test]
fn more_threads_than_processors() {
    let mut engine = Engine::ready();
    engine.send("setoption name Threads value 1024");
    engine.send("isready");
    engine.until("readyok", HANG);
    let answer = engine.go("depth 1");
    // A small machine reports how many threads it has started.
    assert!(
        answer
            .strings()
            .iter()
            .all(|text| text.starts_with("Threads: 1024 are too many"))
    );
    assert!(answer.took < within(1000), "{:?}", answer.took);
    engine.send("setoption name Threads value 4");
    assert!(engine.go("depth 3").strings().is_empty());
    engine.send("quit");
    engine.gone(2000);
}

/// `Worker::BYTES` is the memory that a thread takes.
#[test]
#[cfg(target_os = "linux")]
fn memory_per_thread() {
    let mut engine = Engine::ready();
    let resident = |engine: &Engine| crate::driver::process_status(engine.id(), "VmRSS");
    let before = resident(&engine);
    engine.send("setoption name Threads value 33");
    engine.go("depth 1");
    engine.alive();
    let each = (resident(&engine) - before) / 32;
    assert!((4096..=7168).contains(&each), "{each} kB");
    engine.quit();
}

#[test]
#[cfg(target_os = "linux")]
fn threads_without_memory() {
    for kilobytes in [250_000, 300_000, 350_000, 400_000, 500_000, 700_000] {
        let mut command = Command::new("sh");
        let run = format!("ulimit -v {kilobytes} && exec \"$0\"");
        command.args(["-c", &run, &crate::driver::program()]);
        let mut engine = Engine::start_as(&mut command);
        for _ in 0..2 {
            engine.send("setoption name Threads value 1024");
            engine.send("isready");
            engine.until("readyok", HANG);
            let answer = engine.go("depth 3");
            let strings = answer.strings();
            assert!(
                strings[0].starts_with("Threads: 1024 are too many for this machine; "),
                "{strings:?}"
            );
        }
        engine.send("setoption name Threads value 1");
        assert!(engine.go("depth 3").strings().is_empty());
        engine.quit();
    }
}

#[test]
fn setting_the_same_hash_again_is_free() {
    let mut engine = Engine::ready();
    engine.send("setoption name Hash value 256");
    engine.send("isready");
    engine.until("readyok", HANG);
    engine.go("depth 8");
    let start = Instant::now();
    for _ in 0..50 {
        engine.send("setoption name Hash value 256");
        engine.send("setoption name Threads value 1");
        engine.alive_and_silent();
    }
    assert!(start.elapsed() < within(500));
    engine.quit();
}

#[test]
fn hash_and_threads_in_either_order() {
    let orders = [
        ["Hash value 4", "Threads value 1"],
        ["Threads value 1", "Hash value 4"],
    ];
    let nodes = orders.map(|order| {
        let mut engine = Engine::ready();
        engine.send("setoption name Threads value 2");
        engine.alive();
        for option in order {
            engine.send(&format!("setoption name {option}"));
        }
        engine.position(MIDDLEGAME);
        let nodes = engine.go("depth 7").nodes();
        engine.quit();
        nodes
    });
    assert_eq!(nodes[0], nodes[1]);
}

#[test]
fn opponent_name() {
    let mut engine = Engine::ready();
    engine.send("ucinewgame");
    engine.send_bytes(b"setoption name UCI_Opponent value GM 2800 human Gary \xc9 Kasparov\n");
    engine.alive_and_silent();
    engine.quit();
}

#[test]
fn the_ponder_option_starts_no_search() {
    let mut engine = Engine::ready();
    engine.send("setoption name Ponder value true");
    engine.go("depth 5");
    engine.silent();
    engine.quit();
}

/// Not listed, but accepted.
#[test]
fn analyse_mode_is_ignored() {
    assert!(
        !options()
            .iter()
            .any(|line| line.contains("UCI_AnalyseMode"))
    );
    let mut engine = Engine::ready();
    engine.send("setoption name UCI_AnalyseMode value true");
    engine.alive_and_silent();
    engine.send("go infinite");
    engine.send("setoption name UCI_AnalyseMode value false");
    engine.alive();
    assert!(engine.stop(50).strings().is_empty());
    engine.quit();
}

#[test]
fn wdl_only_with_the_option() {
    let mut engine = Engine::ready();
    engine.position(MIDDLEGAME);
    assert!(engine.go("depth 5").infos().all(|info| info.wdl.is_none()));
    engine.send("setoption name UCI_ShowWDL value true");
    let answer = engine.go("depth 5");
    assert!(answer.scored().count() > 0 && answer.scored().all(|info| info.wdl.is_some()));
    engine.quit();
}

#[test]
fn option_aliases() {
    let mut engine = Engine::ready();
    let tolerated = [
        "MoveOverhead value 100",
        "Move_Overhead value 100",
        "Move Overhead value 100",
        "OwnBook value true",
        "UCI_Variant value chess",
        "Use NNUE value true",
    ];
    for option in tolerated {
        engine.send(&format!("setoption name {option}"));
    }
    engine.alive_and_silent();
    // The book may report the opening; no option is unknown.
    let answer = engine.go("depth 1");
    assert!(!answer.strings().iter().any(|text| text.contains("option")));
    engine.quit();
}

#[test]
fn options_that_nibbler_sends() {
    let mut engine = Engine::ready();
    for option in [
        "Contempt value 0",
        "Move Overhead value 0",
        "UCI_ShowWDL value true",
        "MultiPV value 3",
    ] {
        engine.send(&format!("setoption name {option}"));
    }
    let answer = engine.go("depth 6");
    let last: Vec<_> = answer
        .scored()
        .filter(|info| info.depth == answer.last().depth)
        .collect();
    assert!(last.len() >= 3 && last.iter().all(|info| info.wdl.is_some()));
    engine.quit();
}
