//! What options do: the log, contempt, output, determinism, node time, weights.

use std::process::Command;

use crate::checker::Score;
use crate::common::Folder;
use crate::driver::{Engine, MIDDLEGAME, program, weights_with_heavy_pawns, within};

#[test]
fn the_log_has_both_sides_of_the_dialogue() {
    let folder = Folder::new("log");
    let path = folder.text("log \u{e9}.txt");
    let mut engine = Engine::ready();
    engine.send(&format!("setoption name Debug Log File value {path}"));
    engine.alive_and_silent();
    let answer = engine.go("depth 3");
    engine.send("setoption name Debug Log File value <empty>");
    engine.alive_and_silent();
    engine.go("depth 2");
    engine.quit();
    let text = std::fs::read_to_string(&path).expect("a log");
    // The log includes the line that opens it.
    assert!(
        text.contains(" > setoption name Debug Log File value ")
            && text.contains(" > isready\n")
            && text.contains(" < readyok\n"),
        "{text}"
    );
    assert!(text.contains(" > go depth 3\n"), "{text}");
    assert!(
        text.contains(&format!(" < bestmove {}", answer.best)),
        "{text}"
    );
    assert!(!text.contains("go depth 2"), "{text}");
    assert!(text.contains(" ms, its threads waited "), "{text}");
}

#[test]
fn a_log_that_cannot_be_written_is_reported() {
    let mut engine = Engine::ready();
    engine.send("setoption name Debug Log File value /nowhere/at/all/log.txt");
    engine.alive_and_silent();
    let answer = engine.go("depth 1");
    let expected = "option Debug Log File: /nowhere/at/all/log.txt: ";
    assert!(
        answer.strings()[0].starts_with(expected),
        "{:?}",
        answer.strings()
    );
    engine.quit();
}

#[test]
#[cfg(unix)] // named pipes
fn a_named_pipe_is_no_file() {
    let folder = Folder::new("pipe");
    let pipe = folder.text("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()));
    for option in ["Debug Log File", "Weights File", "Book File"] {
        let mut engine = Engine::ready();
        engine.send("setoption name OwnBook value true");
        engine.send(&format!("setoption name {option} value {pipe}"));
        engine.alive_and_silent();
        let text = engine.go("depth 1").strings().join("\n");
        assert_eq!(text.matches(&pipe).count(), 1, "{text}");
        assert!(text.contains("not a regular file"), "{text}");
        engine.quit();
    }
}

#[test]
fn contempt_shifts_the_draw_score() {
    // The side to move can only repeat the position for the third time; with swapped colours only White Contempt changes
    // its sign.
    let white = "fen 7k/8/8/8/8/8/1q6/3Q3K w - - 0 1 moves d1d8 h8h7 d8d3 h7h8 d3d8 h8h7 d8d3 h7h8";
    let black = "fen 3q3k/1Q6/8/8/8/8/8/7K b - - 0 1 moves d8d1 h1h2 d1d6 h2h1 d6d1 h1h2 d1d6 h2h1";
    for (option, game, repetition, draw) in [
        ("Contempt value 0", white, "d3d8", 0),
        ("Contempt value 40", white, "d3d8", -40),
        ("Contempt value -25", white, "d3d8", 25),
        ("White Contempt value 30", white, "d3d8", -30),
        ("Contempt value 40", black, "d6d1", -40),
        ("White Contempt value 30", black, "d6d1", 30),
    ] {
        let mut engine = Engine::ready();
        engine.send("setoption name Raw Scores value true");
        // Contempt does not change tablebase scores.
        engine.send("setoption name SyzygyProbeLimit value 0");
        engine.send(&format!("setoption name {option}"));
        engine.position(game);
        let answer = engine.go(&format!("depth 6 searchmoves {repetition}"));
        let score = answer.last().score;
        assert_eq!(score, Some(Score::Centipawns(draw)), "{option}: {game}");
        engine.quit();
    }
}

/// The TT keeps no scores of another contempt, another rule or other tables, and all scores if a value stays as it is.
#[test]
fn a_changed_draw_or_tablebase_score_empties_the_hash() {
    let nodes = |option: &str| {
        let mut engine = Engine::ready();
        engine.position(MIDDLEGAME);
        let first = engine.go("depth 9").last().nodes;
        engine.send(&format!("setoption name {option}"));
        let again = engine.go("depth 9").last().nodes;
        engine.quit();
        [first, again].map(|nodes| nodes.expect("nodes"))
    };
    for (option, is_change) in [
        ("Contempt value 0", false),
        ("White Contempt value 0", false),
        ("Syzygy50MoveRule value true", false),
        ("SyzygyPath value <empty>", false),
        ("Contempt value 1", true),
        ("White Contempt value 1", true),
        ("Syzygy50MoveRule value false", true),
        ("SyzygyPath value /nowhere", true),
    ] {
        let [first, again] = nodes(option);
        assert_eq!(again > first / 2, is_change, "{option}: {first} {again}");
    }
}

#[test]
fn minimal_output() {
    let mut engine = Engine::ready();
    engine.send("setoption name Minimal value true");
    engine.position(MIDDLEGAME);
    assert_eq!(engine.go("depth 7").lines.len(), 2);
    assert_eq!(engine.go("movetime 1500").lines.len(), 2);
    engine.send("setoption name MultiPV value 3");
    assert_eq!(engine.go("depth 4").lines.len(), 4);
    engine.quit();
}

#[test]
fn multipv_cp_omits_bad_lines() {
    let mut engine = Engine::ready();
    engine.send("setoption name MultiPV value 30");
    engine.send("setoption name MultiPV_cp value 50");
    // Only the capture of the hanging queen is near the best.
    engine.position("fen 4k3/8/8/3q4/4P3/8/PPP2PPP/4K3 w - - 0 1");
    let answer = engine.go("depth 5");
    assert!(answer.scored().all(|info| info.multipv == Some(1)));
    engine.position(MIDDLEGAME);
    let answer = engine.go("depth 5");
    let shown = answer.scored().filter_map(|info| info.multipv).max();
    assert!(shown > Some(1) && shown < Some(30), "{shown:?}");
    // Lines of tablebase positions are not in the order of their scores: what is shown has no gaps.
    engine.send("setoption name MultiPV_cp value 20");
    engine.position("fen 8/5R2/1q6/8/4k3/8/8/5K2 b - - 7 5");
    let answer = engine.go("depth 4");
    let ranks: Vec<Option<u64>> = (answer.scored())
        .filter(|info| info.depth == Some(4))
        .map(|info| info.multipv)
        .collect();
    let expected: Vec<Option<u64>> = (1..=ranks.len() as u64).map(Some).collect();
    assert_eq!(ranks, expected);
    engine.quit();
}

#[test]
fn the_explanation_compares_with_the_second_line() {
    let mut engine = Engine::ready();
    engine.send("setoption name Explain value true");
    engine.send("setoption name MultiPV value 2");
    engine.position("fen r3k2r/pppqbppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/R3K2R w KQkq - 6 8");
    let answer = engine.go("nodes 400000");
    let second = answer.scored().rfind(|info| info.multipv == Some(2));
    assert_eq!(second.expect("a second line").pv[0], "e1g1");
    let why = answer.strings();
    let compares = |text: &&str| text.starts_with("why") && text.contains(" better than 8.O-O");
    assert!(why.iter().any(compares), "{why:?}");
    engine.quit();
}

#[test]
fn flip_and_d() {
    let mut engine = Engine::ready();
    engine.lenient = true;
    for (fen, flipped) in [
        (
            "r3k2r/8/8/3pP3/8/8/1N6/R3K2R w KQk d6 0 9",
            "r3k2r/1n6/8/8/3Pp3/8/8/R3K2R b Kkq d3 0 9",
        ),
        (
            "3qk3/8/8/8/7q/8/8/4K3 w - - 3 5",
            "4k3/8/8/7Q/8/8/8/3QK3 b - - 3 5",
        ),
    ] {
        engine.position(&format!("fen {fen}"));
        for (command, expected) in [("", fen), ("flip", flipped), ("flip", fen)] {
            engine.send(command);
            engine.send("d");
            let line = engine.until("FEN: ", within(1000)).pop().expect("a line");
            assert_eq!(line.text, format!("FEN: {expected}"));
            engine.alive();
        }
    }
    engine.send("position fen 3qk3/8/8/8/7q/8/8/4K3 w - - 0 1");
    engine.send("d");
    assert_eq!(
        engine
            .until("Checkers", within(1000))
            .pop()
            .expect("a line")
            .text,
        "Checkers: h4"
    );
    engine.quit();
}

#[test]
fn deterministic_threads_repeat_their_answers() {
    for (threads, go) in [
        (2, "nodes 20000"),
        (3, "depth 6"),
        (4, "nodes 9999 depth 30"),
    ] {
        let mut answers = Vec::new();
        for _ in 0..3 {
            let mut engine = Engine::ready();
            engine.send("setoption name Deterministic value true");
            engine.send(&format!("setoption name Threads value {threads}"));
            for (new_game, words) in [
                (false, MIDDLEGAME),
                (false, "startpos moves e2e4 c7c5"),
                (true, MIDDLEGAME),
            ] {
                if new_game {
                    engine.send("ucinewgame");
                }
                engine.position(words);
                let answer = engine.go(go);
                let last = answer.last().clone();
                answers.push((
                    answer.best,
                    answer.ponder,
                    last.depth,
                    last.score,
                    last.pv,
                    last.nodes,
                ));
            }
            engine.quit();
        }
        assert_eq!(answers[0], answers[2], "{threads} {go}");
        assert_eq!(answers[..3], answers[3..6], "{threads} {go}");
        assert_eq!(answers[..3], answers[6..], "{threads} {go}");
    }
    // Limits in time end the search, too.
    let mut engine = Engine::ready();
    engine.send("setoption name Deterministic value true");
    engine.send("setoption name Threads value 3");
    for go in [
        "movetime 100",
        "wtime 300 btime 300",
        "depth 60 movetime 100",
    ] {
        assert!(engine.go(go).took < within(300), "{go}");
    }
    engine.position("fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    assert_eq!(engine.go("mate 1").best, "d1d8");
    engine.send("go infinite");
    engine.no_bestmove(std::time::Duration::from_millis(100));
    engine.stop(50);
    engine.quit();
}

#[test]
fn nodestime_repeats_a_game() {
    let games: Vec<Vec<String>> = (0..2)
        .map(|round| {
            let mut engine = Engine::ready();
            engine.send("setoption name nodestime value 20");
            engine.send("ucinewgame");
            let mut moves = String::new();
            let mut bests = Vec::new();
            for ply in 0..12 {
                engine.position(format!("startpos moves{moves}").trim_end_matches(" moves"));
                // The clock sent differs in each game.
                let left = 2000 - 50 * ply - 7 * round;
                let clock = if ply == 0 { 2000 } else { left };
                let answer = engine.go(&format!("wtime {clock} btime {clock} winc 20 binc 20"));
                moves += &format!(" {}", answer.best);
                bests.push(format!("{} {}", answer.best, answer.nodes()));
            }
            engine.quit();
            bests
        })
        .collect();
    assert_eq!(games[0], games[1]);
}

#[test]
fn a_faulty_weights_file_changes_nothing() {
    let folder = Folder::new("weights");
    let path = folder.join("weights.txt");
    let good = include_str!("../../src/eval/weights.txt");
    let (place, _) = (1..)
        .zip(good.lines())
        .find(|(_, line)| line.starts_with("mg "))
        .expect("a row");
    let mut engine = Engine::ready();
    let set = format!("setoption name Weights File value {}", path.display());
    let nodes = |engine: &mut Engine| {
        engine.send("setoption name Clear Hash");
        engine.send("ucinewgame");
        engine.position(MIDDLEGAME);
        let answer = engine.go("depth 8");
        let nodes = answer.infos().filter_map(|info| info.nodes).next_back();
        (nodes, answer.strings().join("\n"))
    };
    let (built_in, silence) = nodes(&mut engine);
    assert_eq!(silence, "");
    for (text, cause) in [
        (String::new(), "weights.txt: empty"),
        (
            good.replacen("weights 2", "weights 9", 1),
            "(\"lucena weights 2\" expected)",
        ),
        (
            good.replacen("mg ", "mg NaN ", 1),
            &*format!("line {place}: a value is not"),
        ),
        (good.replacen("[mobility:", "[agility:", 1), "[agility: "),
    ] {
        std::fs::write(&path, text).expect("a file");
        engine.send(&set);
        let (now, text) = nodes(&mut engine);
        assert!(text.contains(cause), "{text}");
        assert_eq!(now, built_in);
    }
    std::fs::write(&path, weights_with_heavy_pawns()).expect("a file");
    engine.send(&set);
    let (now, text) = nodes(&mut engine);
    assert_eq!(text, "");
    assert_ne!(now, built_in);
    engine.send("setoption name Weights File value <empty>");
    assert_eq!(nodes(&mut engine).0, built_in);
    engine.quit();
    // Without a value, the weights of the start come back.
    let mut engine = Engine::start_as(Command::new(program()).arg("--weights").arg(&path));
    engine.send("setoption name Weights File value <empty>");
    assert_eq!(nodes(&mut engine).0, now);
    engine.quit();
}
