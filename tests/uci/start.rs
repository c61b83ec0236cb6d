//! Start and handshake.

use std::time::{Duration, Instant};

use crate::driver::{Engine, within};

#[test]
fn no_output_before_the_first_command() {
    let mut engine = Engine::start();
    assert!(engine.next(Duration::from_secs(1)).is_none());
    engine.quit();
}

#[test]
fn answer_to_uci() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.until("uciok", within(1000));
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    assert!(texts[0].starts_with("id name Lucena "));
    assert!(texts[1].starts_with("id author ") && texts[1].len() > "id author ".len());
    assert!(
        texts[2..texts.len() - 1]
            .iter()
            .all(|text| text.starts_with("option name "))
    );
    assert_eq!(texts.last(), Some(&"uciok"));
    engine.silent();
    engine.quit();
}

#[test]
fn no_info_before_go() {
    let mut engine = Engine::start();
    // Errors before the first `go` are reported with it.
    engine.send("setoption name Hash value nonsense");
    engine.send("position fen nonsense");
    engine.send("uci");
    let lines = engine.until("uciok", within(1000));
    assert!(lines.iter().all(|line| !line.text.starts_with("info")));
    engine.alive_and_silent();
    engine.position("startpos");
    engine.send("ucinewgame");
    engine.alive_and_silent();
    let answer = engine.go("depth 1");
    assert_eq!(answer.strings().len(), 2, "{:?}", answer.strings());
    assert!(engine.go("depth 1").strings().is_empty());
    engine.quit();
}

#[test]
fn no_info_between_handshake_and_go() {
    let mut engine = Engine::ready();
    engine.send("position fen nonsense");
    engine.alive_and_silent();
    engine.forget_board();
    let answer = engine.go("depth 1");
    assert_eq!(answer.best, "(none)");
    assert!(answer.strings()[0].starts_with("position: FEN"));
    // From then on an invalid position is reported at once.
    engine.send("position startpos moves e2e5");
    engine.until("info string position: move 1 of 1", within(1000));
    engine.send("uci");
    engine.until("uciok", within(1000));
    engine.send("position fen nonsense");
    engine.alive_and_silent();
    engine.quit();
}

#[test]
fn uci_twice() {
    let mut engine = Engine::start();
    engine.send("uci");
    let first = engine.until("uciok", within(1000));
    engine.send("uci");
    let second = engine.until("uciok", within(1000));
    let texts = |lines: &[crate::driver::Line]| {
        lines
            .iter()
            .map(|line| line.text.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(&first), texts(&second));
    // During a search, too.
    engine.send("go infinite");
    engine.send("uci");
    engine.until("uciok", within(1000));
    engine.stop(50);
    engine.quit();
}

#[test]
fn little_memory_before_isready() {
    let mut engine = Engine::start();
    engine.send("uci");
    engine.until("uciok", within(1000));
    #[cfg(target_os = "linux")]
    assert!(crate::driver::process_status(engine.id(), "VmHWM") < 32 * 1024);
    engine.send("quit");
    engine.gone(200);
}

#[test]
fn go_without_uci() {
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 8");
    engine.send("setoption name UCI_Chess960 value true");
    engine.alive_and_silent();
    engine.position("fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4");
    engine.go("depth 3");
    engine.quit();
}

#[test]
fn debug_at_any_time() {
    let mut engine = Engine::start();
    engine.send("debug on");
    engine.send("debug off");
    engine.alive_and_silent();
    engine.send("go infinite");
    engine.send("debug on");
    engine.send("debug off");
    engine.send("debug");
    engine.alive();
    engine.no_bestmove(Duration::from_millis(100));
    engine.stop(50);
    // With `debug on` errors are reported at once.
    engine.send("debug on");
    engine.send("setoption name Hash value 0");
    engine.until("info string option Hash", within(1000));
    engine.quit();
}

#[test]
fn register() {
    let mut engine = Engine::ready();
    engine.send("register later");
    engine.send("register name Stefan MK code 4359874324");
    engine.alive_and_silent();
    engine.quit();
}

#[test]
fn stop_and_ponderhit_when_idle() {
    let mut engine = Engine::ready();
    engine.send("stop");
    engine.send("ponderhit");
    engine.silent();
    engine.alive_and_silent();
    // They do not affect the next search.
    engine.send("ponderhit");
    engine.send("stop");
    let start = Instant::now();
    engine.send("go ponder movetime 10");
    engine.no_bestmove(Duration::from_millis(200));
    engine.stop(50);
    assert!(start.elapsed() >= Duration::from_millis(200));
    engine.quit();
}
