//! A searcher on the thread of the caller, for training and tuning: no pool, no channel, no waiting.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crossbeam_utils::CachePadded;

use crate::base::sync::Mutex;
use crate::base::value::{DRAW, Value};
#[cfg(test)]
use crate::chess::Position;
use crate::chess::{Game, Move};
use crate::eval::Model;
use crate::tablebase::Tablebases;

use super::deepen::deepen;
use super::limits::Limits;
#[cfg(test)]
use super::node::Searcher;
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
        let mut moves = game.position().legal_moves().to_vec();
        if !limits.search_moves.is_empty() {
            moves.retain(|mv| limits.search_moves.contains(mv));
        }
        if moves.is_empty() {
            return None;
        }
        self.tt.new_search();
        let shared = self.share(game, limits, moves);
        deepen(&mut self.worker, &shared);
        let line = self.worker.outcome.lines.first()?;
        Some(Found {
            best: line.mv,
            score: line.score,
        })
    }

    /// A search of these moves as the threads of a pool would share it.
    fn share(&self, game: &Game, limits: Limits, moves: Vec<Move>) -> SharedSearch {
        SharedSearch {
            root: *game.position(),
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
        }
    }
}

#[cfg(test)]
impl LocalSearcher {
    /// Calls a test with a searcher that has started to search a position, and may call it at ply 0 or 1.
    pub fn test_at(fen: &str, limits: Limits, test: impl FnOnce(Searcher<'_>)) {
        let mut local = Self::new(1).expect("a mebibyte");
        let game = Game::new(Position::from_fen(fen).expect("a position"));
        let moves = game.position().legal_moves().to_vec();
        let shared = local.share(&game, limits, moves);
        local.worker.start(&shared);
        local.worker.root_depth = 20;
        local.worker.frame_mut(1).accumulator = local.worker.frame(0).accumulator;
        test(Searcher {
            worker: &mut local.worker,
            shared: &shared,
        });
    }
}
