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
        let path = folder.join(format!("{}.log", number % 2));
        engine.send(&format!(
            "setoption name Debug Log File value {}",
            path.display()
        ));
    }
    engine.alive();
    let threads = process_status(engine.id(), "Threads");
    assert!(threads <= before + 1, "{before} {threads}");
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
