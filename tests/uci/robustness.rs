//! Shutdown, signals, commands as arguments, many processes.

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Folder, lucena_with_input};
use crate::driver::{Engine, HANG, within};

/// Runs the program with arguments and without input: its output, its errors and whether it succeeded.
fn run_program(arguments: &[&str]) -> (String, String, bool) {
    let output = Command::new(crate::driver::program())
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    (
        text(&output.stdout),
        text(&output.stderr),
        output.status.success(),
    )
}

#[test]
fn quit_in_every_state() {
    for before in [
        "",
        "go infinite",
        "go ponder wtime 1000 btime 1000",
        "go wtime 600000 btime 600000",
        "go depth 200",
        "position startpos moves e2e5\ngo infinite",
        "setoption name Hash value 512\nsetoption name Threads value 8\nisready",
        "setoption name Hash value 2048\nisready",
        "go perft 12",
        "bench",
        "stop\nponderhit",
    ] {
        let mut engine = Engine::ready();
        engine.lenient = true;
        engine.send(before);
        thread::sleep(Duration::from_millis(50));
        engine.send("quit");
        engine.gone(500);
    }
}

#[test]
fn quit_in_a_batch() {
    let mut engine = Engine::start();
    engine.send_bytes(b"uci\nisready\nposition startpos\ngo depth 60\nsetoption name Hash value 64\nisready\nquit\nuci\n");
    let start = Instant::now();
    engine.until("uciok", within(500));
    engine.gone(500);
    assert!(start.elapsed() < within(1000));
}

#[test]
fn commands_as_arguments() {
    let (output, errors, success) =
        run_program(&["position startpos moves e2e4", "go depth 5", "quit"]);
    assert!(success && errors.is_empty(), "{errors}");
    assert!(output.lines().any(|line| line.starts_with("info depth 5 ")));
    assert!(
        output
            .lines()
            .last()
            .is_some_and(|line| line.starts_with("bestmove "))
    );
    let (output, _, success) = run_program(&["go depth 3"]);
    assert!(success && output.contains("bestmove"));
    let (output, errors, success) = run_program(&["nonsense"]);
    assert!(!success && output.is_empty() && errors.contains("nonsense"));
}

#[test]
#[cfg(unix)]
fn signals_end_the_program() {
    // A shell's background processes ignore SIGINT.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|text| u64::from_str_radix(text.trim(), 16).ok());
    let signals: &[&str] = if mask.unwrap_or(0) & 2 == 0 {
        &["-TERM", "-INT"]
    } else {
        &["-TERM"]
    };
    for &signal in signals {
        for before in ["isready", "go infinite"] {
            let mut engine = Engine::ready();
            engine.send(before);
            thread::sleep(Duration::from_millis(50));
            let sent = Command::new("kill")
                .args([signal, &engine.id().to_string()])
                .status();
            assert!(sent.is_ok_and(|status| status.success()));
            engine.exit(1000);
        }
    }
}

#[test]
fn many_processes_at_once() {
    let mut engines: Vec<Engine> = (0..64).map(|_| Engine::start()).collect();
    for engine in &mut engines {
        engine.send_bytes(b"uci\nisready\ngo depth 4\n");
    }
    for engine in &mut engines {
        engine.until("uciok", HANG);
        engine.answer(HANG);
    }
    for mut engine in engines {
        engine.send("quit");
        engine.gone(5000);
    }
}

#[test]
fn the_first_move_is_as_quick_as_the_second() {
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 256");
    engine.send("isready");
    engine.until("readyok", HANG);
    let first = engine.go("depth 1").took;
    let second = engine.go("depth 1").took;
    assert!(first < second + within(50), "{first:?} {second:?}");
    engine.quit();
}

#[test]
fn bench_with_an_invalid_depth() {
    let mut engine = Engine::ready();
    for word in ["x", "0", "-3", "241"] {
        engine.send(&format!("bench {word}"));
        let expected = format!("info string bench: expected a depth from 1 to 240, found {word}");
        engine.until(&expected, within(1000));
    }
    engine.alive_and_silent();
    engine.quit();
}

#[test]
#[cfg(target_os = "linux")]
fn typing_errors_are_reported_in_a_terminal() {
    let Ok(mut child) = Command::new("script")
        .args(["-qec", &crate::driver::program(), "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
    else {
        eprintln!("skipped: no script(1) here");
        return;
    };
    let mut input = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut input, b"hepl\nsetoption name Hash value x\nquit\n")
        .expect("written");
    let output = child.wait_with_output().expect("ended");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("Type help for the commands"), "{text}");
    assert!(text.contains("unknown command: hepl"), "{text}");
    assert!(
        text.contains("option Hash: expected a whole number from 1 to 33554432, found x"),
        "{text}"
    );
}

#[test]
fn genfens_reports_that_the_end_of_input_stopped_it() {
    let output = lucena_with_input(&[], "genfens 1000000 seed 1\n");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.ends_with("info string genfens: stopped\n"), "{text}");
}

#[test]
fn genfens() {
    let openings = |command: &str| -> Vec<String> {
        let (output, errors, success) = run_program(&[command, "quit"]);
        assert!(success && errors.is_empty(), "{errors}");
        let lines = output.lines().map(|line| {
            let fen = line.strip_prefix("info string genfens ").expect(line);
            assert_eq!(fen.split(' ').count(), 6, "{fen}");
            assert!(crate::checker::Board::new(&format!("fen {fen}")).move_count() > 0);
            fen.to_owned()
        });
        lines.collect()
    };
    let first = openings("genfens 5 seed 7 book None");
    assert_eq!(first.len(), 5);
    assert_eq!(first, openings("genfens 5 seed 7 book None extra words 3"));
    assert_ne!(first, openings("genfens 5 seed 8 book None"));
    let folder = Folder::new("genfens");
    let book = folder.write("book.epd", "8/5k2/8/8/8/8/4PK2/8 w - - acd 3;\nnonsense\n");
    let from_book = openings(&format!("genfens 2 seed 1 book {}", book.display()));
    assert_eq!(from_book.len(), 2);
    assert!(
        from_book.iter().all(|fen| !fen.contains('q')),
        "{from_book:?}"
    );
    let mut engine = Engine::ready();
    for (command, expected) in [
        (
            "genfens",
            "genfens: expected a number of openings, found nothing",
        ),
        (
            "genfens x",
            "genfens: expected a number of openings, found x",
        ),
        ("genfens 2 seed y", "genfens: expected a seed, found y"),
        ("genfens 2 book /nowhere", "genfens: book /nowhere: "),
    ] {
        engine.send(command);
        engine.until(&format!("info string {expected}"), within(1000));
    }
    engine.send("genfens 1000000000");
    thread::sleep(Duration::from_millis(50));
    engine.send("stop");
    engine.alive();
    engine.alive_and_silent();
    engine.quit();
}

#[test]
fn genfens_gives_up_on_a_book_of_mated_positions() {
    let folder = Folder::new("mated");
    let book = folder.write("mated.epd", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
    let mut engine = Engine::ready();
    engine.send(&format!("genfens 2 seed 1 book {}", book.display()));
    engine.until("info string genfens: no balanced opening in ", HANG);
    engine.alive_and_silent();
    engine.quit();
}

#[test]
fn bench_ends_with_the_signature() {
    let (output, errors, success) = run_program(&["bench", "2"]);
    assert!(success && errors.is_empty());
    let words: Vec<&str> = output.lines().last().expect("a line").split(' ').collect();
    let [nodes, "nodes", speed, "nps"] = words[..] else {
        panic!("{output}")
    };
    assert!(nodes.parse::<u64>().is_ok() && speed.parse::<u64>().is_ok());
}
