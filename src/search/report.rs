//! What a search reports while it runs and when it ends.

use std::time::Duration;

use crate::base::value::{
    Bound, DRAW, Depth, MATE, MAX_PLY, TABLEBASE_WIN, Value, is_loss, is_win, moves_to_mate,
};
use crate::chess::Move;

/// Centipawns of a tablebase win; one `n` plies away has `n` less.
const TABLEBASE_WIN_CENTIPAWNS: Value = 20_000;
/// Greatest centipawns of an estimate: below every tablebase win.
const MAX_CENTIPAWNS: Value = TABLEBASE_WIN_CENTIPAWNS - MAX_PLY as Value - 1;

/// A principal variation.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Info<'a> {
    /// Completed depth in plies.
    pub depth: Depth,
    /// Greatest distance from the root, in plies.
    pub selective_depth: u32,
    /// Rank of this variation, from 1.
    pub multi_pv: usize,
    /// Score from the view of the side to move.
    pub score: ReportedScore,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Statistics of the whole search so far.
    pub stats: SearchStats,
    /// The moves from the root on, all legal.
    pub pv: &'a [Move],
}

/// A score as the engine reports it, from the view of the side to move.
///
/// ```
/// use lucena::engine::ReportedScore;
/// use lucena::{Engine, Game, Limits};
///
/// let game = Game::from_words("6k1/5ppp/8/8/8/8/8/R5K1 w - -")?;
/// let score = Engine::new().search(&game, Limits::depth(4)).score();
/// assert_eq!(score, Some(ReportedScore::Mate(1)));
/// # Ok::<(), lucena::chess::WordsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportedScore {
    /// An estimate, in centipawns.
    Centipawns(Value),
    /// A tablebase win, in plies.
    TablebaseWin(i32),
    /// A tablebase loss, in plies.
    TablebaseLoss(i32),
    /// Mate in this number of moves; zero or less: the side to move is mated.
    Mate(i32),
}

impl From<Value> for ReportedScore {
    fn from(value: Value) -> Self {
        if let Some(moves) = moves_to_mate(value) {
            Self::Mate(moves)
        } else if is_win(value) {
            Self::TablebaseWin(TABLEBASE_WIN - value)
        } else if is_loss(value) {
            Self::TablebaseLoss(TABLEBASE_WIN + value)
        } else {
            Self::Centipawns(value)
        }
    }
}

impl ReportedScore {
    /// The score on the search's scale, where any two can be compared.
    #[must_use]
    pub const fn value(self) -> Value {
        match self {
            Self::Centipawns(centipawns) => centipawns,
            Self::TablebaseWin(plies) => TABLEBASE_WIN - plies,
            Self::TablebaseLoss(plies) => plies - TABLEBASE_WIN,
            Self::Mate(moves) if moves > 0 => MATE + 1 - 2 * moves,
            Self::Mate(moves) => -MATE - 2 * moves,
        }
    }

    /// The score in centipawns where there are no tablebase scores: they become centipawns that no estimate reaches. A mate
    /// has the centipawns of a tablebase win.
    #[must_use]
    pub const fn centipawns(self) -> Value {
        match self {
            Self::TablebaseWin(plies) => TABLEBASE_WIN_CENTIPAWNS - plies,
            Self::TablebaseLoss(plies) => plies - TABLEBASE_WIN_CENTIPAWNS,
            Self::Centipawns(estimate) if estimate > MAX_CENTIPAWNS => MAX_CENTIPAWNS,
            Self::Centipawns(estimate) if estimate < -MAX_CENTIPAWNS => -MAX_CENTIPAWNS,
            Self::Centipawns(estimate) => estimate,
            Self::Mate(moves) if moves > 0 => TABLEBASE_WIN_CENTIPAWNS,
            Self::Mate(_) => -TABLEBASE_WIN_CENTIPAWNS,
        }
    }
}

impl Default for ReportedScore {
    fn default() -> Self {
        Self::Centipawns(DRAW)
    }
}

/// Statistics of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchStats {
    /// Nodes searched by all threads; never decreases during a search.
    pub nodes: u64,
    /// Time since the search was requested.
    pub elapsed: Duration,
    /// Share of the TT written by this search, or of the search tree in use if that is more; per mille.
    pub hash_full: u32,
    /// Successful tablebase probes.
    pub tb_hits: u64,
}

impl SearchStats {
    /// Nodes per second, counting at least one millisecond.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        let nanoseconds = self.elapsed.as_nanos().max(1_000_000);
        (u128::from(self.nodes) * 1_000_000_000 / nanoseconds) as u64
    }
}

/// The result of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BestMove {
    /// The move to play; `None` only if there is no legal move.
    pub best: Option<Move>,
    /// The expected reply, unless the game is over by then.
    pub ponder: Option<Move>,
}

/// Receives the reports of a search, on its threads, one at a time per search.
pub trait Listener: Send + Sync {
    /// A principal variation was found or changed.
    fn info(&self, info: &Info<'_>);
    /// A long search starts on this root move; `number` counts from 1.
    fn current_move(&self, _depth: Depth, _current: Move, _number: usize) {}
    /// Nothing else was reported for a while.
    fn stats(&self, _stats: &SearchStats) {}
    /// A message for the user, such as the name of the opening.
    fn info_string(&self, _text: &str) {}
}

/// Ignores all reports.
impl Listener for () {
    fn info(&self, _info: &Info<'_>) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::value::{EVALUATION_LIMIT, TABLEBASE_BOUND, mate_in, mated_in};

    #[test]
    fn a_reported_score_keeps_the_value() {
        let odd = (1..20).step_by(2).map(mate_in);
        let even = (0..20).step_by(2).map(mated_in);
        let others = [0, 77, -EVALUATION_LIMIT, TABLEBASE_WIN, TABLEBASE_BOUND];
        for value in odd.chain(even).chain(others) {
            assert_eq!(ReportedScore::from(value).value(), value);
        }
        let loss = ReportedScore::from(5 - TABLEBASE_WIN);
        assert_eq!(loss, ReportedScore::TablebaseLoss(5));
    }
}
