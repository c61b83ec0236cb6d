//! Runs a suite: each position is searched within the same limits, one engine of one thread per position.

use std::sync::Arc;
use std::time::Duration;

use rayon::prelude::*;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

use super::epd::Epd;
use crate::base::clock::Instant;
use crate::base::progress::Progress;
use crate::base::sync::Mutex;
use crate::base::value::{Bound, Depth};
use crate::chess::Move;
use crate::engine::{Engine, Info, Limits, Listener, ReportedScore};

/// Limits of the search of each position; the first one reached ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SuiteLimits {
    pub nodes: Option<u64>,
    /// In plies.
    pub depth: Option<Depth>,
    pub move_time: Option<Duration>,
    /// TT size in MiB.
    pub hash: usize,
}

impl SuiteLimits {
    fn search_limits(&self) -> Limits {
        Limits {
            nodes: self.nodes,
            depth: self.depth,
            move_time: self.move_time,
            started: Instant::now(),
            ..Limits::none()
        }
    }
}

/// The state of a search at one snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// Depth completed, in plies.
    pub depth: Depth,
    pub nodes: u64,
    pub elapsed: Duration,
}

/// The result of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The best move; `None` if there is no legal move.
    pub found: Option<Move>,
    /// Its score from the mover's view.
    pub score: ReportedScore,
    /// When the search found a right move and kept to right moves; `None` if its last move is wrong.
    pub solved: Option<Snapshot>,
    /// The end of the search.
    pub end: Snapshot,
    /// MiB of its TT: fewer than asked for if memory was short.
    pub hash: usize,
}

/// Records the best move and exact score of each iteration.
#[derive(Default)]
struct Recorder(Mutex<Vec<(Snapshot, Move, ReportedScore)>>);

impl Listener for Recorder {
    fn info(&self, info: &Info<'_>) {
        if let (1, Bound::Exact, Some(&first)) = (info.multi_pv, info.bound, info.pv.first()) {
            let snapshot = Snapshot {
                depth: info.depth,
                nodes: info.stats.nodes,
                elapsed: info.stats.elapsed,
            };
            self.0.lock().push((snapshot, first, info.score));
        }
    }
}

/// Whether move and score satisfy all operations of the EPD.
fn is_right(epd: &Epd, mv: Move, score: ReportedScore) -> bool {
    let mates = |most: u32| matches!(score, ReportedScore::Mate(moves) if moves > 0 && moves as u32 <= most);
    (epd.best.is_empty() || epd.best.contains(&mv))
        && !epd.avoid.contains(&mv)
        && epd.mate.is_none_or(mates)
}

/// Searches one position.
pub fn solve(engine: &mut Engine, epd: &Epd, limits: &SuiteLimits) -> Answer {
    engine.set_threads(1);
    engine.set_hash(limits.hash);
    engine.new_game();
    // If memory is short, the engine keeps the TT that it has.
    let _ = engine.prepare();
    let recorder = Arc::new(Recorder::default());
    let listener: Arc<dyn Listener> = Arc::<Recorder>::clone(&recorder);
    let (signal, started) = (engine.signal(), Instant::now());
    let ticket = signal.issue();
    let result = engine.go(&epd.game, limits.search_limits(), ticket, &listener);
    signal.finish(ticket);
    let elapsed = started.elapsed();
    let lines = recorder.0.lock();
    let since = lines
        .iter()
        .rposition(|&(_, mv, score)| !is_right(epd, mv, score))
        .map_or(0, |wrong| wrong + 1);
    let last = lines.last().copied();
    Answer {
        found: result.best,
        score: last.map_or_else(ReportedScore::default, |(_, _, score)| score),
        solved: lines.get(since).map(|&(snapshot, ..)| snapshot),
        hash: engine.hash(),
        end: last.map_or_else(Snapshot::default, |(snapshot, ..)| Snapshot {
            elapsed,
            ..snapshot
        }),
    }
}

/// Searches all positions, at most `threads` at a time; the answers are in the order of the positions.
///
/// # Errors
/// If the threads cannot be started.
pub fn run(
    suite: &[Epd],
    limits: &SuiteLimits,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Vec<Answer>, ThreadPoolBuildError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    progress.start(suite.len() as u64);
    let answers = pool.install(|| {
        let each = suite.par_iter().with_max_len(1);
        each.map_init(Engine::new, |engine, epd| {
            let answer = solve(engine, epd, limits);
            progress.advance(1);
            answer
        })
        .collect()
    });
    progress.finish();
    Ok(answers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epd(line: &str) -> Epd {
        Epd::parse(line).expect("a valid line").expect("an EPD")
    }

    #[test]
    fn right_and_wrong_answers_are_distinguished() {
        const MATE: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - -";
        const OVER: &str = "8/8/8/8/8/1q6/8/K7 w - - 0 1";
        let cases = [
            (format!("{MATE} bm Rd8; dm 1;"), true),
            (format!("{MATE} am Rd8;"), false),
            (format!("{MATE} bm Rd7;"), false),
            (format!("{MATE} am Rd7; dm 3;"), true),
            (format!("{OVER} am Ka2;"), false),
        ];
        // In the last position the game is over: no move can be named.
        let suite: Vec<Epd> = cases[..4].iter().map(|(line, _)| epd(line)).collect();
        assert!(Epd::parse(&cases[4].0).is_err());
        let limits = SuiteLimits {
            depth: Some(4),
            hash: 1,
            ..SuiteLimits::default()
        };
        let alone = run(&suite, &limits, 1, &()).expect("a thread");
        for (answer, (line, is_right)) in alone.iter().zip(&cases) {
            assert_eq!(answer.solved.is_some(), *is_right, "{line}");
            assert!(answer.found.is_some() && answer.end.nodes > 0, "{line}");
        }
        let together = run(&suite, &limits, 3, &()).expect("threads");
        let summary = |answers: &[Answer]| -> Vec<_> {
            let parts = answers.iter().map(|v| (v.found, v.score, v.end.nodes));
            parts.collect()
        };
        assert_eq!(summary(&alone), summary(&together));
    }
}
