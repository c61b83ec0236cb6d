//! The linear evaluation: a plain weighted sum of facts about a position, every centipawn itemised.
//! Uses: chess, value. Used by: search, explain, engine, learn.
//! Idea: the families are declared once and counted once; what a count is for (a score, a gradient, an explanation) is
//! the business of the sink that hears it, so playing, learning and explaining cannot disagree.
//!
//! Reading order: `families`, `features`, `maps`, `sink`, `score`, `views`, `psqt`, `cache`, `model`, `weights`, `load`, `side`, `axes`,
//! `material`, `endings`, `wdl`, `curve`.
//!
//! The value is `Σ count · (phase · middlegame + (24 − phase) · endgame) / 24`, white's counts positive and black's
//! negative. Weights are quarters of a centipawn, so that every summand is a whole number of 1/96 centipawn; the only
//! rounding is the last division, and it cuts towards zero for both colours alike.

pub mod axes;
mod cache;
mod curve;
pub mod endings;
pub mod families;
pub mod features;
pub mod load;
mod maps;
pub mod material;
mod model;
mod psqt;
mod score;
mod side;
pub mod sink;
mod views;
mod wdl;
pub mod weights;

pub use cache::{MaterialFacts, PawnCache, PawnFacts};
pub use families::{COUNT, Family, Index};
pub use maps::AttackMaps;
pub use model::{Model, Weights};
pub use psqt::{PieceSquareSums, PieceSquareTable, Watcher};
pub use score::{
    PHASE_MAXIMUM, Pair, QUARTERS_PER_CENTIPAWN, Score, UNITS_PER_CENTIPAWN, centipawns,
};
pub use wdl::{CURVE_KNOTS, Curve, MATERIAL_FULL, material_count, normalise, win_draw_loss};

use crate::base::value::Value;
use crate::chess::Position;

/// The model that is compiled into the program.
pub static BUILT_IN: Model = Model::new(Weights(weights::WEIGHTS.0));

/// The static value of a position in centipawns, from the view of the side to move. `sums` must belong to it.
///
/// ```
/// use lucena::chess::Position;
/// use lucena::eval::{PieceSquareSums, evaluate};
/// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 b - - 0 1").unwrap();
/// assert!(evaluate(&position, &PieceSquareSums::of(&position)) < 0);
/// ```
#[inline]
#[must_use]
pub fn evaluate(position: &Position, sums: &PieceSquareSums) -> Value {
    BUILT_IN.evaluate(position, sums)
}

/// The same value, faster: `maps` must belong to the position; `cache` is the caller's own and kept between calls.
#[inline]
#[must_use]
pub fn evaluate_cached(
    position: &Position,
    maps: &AttackMaps,
    sums: &PieceSquareSums,
    cache: &mut PawnCache,
) -> Value {
    BUILT_IN.evaluate_cached(position, maps, sums, cache)
}
