//! Output: whole lines under one lock, flushed at once; when the reader closes the pipe, the process or its searches end.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::base::sync::Mutex;
use crate::base::value::{Bound, Depth, Value};
use crate::chess::Move;
use crate::engine::{self, ReportedScore, SearchStats, Signal};

use super::log::{Log, LogSource};

/// The line with the answer of a search.
pub fn best_move(best: Option<Move>, ponder: Option<Move>, chess960: bool) -> String {
    let mut line = best.map_or_else(
        || "bestmove (none)".to_owned(),
        |best| format!("bestmove {}", best.uci(chess960)),
    );
    if let Some(ponder) = ponder {
        let _ = write!(line, " ponder {}", ponder.uci(chess960));
    }
    line
}

/// How reports are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option")]
pub struct OutputStyle {
    /// Castling as the king taking its own rook.
    pub chess960: bool,
    /// Win, draw and loss chances beside each score.
    pub win_draw_loss: bool,
    /// Internal scores, not scaled to winning chances.
    pub raw_scores: bool,
    /// Only the final variations of a search.
    pub minimal: bool,
    /// Lines before `bestmove` that say why.
    pub explain: bool,
    /// Variations worse than the best by more centipawns than this are omitted; 0: none.
    pub margin: Value,
}

/// Standard output, shared by all threads.
pub struct Output {
    writer: Mutex<Box<dyn Write + Send>>,
    started: Instant,
    /// When the current write began, in milliseconds from `started`, plus 1; 0: nothing is being written.
    write_began: AtomicU64,
    debug: AtomicBool,
    after_go: AtomicBool,
    /// The searches to stop when the output is closed; without it the process exits then.
    stopped_when_closed: OnceLock<Arc<Signal>>,
    log: Log,
}

impl Output {
    pub fn standard() -> Self {
        Self::to(Box::new(io::stdout()))
    }

    pub fn to(writer: Box<dyn Write + Send>) -> Self {
        Self {
            writer: Mutex::new(writer),
            started: Instant::now(),
            write_began: AtomicU64::new(0),
            debug: AtomicBool::new(false),
            after_go: AtomicBool::new(false),
            stopped_when_closed: OnceLock::new(),
            log: Log::new(),
        }
    }

    /// From now on a closed pipe stops all searches instead of exiting; the process then ends with its own exit status.
    pub fn stop_when_closed(&self, signal: Arc<Signal>) {
        let _ = self.stopped_when_closed.set(signal);
    }

    /// Writes whole lines and a final line end. If the pipe is closed, the process exits, or as [`Self::stop_when_closed`]
    /// says. It fails with a message on any other error, such as a full disk.
    pub fn lines(&self, text: &str) {
        let mut bytes = Vec::with_capacity(text.len() + 1);
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(b'\n');
        let mut writer = self.writer.lock();
        self.write_began
            .store(self.milliseconds() + 1, Ordering::Relaxed);
        let written = writer.write_all(&bytes).and_then(|()| writer.flush());
        self.write_began.store(0, Ordering::Relaxed);
        match written {
            Ok(()) => self.log.note(LogSource::Engine, text.as_bytes()),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                match self.stopped_when_closed.get() {
                    Some(signal) => signal.quit(),
                    None => process::exit(0),
                }
            }
            Err(error) => {
                let _ = writeln!(io::stderr(), "output: {error}");
                process::exit(1);
            }
        }
    }

    fn milliseconds(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    /// How long the current write has waited for the client to read; zero without one.
    pub fn blocked_for(&self) -> Duration {
        let began = self.write_began.load(Ordering::Relaxed);
        let waited = (self.milliseconds() + 1).saturating_sub(began);
        Duration::from_millis(if began == 0 { 0 } else { waited })
    }

    /// The debug log.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Writes an `info string`.
    pub fn info_string(&self, text: &str) {
        // One line, short enough for every GUI.
        let text: String = text
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .take(1000)
            .collect();
        self.lines(&format!("info string {}", without_xboard_errors(&text)));
    }

    /// Answers `uci`. Until the next `go` some GUIs accept no `info string`.
    pub fn answer_uci(&self, text: &str) {
        self.after_go.store(false, Ordering::Relaxed);
        self.lines(text);
    }

    /// Notes a `go`: from now on GUIs accept an `info string`.
    pub fn note_go(&self) {
        self.after_go.store(true, Ordering::Relaxed);
    }

    /// Whether an `info string` may be written now.
    pub fn accepts_info_strings(&self) -> bool {
        self.after_go.load(Ordering::Relaxed) || self.is_debugging()
    }

    /// Whether `debug on` is set.
    pub fn is_debugging(&self) -> bool {
        self.debug.load(Ordering::Relaxed)
    }

    pub fn set_debugging(&self, on: bool) {
        self.debug.store(on, Ordering::Relaxed);
    }
}

/// Words that `XBoard` takes for a failed start of the engine, anywhere in a line, and what to write instead.
const XBOARD_ERRORS: [(&str, &str); 7] = [
    ("no such file or directory (os error 2)", "does not exist"),
    ("no such file or directory", "does not exist"),
    ("no such file", "does not exist"),
    ("permission denied", "access is refused"),
    ("not found", "missing"),
    ("unknown host", "no host"),
    ("can't alloc", "cannot allocate"),
];

/// The text with [`XBOARD_ERRORS`] replaced. The time is quadratic in the length.
fn without_xboard_errors(text: &str) -> String {
    let mut text = text.to_owned();
    for (words, instead) in XBOARD_ERRORS {
        while let Some(at) = text.to_ascii_lowercase().find(words) {
            text.replace_range(at..at + words.len(), instead);
        }
    }
    text
}

/// One principal variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    pub depth: Depth,
    pub selective_depth: u32,
    /// Rank from 1.
    pub multi_pv: usize,
    /// Score from the side to move's view.
    pub score: ReportedScore,
    pub bound: Bound,
    /// Win, draw and loss per mille, if `UCI_ShowWDL` is set.
    pub win_draw_loss: Option<[u16; 3]>,
    pub pv: Vec<Move>,
}

impl Variation {
    /// The `info` line.
    pub fn line(&self, stats: &SearchStats, chess960: bool) -> String {
        let depth = self.depth.clamp(1, 255);
        let selective = self.selective_depth.clamp(1, 255);
        let mut line = format!(
            "info depth {depth} seldepth {selective} multipv {}",
            self.multi_pv
        );
        line.push_str(" score ");
        line.push_str(&score(self.score));
        // Directly after the score: one GUI parses the rest in pairs of words.
        line += match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        if let Some([win, draw, loss]) = self.win_draw_loss {
            let _ = write!(line, " wdl {win} {draw} {loss}");
        }
        line += &counters(stats);
        line += " pv";
        for next in &self.pv {
            let _ = write!(line, " {}", next.uci(chess960));
        }
        line
    }
}

/// The arguments of `score`. UCI has no tablebase scores: they are written as centipawns that no estimate reaches.
fn score(score: ReportedScore) -> String {
    match score {
        ReportedScore::Mate(moves) => format!("mate {moves}"),
        other => format!("cp {}", engine::centipawns(other)),
    }
}

/// An `info` line with statistics only.
pub fn stats_line(stats: &SearchStats) -> String {
    format!("info{}", counters(stats))
}

/// The statistics of all `info` lines, each in a range that GUIs can read.
fn counters(stats: &SearchStats) -> String {
    format!(
        " nodes {} nps {} hashfull {} tbhits {} time {}",
        stats.nodes,
        stats.nodes_per_second().min(u64::from(u32::MAX)),
        stats.hash_full.min(1000),
        stats.tb_hits,
        stats.elapsed.as_millis(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::value::{TABLEBASE_BOUND, TABLEBASE_WIN, mate_in, mated_in};

    #[test]
    fn xboard_errors_are_replaced() {
        let text = "Log: /x: No such file or directory (os error 2), Not Found";
        let expected = "Log: /x: does not exist, missing";
        assert_eq!(without_xboard_errors(text), expected);
    }

    #[test]
    fn scores_are_mates_or_centipawns() {
        let score = |value: i32| score(value.into());
        assert_eq!(score(35), "cp 35");
        assert_eq!(score(mate_in(1)), "mate 1");
        assert_eq!(score(mated_in(2)), "mate -1");
        assert_eq!(score(mated_in(0)), "mate 0");
        assert_eq!(score(TABLEBASE_WIN), "cp 20000");
        assert_eq!(score(5 - TABLEBASE_WIN), "cp -19995");
        assert_eq!(score(TABLEBASE_BOUND), "cp 19760");
        assert_eq!(score(TABLEBASE_BOUND - 1), "cp 19759");
    }

    #[test]
    fn the_bound_follows_the_score() {
        let variation = Variation {
            depth: 7,
            selective_depth: 9,
            multi_pv: 1,
            score: ReportedScore::Centipawns(-12),
            bound: Bound::Upper,
            win_draw_loss: Some([1, 900, 99]),
            pv: Vec::new(),
        };
        let line = variation.line(&SearchStats::default(), false);
        let start =
            "info depth 7 seldepth 9 multipv 1 score cp -12 upperbound wdl 1 900 99 nodes 0 nps 0 ";
        assert!(line.starts_with(start), "{line}");
    }
}
