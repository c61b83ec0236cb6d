//! Scores with a middlegame and an endgame half: two 32-bit lanes in one 64-bit integer, so that one addition adds both.
//!
//! 16-bit lanes would overflow: nine queens in quarters of a centipawn exceed them.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::base::value::{EVALUATION_LIMIT, Value};

/// The unit of weights and scores: fine enough that rounding 200 small weights changes the sum by about a centipawn.
pub const QUARTERS_PER_CENTIPAWN: i32 = 4;
/// The phase of the full board; 0 is the pure endgame. Promotions may exceed it; [`Score::tapered`] limits it.
pub const PHASE_MAXIMUM: i32 = 24;
/// The unit of tapered scores; in it the lines of a ledger add up exactly.
pub const UNITS_PER_CENTIPAWN: i32 = QUARTERS_PER_CENTIPAWN * PHASE_MAXIMUM;

/// The weight of one feature, in quarters of a centipawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// The value on a full board.
    pub middlegame: i16,
    /// The value with only kings and pawns.
    pub endgame: i16,
}

const _: () = assert!(size_of::<Pair>() == 4);

impl Pair {
    pub const ZERO: Self = Self::constant(0);

    /// The same value in both phases.
    pub const fn constant(quarters: i16) -> Self {
        Self {
            middlegame: quarters,
            endgame: quarters,
        }
    }

    /// So many percent of both values, rounded towards zero.
    #[must_use]
    pub fn scaled(self, percent: i32) -> Self {
        let scale = |value: i16| {
            let scaled = i32::from(value) * percent / 100;
            scaled.clamp(i16::MIN.into(), i16::MAX.into()) as i16
        };
        Self {
            middlegame: scale(self.middlegame),
            endgame: scale(self.endgame),
        }
    }

    #[inline]
    pub const fn score(self) -> Score {
        Score::new(self.middlegame as i32, self.endgame as i32)
    }
}

/// A sum of weights, in quarters of a centipawn: the endgame in the high lane, the middlegame in the low one.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Score(i64);

impl Score {
    pub const ZERO: Self = Self(0);

    #[inline]
    pub const fn new(middlegame: i32, endgame: i32) -> Self {
        Self(((endgame as i64) << 32) + middlegame as i64)
    }

    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i32
    }

    /// The endgame half. A negative low lane borrows one from the high lane; the addition gives it back.
    #[inline]
    pub const fn endgame(self) -> i32 {
        ((self.0 + (1 << 31)) >> 32) as i32
    }

    /// `self + other` in constants.
    #[inline]
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// `-self` in constants.
    #[inline]
    #[must_use]
    pub const fn negated(self) -> Self {
        Self(-self.0)
    }

    /// The score at this phase, in [units](UNITS_PER_CENTIPAWN). Linear in the score.
    ///
    /// ```
    /// use lucena::eval::Score;
    /// assert_eq!(Score::new(40, -8).tapered(24), 40 * 24);
    /// assert_eq!(Score::new(40, -8).tapered(6), 40 * 6 - 8 * 18);
    /// ```
    #[inline]
    pub const fn tapered(self, phase: i32) -> i32 {
        let phase = if phase < PHASE_MAXIMUM {
            phase
        } else {
            PHASE_MAXIMUM
        };
        self.middlegame() * phase + self.endgame() * (PHASE_MAXIMUM - phase)
    }
}

/// Whole centipawns of [units](UNITS_PER_CENTIPAWN): the only rounding of the evaluation, towards zero, and its only limit,
/// which legal positions do not reach with sane weights.
#[inline]
pub const fn centipawns(units: i32) -> Value {
    let value = units / UNITS_PER_CENTIPAWN;
    if value > EVALUATION_LIMIT {
        EVALUATION_LIMIT
    } else if value < -EVALUATION_LIMIT {
        -EVALUATION_LIMIT
    } else {
        value
    }
}

impl Add for Score {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl Sub for Score {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        self.negated()
    }
}

impl Mul<i32> for Score {
    type Output = Self;

    #[inline]
    fn mul(self, count: i32) -> Self {
        Self(self.0 * i64::from(count))
    }
}

impl AddAssign for Score {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Score {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.middlegame(), self.endgame())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_do_not_mix() {
        const EDGES: [i32; 7] = [-1_000_000, -32_768, -1, 0, 1, 32_767, 1_000_000];
        for middlegame in EDGES {
            for endgame in EDGES {
                let score = Score::new(middlegame, endgame);
                assert_eq!((score.middlegame(), score.endgame()), (middlegame, endgame));
                assert_eq!(-score, Score::new(-middlegame, -endgame));
                assert_eq!(score * -3, Score::new(middlegame * -3, endgame * -3));
                assert_eq!(score - score, Score::ZERO);
                assert_eq!(
                    score + Score::new(7, -9),
                    Score::new(middlegame + 7, endgame - 9)
                );
            }
        }
    }

    #[test]
    fn the_rounding_is_symmetric() {
        for units in 0..500 {
            assert_eq!(centipawns(units), units / 96);
            assert_eq!(centipawns(-units), -centipawns(units));
        }
        assert_eq!(centipawns(i32::MAX), centipawns(i32::MAX - 1));
        assert_eq!(centipawns(-i32::MAX), -EVALUATION_LIMIT);
    }

    #[test]
    fn the_phase_stops_at_its_maximum() {
        let score = Score::new(10, 1000);
        assert_eq!(
            score.tapered(PHASE_MAXIMUM + 8),
            score.tapered(PHASE_MAXIMUM)
        );
    }
}
