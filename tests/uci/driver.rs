//! Drives the program over pipes. Every line read is timed, checked and logged; a failure prints the whole dialogue.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::checker::{self, Board, Info, Score};

/// An upper bound on time: exact with `LUCENA_STRICT`, much wider without.
pub fn within(strict_ms: u64) -> Duration {
    let strict = std::env::var_os("LUCENA_STRICT").is_some();
    Duration::from_millis(if strict {
        strict_ms
    } else {
        strict_ms * 10 + 2000
    })
}

/// The words after `position` of a usual middlegame.
pub const MIDDLEGAME: &str =
    "fen r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 6";
/// How long a silent program must print nothing.
pub const SILENCE: Duration = Duration::from_millis(300);
/// The time limit for answers without a bound of their own.
pub const HANG: Duration = Duration::from_secs(60);

#[derive(Clone, Debug)]
pub struct Line {
    pub at: Instant,
    pub text: String,
    pub info: Option<Info>,
}

/// The answer to a `go`.
#[derive(Clone, Debug)]
pub struct Answer {
    pub lines: Vec<Line>,
    pub best: String,
    pub ponder: Option<String>,
    /// From sending `go` to reading `bestmove`.
    pub took: Duration,
}

impl Answer {
    /// The `info` lines other than `info string`.
    pub fn infos(&self) -> impl DoubleEndedIterator<Item = &Info> {
        self.lines.iter().filter_map(|line| line.info.as_ref())
    }

    /// The `info` lines with a score and moves.
    pub fn scored(&self) -> impl DoubleEndedIterator<Item = &Info> {
        self.infos().filter(|info| info.is_scored())
    }

    /// The last line of the best variation.
    pub fn last(&self) -> &Info {
        self.scored()
            .rfind(|info| info.multipv == Some(1))
            .expect("a scored line")
    }

    pub fn nodes(&self) -> u64 {
        self.infos()
            .filter_map(|info| info.nodes)
            .max()
            .unwrap_or(0)
    }

    pub fn strings(&self) -> Vec<&str> {
        self.lines
            .iter()
            .filter_map(|line| line.text.strip_prefix("info string "))
            .collect()
    }
}

/// The program under test: the one just built, or `LUCENA_PROGRAM`.
pub fn program() -> String {
    std::env::var("LUCENA_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_lucena").to_owned())
}

/// The running program.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, Vec<u8>)>,
    errors: Option<JoinHandle<Vec<u8>>>,
    log: String,
    board: Option<Board>,
    asked: Instant,
    /// The lines with a score and moves since the last answer.
    scored: Vec<Info>,
    /// Accept lines outside UCI, such as the output of `d`.
    pub lenient: bool,
}

impl Engine {
    /// Starts the program.
    pub fn start() -> Self {
        Self::start_as(&mut Command::new(program()))
    }

    /// Starts the program and sends `uci` and `isready`.
    pub fn ready() -> Self {
        let mut engine = Self::start();
        engine.send("uci");
        engine.until("uciok", within(1000));
        engine.alive();
        engine
    }

    /// Starts the program by another command line.
    pub fn start_as(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (sender, lines) = mpsc::channel();
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        thread::spawn(move || {
            let mut line = Vec::new();
            while matches!(output.read_until(b'\n', &mut line), Ok(1..)) {
                if line.last() == Some(&b'\n') {
                    line.pop();
                } else {
                    line.extend_from_slice(b"<no line end>");
                }
                if sender
                    .send((Instant::now(), std::mem::take(&mut line)))
                    .is_err()
                {
                    break;
                }
            }
        });
        let mut errors = child.stderr.take().expect("a pipe");
        let errors = thread::spawn(move || {
            let mut text = Vec::new();
            let _ = errors.read_to_end(&mut text);
            text
        });
        Self {
            input: child.stdin.take(),
            child,
            lines,
            errors: Some(errors),
            log: String::new(),
            board: Some(Board::new("startpos")),
            asked: Instant::now(),
            scored: Vec::new(),
            lenient: false,
        }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Adds a comment to the dialogue.
    pub fn note(&mut self, text: &str) {
        let _ = writeln!(self.log, "# {text}");
    }

    /// Sends one line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes in one write. Errors are ignored, since the program may have ended.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let shown = String::from_utf8_lossy(bytes);
        let _ = writeln!(
            self.log,
            "> {}",
            shown.chars().take(300).collect::<String>().trim_end()
        );
        self.asked = Instant::now();
        if let Some(input) = &mut self.input {
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    /// Sends `position` and sets the checker's board.
    pub fn position(&mut self, words: &str) {
        self.board = Some(Board::new(words));
        self.send(&format!("position {words}"));
    }

    /// The checker's board.
    pub fn board(&self) -> &Board {
        self.board.as_ref().expect("a position")
    }

    /// Drops the board: answers are not checked against a position.
    pub fn forget_board(&mut self) {
        self.board = None;
    }

    /// The next line, checked, if one comes in time.
    pub fn next(&mut self, at_most: Duration) -> Option<Line> {
        let (at, bytes) = match self.lines.recv_timeout(at_most) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let _ = writeln!(self.log, "< {text}");
        let info = match checker::check_line(&bytes) {
            Ok(info) => info,
            Err(_) if self.lenient => None,
            Err(fault) => self.fail(&format!("bad line: {fault}")),
        };
        let scored = info.iter().filter(|info| info.is_scored());
        self.scored.extend(scored.cloned());
        Some(Line { at, text, info })
    }

    /// Fails the test and prints the dialogue.
    pub fn fail(&self, why: &str) -> ! {
        panic!("{why}\n{}", self.log);
    }

    /// All lines up to and including the first that begins with `prefix`.
    pub fn until(&mut self, prefix: &str, at_most: Duration) -> Vec<Line> {
        let deadline = Instant::now() + at_most;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.next(left) {
                Some(line) => {
                    let found = line.text.starts_with(prefix);
                    lines.push(line);
                    if found {
                        return lines;
                    }
                }
                None => self.fail(&format!("no line {prefix} within {at_most:?}")),
            }
        }
    }

    /// All lines that come in this time.
    pub fn during(&mut self, time: Duration) -> Vec<Line> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return lines;
            }
            lines.extend(self.next(left));
        }
    }

    /// Checks that nothing is printed for a moment.
    pub fn silent(&mut self) {
        if self.next(SILENCE).is_some() {
            self.fail("expected silence");
        }
    }

    /// Checks that no `bestmove` comes in this time.
    pub fn no_bestmove(&mut self, time: Duration) -> Vec<Line> {
        let lines = self.during(time);
        if lines.iter().any(|line| line.text.starts_with("bestmove")) {
            self.fail("bestmove came too early");
        }
        lines
    }

    /// Sends `isready`; returns the lines before `readyok`.
    pub fn alive(&mut self) -> Vec<Line> {
        self.send("isready");
        let mut lines = self.until("readyok", within(1000));
        lines.pop();
        lines
    }

    /// Checks that `isready` is answered and nothing else is printed.
    pub fn alive_and_silent(&mut self) {
        if !self.alive().is_empty() {
            self.fail("expected nothing but readyok");
        }
    }

    /// Sends a `go` that ends by itself and checks the answer.
    pub fn go(&mut self, words: &str) -> Answer {
        self.send(&format!("go {words}"));
        self.answer(HANG)
    }

    /// Sends `stop` and checks the answer.
    pub fn stop(&mut self, strict_ms: u64) -> Answer {
        self.send("stop");
        self.answer(within(strict_ms))
    }

    /// Reads and checks the answer to the newest `go`.
    pub fn answer(&mut self, at_most: Duration) -> Answer {
        let asked = self.asked;
        let lines = self.until("bestmove", at_most);
        let last = lines.last().expect("bestmove").clone();
        let words: Vec<&str> = last.text.split(' ').collect();
        let answer = Answer {
            took: last.at.saturating_duration_since(asked),
            best: words[1].to_owned(),
            ponder: words.get(3).map(|&text| text.to_owned()),
            lines,
        };
        let scored = std::mem::take(&mut self.scored);
        if let Some(board) = &self.board
            && let Err(fault) = check_answer(board, &answer, &scored)
        {
            self.fail(&fault);
        }
        answer
    }

    /// Ends the input.
    pub fn close_input(&mut self) {
        self.log += "> <end of input>\n";
        self.input = None;
    }

    /// Waits for the program to end.
    pub fn exit(&mut self, strict_ms: u64) -> ExitStatus {
        let deadline = Instant::now() + within(strict_ms);
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            if Instant::now() > deadline {
                self.fail("the program does not end");
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Checks that the program ends with exit code 0 and an empty standard error.
    pub fn gone(mut self, strict_ms: u64) {
        let status = self.exit(strict_ms);
        if !status.success() {
            self.fail(&format!("ended with {status}"));
        }
        let errors = self.errors.take().expect("once").join().expect("a thread");
        if !errors.is_empty() {
            self.fail(&format!(
                "standard error: {}",
                String::from_utf8_lossy(&errors)
            ));
        }
    }

    /// Sends `quit` and checks the end.
    pub fn quit(mut self) {
        self.send("quit");
        self.gone(500);
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Checks one answer: legal moves, a legal ponder move in a game that goes on, and an exact last line that begins with
/// `bestmove`; `scored` are the lines since the answer before.
fn check_answer(board: &Board, answer: &Answer, scored: &[Info]) -> Result<(), String> {
    for info in answer.infos() {
        board.check_variation(&info.pv)?;
    }
    if answer.best == "(none)" {
        return if board.move_count() == 0 {
            Ok(())
        } else {
            Err("bestmove (none) in a position with legal moves".into())
        };
    }
    let mut after = board.clone();
    if !after.play(&answer.best) {
        return Err(format!("illegal bestmove {}", answer.best));
    }
    if let Some(ponder) = &answer.ponder
        && (after.is_over() || !after.play(ponder) || after.move_count() == 0)
    {
        return Err(format!("bad ponder move {ponder}"));
    }
    let Some(last) = scored.last() else {
        return Err("no scored line before bestmove".into());
    };
    if last.is_bound {
        return Err("the last score is a bound".into());
    }
    let best = scored
        .iter()
        .rfind(|info| info.multipv == Some(1) && !info.is_bound);
    if best.and_then(|info| info.pv.first()) != Some(&answer.best) {
        return Err("the last variation does not begin with bestmove".into());
    }
    Ok(())
}

/// A score as centipawns, with mates beyond all others.
pub fn centipawns(score: Score) -> i64 {
    match score {
        Score::Centipawns(value) => value,
        Score::Mate(moves) if moves > 0 => 100_000 - moves,
        Score::Mate(moves) => -100_000 - moves,
    }
}

/// A number in `/proc/<pid>/status` (kB for sizes).
#[cfg(target_os = "linux")]
pub fn process_status(id: u32, field: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{id}/status")).expect("a process");
    let line = text
        .lines()
        .find(|line| line.starts_with(field))
        .expect("a field");
    line.split_whitespace()
        .nth(1)
        .and_then(|number| number.parse().ok())
        .expect("a number")
}

/// Processor time used, in clock ticks of 10 ms.
#[cfg(target_os = "linux")]
pub fn processor_ticks(id: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("a process");
    let fields: Vec<&str> = text
        .rsplit(')')
        .next()
        .expect("fields")
        .split_whitespace()
        .collect();
    fields[11].parse::<u64>().expect("user") + fields[12].parse::<u64>().expect("system")
}

/// The built-in weights with pawns worth ten times as much in the middlegame.
pub fn weights_with_heavy_pawns() -> String {
    let weights = include_str!("../../src/eval/weights.txt");
    let (before, after) = weights.split_once("mg ").expect("a row");
    let (pawn, rest) = after.split_once(' ').expect("a value");
    format!("{before}mg {pawn}0 {rest}")
}
