//! A searcher on the thread of the caller, for training and tuning: no pool, no channel, no waiting.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crossbeam_utils::CachePadded;

use crate::base::sync::Mutex;
use crate::base::value::{DRAW, Value};
use crate::chess::{Game, Move};
use crate::eval::Model;
use crate::tablebase::Tablebases;

use super::deepen::deepen;
use super::limits::Limits;
use super::shared::SharedSearch;
use super::signal::Signal;
use super::syzygy::TablebaseProber;
use super::tt::TranspositionTable;
use super::worker::Worker;

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub best: Move,
    /// Score from the view of the side to move.
    pub score: Value,
}

/// A single-threaded searcher with its own TT.
pub struct LocalSearcher {
    worker: Worker,
    tt: Arc<TranspositionTable>,
    signal: Arc<Signal>,
    model: Option<Arc<Model>>,
}

impl LocalSearcher {
    /// A searcher with a TT of this many MiB.
    ///
    /// # Errors
    /// The memory could not be allocated.
    pub fn new(megabytes: usize) -> io::Result<Self> {
        Ok(Self {
            worker: Worker::new(0),
            tt: Arc::new(TranspositionTable::new(megabytes)?),
            signal: Arc::default(),
            model: None,
        })
    }

    /// Sets the weights (`None`: the built-in ones).
    #[must_use]
    pub fn with_model(mut self, model: Option<Arc<Model>>) -> Self {
        self.model = model;
        self
    }

    /// Clears the TT and all histories, so that later searches do not depend on earlier ones.
    pub fn new_game(&mut self) {
        self.worker.clear();
        self.tt.clear();
    }

    /// Searches to a limit of nodes or depth; limits of time are ignored. `None` if there is no legal move.
    pub fn search(&mut self, game: &Game, limits: Limits) -> Option<Found> {
        let root = *game.position();
        let mut moves = root.legal_moves().to_vec();
        if !limits.search_moves.is_empty() {
            moves.retain(|mv| limits.search_moves.contains(mv));
        }
        if moves.is_empty() {
            return None;
        }
        self.tt.new_search();
        let shared = SharedSearch {
            root,
            draw_scores: [DRAW; 2],
            earlier: game.keys().to_vec(),
            repetition_start: game.keys().len() - game.reversible(),
            moves,
            limits,
            budget: None,
            multi_pv: 1,
            ticket: self.signal.issue(),
            signal: Arc::clone(&self.signal),
            tt: Arc::clone(&self.tt),
            tablebases: Arc::new(TablebaseProber::new(Tablebases::embedded())),
            model: self.model.clone(),
            listener: None,
            nodes: Arc::new([CachePadded::new(AtomicU64::new(0))]),
            done: Arc::default(),
            outcomes: Arc::new([Mutex::new(None)]),
            last_report: Arc::default(),
            isolated: true,
            node_time: 0,
        };
        deepen(&mut self.worker, &shared);
        let line = self.worker.outcome.lines.first()?;
        Some(Found {
            best: line.mv,
            score: line.score,
        })
    }
}
