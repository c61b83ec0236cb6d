//! What a search found, as a value: the best move, the lines and the statistics.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use super::{BestMove, Engine, Info, Limits, Listener, ReportedScore, SearchStats};
use crate::base::sync::Mutex;
use crate::base::value::{Bound, Depth};
use crate::chess::{Game, Move};
use crate::search::signal::Ticket;
use crate::search::stop::Stop;

/// The result of [`Engine::search`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchResult {
    /// The move to play; `None` only if there is no legal move or no memory for a search.
    pub best: Option<Move>,
    /// The expected reply, unless the game is over by then.
    pub ponder: Option<Move>,
    /// The best lines, by rank; as many as the engine was set to search.
    pub lines: Vec<Variation>,
    /// Statistics of the whole search.
    pub stats: SearchStats,
}

/// A line that a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Variation {
    /// Completed depth in plies.
    pub depth: Depth,
    /// Greatest distance from the root, in plies.
    pub selective_depth: u32,
    /// Score from the view of the side to move, on the scale of the search; [`normalise`](super::normalise) gives what a GUI
    /// shows.
    pub score: ReportedScore,
    /// The moves from the root on, all legal.
    pub pv: Vec<Move>,
}

impl SearchResult {
    /// The score of the best move, for the side to move; `None` if there is no line.
    ///
    /// ```
    /// use lucena::engine::ReportedScore;
    /// use lucena::{Engine, Game, Limits};
    ///
    /// let game = Game::from_words("6k1/5ppp/8/8/8/8/8/R5K1 w - -")?;
    /// let result = Engine::new().search(&game, Limits::depth(4));
    /// assert_eq!(result.score(), Some(ReportedScore::Mate(1)));
    /// # Ok::<(), lucena::chess::WordsError>(())
    /// ```
    pub fn score(&self) -> Option<ReportedScore> {
        self.lines.first().map(|line| line.score)
    }

    /// The best line; empty if there is none.
    pub fn pv(&self) -> &[Move] {
        self.lines.first().map_or(&[], |line| &line.pv)
    }
}

/// Keeps the newest exact lines, and passes every report on. A panic there stops the search.
struct Recorder<F> {
    found: Mutex<(Vec<Variation>, SearchStats)>,
    pass_on: F,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    stop: Stop,
}

impl<F: Fn(&Info<'_>)> Recorder<F> {
    fn pass_on(&self, info: &Info<'_>) {
        let mut panic = self.panic.lock();
        if panic.is_none() {
            *panic = catch_unwind(AssertUnwindSafe(|| (self.pass_on)(info))).err();
            if panic.is_some() {
                self.stop.stop();
            }
        }
    }
}

impl<F: Fn(&Info<'_>) + Send + Sync> Listener for Recorder<F> {
    fn info(&self, info: &Info<'_>) {
        self.pass_on(info);
        let mut found = self.found.lock();
        let (lines, stats) = &mut *found;
        *stats = info.stats;
        if info.bound != Bound::Exact {
            return;
        }
        lines.truncate(info.multi_pv - 1);
        lines.push(Variation {
            depth: info.depth,
            selective_depth: info.selective_depth,
            score: info.score,
            pv: info.pv.to_vec(),
        });
    }

    fn stats(&self, stats: &SearchStats) {
        self.found.lock().1 = *stats;
    }
}

impl Engine {
    /// Searches, and returns the result. Blocks until a limit is reached or the [`Engine::stop_handle`] stops the search;
    /// without a limit only the latter ends it. Time counts from [`Limits::started`], so each search needs limits of its own.
    /// It applies new settings first; those that cannot be applied keep their last working values, without an error:
    /// [`Engine::prepare`] before the search returns one.
    ///
    /// ```
    /// use lucena::{Engine, Game, Limits};
    ///
    /// let game = Game::from_words("startpos e4 e5 Qh5 Ke7")?;
    /// let result = Engine::new().search(&game, Limits::nodes(5_000));
    /// let best = result.best.expect("the game is not over");
    /// assert_eq!(game.position().san(best).to_string(), "Qxe5#");
    /// assert_eq!(result.pv(), [best]);
    /// # Ok::<(), lucena::chess::WordsError>(())
    /// ```
    pub fn search(&mut self, game: &Game, limits: Limits) -> SearchResult {
        self.search_with(game, limits, |_| ())
    }

    /// The same, and calls `report` for each variation while it searches, on a thread of the search. A channel carries
    /// reports elsewhere. A panic in `report` ends the search and continues here.
    ///
    /// ```
    /// use std::sync::mpsc;
    ///
    /// use lucena::{Engine, Game, Limits};
    ///
    /// let (sender, reports) = mpsc::channel();
    /// let game = Game::from_words("startpos")?;
    /// let result = Engine::new().search_with(&game, Limits::depth(5), move |info| {
    ///     // The receiver may be gone.
    ///     let _ = sender.send((info.depth, info.score, info.pv.to_vec()));
    /// });
    /// let (depth, score, pv) = reports.iter().last().expect("a report");
    /// assert_eq!((depth, Some(score), &pv[..]), (5, result.score(), result.pv()));
    /// # Ok::<(), lucena::chess::WordsError>(())
    /// ```
    pub fn search_with(
        &mut self,
        game: &Game,
        limits: Limits,
        report: impl Fn(&Info<'_>) + Send + Sync + 'static,
    ) -> SearchResult {
        let ticket = self.take_ticket();
        let recorder = Arc::new(Recorder {
            found: Mutex::default(),
            pass_on: report,
            panic: Mutex::default(),
            stop: Stop::of(self.signal(), ticket),
        });
        let listener: Arc<dyn Listener> = Arc::<Recorder<_>>::clone(&recorder);
        let BestMove { best, ponder } = self.go(game, limits, ticket, &listener);
        self.signal.finish(ticket);
        let panic = recorder.panic.lock().take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
        let (lines, stats) = std::mem::take(&mut *recorder.found.lock());
        SearchResult {
            best,
            ponder,
            lines,
            stats,
        }
    }

    /// A handle that stops the next [`Engine::search`] or question of this engine, and no later one. It may be used at any
    /// time and from any thread: a stop before the search ends it after depth 1, a stop after it does nothing. Stopping
    /// never waits for the search, so an asynchronous task may call it.
    ///
    /// ```
    /// use std::thread;
    ///
    /// use lucena::{Engine, Game, Limits};
    ///
    /// let mut engine = Engine::new();
    /// let stop = engine.stop_handle();
    /// let search = thread::spawn(move || {
    ///     let game = Game::from_words("startpos").expect("a game");
    ///     engine.search(&game, Limits::none())
    /// });
    /// stop.stop();
    /// assert!(search.join().expect("a result").best.is_some());
    /// ```
    pub fn stop_handle(&mut self) -> Stop {
        let signal = self.signal();
        let ticket = *self.next_ticket.get_or_insert_with(|| signal.issue());
        Stop::of(signal, ticket)
    }

    /// The ticket of the next search: that of a stop handle, if there is one.
    pub(crate) fn take_ticket(&mut self) -> Ticket {
        let reserved = self.next_ticket.take();
        reserved.unwrap_or_else(|| self.signal.issue())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::SearchMode;

    #[test]
    fn a_stop_ends_one_search_and_no_other() {
        let game = Game::from_words("startpos").expect("a game");
        let mut engine = Engine::new();
        let stop = engine.stop_handle();
        stop.stop();
        let stopped = engine.search(&game, Limits::none());
        assert!(stopped.best.is_some() && stop.is_stopped());
        stop.stop();
        let whole = engine.search(&game, Limits::depth(6));
        assert_eq!(whole.lines.first().map(|line| line.depth), Some(6));
        assert!(!engine.stop_handle().is_stopped());
    }

    #[test]
    fn a_result_has_a_line_for_each_rank() {
        let game = Game::from_words("startpos").expect("a game");
        let mut engine = Engine::new();
        engine.set_multi_pv(3);
        let result = engine.search(&game, Limits::depth(5));
        assert_eq!(result.lines.len(), 3);
        assert_eq!(result.pv().first(), result.best.as_ref());
        let values: Vec<_> = result.lines.iter().map(|line| line.score.value()).collect();
        assert!(values.is_sorted_by(|one, next| one >= next), "{values:?}");
        assert!(result.stats.nodes > 0);
        let mated = Game::from_words("startpos f3 e5 g4 Qh4").expect("a game");
        assert_eq!(
            engine.search(&mated, Limits::depth(5)),
            SearchResult::default()
        );
    }

    #[test]
    fn a_panic_of_the_report_reaches_the_caller() {
        let game = Game::from_words("startpos").expect("a game");
        let mut engine = Engine::new();
        let report = |info: &Info<'_>| assert!(info.depth < 3, "deep enough");
        let search = || engine.search_with(&game, Limits::none(), report);
        let panic = catch_unwind(AssertUnwindSafe(search)).expect_err("no panic");
        assert_eq!(panic.downcast_ref(), Some(&"deep enough"));
        let whole = engine.search(&game, Limits::depth(4));
        assert_eq!(whole.lines.first().map(|line| line.depth), Some(4));
    }

    #[test]
    fn any_limit_of_depth_gives_lines() {
        let game = Game::from_words("startpos").expect("a game");
        for mode in SearchMode::ALL {
            let mut engine = Engine::new();
            engine.set_search_mode(mode);
            for depth in [Depth::MIN, 0, Depth::MAX] {
                let limits = Limits {
                    nodes: Some(200),
                    ..Limits::depth(depth)
                };
                let lines = engine.search(&game, limits).lines;
                assert_eq!(lines.len(), 1, "{mode:?} {depth}");
            }
        }
    }

    #[test]
    fn an_engine_moves_between_threads() {
        fn is_send<T: Send>() {}
        fn is_shared<T: Send + Sync>() {}
        is_send::<Engine>();
        is_shared::<Stop>();
        is_shared::<SearchResult>();
    }
}
