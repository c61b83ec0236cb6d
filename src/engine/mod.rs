//! The engine as a library: settings, a search, a best move, explanations, levels. Front ends use this and nothing below it but
//! `chess` and `base`.
//! Settings take effect at the next [`Engine::prepare`], so their order does not matter.

mod answers;
#[doc(hidden)]
pub mod bench;
mod builder;
#[doc(hidden)]
pub mod embedded;
mod error;
mod evaluation;
#[doc(hidden)]
pub mod level;
mod memory;
mod model;
mod own_book;
#[cfg(feature = "lab")]
#[doc(hidden)]
pub mod perft;
mod result;
mod search_mode;
mod settings;
mod style;
mod tablebases;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use crossbeam_utils::CachePadded;

use crate::base::clock::Instant;
use crate::base::sync::Mutex;
pub use crate::base::value::{Bound, Depth, Value};
use crate::base::value::{DRAW, MAX_DEPTH};
pub use crate::book::Selection;
use crate::chess::{Game, Move};
pub use crate::eval::Model;
pub use crate::eval::load::LoadError;
#[doc(hidden)]
pub use crate::eval::load::load as load_model;
pub use crate::eval::weights::WeightsError;
#[doc(hidden)]
pub use crate::explain::{
    Comparison, DEFAULT_NODES as EXPLAIN_NODES, ExplainError, Explainer, Explanation,
    MAX_NODES as MAX_EXPLAIN_NODES, Question, Threats,
};
pub use crate::search::limits::{Clock, Limits};
pub use crate::search::mcts::policy::Item as PolicyItem;
pub use crate::search::mcts::report::{MoveReport, TreeReport};
use crate::search::node_clock::NodeClock;
#[doc(hidden)]
pub use crate::search::params::{TUNABLES, Tunable};
use crate::search::pool::Pool;
pub use crate::search::report::{BestMove, Info, Listener, ReportedScore, SearchStats};
use crate::search::root::{Outcome, RootMove};
use crate::search::shared::SharedSearch;
pub use crate::search::signal::{Signal, Ticket};
pub use crate::search::stop::Stop;
use crate::search::time::{self, LastScore};
use crate::search::vote::elect;

pub use answers::AnswerError;
pub use builder::EngineBuilder;
pub use error::EngineError;
pub use evaluation::{ConceptAnswer, EvalAnswer, Evaluator};
use memory::{Memory, max_threads};
pub use model::{centipawns, normalise, win_draw_loss};
pub use own_book::OwnBook;
pub use result::{SearchResult, Variation};
pub use search_mode::SearchMode;
pub use style::Style;
pub use tablebases::{TablebaseAnswer, TablebaseOptions};

/// Default size of the TT in MiB.
pub const DEFAULT_HASH: usize = 16;
/// Default time kept back for each move, in milliseconds.
pub const DEFAULT_MOVE_OVERHEAD: u64 = 20;
/// The search statistics are reported after this long without another report.
const STATS_INTERVAL: Duration = Duration::from_secs(1);
/// A chess engine: settings, transposition table and search threads.
///
/// ```
/// use lucena::chess::{Game, Position};
/// use lucena::engine::{Engine, Limits};
///
/// let mut engine = Engine::new();
/// let mate_in_one = Position::from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1").unwrap();
/// let answer = engine.search(&Game::new(mate_in_one), Limits::depth(4));
/// assert_eq!(answer.best.unwrap().uci(false).to_string(), "a1a8");
/// ```
pub struct Engine {
    signal: Arc<Signal>,
    pool: Pool,
    /// TTs and trees: one for all threads, or one per thread in deterministic mode; empty before [`Engine::prepare`] or
    /// without memory.
    memory: Memory,
    /// MiB requested.
    hash: usize,
    mode: SearchMode,
    rollout_depth: Depth,
    threads: usize,
    /// The most threads of a search; levels use one.
    most_threads: usize,
    multi_pv: usize,
    move_overhead: Duration,
    own_book: OwnBook,
    deterministic: bool,
    node_clock: NodeClock,
    last_score: LastScore,
    tablebases: TablebaseOptions,
    /// Centipawns: for the side to move at the root, for white.
    contempt: [Value; 2],
    style: Style,
    /// What a draw and a piece were worth in the last search, by colour.
    last_style: Option<[[Value; 2]; 2]>,
    /// `None`: the built-in weights.
    model: Option<Arc<Model>>,
    clear_hash: bool,
    clear_histories: bool,
    /// The ticket of the next search, if a stop handle has it already.
    next_ticket: Option<Ticket>,
}

impl Engine {
    /// An engine with default settings. Cheap: [`Engine::prepare`] allocates memory and starts threads.
    pub fn new() -> Self {
        Self::with_signal(Arc::default())
    }

    /// An engine that is stopped through an existing signal.
    pub fn with_signal(signal: Arc<Signal>) -> Self {
        Self {
            pool: Pool::new(Arc::clone(&signal)),
            signal,
            memory: Memory::default(),
            hash: DEFAULT_HASH,
            mode: SearchMode::default(),
            rollout_depth: 0,
            threads: 1,
            most_threads: usize::MAX,
            multi_pv: 1,
            move_overhead: Duration::from_millis(DEFAULT_MOVE_OVERHEAD),
            own_book: OwnBook::new(),
            deterministic: false,
            node_clock: NodeClock::default(),
            last_score: LastScore::default(),
            tablebases: TablebaseOptions::new(),
            contempt: [DRAW; 2],
            style: Style::default(),
            last_style: None,
            model: None,
            clear_hash: false,
            clear_histories: false,
            next_ticket: None,
        }
    }

    /// The signal through which another thread stops this engine's searches.
    pub fn signal(&self) -> Arc<Signal> {
        Arc::clone(&self.signal)
    }

    /// Sets the size of the TT in MiB, at least 1.
    pub fn set_hash(&mut self, megabytes: usize) {
        self.hash = megabytes.max(1);
    }

    /// The size of the TT in MiB: after [`Engine::prepare`] what is in use.
    #[doc(hidden)]
    pub const fn hash(&self) -> usize {
        self.hash
    }

    /// Sets the number of search threads, at least 1; [`Engine::prepare`] reports it if the machine is too small for so many.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// Sets the number of principal variations to search, at least 1.
    pub fn set_multi_pv(&mut self, lines: usize) {
        self.multi_pv = lines.max(1);
    }

    /// Sets the time kept back for each move against delays outside the engine.
    pub fn set_move_overhead(&mut self, overhead: Duration) {
        self.move_overhead = overhead;
    }

    /// The settings of the opening book.
    pub fn own_book(&mut self) -> &mut OwnBook {
        &mut self.own_book
    }

    /// The settings of the tablebases.
    pub fn tablebases(&mut self) -> &mut TablebaseOptions {
        &mut self.tablebases
    }

    /// Sets deterministic mode: each thread searches with its own part of the TT and of the nodes, and a vote decides.
    /// This is slower, but the same position, depth or node limit and number of threads give the same answer.
    pub fn set_deterministic(&mut self, on: bool) {
        self.deterministic = on;
    }

    /// Sets how many nodes count as a millisecond; 0 counts real time. The first clock of a game sets the nodes left, and
    /// from then on only the nodes searched run it down.
    pub fn set_node_time(&mut self, nodes: u64) {
        self.node_clock = NodeClock::new(nodes);
    }

    /// Starts a new game: clears the TT and the histories.
    pub fn new_game(&mut self) {
        self.clear_hash = true;
        self.clear_histories = true;
        self.own_book.new_game();
        self.node_clock.new_game();
        self.last_score = LastScore::default();
    }

    /// Clears the TT only.
    pub fn clear_hash(&mut self) {
        self.clear_hash = true;
    }

    /// Applies all settings: allocates memory, starts threads, opens books and tablebases, clears what is to be cleared.
    /// [`Engine::go`] calls it, too.
    ///
    /// # Errors
    /// Each setting that could not be applied. The engine keeps the last working value, so that a second call returns no
    /// error; setting it again tries again.
    pub fn prepare(&mut self) -> Result<(), Vec<EngineError>> {
        let mut errors = Vec::new();
        let wanted = self.threads.min(self.most_threads);
        let started = if self.pool.len() == wanted {
            wanted
        } else {
            self.pool.resize(wanted.min(max_threads()))
        };
        if started < wanted {
            errors.push(EngineError::Threads {
                threads: self.threads,
                started,
            });
            self.threads = started.max(1);
        }
        if std::mem::take(&mut self.clear_histories) {
            self.pool.clear_histories();
        }
        let clear = std::mem::take(&mut self.clear_hash) | self.tablebases.take_scores_changed();
        let (count, has_tree) = (self.tt_count(), self.mode.has_tree());
        if !self.memory.is(self.hash, count, has_tree) {
            let allocated = self.memory.allocate(self.hash, count, has_tree);
            errors.extend(allocated.err());
            self.hash = self.memory.megabytes().max(1);
        } else if clear {
            self.memory.clear();
        }
        self.own_book.prepare(&mut errors);
        self.tablebases.prepare();
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    /// Makes the system provide the memory of the transposition table now, so that the first search does not wait for it.
    /// After [`Engine::prepare`]; a gibibyte takes from 0.1 to 3 s.
    pub fn touch_memory(&self) {
        self.memory.touch();
    }

    fn tt_count(&self) -> usize {
        if self.deterministic {
            self.pool.len().max(1)
        } else {
            1
        }
    }

    /// Searches under a ticket and returns the best move; for front ends that number their searches themselves. Others use
    /// [`Engine::search`]. Blocks until the search ends or is stopped through the signal; a search with
    /// `infinite` or `ponder` holds its answer until the stop or the ponder hit.
    ///
    /// The caller calls [`Signal::finish`] when it passes the answer on.
    pub fn go(
        &mut self,
        game: &Game,
        limits: Limits,
        ticket: Ticket,
        listener: &Arc<dyn Listener>,
    ) -> BestMove {
        self.clear_scores_of_other_style(game.position());
        let _ = self.prepare();
        let mut limits = self.node_clock.limits(limits, self.move_overhead);
        limits.depth = limits.depth.map(|depth| depth.clamp(1, MAX_DEPTH));
        let moves = limits.root_moves(game.position());
        let ponder_hit_ends = limits.ponder && !limits.is_endless();
        if moves.is_empty() {
            // Without threads nothing could stop it.
            if !cfg!(target_family = "wasm") && (limits.is_endless() || limits.ponder) {
                self.signal.hold(ticket, ponder_hit_ends);
            }
            return BestMove::default();
        }
        if let Some(name) = self.own_book.new_opening_name(game) {
            listener.info_string(&name.to_string());
        }
        if let Some(answer) = self.book_move(game, &limits, &moves, &[], ticket, listener) {
            if limits.ponder {
                self.signal.hold(ticket, ponder_hit_ends);
            }
            if !limits.ponder || self.signal.ponder_hit_at(ticket).is_some() {
                self.node_clock.spend(&limits, 0);
            }
            return answer;
        }
        let Some(search) = self.run_search(game, limits, moves, ticket, listener) else {
            return BestMove::default();
        };
        self.hold_answer(&search);
        let mut lines = elect(&search);
        // A ponder search without a hit is of another position than the next.
        if search.clock_start().is_some() {
            self.node_clock.spend(&search.limits, search.total_nodes());
            if let Some(line) = lines.first() {
                self.last_score.set(game, line.score);
            }
        }
        tablebases::extend_lines(&search, &mut lines);
        best_move(&search, &lines)
    }

    /// Searches these root moves until the search ends; `None` without a TT.
    fn run_search(
        &self,
        game: &Game,
        limits: Limits,
        moves: Vec<Move>,
        ticket: Ticket,
        listener: &Arc<dyn Listener>,
    ) -> Option<Arc<SharedSearch>> {
        let tt = Arc::clone(self.memory.tts.first()?);
        for tt in &self.memory.tts {
            tt.new_search();
        }
        let threads = self.pool.len();
        let lines = self.multi_pv.min(moves.len());
        let budget = time::budget(&limits, self.move_overhead);
        let hard = budget.map(|budget| budget.hard);
        let stopped = || self.signal.is_stopped(ticket);
        let tablebases = self
            .tablebases
            .for_search(game, &moves, &limits, hard, &stopped);
        let search = Arc::new(SharedSearch {
            root: *game.position(),
            draw_scores: self.draw_scores(game.position()),
            trade: self.style.trade_by_color(game.position().turn()),
            earlier: game.keys().to_vec(),
            repetition_start: game.keys().len() - game.reversible(),
            budget,
            last_score: self.last_score.in_game(game),
            multi_pv: lines,
            model: self.model.clone(),
            moves,
            limits,
            ticket,
            signal: Arc::clone(&self.signal),
            tt,
            tablebases: Arc::new(tablebases),
            listener: Some(Arc::clone(listener)),
            nodes: (0..threads)
                .map(|_| CachePadded::new(AtomicU64::new(0)))
                .collect(),
            unsettled: (0..threads).map(|_| AtomicU32::default()).collect(),
            done: Arc::default(),
            is_final: Arc::default(),
            outcomes: (0..threads)
                .map(|_| Mutex::new(Some(Outcome::with_capacity(lines))))
                .collect(),
            last_report: Arc::default(),
            tree_full: Arc::default(),
            isolated: false,
            node_time: self.node_clock.rate(),
        });
        let algorithms = self.memory.algorithms(&search, self.tree_settings());
        if self.memory.tts.len() > 1 {
            let isolated = search.isolate(&self.memory.tts);
            self.pool.start(&isolated, &algorithms);
        } else {
            self.pool.start(&[Arc::clone(&search)], &algorithms);
        }
        self.wait_for_pool(&search);
        Some(search)
    }

    /// Sleeps while the pool searches. Stops the search at its deadline and reports statistics now and then.
    fn wait_for_pool(&self, search: &SharedSearch) {
        while !self.pool.is_idle() {
            let deadline = search.deadline();
            let is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            // The main thread itself ends a final search, but not in the middle of an iteration.
            let is_hit = search.limits.ponder && search.clock_start().is_some();
            if is_late || is_hit && search.is_final.load(Ordering::Relaxed) {
                self.signal.stop_ticket(search.ticket);
            }
            let next_report = report_stats(search);
            let stopped = self.signal.is_stopped(search.ticket);
            let until = deadline
                .filter(|_| !stopped)
                .map_or(next_report, |deadline| deadline.min(next_report));
            // A ponder hit sets the deadline.
            let pondering = search.budget.is_some() && search.node_time == 0 && deadline.is_none();
            let hit = || pondering && search.clock_start().is_some();
            self.signal
                .wait(Some(until), || self.pool.is_idle() || hit());
        }
    }

    /// Sleeps while `infinite` or `ponder` forbid an answer.
    fn hold_answer(&self, search: &SharedSearch) {
        let pondering = || search.limits.ponder && search.clock_start().is_none();
        let free = || {
            self.signal.is_stopped(search.ticket) || !(search.limits.is_endless() || pondering())
        };
        // Without threads nothing could stop it.
        while !cfg!(target_family = "wasm") && !free() {
            self.signal.wait(Some(report_stats(search)), free);
        }
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

/// Reports the statistics if nothing was reported for [`STATS_INTERVAL`]; returns when to call again.
fn report_stats(search: &SharedSearch) -> Instant {
    let next = |last: u64| search.limits.started + Duration::from_millis(last) + STATS_INTERVAL;
    let due = next(search.last_report.load(Ordering::Relaxed));
    if Instant::now() < due {
        return due;
    }
    let stats = search.stats();
    if let Some(listener) = &search.listener {
        listener.stats(&stats);
    }
    let now = stats.elapsed.as_millis() as u64;
    search.last_report.store(now, Ordering::Relaxed);
    next(now)
}

/// Reports the final lines, so that the last report is complete and exact, and returns the best move.
fn best_move(search: &SharedSearch, lines: &[RootMove]) -> BestMove {
    for (rank, line) in lines.iter().enumerate() {
        debug_assert_eq!(line.bound, Bound::Exact);
        search.report(line, rank);
    }
    let Some(line) = lines.first() else {
        return BestMove {
            best: search.moves.first().copied(),
            ponder: None,
        };
    };
    let ponder = line.pv.get(1).copied().filter(|&reply| {
        let after = search.root.play(line.mv);
        after.is_legal(reply) && {
            let later = after.play(reply);
            later.has_legal_move() && !later.is_insufficient_material()
        }
    });
    BestMove {
        best: Some(line.mv),
        ponder,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_game_forgets_the_score_of_the_last_search() {
        let [before, after] =
            ["startpos", "startpos e4 e5"].map(|text| Game::from_words(text).expect("a game"));
        let mut engine = Engine::new();
        engine.search(&before, Limits::depth(1));
        assert!(engine.last_score.in_game(&after).is_some());
        engine.new_game();
        assert_eq!(engine.last_score.in_game(&after), None);
    }
}
