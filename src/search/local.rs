//! A searcher on the thread of the caller, for training, tuning and explaining: no pool, no channel, no waiting.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::time::Duration;

use crossbeam_utils::CachePadded;

use crate::base::sync::Mutex;
use crate::base::value::{DRAW, INFINITE, MAX_PLY, Value};
#[cfg(test)]
use crate::chess::Position;
use crate::chess::{Game, Move};
#[cfg(test)]
use crate::chess::{MoveKind, Square};
use crate::eval::Model;
use crate::tablebase::Tablebases;
use crate::tablebase::root::RootPosition;

use super::deepen::deepen;
use super::limits::Limits;
use super::node::{Pv, Searcher, Window};
use super::node_clock::NodeClock;
use super::root::{Line, RootMove};
use super::shared::SharedSearch;
use super::signal::{Signal, Ticket};
use super::syzygy::TablebaseProber;
use super::time::{self, LastScore};
use super::tt::TranspositionTable;
use super::worker::Worker;

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub best: Move,
    /// Score from the view of the side to move.
    pub score: Value,
}

/// The static evaluation of a position in centipawns, from the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StaticValue {
    /// The evaluation alone.
    pub raw: Value,
    /// With the correction histories of the last search.
    pub corrected: Value,
}

/// A single-threaded searcher with its own TT.
pub struct LocalSearcher {
    worker: Worker,
    tt: Arc<TranspositionTable>,
    signal: Arc<Signal>,
    /// The ticket that stops its searches; `None`: each search has its own.
    ticket: Option<Ticket>,
    model: Option<Arc<Model>>,
    tablebases: Arc<Tablebases>,
    last_score: LastScore,
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
            ticket: None,
            model: None,
            tablebases: Tablebases::embedded(),
            last_score: LastScore::default(),
        })
    }

    /// Sets the weights (`None`: the built-in ones).
    #[must_use]
    pub fn with_model(mut self, model: Option<Arc<Model>>) -> Self {
        self.set_model(model);
        self
    }

    /// Sets the weights (`None`: the built-in ones); [`Self::new_game`] must follow.
    pub fn set_model(&mut self, model: Option<Arc<Model>>) {
        self.model = model;
    }

    /// Sets the tablebases to probe.
    #[must_use]
    pub fn with_tablebases(mut self, tablebases: Arc<Tablebases>) -> Self {
        self.tablebases = tablebases;
        self
    }

    /// Lets a stop of this ticket end all searches.
    #[must_use]
    pub fn with_signal(mut self, signal: Arc<Signal>, ticket: Ticket) -> Self {
        (self.signal, self.ticket) = (signal, Some(ticket));
        self
    }

    /// Clears the TT and all histories, so that later searches do not depend on earlier ones.
    pub fn new_game(&mut self) {
        self.worker.clear();
        self.tt.clear();
        self.last_score = LastScore::default();
    }

    /// The nodes of the last search.
    pub fn nodes(&self) -> u64 {
        self.worker.nodes
    }

    /// Searches within limits. `None` if there is no legal move.
    pub fn search(&mut self, game: &Game, limits: Limits) -> Option<Found> {
        let shared = self.shared(game, limits, 1)?;
        self.deepen(&shared)
    }

    fn deepen(&mut self, shared: &SharedSearch) -> Option<Found> {
        self.tt.new_search();
        deepen(&mut self.worker, shared);
        let line = self.worker.outcome.lines.first()?;
        Some(Found {
            best: line.mv,
            score: line.score,
        })
    }

    /// Searches on a clock that counts nodes. `None` if there is no legal move.
    pub fn search_on_clock(
        &mut self,
        game: &Game,
        limits: Limits,
        clock: &mut NodeClock,
    ) -> Option<Found> {
        let limits = clock.limits(limits, Duration::ZERO);
        let mut shared = self.shared(game, limits, 1)?;
        shared.node_time = clock.rate();
        shared.last_score = self.last_score.in_game(game);
        let found = self.deepen(&shared);
        if let Some(found) = found {
            self.last_score.set(game, found.score);
        }
        clock.spend(&shared.limits, self.worker.nodes);
        found
    }

    /// The best lines of a search, best first and all of one depth, with the root moves ranked by tablebases. Empty if
    /// there is no legal move.
    pub fn search_lines(&mut self, game: &Game, limits: Limits, count: usize) -> &[RootMove] {
        let Some(mut shared) = self.shared(game, limits, count) else {
            return &[];
        };
        let mut prober = TablebaseProber::new(Arc::clone(&self.tablebases));
        if shared.root.occupied().count() as u32 <= prober.max_pieces {
            let root = RootPosition {
                position: &shared.root,
                earlier: &shared.earlier,
                repetition_start: shared.repetition_start,
                fifty_move_rule: true,
            };
            prober.ranking = self.tablebases.rank_moves(&root, &shared.moves, &|| false);
        }
        shared.tablebases = Arc::new(prober);
        shared.multi_pv = count.clamp(1, shared.moves.len());
        self.tt.new_search();
        deepen(&mut self.worker, &shared);
        &self.worker.outcome.lines
    }

    /// The captures, and evasions of checks, that lead from a position to a quiet one.
    pub fn quiet_line(&mut self, game: &Game) -> Line {
        let Some(shared) = self.shared(game, Limits::none(), 1) else {
            return Line::new();
        };
        self.worker.start(&shared);
        let mut searcher = Searcher {
            worker: &mut self.worker,
            shared: &shared,
        };
        let window = Window {
            alpha: -INFINITE,
            beta: INFINITE,
        };
        let root = shared.root;
        match searcher.quiescence::<Pv>(&root, 0, window, false) {
            Some(_) => self.worker.pv[0].clone(),
            None => Line::new(),
        }
    }

    /// The static evaluation at the end of a legal line.
    pub fn static_value(&mut self, game: &Game, line: &[Move]) -> Option<StaticValue> {
        let shared = self.shared(game, Limits::none(), 1)?;
        self.worker.start(&shared);
        let mut position = shared.root;
        for (ply, &mv) in line.iter().take(MAX_PLY - 1).enumerate() {
            let mut child = position;
            self.worker.make_move(&position, mv, ply, &mut child);
            position = child;
        }
        let ply = line.len().min(MAX_PLY - 1);
        let raw = self.worker.evaluate(&position, ply);
        let context = self.worker.noisy_context(&position, ply);
        let corrected = self.worker.corrections.correct(raw, &context, &position);
        Some(StaticValue { raw, corrected })
    }

    /// The shared part of a search; `None` if there is no legal move.
    fn shared(&self, game: &Game, limits: Limits, multi_pv: usize) -> Option<SharedSearch> {
        let root = *game.position();
        let moves = limits.root_moves(&root);
        if moves.is_empty() {
            return None;
        }
        Some(SharedSearch {
            root,
            draw_scores: [DRAW; 2],
            trade: [DRAW; 2],
            earlier: game.keys().to_vec(),
            repetition_start: game.keys().len() - game.reversible(),
            moves,
            budget: time::budget(&limits, Duration::ZERO),
            last_score: None,
            limits,
            multi_pv,
            ticket: self.ticket.unwrap_or_else(|| self.signal.issue()),
            signal: Arc::clone(&self.signal),
            tt: Arc::clone(&self.tt),
            tablebases: Arc::new(TablebaseProber::new(Arc::clone(&self.tablebases))),
            model: self.model.clone(),
            listener: None,
            nodes: Arc::new([CachePadded::new(AtomicU64::new(0))]),
            unsettled: (0..1).map(|_| AtomicU32::default()).collect(),
            done: Arc::default(),
            is_final: Arc::default(),
            outcomes: Arc::new([Mutex::new(None)]),
            last_report: Arc::default(),
            tree_full: Arc::default(),
            isolated: true,
            node_time: 0,
        })
    }
}

#[cfg(test)]
impl LocalSearcher {
    /// Calls a test with a searcher that has started to search a position, and may call it at ply 0 or 1.
    pub fn test_at(fen: &str, limits: Limits, test: impl FnOnce(Searcher<'_>)) {
        let mut local = Self::new(1).expect("a mebibyte");
        let game = Game::new(Position::from_fen(fen).expect("a position"));
        let shared = local.shared(&game, limits, 1).expect("a legal move");
        local.worker.start(&shared);
        local.worker.root_depth = 20;
        local.worker.frame_mut(1).accumulator = local.worker.frame(0).accumulator;
        test(Searcher {
            worker: &mut local.worker,
            shared: &shared,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn illegal_search_moves_are_ignored() {
        let game = Game::from_words("startpos").expect("a game");
        let illegal = Move::new(Square::E1, Square::E8, MoveKind::Quiet);
        let legal = game.position().legal_moves()[0];
        let mut searcher = LocalSearcher::new(1).expect("a mebibyte");
        let mut best = |search_moves: &[Move]| {
            let limits = Limits {
                search_moves: search_moves.to_vec(),
                ..Limits::depth(2)
            };
            searcher.search(&game, limits).map(|found| found.best)
        };
        assert_eq!(best(&[illegal, legal]), Some(legal));
        assert!(best(&[illegal]).is_some());
    }

    #[test]
    fn the_longest_time_is_no_limit() {
        let game = Game::from_words("startpos").expect("a game");
        let limits = Limits {
            move_time: Some(Duration::MAX),
            ..Limits::nodes(2_000)
        };
        let mut searcher = LocalSearcher::new(1).expect("a mebibyte");
        assert!(searcher.search(&game, limits).is_some());
    }

    #[test]
    fn a_new_game_forgets_the_score_of_the_last_search() {
        let [before, after] =
            ["startpos", "startpos e4 e5"].map(|text| Game::from_words(text).expect("a game"));
        let mut searcher = LocalSearcher::new(1).expect("a mebibyte");
        searcher.search_on_clock(&before, Limits::depth(1), &mut NodeClock::new(20));
        assert!(searcher.last_score.in_game(&after).is_some());
        searcher.new_game();
        assert_eq!(searcher.last_score.in_game(&after), None);
    }
}
