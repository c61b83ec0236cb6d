//! Scores and depths. Evaluations, tablebase results and mates share one integer range in bands that never overlap.

/// A score in centipawns, from the side to move's point of view unless noted.
pub type Value = i32;
/// A search depth in plies.
pub type Depth = i32;

/// The greatest distance from the root in plies.
pub const MAX_PLY: usize = 240;
/// The greatest search depth in plies.
pub const MAX_DEPTH: Depth = 240;

/// Greater than every score: the bounds of the full window.
pub const INFINITE: Value = 32_500;
/// The score of mate at the root; mate in `n` plies scores `MATE - n`.
pub const MATE: Value = 32_000;
/// The lowest score that means a proven mate within [`MAX_PLY`].
pub const MATE_BOUND: Value = MATE - MAX_PLY as Value;
/// The score of a tablebase win at the root; a win reached in `n` plies scores `TABLEBASE_WIN - n`.
pub const TABLEBASE_WIN: Value = MATE_BOUND - 1_000;
/// The lowest score that means a tablebase win; evaluations stay strictly below it.
pub const TABLEBASE_BOUND: Value = TABLEBASE_WIN - MAX_PLY as Value;
/// The greatest magnitude of a static evaluation.
pub const EVALUATION_LIMIT: Value = TABLEBASE_BOUND - 1;
pub const DRAW: Value = 0;

/// The score of being mated `ply` plies from the root.
#[must_use]
pub const fn mated_in(ply: usize) -> Value {
    -MATE + ply as Value
}

/// The score of giving mate `ply` plies from the root.
#[must_use]
pub const fn mate_in(ply: usize) -> Value {
    MATE - ply as Value
}

/// Whether `value` is a proven win, by mate or tablebase.
#[must_use]
pub const fn is_win(value: Value) -> bool {
    value >= TABLEBASE_BOUND
}

/// Whether `value` is a proven loss, by mate or tablebase.
#[must_use]
pub const fn is_loss(value: Value) -> bool {
    value <= -TABLEBASE_BOUND
}

/// Whether `value` is a proven win or loss; margins must not be added to it.
#[must_use]
pub const fn is_decisive(value: Value) -> bool {
    is_win(value) || is_loss(value)
}

/// Moves (not plies) to mate if `value` is a mate score; negative if the side to move is mated.
///
/// ```
/// use lucena::base::value::{mate_in, mated_in, moves_to_mate};
/// assert_eq!(moves_to_mate(mate_in(3)), Some(2));
/// assert_eq!(moves_to_mate(mated_in(2)), Some(-1));
/// assert_eq!(moves_to_mate(150), None);
/// ```
#[must_use]
pub const fn moves_to_mate(value: Value) -> Option<i32> {
    if value >= MATE_BOUND {
        Some((MATE - value + 1) / 2)
    } else if value <= -MATE_BOUND {
        Some(-(MATE + value) / 2)
    } else {
        None
    }
}

/// How a score relates to the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The value is at most the score: all moves failed low.
    Upper = 1,
    /// The value is at least the score: a move failed high.
    Lower = 2,
    Exact = 3,
}

impl Bound {
    /// Whether a score with this bound proves that the value is at least `beta`, or that it is not.
    #[must_use]
    pub const fn decides(self, score: Value, beta: Value) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score >= beta,
            Self::Upper => score < beta,
        }
    }
}
