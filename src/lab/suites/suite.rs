//! A suite: each position searched within the same limits, and whether the answer is right.
//! Uses: epd, engine, progress; rayon. Used by: cli.
//! Idea: one engine of one thread for each position at a time; it forgets everything before the next.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

use super::epd::Epd;
use crate::base::progress::Progress;
use crate::base::sync::Mutex;
use crate::base::value::{Bound, Depth};
use crate::chess::Move;
use crate::engine::{Engine, Info, Limits, Listener, ReportedScore};

/// How long each position is searched: until the first limit is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Nodes.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<Depth>,
    /// Time.
    pub move_time: Option<Duration>,
    /// The size of each position's transposition table, in mebibytes.
    pub hash: usize,
}

impl Budget {
    fn limits(&self) -> Limits {
        Limits {
            nodes: self.nodes,
            depth: self.depth,
            move_time: self.move_time,
            started: Instant::now(),
            ..Limits::none()
        }
    }
}

/// How far a search was when something happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// Depth completed, in plies.
    pub depth: Depth,
    /// Nodes searched.
    pub nodes: u64,
    /// Time searched.
    pub elapsed: Duration,
}

/// What a search answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The move found; `None` where the game is over.
    pub found: Option<Move>,
    /// Its score from the view of the side to move.
    pub score: ReportedScore,
    /// When the right answer was found for good; `None` if the last answer is wrong.
    pub solved: Option<Moment>,
    /// The end of the search.
    pub end: Moment,
}

/// Hears the exact first lines of one search.
#[derive(Default)]
struct Ear(Mutex<Vec<(Moment, Move, ReportedScore)>>);

impl Listener for Ear {
    fn info(&self, info: &Info<'_>) {
        if let (1, Bound::Exact, Some(&first)) = (info.multi_pv, info.bound, info.pv.first()) {
            let moment = Moment {
                depth: info.depth,
                nodes: info.stats.nodes,
                elapsed: info.stats.elapsed,
            };
            self.0.lock().push((moment, first, info.score));
        }
    }
}

/// Whether this move with this score answers all that is asked.
fn is_right(epd: &Epd, mv: Move, score: ReportedScore) -> bool {
    let mates = |most: u32| matches!(score, ReportedScore::Mate(moves) if moves > 0 && moves as u32 <= most);
    (epd.best.is_empty() || epd.best.contains(&mv))
        && !epd.avoid.contains(&mv)
        && epd.mate.is_none_or(mates)
}

/// Searches one position.
#[must_use]
pub fn judge(engine: &mut Engine, epd: &Epd, budget: &Budget) -> Verdict {
    engine.set_threads(1);
    engine.set_hash(budget.hash);
    engine.new_game();
    // Where memory is short the engine goes on with what it has.
    let _ = engine.prepare();
    let ear = Arc::new(Ear::default());
    let listener: Arc<dyn Listener> = Arc::<Ear>::clone(&ear);
    let (signal, started) = (engine.signal(), Instant::now());
    let ticket = signal.issue();
    let answer = engine.go(&epd.game, budget.limits(), ticket, &listener);
    signal.finish(ticket);
    let elapsed = started.elapsed();
    let lines = ear.0.lock();
    let since = lines
        .iter()
        .rposition(|&(_, mv, score)| !is_right(epd, mv, score))
        .map_or(0, |wrong| wrong + 1);
    let last = lines.last().copied();
    Verdict {
        found: answer.best,
        score: last.map_or_else(ReportedScore::default, |(_, _, score)| score),
        solved: lines.get(since).map(|&(moment, ..)| moment),
        end: last.map_or_else(Moment::default, |(moment, ..)| Moment { elapsed, ..moment }),
    }
}

/// Searches all positions, at most `threads` at a time; the verdicts come in the order of the positions.
///
/// # Errors
/// What the system said when it would not start the threads.
pub fn run(
    suite: &[Epd],
    budget: &Budget,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Vec<Verdict>, ThreadPoolBuildError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    progress.start(suite.len() as u64);
    let verdicts = pool.install(|| {
        let each = suite.par_iter().with_max_len(1);
        each.map_init(Engine::new, |engine, epd| {
            let verdict = judge(engine, epd, budget);
            progress.advance(1);
            verdict
        })
        .collect()
    });
    progress.finish();
    Ok(verdicts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epd(line: &str) -> Epd {
        Epd::parse(line).expect("a good line").expect("a question")
    }

    #[test]
    fn right_answers_are_told_from_wrong_ones() {
        const MATE: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - -";
        const OVER: &str = "8/8/8/8/8/1q6/8/K7 w - - 0 1";
        let asked = [
            (format!("{MATE} bm Rd8; dm 1;"), true),
            (format!("{MATE} am Rd8;"), false),
            (format!("{MATE} bm Rd7;"), false),
            (format!("{MATE} am Rd7; dm 3;"), true),
            (format!("{OVER} am Ka2;"), false),
        ];
        // A position that is over has no legal move to ask for, so the last line cannot be read.
        let suite: Vec<Epd> = asked[..4].iter().map(|(line, _)| epd(line)).collect();
        assert!(Epd::parse(&asked[4].0).is_err());
        let budget = Budget {
            depth: Some(4),
            hash: 1,
            ..Budget::default()
        };
        let alone = run(&suite, &budget, 1, &()).expect("a thread");
        for (verdict, (line, is_right)) in alone.iter().zip(&asked) {
            assert_eq!(verdict.solved.is_some(), *is_right, "{line}");
            assert!(verdict.found.is_some() && verdict.end.nodes > 0, "{line}");
        }
        let together = run(&suite, &budget, 3, &()).expect("threads");
        let answers = |verdicts: &[Verdict]| -> Vec<_> {
            let parts = verdicts.iter().map(|v| (v.found, v.score, v.end.nodes));
            parts.collect()
        };
        assert_eq!(answers(&alone), answers(&together));
    }
}
