//! The byte stream and the process.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::Folder;
use crate::driver::{Engine, HANG, within};
#[cfg(target_os = "linux")]
use crate::driver::{process_status, processor_ticks};

#[test]
fn crlf_line_ends() {
    let mut engine = Engine::start();
    engine.send_bytes(b"uci\r\n");
    engine.until("uciok", within(1000));
    engine.send_bytes(b"position startpos moves e2e4\r\ngo depth 1\r\n");
    engine.until("bestmove", HANG);
    engine.quit();
}

#[test]
fn any_white_space() {
    let mut engine = Engine::ready();
    engine.send("\t setoption \t name  MultiPV\tvalue 3 ");
    engine.send(" \tposition   startpos\tmoves  e2e4 ");
    engine.forget_board();
    let answer = engine.go("\t depth   2 ");
    assert_eq!(
        answer.scored().filter_map(|info| info.multipv).max(),
        Some(3)
    );
    engine.quit();
}

#[test]
fn empty_lines() {
    let mut engine = Engine::start();
    engine.send_bytes(&b"\n".repeat(100));
    engine.silent();
    engine.alive_and_silent();
    engine.quit();
}

#[test]
fn unknown_commands_are_ignored() {
    let mut engine = Engine::start();
    engine.send("xboard");
    engine.send("protover 2");
    engine.silent();
    engine.send("joho isready");
    let lines = engine.until("readyok", within(1000));
    assert_eq!(lines.len(), 1);
    engine.send("joho debug on");
    engine.send("foo");
    engine.until("info string", within(1000));
    engine.quit();
}

#[test]
fn lines_that_are_not_utf8() {
    let mut engine = Engine::ready();
    engine.send_bytes(b"setoption name UCI_Opponent value none none human M\xfcller\n");
    engine.alive_and_silent();
    engine.send_bytes(b"\xff\xfe\x00\n\x80\n");
    engine.alive_and_silent();
    // Errors are reported with the next `go`.
    let answer = engine.go("depth 1");
    assert!(answer.strings().iter().any(|text| text.contains("UTF-8")));
    engine.send_bytes(b"position fen \xff\xff\n");
    engine.until("info string position", within(1000));
    engine.alive();
    engine.quit();
}

#[test]
fn paths_with_spaces_and_accents() {
    let folder = Folder::new("a \u{e9} x");
    log_to(&folder.join("a log.txt"));
}

/// File names in Latin-1.
#[test]
#[cfg(target_os = "linux")]
fn paths_that_are_not_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("bytes");
    log_to(&folder.join(std::ffi::OsStr::from_bytes(b"\xe9 x.log")));
}

/// An engine that logs to this path writes the file and no error.
fn log_to(path: &Path) {
    let mut engine = Engine::ready();
    let option = b"setoption name Debug Log File value ";
    engine.send_bytes(&[option, path.as_os_str().as_encoded_bytes(), b"\n"].concat());
    engine.alive_and_silent();
    assert!(engine.go("depth 1").strings().is_empty());
    engine.quit();
    assert!(path.exists());
}

#[test]
fn lines_in_pieces_and_many_at_once() {
    let mut script = String::new();
    let openings = ["e2e4", "d2d4", "c2c4", "g1f3", "b1c3"];
    for first in openings.iter().cycle().take(25) {
        script += &format!("position startpos moves {first}\ngo depth 2\n");
    }
    let bests = |engine: &mut Engine| -> Vec<String> {
        let answers = (0..25).map(|_| {
            let lines = engine.until("bestmove", HANG);
            lines.last().expect("bestmove").text.clone()
        });
        answers.collect()
    };
    let mut whole = Engine::ready();
    whole.send_bytes(script.as_bytes());
    let at_once = bests(&mut whole);
    whole.quit();

    let mut pieces = Engine::ready();
    for byte in script.bytes() {
        pieces.send_bytes(&[byte]);
    }
    assert_eq!(bests(&mut pieces), at_once);
    pieces.quit();

    let mut lines = Engine::ready();
    let mut one_by_one = Vec::new();
    for line in script.lines() {
        lines.send(line);
        if line.starts_with("go") {
            one_by_one.extend(lines.until("bestmove", HANG).pop().map(|line| line.text));
        }
    }
    assert_eq!(one_by_one, at_once);
    lines.quit();
}

#[test]
fn end_of_input_when_idle() {
    let mut engine = Engine::ready();
    engine.close_input();
    engine.gone(1000);
    // Lines before the end are carried out.
    let mut engine = Engine::start();
    engine.send_bytes(b"isready\nuci");
    engine.close_input();
    engine.until("uciok", within(1000));
    engine.gone(1000);
}

#[test]
fn end_of_input_during_a_search() {
    for command in [
        "go infinite",
        "go ponder wtime 1000 btime 1000",
        "go wtime 600000",
        "go depth 200",
    ] {
        let mut engine = Engine::ready();
        engine.send(command);
        engine.until("info", within(1000));
        engine.close_input();
        engine.gone(1000);
    }
}

#[test]
fn end_of_input_during_perft_and_bench() {
    for command in ["go perft 12", "bench 60"] {
        let mut engine = Engine::ready();
        engine.lenient = true;
        engine.send(command);
        thread::sleep(Duration::from_millis(50));
        engine.close_input();
        engine.gone(1000);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn full_disk() {
    for arguments in [&["bench", "1"][..], &["eval", "startpos"], &["perft", "2"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        let output = Command::new(crate::driver::program())
            .args(arguments)
            .stdout(full.expect("/dev/full"))
            .output()
            .expect("the program starts");
        assert!(!output.status.success(), "{arguments:?}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("output"), "{arguments:?}: {errors}");
    }
}

#[test]
fn closed_output_pipe() {
    let mut child = Command::new(crate::driver::program())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut input, b"uci\ngo infinite\n").expect("written");
    thread::sleep(Duration::from_millis(200));
    drop(child.stdout.take());
    let deadline = Instant::now() + within(1500);
    while child.try_wait().expect("a child").is_none() {
        if Instant::now() > deadline {
            let _ = child.kill();
            panic!("the program does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("ended");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn lines_of_many_threads_are_whole() {
    let mut engine = Engine::ready();
    engine.send("setoption name Threads value 16");
    engine.send("setoption name MultiPV value 2");
    engine.alive();
    for round in 0..200 {
        engine.go(["nodes 300", "movetime 1"][round % 2]);
    }
    engine.alive_and_silent();
    engine.quit();
}

#[test]
fn any_working_directory() {
    let folder = Folder::new("empty");
    let program = crate::driver::program();
    let mut engine = Engine::start_as(Command::new(program).current_dir(&*folder));
    engine.go("depth 1");
    engine.quit();
    let left = std::fs::read_dir(&*folder).expect("the folder").count();
    assert_eq!(left, 0);
}

#[test]
#[cfg(target_os = "linux")]
fn processor_affinity_is_kept() {
    if Command::new("taskset").arg("-V").output().is_err() {
        eprintln!("skipped: no taskset here");
        return;
    }
    let mut command = Command::new("taskset");
    command.args(["-c", "0", &crate::driver::program()]);
    let mut engine = Engine::start_as(&mut command);
    engine.send("setoption name Threads value 4");
    engine.go("depth 4");
    for task in std::fs::read_dir(format!("/proc/{}/task", engine.id())).expect("threads") {
        let path = task.expect("a thread").path().join("status");
        let status = std::fs::read_to_string(path).expect("its status");
        let allowed = status
            .lines()
            .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        assert_eq!(allowed.map(str::trim), Some("0"));
    }
    engine.quit();
}

#[test]
#[cfg(target_os = "linux")]
fn an_idle_engine_uses_no_processor_time() {
    let mut engine = Engine::ready();
    engine.go("depth 3");
    let before = processor_ticks(engine.id());
    engine.silent();
    assert!(processor_ticks(engine.id()) - before <= 1);
    assert!(process_status(engine.id(), "Threads") >= 1);
    engine.quit();
}
