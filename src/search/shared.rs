//! One search, as all who take part in it see it.
//! Uses: limits, report, signal, tables, time, tt, worker, chess, eval, value. Used by: worker, deepen, pool, solo, engine.
//! Idea: a shared is made once, shared by reference and never changed but for its counters; whatever a thread learns is its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use crossbeam::utils::CachePadded;

use crate::base::sync::Mutex;
use crate::base::value::{Depth, MAX_PLY, Value};
use crate::chess::{Move, Position, is_repetition};
use crate::eval::Model;

use super::limits::Limits;
use super::report::{Info, Listener, SearchStats};
use super::root::{Outcome, RootMove};
use super::signal::{Signal, Ticket};
use super::syzygy::TablebaseProber;
use super::time::Budget;
use super::tt::TranspositionTable;

/// The root move being searched is told only after this long: before, it changes too fast to be read.
const REPORT_MOVES_AFTER: Duration = Duration::from_secs(3);

/// One search, lent to every worker that takes part.
#[derive(Clone)]
pub struct SharedSearch {
    /// The position to search.
    pub root: Position,
    /// What a draw scores from the mover's view, by the colour of the mover.
    pub draw_scores: [Value; 2],
    /// Keys of the positions before it, newest last.
    pub earlier: Vec<u64>,
    /// How many of them cannot be repeated any more.
    pub repetition_start: usize,
    /// The root moves to choose from.
    pub moves: Vec<Move>,
    /// What the caller asked.
    pub limits: Limits,
    /// The time allowed, if time is limited.
    pub budget: Option<Budget>,
    /// How many principal variations are wanted.
    pub multi_pv: usize,
    /// This search's number.
    pub ticket: Ticket,
    /// Where a stop and a ponder hit come from.
    pub signal: Arc<Signal>,
    /// What is known of positions.
    pub tt: Arc<TranspositionTable>,
    /// What endgame tables may be asked.
    pub tablebases: Arc<TablebaseProber>,
    /// The weights to play by; `None`: those that are compiled in.
    pub model: Option<Arc<Model>>,
    /// Who hears of stats; `None` where nobody does, and nothing need be worked out for telling.
    pub listener: Option<Arc<dyn Listener>>,
    /// Nodes searched, by thread.
    pub nodes: Arc<[CachePadded<AtomicU64>]>,
    /// The main thread is through: the others may end.
    pub done: Arc<AtomicBool>,
    /// What each thread found; before that, room for it.
    pub outcomes: Arc<[Mutex<Option<Outcome>>]>,
    /// When something was last told, in milliseconds from the start.
    pub last_report: Arc<AtomicU64>,
    /// Every thread has a shared, a table and limits of its own: see [`SharedSearch::shares`].
    pub isolated: bool,
    /// Time is counted in nodes, so many for a millisecond; 0: by the clock.
    pub node_time: u64,
}

impl SharedSearch {
    /// Nodes searched by all threads.
    pub fn total_nodes(&self) -> u64 {
        self.nodes
            .iter()
            .map(|count| count.load(Ordering::Relaxed))
            .sum()
    }

    /// The same search as one shared for each thread, on a table of its own and with its share of the nodes: no thread sees
    /// what another does, so that nothing depends on whose turn comes when. Where depth or nodes end the search, each
    /// ends by itself; else the main thread's end ends all, and the time at which that comes is chance.
    pub fn isolate(&self, tables: &[Arc<TranspositionTable>]) -> Vec<Arc<Self>> {
        let threads = self.nodes.len() as u64;
        let bounded = self.limits.depth.is_some() || self.limits.nodes.is_some();
        let by_itself = bounded && (self.budget.is_none() || self.node_time > 0);
        let share = |(index, table): (usize, &Arc<TranspositionTable>)| {
            let mut share = self.clone();
            share.tt = Arc::clone(table);
            share.isolated = true;
            let rest = |nodes: u64| u64::from((index as u64) < nodes % threads);
            share.limits.nodes = self.limits.nodes.map(|nodes| nodes / threads + rest(nodes));
            if by_itself {
                share.done = Arc::default();
            }
            Arc::new(share)
        };
        tables.iter().enumerate().map(share).collect()
    }

    /// How far the search is.
    pub fn stats(&self) -> SearchStats {
        SearchStats {
            nodes: self.total_nodes(),
            elapsed: self.limits.started.elapsed(),
            hash_full: self.tt.hash_full(),
            tb_hits: self.tablebases.hits.load(Ordering::Relaxed),
        }
    }

    /// When the clock of this search began to count; not yet while pondering.
    pub fn clock_start(&self) -> Option<Instant> {
        if self.limits.ponder {
            self.signal.ponder_hit_at(self.ticket)
        } else {
            Some(self.limits.started)
        }
    }

    /// Time counted against the budget so far.
    pub fn time_used(&self) -> Option<Duration> {
        let start = self.clock_start()?;
        if self.node_time == 0 {
            return Some(start.elapsed());
        }
        let nodes = if self.isolated {
            self.nodes[0].load(Ordering::Relaxed) * self.nodes.len() as u64
        } else {
            self.total_nodes()
        };
        Some(Duration::from_micros(
            nodes.saturating_mul(1000) / self.node_time,
        ))
    }

    /// When the search must end, if its time is limited and its clock runs. Time counted in nodes ends by a limit in nodes.
    pub fn deadline(&self) -> Option<Instant> {
        if self.node_time > 0 {
            return None;
        }
        Some(self.clock_start()? + self.budget?.hard)
    }

    /// Whether the search must end now.
    pub fn is_out_of_time(&self) -> bool {
        self.deadline()
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Tells the listener of a variation.
    pub fn report(&self, root_move: &RootMove, rank: usize) {
        let Some(listener) = &self.listener else {
            return;
        };
        let stats = self.stats();
        self.last_report
            .store(stats.elapsed.as_millis() as u64, Ordering::Relaxed);
        let (plies, end) = self.playable(&root_move.pv);
        let (score, bound) = root_move.reported_score(plies, &end);
        listener.info(&Info {
            depth: root_move.depth,
            selective_depth: root_move.selective_depth,
            multi_pv: rank + 1,
            score: score.into(),
            bound,
            stats,
            pv: &root_move.pv[..plies],
        });
    }

    /// Tells the listener which root move is being searched, in a long search.
    #[cold]
    pub fn report_current_move(&self, depth: Depth, mv: Move, number: usize) {
        if let Some(listener) = &self.listener
            && self.limits.started.elapsed() >= REPORT_MOVES_AFTER
        {
            listener.current_move(depth, mv, number);
        }
    }

    /// How many moves of a variation can be played before the game is over by rule, and the position then. The search ends
    /// its lines there by itself; what was joined to them by quiescence or an old entry might not.
    fn playable(&self, pv: &[Move]) -> (usize, Position) {
        let mut position = self.root;
        // No repetition reaches back beyond a hundred plies. This is asked during a search, which takes no memory.
        let start = self
            .repetition_start
            .max(self.earlier.len().saturating_sub(100));
        let mut keys: ArrayVec<u64, { 100 + MAX_PLY }> =
            self.earlier[start..].iter().copied().collect();
        for (index, &mv) in pv.iter().enumerate() {
            if !position.is_legal(mv) {
                return (index, position);
            }
            keys.push(position.key());
            position = position.play(mv);
            let reversible = (position.halfmove_clock() as usize).min(keys.len());
            if position.halfmove_clock() >= 100
                || is_repetition(&keys, position.key(), reversible, 0)
            {
                return (index + 1, position);
            }
        }
        (pv.len(), position)
    }
}
