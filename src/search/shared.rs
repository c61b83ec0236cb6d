//! The state of one search that its threads share: constant except for counters and outcomes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use arrayvec::ArrayVec;
use crossbeam_utils::CachePadded;

use crate::base::clock::Instant;
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

/// Root moves are reported only after this time; earlier they change too fast to read.
const REPORT_MOVES_AFTER: Duration = Duration::from_secs(3);

#[derive(Clone)]
pub struct SharedSearch {
    pub root: Position,
    /// The score of a draw for the side to move, by its colour.
    pub draw_scores: [Value; 2],
    /// What the exchange of all pieces is worth to the side to move, by its colour.
    pub trade: [Value; 2],
    /// Keys of the positions before the root, newest last.
    pub earlier: Vec<u64>,
    /// Index of the first of them that can still be repeated.
    pub repetition_start: usize,
    /// The root moves to search.
    pub moves: Vec<Move>,
    pub limits: Limits,
    /// The time limits, if time is limited.
    pub budget: Option<Budget>,
    /// The score of the last search of the game, for the side to move.
    pub last_score: Option<Value>,
    /// The number of principal variations.
    pub multi_pv: usize,
    pub ticket: Ticket,
    pub signal: Arc<Signal>,
    pub tt: Arc<TranspositionTable>,
    pub tablebases: Arc<TablebaseProber>,
    /// The weights of the evaluation; `None`: the built-in ones.
    pub model: Option<Arc<Model>>,
    /// Receives the reports; with `None` they are not computed.
    pub listener: Option<Arc<dyn Listener>>,
    /// Nodes searched, by thread.
    pub nodes: Arc<[CachePadded<AtomicU64>]>,
    /// How unsettled the best move of each thread is; see [`Stability`](super::time::Stability).
    pub unsettled: Arc<[AtomicU32]>,
    /// The main thread has finished: the others stop.
    pub done: Arc<AtomicBool>,
    /// More search would not change the move of the last iteration: a ponder hit ends the search.
    pub is_final: Arc<AtomicBool>,
    /// The result of each thread; before that an allocated, empty one.
    pub outcomes: Arc<[Mutex<Option<Outcome>>]>,
    /// Time of the last report, in milliseconds from the start.
    pub last_report: Arc<AtomicU64>,
    /// Share of the search tree in use, per mille; 0 without a tree.
    pub tree_full: Arc<AtomicU32>,
    /// Each thread has its own TT and limits; see [`SharedSearch::isolate`].
    pub isolated: bool,
    /// Nodes that count as a millisecond; 0: real time.
    pub node_time: u64,
}

impl SharedSearch {
    pub fn total_nodes(&self) -> u64 {
        self.nodes
            .iter()
            .map(|count| count.load(Ordering::Relaxed))
            .sum()
    }

    /// One search per thread, each with its own TT and its share of the nodes, so that results do not depend on thread
    /// scheduling. With a limit of depth or nodes each thread ends on its own; otherwise all end with the main thread, at a
    /// time that varies.
    pub fn isolate(&self, tts: &[Arc<TranspositionTable>]) -> Vec<Arc<Self>> {
        let threads = self.nodes.len() as u64;
        let bounded = self.limits.depth.is_some() || self.limits.nodes.is_some();
        let ends_alone = bounded && (self.budget.is_none() || self.node_time > 0);
        let share = |(index, tt): (usize, &Arc<TranspositionTable>)| {
            let mut share = self.clone();
            share.tt = Arc::clone(tt);
            share.isolated = true;
            let rest = |nodes: u64| u64::from((index as u64) < nodes % threads);
            share.limits.nodes = self.limits.nodes.map(|nodes| nodes / threads + rest(nodes));
            if ends_alone {
                share.done = Arc::default();
            }
            Arc::new(share)
        };
        tts.iter().enumerate().map(share).collect()
    }

    /// How unsettled the best move is: the mean of all threads, or the value of the main thread if threads are isolated.
    pub fn mean_unsettled(&self) -> u32 {
        let counted = if self.isolated {
            1
        } else {
            self.unsettled.len()
        };
        let sum: u32 = (self.unsettled[..counted].iter())
            .map(|thread| thread.load(Ordering::Relaxed))
            .sum();
        sum / counted as u32
    }

    pub fn stats(&self) -> SearchStats {
        SearchStats {
            nodes: self.total_nodes(),
            elapsed: self.limits.started.elapsed(),
            hash_full: {
                let tree_full = self.tree_full.load(Ordering::Relaxed);
                self.tt.hash_full().max(tree_full)
            },
            tb_hits: self.tablebases.hits.load(Ordering::Relaxed),
        }
    }

    /// When this search started to use its time; `None` while pondering.
    pub fn clock_start(&self) -> Option<Instant> {
        if self.limits.ponder {
            self.signal.ponder_hit_at(self.ticket)
        } else {
            Some(self.limits.started)
        }
    }

    /// The time used so far.
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

    /// When the search must end, if it is limited by real time. (Time counted in nodes is a limit in nodes.)
    pub fn deadline(&self) -> Option<Instant> {
        if self.node_time > 0 {
            return None;
        }
        // A time too long for the clock of the system is no limit.
        self.clock_start()?.checked_add(self.budget?.hard)
    }

    pub fn is_out_of_time(&self) -> bool {
        self.deadline()
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Reports a line to the listener.
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

    /// Reports the root move that is searched, in a long search.
    #[cold]
    pub fn report_current_move(&self, depth: Depth, mv: Move, number: usize) {
        if let Some(listener) = &self.listener
            && self.limits.started.elapsed() >= REPORT_MOVES_AFTER
        {
            listener.current_move(depth, mv, number);
        }
    }

    /// The number of moves of a variation until the game is drawn by rule, and the position there. The search stops at draws,
    /// but the end of a PV may come from quiescence or from a TT entry of another path.
    fn playable(&self, pv: &[Move]) -> (usize, Position) {
        let mut position = self.root;
        // No repetition reaches back more than a hundred plies. No allocation: this runs during the search.
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
