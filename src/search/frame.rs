//! What a node leaves for its children and its siblings.
//! Uses: history, picker, chess, eval, value. Used by: worker.
//! Idea: one frame for each distance from the root, taken once and used again by every node there.

use crate::base::value::Value;
use crate::chess::{Bitboard, Move};
use crate::eval::Accumulator;

use super::history::PieceTo;
use super::picker::KILLERS;

/// The notes of the node at one distance from the root.
#[derive(Clone, Copy, Default)]
pub struct Frame {
    /// The accumulator of the position.
    pub accumulator: Accumulator,
    /// Static evaluation as corrected; `None` in check.
    pub evaluation: Option<Value>,
    /// The squares that the opponent attacks, once somebody has asked.
    pub threats: Option<Bitboard>,
    /// The move being searched; `None` for a null move.
    pub played: Option<Move>,
    /// The same by man and target.
    pub piece_to: PieceTo,
    /// The move left out of the search, while the table's move is tested for being the only good one.
    pub excluded: Option<Move>,
    /// Cutoffs at this ply since the node two plies before began.
    pub cutoff_count: i32,
    /// Quiet moves that refuted siblings.
    pub killers: [Option<Move>; KILLERS],
}
