//! Bounded costs: long lines, many words, options set often, a client that does not read.

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::Folder;
#[cfg(target_os = "linux")]
use crate::driver::process_status;
use crate::driver::{Engine, HANG, within};

#[test]
#[cfg(target_os = "linux")]
fn long_lines_fill_no_memory() {
    let mut engine = Engine::ready();
    let before = process_status(engine.id(), "VmHWM");
    let line = vec![b'x'; 10 << 20];
    for _ in 0..12 {
        engine.send_bytes(&line);
    }
    engine.send_bytes(b"\n");
    engine.send_bytes(&[&b"setoption name "[..], &line, b"\n"].concat());
    engine.alive();
    let used = process_status(engine.id(), "VmHWM") - before;
    assert!(used < 32 * 1024, "{used} kB");
    let answer = engine.go("depth 1");
    let expected = "ignored a line of more than 1048576 bytes: setoption name xxx";
    let strings = answer.strings();
    let is_reported = strings.iter().any(|text| text.starts_with(expected));
    assert!(is_reported, "{strings:?}");
    engine.quit();
}

#[test]
fn a_position_of_40000_moves_is_valid_and_a_longer_line_is_not() {
    let mut engine = Engine::ready();
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(10_000);
    engine.send(&format!("position startpos moves{shuffle}"));
    let answer = engine.go("depth 1");
    assert!(answer.best != "(none)", "{:?}", answer.strings());
    engine.forget_board();
    engine.send(&format!("position startpos moves{}", shuffle.repeat(6)));
    let answer = engine.go("depth 1");
    assert_eq!(answer.best, "(none)");
    engine.quit();
}

#[test]
fn bad_words_after_go_give_few_lines() {
    let mut engine = Engine::ready();
    let answer = engine.go(&format!("depth 2{}", " bad".repeat(200_000)));
    let strings = answer.strings();
    assert!(strings.len() < 20, "{} lines", strings.len());
    assert!(strings.iter().any(|text| text.contains("more errors")));
    engine.quit();
}

#[test]
fn a_long_path_delays_go_only_a_moment() {
    let mut engine = Engine::ready();
    let path = "not found ".repeat(90_000);
    engine.send(&format!("setoption name SyzygyPath value {path}"));
    let answer = engine.go("depth 1");
    assert!(answer.took < within(300), "{:?}", answer.took);
    let path = "/nowhere:".repeat(90_000);
    engine.send(&format!("setoption name SyzygyPath value {path}"));
    let answer = engine.go("depth 1");
    assert!(answer.took < within(300), "{:?}", answer.took);
    engine.quit();
}

#[test]
#[cfg(target_os = "linux")]
fn a_log_reopened_often_has_one_watch_thread() {
    let folder = Folder::new("reopened");
    let mut engine = Engine::ready();
    engine.go("depth 1");
    let before = process_status(engine.id(), "Threads");
    for number in 0..500 {
        let path = folder.text(&format!("{}.log", number % 2));
        engine.send(&format!("setoption name Debug Log File value {path}"));
    }
    engine.alive();
    // A thread that has found its log closed may take a moment to end.
    let deadline = Instant::now() + within(2000);
    let threads = || process_status(engine.id(), "Threads");
    while threads() > before + 1 && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(10));
    }
    assert!(threads() <= before + 1, "{before} {}", threads());
    engine.quit();
}

/// Starts the program and fills the pipe of its output, which nobody reads.
fn unread() -> Child {
    let mut child = Command::new(crate::driver::program())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let input = child.stdin.as_mut().expect("a pipe");
    let lines = "uci\n".repeat(100) + "go infinite\n" + &"isready\nuci\n".repeat(200);
    input.write_all(lines.as_bytes()).expect("written");
    thread::sleep(Duration::from_millis(300));
    child
}

fn ends(mut child: Child, at_most: Duration) {
    let deadline = Instant::now() + at_most;
    while child.try_wait().expect("a child").is_none() {
        if Instant::now() > deadline {
            let _ = child.kill();
            panic!("the program does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn quit_is_carried_out_for_a_client_that_does_not_read() {
    let mut child = unread();
    let input = child.stdin.as_mut().expect("a pipe");
    input.write_all(b"quit\n").expect("written");
    ends(child, within(1000));
}

#[test]
fn the_end_of_input_ends_the_program_for_a_client_that_does_not_read() {
    let mut child = unread();
    drop(child.stdin.take());
    ends(child, HANG);
}

#[test]
fn a_client_that_reads_late_gets_every_answer() {
    const ASKED: usize = 40_000;
    let mut child = Command::new(crate::driver::program())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    // The `uci` answers fill the pipe.
    let lines = "uci\n".repeat(100) + "go infinite\n" + &"isready\n".repeat(ASKED);
    input.write_all(lines.as_bytes()).expect("written");
    thread::sleep(Duration::from_millis(200));
    let reader = thread::spawn(move || {
        let output = child.wait_with_output().expect("the output");
        let text = String::from_utf8(output.stdout).expect("text");
        text.lines().filter(|line| *line == "readyok").count()
    });
    thread::sleep(Duration::from_millis(200));
    input.write_all(b"stop\nisready\n").expect("written");
    drop(input);
    assert_eq!(reader.join().expect("a count"), ASKED + 1);
}

/// Threads, kB of memory and open files.
#[cfg(target_os = "linux")]
fn resources(engine: &Engine) -> [u64; 3] {
    let files = std::fs::read_dir(format!("/proc/{}/fd", engine.id())).expect("a process");
    [
        process_status(engine.id(), "Threads"),
        process_status(engine.id(), "VmRSS"),
        files.count() as u64,
    ]
}

/// Sets options of every kind and searches between, this often.
#[cfg(target_os = "linux")]
fn stays_bounded(changes: usize, searches: usize) {
    let folder = Folder::new("bounded");
    for name in ["one", "other"] {
        std::fs::create_dir(folder.join(name)).expect("a folder");
    }
    let book = folder.write("book.bin", lucena::book::embedded::BYTES);
    let mut engine = Engine::ready();
    engine.lenient = true;
    let change = |engine: &mut Engine, number: usize| {
        let name = ["one", "other"][number % 2];
        for (option, value) in [
            ("Hash", (1 + number % 3).to_string()),
            ("Threads", (1 + number % 4).to_string()),
            ("SyzygyPath", folder.text(name)),
            ("Book File", book.display().to_string()),
            ("OwnBook", number.is_multiple_of(2).to_string()),
            ("Debug Log File", folder.text(&format!("{name}.log"))),
            ("Weights File", ["", "/nowhere"][number % 2].to_owned()),
            ("MultiPV", (1 + number % 5).to_string()),
            ("Deterministic", number.is_multiple_of(3).to_string()),
        ] {
            engine.send(&format!("setoption name {option} value {value}"));
        }
        engine.alive();
    };
    let search = |engine: &mut Engine, number: usize| {
        engine.position(
            [
                "startpos",
                "startpos moves e2e4",
                "startpos moves d2d4 d7d5",
            ][number % 3],
        );
        engine.go(["depth 2", "nodes 100", "movetime 1"][number % 3]);
    };
    // Everything is allocated once.
    for number in 0..12 {
        change(&mut engine, number);
        search(&mut engine, number);
    }
    change(&mut engine, 0);
    let before = resources(&engine);
    for number in 0..changes {
        change(&mut engine, number);
    }
    for number in 0..searches {
        search(&mut engine, number);
    }
    change(&mut engine, 0);
    let after = resources(&engine);
    eprintln!(
        "threads, kB, files: {before:?}, after {changes} changes and {searches} searches {after:?}"
    );
    assert!(after[0] <= before[0] + 1, "threads: {before:?} {after:?}");
    assert!(
        after[1] <= before[1] + 16 * 1024,
        "kB: {before:?} {after:?}"
    );
    assert!(after[2] <= before[2] + 1, "files: {before:?} {after:?}");
    engine.quit();
}

#[test]
#[cfg(target_os = "linux")]
fn many_changes_and_searches_stay_bounded() {
    stays_bounded(60, 300);
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "minutes"]
fn thousands_of_changes_and_searches_stay_bounded() {
    stays_bounded(2_000, 12_000);
}
