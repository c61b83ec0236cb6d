//! Lines out: the one place where the protocol writes.
//! Uses: engine (what a search tells), chess, value, log. Used by: reader, controller, listener, cli.
//! Idea: whole lines under one lock, flushed at once; when nobody reads them any more, the process has no purpose.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::base::sync::Mutex;
use crate::base::value::{Bound, Depth, MAX_PLY};
use crate::chess::Move;
use crate::engine::{ReportedScore, SearchStats};

use super::log::{Log, Speaker};

/// Standard output, shared by all threads.
pub struct Output {
    sink: Mutex<Box<dyn Write + Send>>,
    debug: AtomicBool,
    bears_remarks: AtomicBool,
    log: Log,
}

impl Output {
    /// Lines that go to standard output.
    #[must_use]
    pub fn standard() -> Self {
        Self::to(Box::new(io::stdout()))
    }

    /// Lines that go elsewhere.
    #[must_use]
    pub fn to(sink: Box<dyn Write + Send>) -> Self {
        Self {
            sink: Mutex::new(sink),
            debug: AtomicBool::new(false),
            bears_remarks: AtomicBool::new(false),
            log: Log::new(),
        }
    }

    /// Writes whole lines; the last line end is added. If nobody listens any more, the process ends; where they cannot be
    /// written for another reason (a full disk), it ends as a failure and says why.
    pub fn lines(&self, text: &str) {
        let mut bytes = Vec::with_capacity(text.len() + 1);
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(b'\n');
        // A thread that panicked while it wrote has left no half line behind that we could mend.
        let mut sink = self.sink.lock();
        match sink.write_all(&bytes).and_then(|()| sink.flush()) {
            Ok(()) => self.log.note(Speaker::Engine, text.as_bytes()),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => process::exit(0),
            Err(error) => {
                let _ = writeln!(io::stderr(), "output: {error}");
                process::exit(1);
            }
        }
    }

    /// Where the dialogue is noted.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Writes a remark for the user.
    pub fn info_string(&self, text: &str) {
        let text = without_last_words(text);
        // No line end may slip in, and no client reads lines of any length.
        let text: String = text
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .take(1000)
            .collect();
        self.lines(&format!("info string {text}"));
    }

    /// Answers `uci`. From here to the next `go` some clients bear no other lines.
    pub fn introduce(&self, text: &str) {
        self.bears_remarks.store(false, Ordering::Relaxed);
        self.lines(text);
    }

    /// A `go` came: from now on remarks do no harm.
    pub fn allow_remarks(&self) {
        self.bears_remarks.store(true, Ordering::Relaxed);
    }

    /// Whether the client bears remarks now.
    pub fn bears_remarks(&self) -> bool {
        self.bears_remarks.load(Ordering::Relaxed) || self.is_debugging()
    }

    /// Whether the client asked for remarks at once.
    pub fn is_debugging(&self) -> bool {
        self.debug.load(Ordering::Relaxed)
    }

    /// Sets whether the client wants remarks at once.
    pub fn set_debugging(&self, on: bool) {
        self.debug.store(on, Ordering::Relaxed);
    }
}

/// What `XBoard` takes for the last words of an engine that did not start, wherever they stand (through an adapter it hears
/// remarks), and what to say instead.
const LAST_WORDS: [(&str, &str); 6] = [
    ("no such file or directory", "there is none"),
    ("no such file", "there is none"),
    ("permission denied", "access is refused"),
    ("not found", "missing"),
    ("unknown host", "no host"),
    ("can't alloc", "cannot allocate"),
];

/// A remark without [`LAST_WORDS`].
fn without_last_words(text: &str) -> String {
    let mut text = text.to_owned();
    for (words, instead) in LAST_WORDS {
        while let Some(at) = text.to_ascii_lowercase().find(words) {
            text.replace_range(at..at + words.len(), instead);
        }
    }
    text
}

/// One principal variation, kept to be written again.
#[derive(Clone, Debug)]
pub struct Variation {
    /// Completed depth.
    pub depth: Depth,
    /// Greatest distance reached.
    pub selective_depth: u32,
    /// Rank from 1.
    pub multi_pv: usize,
    /// Score from the mover's view.
    pub score: ReportedScore,
    /// Exact or a bound.
    pub bound: Bound,
    /// Win, draw and loss per mille, if the client wants them.
    pub win_draw_loss: Option<[u16; 3]>,
    /// The moves.
    pub pv: Vec<Move>,
}

impl Variation {
    /// The `info` line.
    #[must_use]
    pub fn line(&self, stats: &SearchStats, chess960: bool) -> String {
        let depth = self.depth.clamp(1, 255);
        let selective = self.selective_depth.clamp(1, 255);
        let mut line = format!(
            "info depth {depth} seldepth {selective} multipv {}",
            self.multi_pv
        );
        line.push_str(" score ");
        line.push_str(&score(self.score));
        // Directly behind the score: one client's parser steps by two words.
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

/// Centipawns of a tablebase win; one `n` plies away has `n` less.
const TABLEBASE_WIN_CENTIPAWNS: i32 = 20_000;
/// Greatest centipawns of an estimate: below every tablebase win.
const MAX_CENTIPAWNS: i32 = TABLEBASE_WIN_CENTIPAWNS - MAX_PLY as i32 - 1;

/// The arguments of `score`. UCI has no tablebase scores: they are written as centipawns that no estimate reaches.
fn score(score: ReportedScore) -> String {
    let centipawns = match score {
        ReportedScore::Mate(moves) => return format!("mate {moves}"),
        ReportedScore::TablebaseWin(plies) => TABLEBASE_WIN_CENTIPAWNS - plies,
        ReportedScore::TablebaseLoss(plies) => plies - TABLEBASE_WIN_CENTIPAWNS,
        ReportedScore::Centipawns(estimate) => estimate.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
    };
    format!("cp {centipawns}")
}

/// The `info` line that says only how far a search is.
#[must_use]
pub fn stats_line(stats: &SearchStats) -> String {
    format!("info{}", counters(stats))
}

/// The counters common to all lines, each in the range that clients can read.
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
    fn no_remark_sounds_like_last_words() {
        let said = "Log: /x: No such file or directory (os error 2), Not Found";
        let heard = "Log: /x: there is none (os error 2), missing";
        assert_eq!(without_last_words(said), heard);
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
    fn the_bound_stands_behind_the_score() {
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
