//! Moves at the root with their scores and variations.

use arrayvec::ArrayVec;

use crate::base::value::{
    Bound, Depth, INFINITE, MATE, MAX_PLY, TABLEBASE_WIN, Value, moves_to_mate,
};
use crate::chess::{Move, Position};

/// A principal variation.
pub type Line = ArrayVec<Move, MAX_PLY>;

/// A move at the root with the results of the search and the tablebases.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: Move,
    /// `-INFINITE` in an iteration that has not shown it better than the moves before.
    pub score: Value,
    pub bound: Bound,
    /// The depth of the iteration, in plies.
    pub depth: Depth,
    pub pv: Line,
    /// Greatest distance from the root, in plies.
    pub selective_depth: u32,
    /// Nodes spent on it in this search.
    pub nodes: u64,
    /// How well it keeps the tablebase result; equal for all moves without tablebases.
    pub rank: i32,
    /// The score that tablebases prove.
    pub proven: Option<Value>,
}

impl RootMove {
    pub fn new(mv: Move) -> Self {
        Self {
            mv,
            score: -INFINITE,
            bound: Bound::Upper,
            depth: 0,
            pv: Line::from_iter([mv]),
            selective_depth: 0,
            nodes: 0,
            rank: 0,
            proven: None,
        }
    }

    /// The key that root moves are sorted by, in descending order.
    pub fn key(&self) -> (i32, Value) {
        (self.rank, self.score)
    }

    /// The tablebase score, unless the search found a mate where tablebases only prove a win or loss.
    pub fn best_known_score(&self) -> (Value, Bound) {
        match self.proven {
            Some(proven)
                if moves_to_mate(self.score).is_none() || self.score.abs() < proven.abs() =>
            {
                (proven, Bound::Exact)
            }
            _ => (self.score, self.bound),
        }
    }

    /// The score to report with the first `plies` moves of the variation, which lead to `end`: a mate that tablebases count
    /// is reported as a tablebase win or loss until the variation reaches it.
    pub fn reported_score(&self, plies: usize, end: &Position) -> (Value, Bound) {
        let (score, bound) = self.best_known_score();
        let to_mate = MATE - score.abs();
        let is_from_tablebases = Some(score) == self.proven && moves_to_mate(score).is_some();
        let is_mate = || plies as Value == to_mate && end.in_check() && !end.has_legal_move();
        if is_from_tablebases && !is_mate() {
            return ((TABLEBASE_WIN - to_mate) * score.signum(), bound);
        }
        (score, bound)
    }
}

/// The result of one thread: its best lines, best first, all of one depth.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub lines: Vec<RootMove>,
}

impl Outcome {
    pub fn with_capacity(lines: usize) -> Self {
        Self {
            lines: Vec::with_capacity(lines),
        }
    }
}
