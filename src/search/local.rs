//! One searcher on the caller's thread.
//! Uses: worker, deepen, tt. Used by: learn.
//! Idea: whoever has many positions runs one of these on each of its own threads; no pool, no channel, no waiting.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crossbeam::utils::CachePadded;

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

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The move to play.
    pub best: Move,
    /// Its score from the view of the side to move.
    pub score: Value,
}

/// A searcher with a small memory of its own.
pub struct LocalSearcher {
    worker: Worker,
    table: Arc<TranspositionTable>,
    signal: Arc<Signal>,
    model: Option<Arc<Model>>,
}

impl LocalSearcher {
    /// A searcher that knows nothing, with a table of this many mebibytes.
    ///
    /// # Errors
    /// What the system said when it would not give the memory.
    pub fn new(megabytes: usize) -> io::Result<Self> {
        Ok(Self {
            worker: Worker::new(0),
            table: Arc::new(TranspositionTable::new(megabytes)?),
            signal: Arc::default(),
            model: None,
        })
    }

    /// Plays by these weights from now on.
    #[must_use]
    pub fn with_model(mut self, model: Option<Arc<Model>>) -> Self {
        self.model = model;
        self
    }

    /// Forgets everything: what comes depends on nothing that was.
    pub fn forget(&mut self) {
        self.worker.forget();
        self.table.clear();
    }

    /// Searches until a limit in nodes or depth is reached; a limit in time has no effect. `None` where no move is legal.
    pub fn search(&mut self, game: &Game, limits: Limits) -> Option<Found> {
        let root = *game.position();
        let mut moves = root.legal_moves().to_vec();
        if !limits.search_moves.is_empty() {
            moves.retain(|mv| limits.search_moves.contains(mv));
        }
        if moves.is_empty() {
            return None;
        }
        self.table.new_search();
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
            tt: Arc::clone(&self.table),
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
