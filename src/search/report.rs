//! What a search tells while it runs and when it ends.
//! Uses: chess, value. Used by: search, engine and the front ends.
//! Idea: the search tells, the front end prints.

use std::time::Duration;

use crate::base::value::{Bound, Depth, Value};
use crate::chess::Move;

/// One principal variation, as found so far.
#[derive(Clone, Copy, Debug)]
pub struct Info<'a> {
    /// Completed depth in plies.
    pub depth: Depth,
    /// Greatest distance from the root reached, in plies.
    pub selective_depth: u32,
    /// Rank of this variation, from 1.
    pub multi_pv: usize,
    /// Score in centipawns from the mover's view, or a mate or tablebase score.
    pub score: Value,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// What the whole search has done so far.
    pub stats: SearchStats,
    /// The variation: legal moves from the root on.
    pub pv: &'a [Move],
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchStats {
    /// Nodes searched by all threads; never falls during a search.
    pub nodes: u64,
    /// Time since the search was asked for.
    pub elapsed: Duration,
    /// Share of the transposition table written by this search, per mille.
    pub hash_full: u32,
    /// Tablebase positions found.
    pub tb_hits: u64,
}

impl SearchStats {
    /// Nodes per second, with at least one millisecond counted.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        let nanoseconds = self.elapsed.as_nanos().max(1_000_000);
        (u128::from(self.nodes) * 1_000_000_000 / nanoseconds) as u64
    }
}

/// The answer to a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BestMove {
    /// The move to play; `None` only where no legal move exists.
    pub best: Option<Move>,
    /// The expected reply, legal after `best` in a game that is not over there.
    pub ponder: Option<Move>,
}

/// Hears what a search tells. Calls come from the search's threads, one at a time per search.
pub trait Listener: Send + Sync {
    /// A principal variation was found or improved.
    fn info(&self, info: &Info<'_>);
    /// The search begins a root move (told only in long searches): the move and its number, from 1.
    fn current_move(&self, _depth: Depth, _current: Move, _number: usize) {}
    /// Nothing else was told for a while: how far the search is.
    fn stats(&self, _stats: &SearchStats) {}
    /// Something worth telling in words: the opening, a move from a book.
    fn info_string(&self, _text: &str) {}
}

/// The silent listener.
impl Listener for () {
    fn info(&self, _info: &Info<'_>) {}
}
