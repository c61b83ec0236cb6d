//! The linear evaluation: a weighted sum of the features of a position, so that every centipawn can be itemised.
//!
//! The value is `Σ count · (phase · m + (24 − phase) · e) / 24`, with white's counts positive and black's negative; `m` and
//! `e` are the middlegame and the endgame value of a weight, each linear in the number of pawns (`score`). Weights are
//! quarters of a centipawn, so every summand is a multiple of 1/384 centipawn; the only rounding is the last division,
//! which truncates towards zero for both colours.

mod accumulator;
pub mod axes;
mod cache;
mod curve;
mod draws;
pub mod endings;
pub mod families;
mod features;
mod king_piece_square;
pub mod load;
mod maps;
pub mod material;
mod model;
mod score;
mod side;
mod sink;
mod sums;
mod timed_curve;
mod trace;
mod wdl;
pub mod weights;

pub use accumulator::{Accumulator, Updater};
pub use cache::PawnCache;
pub use draws::cannot_win;
pub(crate) use draws::is_dead_draw;
pub use families::{COUNT, Family, Index};
pub use maps::AttackMaps;
pub use model::{BUILT_IN, Model};
pub use score::{
    MEAN_PAWNS, PAWN_STEP, PHASE_MAXIMUM, QUARTERS_PER_CENTIPAWN, Score, Taper,
    UNITS_PER_CENTIPAWN, Weight, WeightPart, centipawns,
};
pub(crate) use side::steps;
pub use trace::{DetailedTrace, TermCount, Trace};
pub use wdl::{
    CURVE_KNOTS, Curve, MATERIAL_FULL, denormalise, expected_score, material_count, material_of,
    normalise, score_of_expectation, timed_win_draw_loss, win_draw_loss,
};
pub use weights::Weights;

use crate::base::value::Value;
use crate::chess::{Bitboard, Position};

/// The static value of a position in centipawns, from the side to move. `accumulator` must belong to the position.
///
/// ```
/// use lucena::chess::Position;
/// use lucena::eval::{Accumulator, evaluate};
/// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 b - - 0 1").unwrap();
/// assert!(evaluate(&position, &Accumulator::of(&position)) < 0);
/// ```
#[inline]
pub fn evaluate(position: &Position, accumulator: &Accumulator) -> Value {
    BUILT_IN.evaluate(position, accumulator)
}

/// The same value, faster, and the squares that each colour attacks; `cache` is kept by the caller between calls.
#[inline]
pub fn evaluate_cached(
    position: &Position,
    accumulator: &Accumulator,
    cache: &mut PawnCache,
) -> (Value, [Bitboard; 2]) {
    BUILT_IN.evaluate_cached(position, accumulator, cache)
}
