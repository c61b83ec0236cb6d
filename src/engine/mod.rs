//! The engine: what a front end needs and nothing else.
//! Uses: search, tablebase, eval, book, chess, value, sys. Used by: uci, bench, cli.
//! Idea: settings take effect lazily and once, before the next search, so their order never matters.

pub mod bench;
mod clock;
mod endgame;
mod opening;
mod worth;

use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use crossbeam::utils::CachePadded;
use parking_lot::Mutex;
use thiserror::Error;

use crate::base::sys;
use crate::base::value::{Bound, DRAW, Value};
pub use crate::book::Selection;
use crate::chess::{Color, Game, Move, Position};
pub use crate::eval::Model;
pub use crate::eval::load::LoadError;
pub use crate::search::limits::{Clock, Limits};
pub use crate::search::params::{TUNABLES, Tunable};
use crate::search::pool::{Pool, elect};
pub use crate::search::report::{BestMove, Info, Listener, SearchStats};
use crate::search::shared::SharedSearch;
pub use crate::search::signal::{Signal, Ticket};
pub use crate::search::techniques::TECHNIQUES;
use crate::search::time;
pub use crate::search::time::CLOCK;
use crate::search::tt::TranspositionTable;
use crate::search::worker::{Outcome, RootMove, Worker};

use clock::NodeClock;
pub use endgame::Endgame;
pub use opening::Opening;
pub use worth::{normalise, win_draw_loss};

/// Mebibytes of the transposition table before anyone sets it.
pub const DEFAULT_HASH: usize = 16;
/// A table of so many mebibytes at most is cleared in its place, in a few milliseconds; a larger one is replaced.
const SMALL_HASH: usize = 64;
/// Milliseconds kept back for each move before anyone sets them.
pub const DEFAULT_MOVE_OVERHEAD: u64 = 20;
/// After this long without a word the search tells how far it is.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// Why a setting could not be put into force.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EngineError {
    /// The memory for the transposition table is not to be had.
    #[error("Hash: {megabytes} MB cannot be allocated; {kept} MB stay in use")]
    Hash {
        /// Mebibytes asked for.
        megabytes: usize,
        /// Mebibytes still in use.
        kept: usize,
    },
    /// The machine has not the memory or the processors for so many threads.
    #[error("Threads: {threads} are too many for this machine; {started} are in use")]
    Threads {
        /// Threads asked for.
        threads: usize,
        /// Threads running.
        started: usize,
    },
    /// A file is no book, or not a whole one.
    #[error("Book File: {0}")]
    Book(String),
}

/// A chess engine: settings, memory, threads.
pub struct Engine {
    signal: Arc<Signal>,
    pool: Pool,
    /// The table that all threads share, or one for each; none without memory.
    tables: Vec<Arc<TranspositionTable>>,
    /// Mebibytes wanted, and those the table has.
    hash: (usize, usize),
    /// Threads wanted.
    threads: usize,
    multi_pv: usize,
    move_overhead: Duration,
    opening: Opening,
    /// Threads share nothing, so that the same search gives the same answer.
    deterministic: bool,
    /// The clock where time is counted in nodes.
    node_clock: NodeClock,
    endgame: Endgame,
    /// What a draw is worth less, in centipawns: to the mover at the root, to white.
    contempt: [Value; 2],
    /// The weights to play by; `None`: those that are compiled in.
    model: Option<Arc<Model>>,
    /// The table is to be emptied, the histories are to be forgotten.
    clear_table: bool,
    forget: bool,
}

impl Engine {
    /// An engine with default settings. Cheap: memory and threads come with [`Engine::prepare`].
    #[must_use]
    pub fn new() -> Self {
        Self::with_signal(Arc::default())
    }

    /// As [`Engine::new`], to be stopped by a signal that is known already.
    #[must_use]
    pub fn with_signal(signal: Arc<Signal>) -> Self {
        Self {
            pool: Pool::new(Arc::clone(&signal)),
            signal,
            tables: Vec::new(),
            hash: (DEFAULT_HASH, 0),
            threads: 1,
            multi_pv: 1,
            move_overhead: Duration::from_millis(DEFAULT_MOVE_OVERHEAD),
            opening: Opening::new(),
            deterministic: false,
            node_clock: NodeClock::default(),
            endgame: Endgame::new(),
            contempt: [DRAW; 2],
            model: None,
            clear_table: false,
            forget: false,
        }
    }

    /// The signal by which another thread stops this engine's searches.
    #[must_use]
    pub fn signal(&self) -> Arc<Signal> {
        Arc::clone(&self.signal)
    }

    /// Sets the size of the transposition table in mebibytes, from the next [`Engine::prepare`] on.
    pub fn set_hash(&mut self, megabytes: usize) {
        self.hash.0 = megabytes.max(1);
    }

    /// Sets the number of search threads (1 to 1024), from the next [`Engine::prepare`] on.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// Sets how many principal variations are searched.
    pub fn set_multi_pv(&mut self, lines: usize) {
        self.multi_pv = lines.max(1);
    }

    /// Sets the time kept back for each move against delays outside the engine.
    pub fn set_move_overhead(&mut self, overhead: Duration) {
        self.move_overhead = overhead;
    }

    /// The settings of the opening, in force from the next [`Engine::prepare`] on.
    pub fn opening(&mut self) -> &mut Opening {
        &mut self.opening
    }

    /// Sets whether threads share nothing: each searches on a part of the table with a part of the nodes, and a vote
    /// decides. Slower than working together, but the same position, limit in depth or nodes and number of threads then
    /// give the same answer.
    pub fn set_deterministic(&mut self, on: bool) {
        self.deterministic = on;
    }

    /// Counts time in nodes, so many for a millisecond; 0: by the clock. The first clock of a game is taken as it is,
    /// from then on only the nodes searched run it down.
    pub fn set_node_time(&mut self, nodes: u64) {
        self.node_clock = NodeClock::new(nodes);
    }

    /// The settings of endgame tables, in force from the next [`Engine::prepare`] on.
    pub fn endgame(&mut self) -> &mut Endgame {
        &mut self.endgame
    }

    /// Sets by how many centipawns the side that is to move at the root dislikes a draw.
    pub fn set_contempt(&mut self, centipawns: Value) {
        self.contempt[0] = centipawns;
    }

    /// Sets by how many centipawns white dislikes a draw, and black likes it, whoever is to move.
    pub fn set_white_contempt(&mut self, centipawns: Value) {
        self.contempt[1] = centipawns;
    }

    /// What a draw scores for black and for white.
    fn draw_scores(&self, root: &Position) -> [Value; 2] {
        let [movers, white] = self.contempt;
        // In the order of their indices.
        [Color::Black, Color::White].map(|color| {
            let movers = if color == root.turn() {
                movers
            } else {
                -movers
            };
            let white = if color == Color::White { white } else { -white };
            DRAW - movers - white
        })
    }

    /// Forgets everything learned in the game so far, from the next [`Engine::prepare`] on.
    pub fn new_game(&mut self) {
        self.clear_table = true;
        self.forget = true;
        self.opening.new_game();
        self.node_clock.new_game();
    }

    /// Empties the transposition table only, from the next [`Engine::prepare`] on.
    pub fn clear_hash(&mut self) {
        self.clear_table = true;
    }

    /// Puts all settings into force: allocates memory, starts threads, clears what is to be cleared.
    ///
    /// # Errors
    /// Each setting that could not be put into force; the engine goes on with its last good state, and the next
    /// `set_*` with the same value tries again.
    pub fn prepare(&mut self) -> Result<(), Vec<EngineError>> {
        let mut errors = Vec::new();
        let started = if self.pool.len() == self.threads {
            self.threads
        } else {
            self.pool.resize(self.threads.min(most_threads()))
        };
        if started < self.threads {
            errors.push(EngineError::Threads {
                threads: self.threads,
                started,
            });
            self.threads = started.max(1);
        }
        if std::mem::take(&mut self.forget) {
            self.pool.forget();
        }
        let clear = std::mem::take(&mut self.clear_table);
        let stays = self.hash.0 == self.hash.1 && self.tables.len() == self.parts();
        if !stays || clear && self.hash.0 > SMALL_HASH {
            self.replace_table(&mut errors);
        } else if clear {
            self.tables.iter().for_each(|table| table.clear());
        }
        self.opening.prepare(&mut errors);
        self.endgame.prepare();
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    /// How many tables there are to be.
    fn parts(&self) -> usize {
        if self.deterministic {
            self.pool.len().max(1)
        } else {
            1
        }
    }

    /// Fresh zero pages: nothing is touched before it is used, however large the table.
    fn replace_table(&mut self, errors: &mut Vec<EngineError>) {
        let (wanted, had) = self.hash;
        // The old memory goes first, so that one table's worth is enough.
        self.tables.clear();
        let parts = self.parts();
        let sizes = [wanted, had, DEFAULT_HASH, 1];
        let most = most_megabytes();
        let possible = sizes.into_iter().filter(|&size| 0 < size && size <= most);
        let made = possible.into_iter().find_map(|size| {
            let tables = (0..parts).map(|_| TranspositionTable::new(size.div_ceil(parts)));
            let tables: io::Result<Vec<_>> = tables.map(|table| table.map(Arc::new)).collect();
            tables.ok().map(|tables| (size, tables))
        });
        let Some((size, tables)) = made else {
            errors.push(EngineError::Hash {
                megabytes: wanted,
                kept: 0,
            });
            return;
        };
        if size != wanted {
            errors.push(EngineError::Hash {
                megabytes: wanted,
                kept: size,
            });
        }
        self.hash = (size, size);
        self.tables = tables;
    }

    /// Searches and returns the answer. Blocks until the search ends by itself or is stopped through the signal.
    /// An endless search or one that ponders holds its answer until the stop or the ponder hit.
    ///
    /// The caller says [`Signal::finish`] when it gives the answer on.
    pub fn go(
        &mut self,
        game: &Game,
        limits: Limits,
        ticket: Ticket,
        listener: &Arc<dyn Listener>,
    ) -> BestMove {
        let _ = self.prepare();
        let limits = self.node_clock.limits(limits, self.move_overhead);
        let legal = game.position().legal_moves();
        let wanted: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|mv| limits.search_moves.contains(mv))
            .collect();
        let moves = if wanted.is_empty() {
            legal.to_vec()
        } else {
            wanted
        };
        let may_answer = limits.ponder && !limits.is_endless();
        if moves.is_empty() {
            if limits.is_endless() || limits.ponder {
                self.signal.hold(ticket, may_answer);
            }
            return BestMove::default();
        }
        if let Some(name) = self.opening.news(game) {
            listener.info_string(&name.to_string());
        }
        if let Some(answer) = self.answer_from_book(game, &limits, &moves, ticket, listener) {
            if limits.ponder {
                self.signal.hold(ticket, may_answer);
            }
            return answer;
        }
        let Some(job) = self.search(game, limits, moves, ticket, listener) else {
            return BestMove::default();
        };
        self.hold(&job);
        self.node_clock.pass(&job.limits, job.total_nodes());
        let mut lines = elect(&job);
        for line in &mut lines {
            endgame::finish_line(&job, line);
        }
        answer(&job, &lines)
    }

    /// Searches these moves until the search ends; `None` without a table.
    fn search(
        &self,
        game: &Game,
        limits: Limits,
        moves: Vec<Move>,
        ticket: Ticket,
        listener: &Arc<dyn Listener>,
    ) -> Option<Arc<SharedSearch>> {
        let table = Arc::clone(self.tables.first()?);
        for table in &self.tables {
            table.new_search();
        }
        let threads = self.pool.len();
        let lines = self.multi_pv.min(moves.len());
        let budget = time::budget(&limits, self.move_overhead);
        let hard = budget.map(|budget| budget.hard);
        let stopped = || self.signal.is_stopped(ticket);
        let endgame = self
            .endgame
            .for_search(game, &moves, &limits, hard, &stopped);
        let job = Arc::new(SharedSearch {
            root: *game.position(),
            draw_scores: self.draw_scores(game.position()),
            earlier: game.keys().to_vec(),
            cut_off: game.keys().len() - game.reversible(),
            budget,
            multi_pv: lines,
            model: self.model.clone(),
            moves,
            limits,
            ticket,
            signal: Arc::clone(&self.signal),
            table,
            endgame: Arc::new(endgame),
            listener: Some(Arc::clone(listener)),
            nodes: (0..threads)
                .map(|_| CachePadded::new(AtomicU64::new(0)))
                .collect(),
            done: Arc::default(),
            outcomes: (0..threads)
                .map(|_| Mutex::new(Some(Outcome::with_room(lines))))
                .collect(),
            last_told: Arc::default(),
            alone: false,
            node_time: self.node_clock.rate(),
        });
        if self.tables.len() > 1 {
            self.pool.start(&job.shares(&self.tables));
        } else {
            self.pool.start(&[Arc::clone(&job)]);
        }
        self.watch(&job);
        Some(job)
    }

    /// Sleeps while the pool works: ends it when its time is over, and tells of it when nothing else was told.
    fn watch(&self, job: &SharedSearch) {
        while !self.pool.is_idle() {
            let deadline = job.deadline();
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                self.signal.stop_ticket(job.ticket);
            }
            let beat = heartbeat(job);
            let stopped = self.signal.is_stopped(job.ticket);
            let until = deadline
                .filter(|_| !stopped)
                .map_or(beat, |deadline| deadline.min(beat));
            // A ponder hit sets the deadline.
            let waits_for_hit = job.budget.is_some() && job.node_time == 0 && deadline.is_none();
            let hit = || waits_for_hit && job.clock_start().is_some();
            self.signal
                .wait(Some(until), || self.pool.is_idle() || hit());
        }
    }

    /// Sleeps while the answer must not be given yet.
    fn hold(&self, job: &SharedSearch) {
        let pondering = || job.limits.ponder && job.clock_start().is_none();
        let free =
            || self.signal.is_stopped(job.ticket) || !(job.limits.is_endless() || pondering());
        while !free() {
            self.signal.wait(Some(heartbeat(job)), free);
        }
    }
}

/// Mebibytes that a table may have, leaving a sixteenth of the memory to all else: what the system only promises and then
/// has not would end the process in the midst of a game.
fn most_megabytes() -> usize {
    let bytes = sys::memory_limit().map_or(u64::MAX, |limit| limit / 16 * 15);
    usize::try_from(bytes >> 20).unwrap_or(usize::MAX).max(1)
}

/// As many threads for a processor still take turns fast enough to hear a stop in time.
const THREADS_PER_PROCESSOR: usize = 32;

/// Threads that this machine can bear: they need memory, a half of what there is, and turns on a processor.
fn most_threads() -> usize {
    let processors = available_parallelism().map_or(1, NonZeroUsize::get);
    let bytes = sys::memory_limit().map_or(u64::MAX, |limit| limit / 2);
    let in_memory = usize::try_from(bytes / Worker::BYTES as u64).unwrap_or(usize::MAX);
    in_memory.clamp(1, processors.saturating_mul(THREADS_PER_PROCESSOR))
}

/// Tells how far the search is if nothing else was told for a while; when it will be time to ask again.
fn heartbeat(job: &SharedSearch) -> Instant {
    let next = |told: u64| job.limits.started + Duration::from_millis(told) + HEARTBEAT;
    let beat = next(job.last_told.load(Ordering::Relaxed));
    if Instant::now() < beat {
        return beat;
    }
    let stats = job.stats();
    if let Some(listener) = &job.listener {
        listener.stats(&stats);
    }
    let told = stats.elapsed.as_millis() as u64;
    job.last_told.store(told, Ordering::Relaxed);
    next(told)
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

/// The answer, after the lines behind it have been told once more: what comes last is complete and exact.
fn answer(job: &SharedSearch, lines: &[RootMove]) -> BestMove {
    for (rank, line) in lines.iter().enumerate() {
        debug_assert_eq!(line.bound, Bound::Exact);
        job.tell(line, rank);
    }
    let Some(line) = lines.first() else {
        return BestMove {
            best: job.moves.first().copied(),
            ponder: None,
        };
    };
    let ponder = line.pv.get(1).copied().filter(|&reply| {
        let after = job.root.play(line.mv);
        after.is_legal(reply) && after.play(reply).has_legal_move()
    });
    BestMove {
        best: Some(line.mv),
        ponder,
    }
}
