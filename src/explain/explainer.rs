//! The searches of an explanation: both moves in one search of one depth, their lines followed to quiet positions.

use std::cmp::Reverse;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::{fmt, io, mem};

use thiserror::Error;

use super::account::{Account, LineAccount, after};
use super::gain::Gain;
use super::promotions::ideas;
use super::rank::{Ranked, rank};
use super::scale::Scale;
use crate::base::value::{Depth, Value, is_decisive};
use crate::chess::{Game, GameEnd, Move, Position};
use crate::eval::{BUILT_IN, Model};
use crate::search::limits::Limits;
use crate::search::local::{LocalSearcher, StaticValue};
use crate::search::root::RootMove;
use crate::search::signal::{Signal, Ticket};
use crate::search::stop::Stop;
use crate::tablebase::Tablebases;

/// Nodes of an explanation by default.
pub const DEFAULT_NODES: u64 = 200_000;
/// The most nodes of a question.
pub const MAX_NODES: u64 = 1 << 40;
/// MiB of the TT.
const HASH: usize = 8;
/// Percent of the nodes that find the best move, if another move is given.
const SHARE_BEST: u64 = 30;
/// Percent of the nodes that find the second best move, if the given one is the best.
const SHARE_SECOND: u64 = 15;
/// Percent of the nodes that find both lines; the rest is for longer lines and trials.
const SHARE_PAIR: u64 = 56;
/// The nodes of a search that extends a line which a TT hit cut short, in percent of all nodes.
const SHARE_EXTENSION: u64 = 2;
/// The most such searches for one line.
const MAX_EXTENSIONS: usize = 2;
/// A static evaluation is close to a score up to this difference, in centipawns.
const NEAR: Value = 1;
/// The quiet position lies at most this many plies before the end of the variation, unless the nearest of these is farther
/// from the score than so many centipawns.
const BEFORE_HORIZON: usize = 4;
const FAR: Value = 4;
/// Where no end near the horizon fits the score, the line ends no earlier than this, in plies.
const SHORT_LINE: usize = 4;
/// No line is followed further.
const MAX_LINE: usize = 60;

/// Why there is nothing to explain.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ExplainError {
    #[error("nothing to explain: {0}")]
    Over(GameEnd),
    /// The move to compare with is the move itself.
    #[error("{0} is compared with itself: give another move")]
    Same(String),
    /// The move, or the one to compare it with, is illegal in this position.
    #[error("{0} is illegal in this position")]
    Illegal(String),
    #[error("the search was stopped before it found two lines")]
    Stopped,
}

/// What is to be explained.
#[derive(Clone, Copy, Debug, Default)]
pub struct Question {
    /// The move; `None`: the best one.
    pub mv: Option<Move>,
    /// The move to compare with; `None`: the best one, or the second best one if the move is the best.
    pub against: Option<Move>,
    /// The move is known to be the best, from a longer search.
    pub is_best: bool,
}

/// Two moves, compared.
#[derive(Clone, Debug)]
pub struct MoveComparison {
    pub game: Game,
    /// The move asked about.
    pub asked: Move,
    /// Whether the move was given, not found.
    pub is_given: bool,
    /// Whether the move to compare it with was given, not found.
    pub is_against_given: bool,
    /// Whether the better of the two is the best of all moves.
    pub is_best: bool,
    pub better: LineAccount,
    /// `None` if there is only one legal move.
    pub worse: Option<LineAccount>,
    pub account: Option<Account>,
    pub depth: Depth,
    /// Nodes of all searches.
    pub nodes: u64,
}

impl MoveComparison {
    pub fn root(&self) -> &Position {
        self.game.position()
    }

    /// Whether the move asked about is the better one.
    pub fn asked_is_better(&self) -> bool {
        self.better.moves.first() == Some(&self.asked)
    }

    /// The concepts in the order of what the move asked about changes, better or not.
    pub fn concepts_of_move(&self) -> Vec<Ranked> {
        let (Some(account), Some(worse)) = (&self.account, &self.worse) else {
            return Vec::new();
        };
        let lines = if self.asked_is_better() {
            [&self.better, worse]
        } else {
            [worse, &self.better]
        };
        rank(lines[0], lines[1], account, Scale::of(self.root()))
    }

    /// The line of the move asked about.
    pub fn asked_line(&self) -> &LineAccount {
        match &self.worse {
            Some(worse) if !self.asked_is_better() => worse,
            _ => &self.better,
        }
    }
}

/// The quiet position of a line whose evaluation is nearest to the score.
#[derive(Default)]
struct Nearest {
    gap: Value,
    /// The moves that lead to it; 0 before there is one.
    moves: usize,
    end: StaticValue,
}

/// Searches for explanations, on the thread of the caller, with up to 1 MiB of its stack.
pub struct Explainer {
    pub(super) searcher: LocalSearcher,
    pub(super) model: Option<Arc<Model>>,
    nodes: u64,
    pub(super) spent: u64,
    /// Lines of both moves of the next question, from a longer search.
    known: Vec<RootMove>,
}

impl fmt::Debug for Explainer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Explainer")
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}

impl Explainer {
    /// An explainer that searches this many nodes, at most [`MAX_NODES`], in all for each question.
    ///
    /// # Errors
    /// The memory could not be allocated.
    pub fn new(nodes: u64) -> io::Result<Self> {
        Self::with_hash(HASH, nodes)
    }

    /// An explainer with little memory, for few nodes.
    ///
    /// # Errors
    /// The memory could not be allocated.
    #[doc(hidden)]
    pub fn small(nodes: u64) -> io::Result<Self> {
        Self::with_hash(1, nodes)
    }

    fn with_hash(megabytes: usize, nodes: u64) -> io::Result<Self> {
        Ok(Self {
            searcher: LocalSearcher::new(megabytes)?,
            model: None,
            nodes: nodes.min(MAX_NODES),
            spent: 0,
            known: Vec::new(),
        })
    }

    /// Sets the weights (`None`: the built-in ones).
    #[must_use]
    pub fn with_model(mut self, model: Option<Arc<Model>>) -> Self {
        self.set_model(model);
        self
    }

    /// Sets the weights for the next question.
    pub fn set_model(&mut self, model: Option<Arc<Model>>) {
        self.model.clone_from(&model);
        self.searcher.set_model(model);
    }

    /// Sets the tablebases to probe.
    #[must_use]
    pub fn with_tablebases(mut self, tablebases: Arc<Tablebases>) -> Self {
        self.searcher = self.searcher.with_tablebases(tablebases);
        self
    }

    /// Lets a stop of this ticket end the searches.
    #[must_use]
    #[doc(hidden)]
    pub fn with_signal(mut self, signal: Arc<Signal>, ticket: Ticket) -> Self {
        self.searcher = self.searcher.with_signal(signal, ticket);
        self
    }

    /// Lets a stop end the searches.
    #[must_use]
    pub fn with_stop(self, stop: &Stop) -> Self {
        let (signal, ticket) = stop.signal();
        self.with_signal(signal, ticket)
    }

    /// Sets the nodes for each question, at most [`MAX_NODES`].
    pub fn set_nodes(&mut self, nodes: u64) {
        self.nodes = nodes.min(MAX_NODES);
    }

    /// Takes the lines of both moves of the next question from a longer search instead of searching them.
    #[cfg(feature = "lab")]
    pub(crate) fn set_known(&mut self, lines: Vec<RootMove>) {
        self.known = lines;
    }

    #[doc(hidden)]
    pub fn model(&self) -> &Model {
        self.model.as_deref().unwrap_or(&BUILT_IN)
    }

    #[doc(hidden)]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Nodes of all searches for the last question.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    /// Forgets earlier questions.
    pub(super) fn restart(&mut self) {
        self.searcher.new_game();
        self.spent = 0;
    }

    /// The score of a position for the side to move, with a share of the nodes.
    pub(super) fn best_score(&mut self, game: &Game, percent: u64) -> Option<Value> {
        self.best_line(game, percent).map(|line| line.score)
    }

    /// The best move of a position, with a share of the nodes.
    pub(super) fn best_line(&mut self, game: &Game, percent: u64) -> Option<RootMove> {
        let moves = ideas(game.position());
        self.lines(game, &moves, 1, percent).into_iter().next()
    }

    /// The best lines of a position, followed to quiet positions.
    pub(super) fn best_lines(
        &mut self,
        game: &Game,
        count: usize,
        percent: u64,
    ) -> Vec<LineAccount> {
        let moves = ideas(game.position());
        let lines = self.lines(game, &moves, count, percent);
        lines.iter().map(|line| self.account(game, line)).collect()
    }

    /// The line of one move, followed to a quiet position, with a share of the nodes.
    pub(super) fn line_of(&mut self, game: &Game, mv: Move, percent: u64) -> Option<LineAccount> {
        let lines = self.lines(game, &[mv], 1, percent);
        lines.first().map(|line| self.account(game, line))
    }

    /// Compares the move of a question with another one. Earlier questions do not matter.
    ///
    /// # Errors
    /// [`ExplainError`] if the game is over, a move is illegal or compared with itself, or a stop came too early.
    #[doc(hidden)]
    pub fn compare(
        &mut self,
        game: &Game,
        question: Question,
    ) -> Result<MoveComparison, ExplainError> {
        if let Some(end) = game.end() {
            return Err(ExplainError::Over(end));
        }
        let root = game.position();
        let mut given = question.mv.into_iter().chain(question.against);
        if let Some(mv) = given.find(|&mv| !root.is_legal(mv)) {
            return Err(ExplainError::Illegal(root.uci(mv)));
        }
        self.restart();
        if let Some(mv) = question.mv.filter(|_| question.mv == question.against) {
            return Err(ExplainError::Same(root.san(mv).to_string()));
        }
        let legal = root.legal_moves();
        let known = mem::take(&mut self.known);
        let (mut lines, is_best) = if !known.is_empty() {
            (known, false)
        } else if legal.len() == 1 {
            (self.lines(game, &legal, 1, 10), true)
        } else {
            self.pair(game, &question, &ideas(root))
        };
        self.add_forced_mates(root, &question, &legal, &mut lines);
        // A stop inside an iteration can leave the second move with the higher score.
        lines.sort_by_key(|line| Reverse(line.best_known_score().0));
        let depth = lines.first().map_or(0, |line| line.depth);
        let mut accounts = lines.iter().map(|line| self.account(game, line));
        let better = accounts.next().ok_or(ExplainError::Stopped)?;
        let worse = accounts.next();
        drop(accounts);
        if worse.is_none() && legal.len() > 1 {
            return Err(ExplainError::Stopped);
        }
        let account = worse.as_ref().map(|worse| Account::of(&better, worse));
        Ok(MoveComparison {
            game: game.clone(),
            asked: question.mv.unwrap_or(better.moves[0]),
            is_given: question.mv.is_some(),
            is_against_given: question.against.is_some(),
            is_best,
            better,
            worse,
            account,
            depth,
            nodes: self.spent,
        })
    }

    /// The lines of the two moves to compare, of one search, and whether the better one is the best of all moves.
    fn pair(&mut self, game: &Game, question: &Question, ideas: &[Move]) -> (Vec<RootMove>, bool) {
        let without = |excluded: Move| -> Vec<Move> {
            (ideas.iter().copied())
                .filter(|&mv| mv != excluded)
                .collect()
        };
        let mut rest = 100;
        let mut best_of = |explainer: &mut Self, moves: &[Move], percent: u64| {
            rest -= percent;
            let lines = explainer.lines(game, moves, 1, percent);
            lines.first().map(|line| line.mv)
        };
        let pair = match (question.mv, question.against) {
            (None, None) => return (self.lines(game, ideas, 2, SHARE_PAIR), true),
            (Some(mv), Some(against)) => {
                return (self.lines(game, &[mv, against], 2, SHARE_PAIR), false);
            }
            (Some(best), None) if question.is_best => {
                [Some(best), best_of(self, &without(best), SHARE_BEST)]
            }
            (Some(given), None) | (None, Some(given)) => {
                let best = best_of(self, ideas, SHARE_BEST);
                if best == Some(given) {
                    let second = best_of(self, &without(given), SHARE_SECOND);
                    [Some(given), second]
                } else {
                    [best, Some(given)]
                }
            }
        };
        let pair: Vec<Move> = pair.into_iter().flatten().collect();
        (self.lines(game, &pair, 2, rest + SHARE_PAIR - 100), true)
    }

    /// Searches these moves with a share of the nodes.
    fn lines(&mut self, game: &Game, moves: &[Move], count: usize, percent: u64) -> Vec<RootMove> {
        let mut limits = Limits::nodes((self.nodes * percent / 100).max(1));
        limits.search_moves = moves.to_vec();
        let lines = self.searcher.search_lines(game, limits, count).to_vec();
        self.spent += self.searcher.nodes();
        lines
    }

    /// Follows a line to the quiet position that its score is about, and itemises it.
    ///
    /// The variation of a search ends early where a score came from the TT. More searches from there lead on, until the static
    /// evaluation of a quiet position is close to the score. If none is, a position earlier in the line may be.
    pub(super) fn account(&mut self, game: &Game, line: &RootMove) -> LineAccount {
        let (score, _) = line.best_known_score();
        let mut there = game.clone();
        let mut moves: Vec<Move> = Vec::new();
        extend(&mut there, &mut moves, &line.pv);
        let searched = moves.len();
        let mut nearest = Nearest::default();
        let late = searched.saturating_sub(BEFORE_HORIZON).max(1);
        let mut from = late;
        for attempt in 0..=MAX_EXTENSIONS {
            let quiet = self.searcher.quiet_line(&there);
            extend(&mut there, &mut moves, &quiet);
            // A game that ends by a mistake is not what the score is about.
            let is_over = there.end().is_some();
            let is_mistake = is_over && attempt > 0 && !is_decisive(score);
            let last = moves.len() - usize::from(is_mistake);
            if is_decisive(score) || is_over && !is_mistake {
                (nearest.moves, nearest.end) = (last, self.static_value(game, &moves[..last]));
                break;
            }
            self.look_at_ends(game, &moves[..last], from..=last, score, &mut nearest);
            if nearest.gap <= NEAR || is_over || attempt == MAX_EXTENSIONS || last >= MAX_LINE {
                break;
            }
            from = last + 1;
            let limits = Limits::nodes((self.nodes * SHARE_EXTENSION / 100).max(1));
            let more = self.searcher.search_lines(&there, limits, 1);
            let more: Vec<Move> = more.iter().flat_map(|line| line.pv.to_vec()).collect();
            self.spent += self.searcher.nodes();
            extend(&mut there, &mut moves, &more);
        }
        if nearest.gap > FAR {
            // Material that is won later in the line must not be missed.
            let end = *after(game, &moves[..nearest.moves]).position();
            let is_even = |&length: &usize| {
                let there = after(game, &moves[..length]);
                Gain::between(there.position(), &end, there.position().turn()).value() == 0
            };
            let first = (SHORT_LINE..late).rev().take_while(is_even).last();
            if let Some(first) = first {
                self.look_at_ends(game, &moves, first..=late - 1, score, &mut nearest);
            }
        }
        moves.truncate(nearest.moves);
        let searched = searched.min(moves.len());
        let last = after(game, &moves);
        let (root, end) = (game.position(), nearest.end);
        let mut account = LineAccount::new(self.model(), root, (moves, searched), score, end);
        account.proven = line.proven;
        account.game_end = last.end();
        account
    }

    /// Compares the quiet positions of a line after so many moves with its score.
    fn look_at_ends(
        &mut self,
        game: &Game,
        moves: &[Move],
        lengths: RangeInclusive<usize>,
        score: Value,
        nearest: &mut Nearest,
    ) {
        let first = (*lengths.start()).min(moves.len());
        for length in (first..=*lengths.end()).rev() {
            let there = after(game, &moves[..length]);
            let is_last = length == moves.len();
            let is_quiet = is_last
                || !there.position().in_check() && self.searcher.quiet_line(&there).is_empty();
            if !is_quiet {
                continue;
            }
            let end = self.static_value(game, &moves[..length]);
            let for_us = if there.position().turn() == game.position().turn() {
                end.corrected
            } else {
                -end.corrected
            };
            let gap = (score - for_us).abs();
            if nearest.moves == 0 || gap < nearest.gap {
                *nearest = Nearest {
                    gap,
                    moves: length,
                    end,
                };
            }
        }
    }

    /// The static evaluation at the end of a line, for the side to move there.
    fn static_value(&mut self, game: &Game, moves: &[Move]) -> StaticValue {
        self.searcher.static_value(game, moves).unwrap_or_default()
    }
}

/// Appends moves until the game is over.
fn extend(game: &mut Game, moves: &mut Vec<Move>, more: &[Move]) {
    for &mv in more {
        if moves.len() >= MAX_LINE || game.end().is_some() {
            break;
        }
        game.play(mv);
        moves.push(mv);
    }
}
