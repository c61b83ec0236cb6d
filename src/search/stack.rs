//! The search stack: one frame for each distance from the root.

use crate::base::value::Value;
use crate::chess::{Bitboard, Move};
use crate::eval::Accumulator;

use super::history::PieceTo;
use super::picker::KILLERS;

#[derive(Clone, Copy, Default)]
pub struct StackFrame {
    /// The accumulator of the position.
    pub accumulator: Accumulator,
    /// Corrected static evaluation; `None` in check.
    pub evaluation: Option<Value>,
    /// The squares that the opponent attacks, if computed.
    pub threats: Option<Bitboard>,
    /// The move being searched; `None` for a null move.
    pub played: Option<Move>,
    /// The piece and target square of that move.
    pub piece_to: PieceTo,
    /// Its history, if it is quiet; 0 otherwise.
    pub history: i32,
    /// The move excluded by a singular search.
    pub excluded: Option<Move>,
    /// Beta cutoffs at this ply since the node two plies above was entered; one without a TT move counts twice.
    pub cutoff_count: i32,
    /// Quiet moves that caused cutoffs in sibling nodes, newest first.
    pub killers: [Option<Move>; KILLERS],
}
