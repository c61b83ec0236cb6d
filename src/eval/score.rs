//! Weights and scores with four parts, so that a value depends on the phase and on the number of pawns.
//!
//! The middlegame and the endgame value of a weight hold for eleven pawns on the board; two more parts are what every four
//! pawns more add to them, and every four fewer take away. So the value is bilinear in phase and pawns. The four sums of a
//! [`Score`] share one 64-bit integer, so that one addition adds all of them.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::base::value::{EVALUATION_LIMIT, Value};
use crate::chess::Color;

/// The unit of weights and scores: fine enough that rounding 200 small weights changes the sum by about a centipawn.
pub const QUARTERS_PER_CENTIPAWN: i32 = 4;
/// The phase of the full board; 0 is the pure endgame. Promotions may exceed it; [`Taper`] limits it.
pub const PHASE_MAXIMUM: i32 = 24;
/// The number of pawns of both sides for which the middlegame and the endgame value hold: about the mean in games.
pub const MEAN_PAWNS: i32 = 11;
/// This many more pawns add the part for pawns once.
pub const PAWN_STEP: i32 = 4;
/// The unit of tapered scores; in it the lines of a ledger add up exactly.
pub const UNITS_PER_CENTIPAWN: i32 = QUARTERS_PER_CENTIPAWN * PHASE_MAXIMUM * PAWN_STEP;

/// A part of a weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightPart {
    /// The value on a full board with eleven pawns.
    Middlegame,
    /// The value with only kings and eleven pawns.
    Endgame,
    /// What four more pawns add to the middlegame value.
    MiddlegamePawns,
    /// What four more pawns add to the endgame value.
    EndgamePawns,
}

impl WeightPart {
    /// The number of parts.
    pub const COUNT: usize = 4;
    /// All parts, in their order in a file.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Middlegame,
        Self::Endgame,
        Self::MiddlegamePawns,
        Self::EndgamePawns,
    ];

    /// The first word of its rows in a file of weights.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Middlegame => "mg",
            Self::Endgame => "eg",
            Self::MiddlegamePawns => "mp",
            Self::EndgamePawns => "ep",
        }
    }
}

/// The weight of one feature, in quarters of a centipawn, by [`WeightPart`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weight(pub [i16; WeightPart::COUNT]);

const _: () = assert!(size_of::<Weight>() == 8);

impl Weight {
    pub const ZERO: Self = Self::constant(0);

    /// The same value in both phases, with any number of pawns.
    pub const fn constant(quarters: i16) -> Self {
        Self([quarters, quarters, 0, 0])
    }

    /// A part, in quarters of a centipawn.
    pub const fn part(self, part: WeightPart) -> i16 {
        self.0[part as usize]
    }

    /// This percentage of all parts, rounded towards zero.
    #[must_use]
    pub fn scaled(self, percent: i32) -> Self {
        Self(self.0.map(|value| {
            let scaled = i32::from(value) * percent / 100;
            scaled.clamp(i16::MIN.into(), i16::MAX.into()) as i16
        }))
    }

    #[inline]
    pub const fn score(self) -> Score {
        let [middlegame, endgame, middlegame_pawns, endgame_pawns] = self.0;
        Score::new([
            middlegame as i32,
            endgame as i32,
            middlegame_pawns as i32,
            endgame_pawns as i32,
        ])
    }
}

/// What the share of each part of a weight depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taper {
    phase: i32,
    pawns: i32,
}

impl Taper {
    /// The taper of a phase, at most [`PHASE_MAXIMUM`], and a number of pawns of both sides, at most 16.
    #[inline]
    pub const fn new(phase: i32, pawns: i32) -> Self {
        Self {
            phase: if phase < PHASE_MAXIMUM {
                phase
            } else {
                PHASE_MAXIMUM
            },
            pawns,
        }
    }

    /// From 0 (only kings and pawns) to [`PHASE_MAXIMUM`].
    #[inline]
    pub const fn phase(self) -> i32 {
        self.phase
    }

    /// The number of pawns of both sides.
    #[inline]
    pub const fn pawns(self) -> i32 {
        self.pawns
    }

    /// The middlegame and the endgame value of a score with this number of pawns, in quarters of a centipawn times
    /// [`PAWN_STEP`].
    #[inline]
    pub const fn halves(self, score: Score) -> [i32; 2] {
        let [middlegame, endgame, middlegame_pawns, endgame_pawns] = score.parts();
        let more = self.pawns - MEAN_PAWNS;
        [
            middlegame * PAWN_STEP + middlegame_pawns * more,
            endgame * PAWN_STEP + endgame_pawns * more,
        ]
    }
}

/// A sum of weights, in quarters of a centipawn. The lanes of the two parts for pawns are the lower ones.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Score(i64);

/// Bits of the lane of a part for pawns: 4,000 centipawns.
const PAWNS_BITS: u32 = 15;
/// Bits of the lane of a middlegame or endgame sum: 16,000 centipawns. 16 would overflow with nine queens.
const HALF_BITS: u32 = 17;
const _: () = assert!(2 * (PAWNS_BITS + HALF_BITS) == i64::BITS);

impl Score {
    pub const ZERO: Self = Self(0);

    /// The parts in the order of [`WeightPart::ALL`].
    #[inline]
    pub const fn new([middlegame, endgame, middlegame_pawns, endgame_pawns]: [i32; 4]) -> Self {
        let halves = ((endgame as i64) << HALF_BITS).wrapping_add(middlegame as i64);
        let pawns = ((endgame_pawns as i64) << PAWNS_BITS) + middlegame_pawns as i64;
        Self((halves << (2 * PAWNS_BITS)).wrapping_add(pawns))
    }

    /// The parts in the order of [`WeightPart::ALL`]. A negative lane borrows one from the next; subtracting it gives it back.
    #[inline]
    pub const fn parts(self) -> [i32; 4] {
        const fn lowest(lanes: i64, bits: u32) -> i64 {
            lanes << (i64::BITS - bits) >> (i64::BITS - bits)
        }
        let lanes = self.0;
        let middlegame_pawns = lowest(lanes, PAWNS_BITS);
        let lanes = lanes.wrapping_sub(middlegame_pawns) >> PAWNS_BITS;
        let endgame_pawns = lowest(lanes, PAWNS_BITS);
        let lanes = (lanes - endgame_pawns) >> PAWNS_BITS;
        let middlegame = lowest(lanes, HALF_BITS);
        let endgame = (lanes - middlegame) >> HALF_BITS;
        [
            middlegame as i32,
            lowest(endgame, HALF_BITS) as i32,
            middlegame_pawns as i32,
            endgame_pawns as i32,
        ]
    }

    /// `self + other` in constants.
    #[inline]
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    /// `-self` in constants.
    #[inline]
    #[must_use]
    pub const fn negated(self) -> Self {
        Self(self.0.wrapping_neg())
    }

    /// The score of a colour's feature from white's view.
    #[inline]
    #[must_use]
    pub const fn signed(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => self.negated(),
        }
    }

    /// The score in [units](UNITS_PER_CENTIPAWN). Linear in the score.
    ///
    /// ```
    /// use lucena::eval::{Score, Taper};
    /// let score = Score::new([40, -8, 6, 2]);
    /// assert_eq!(score.tapered(Taper::new(24, 11)), 40 * 24 * 4);
    /// assert_eq!(score.tapered(Taper::new(6, 11)), (40 * 6 - 8 * 18) * 4);
    /// assert_eq!(score.tapered(Taper::new(24, 15)), (40 + 6) * 24 * 4);
    /// assert_eq!(score.tapered(Taper::new(0, 7)), (-8 - 2) * 24 * 4);
    /// ```
    #[inline]
    pub const fn tapered(self, taper: Taper) -> i32 {
        let [middlegame, endgame] = taper.halves(self);
        middlegame * taper.phase + endgame * (PHASE_MAXIMUM - taper.phase)
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
        Self(self.0.wrapping_sub(other.0))
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
        Self(self.0.wrapping_mul(i64::from(count)))
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
        write!(f, "{:?}", self.parts())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_do_not_mix() {
        const HALVES: [i32; 7] = [-65_000, -32_768, -1, 0, 1, 32_767, 65_000];
        const PAWNS: [i32; 5] = [-16_300, -1, 0, 1, 16_300];
        for number in 0..7 * 7 * 5 * 5 {
            let parts = [
                HALVES[number % 7],
                HALVES[number / 7 % 7],
                PAWNS[number / 49 % 5],
                PAWNS[number / 245],
            ];
            let score = Score::new(parts);
            assert_eq!(score.parts(), parts);
            assert_eq!(-score, Score::new(parts.map(|part| -part)));
            assert_eq!(score - score, Score::ZERO);
            let small = parts.map(|part| part / 4);
            assert_eq!(
                Score::new(small) * -3,
                Score::new(small.map(|part| part * -3))
            );
            let more = [7, -9, 11, -13];
            let sum = std::array::from_fn(|part| parts[part] + more[part]);
            assert_eq!(score + Score::new(more), Score::new(sum));
        }
    }

    #[test]
    fn the_rounding_is_symmetric() {
        for units in 0..5000 {
            assert_eq!(centipawns(units), units / 384);
            assert_eq!(centipawns(-units), -centipawns(units));
        }
        assert_eq!(centipawns(i32::MAX), centipawns(i32::MAX - 1));
        assert_eq!(centipawns(-i32::MAX), -EVALUATION_LIMIT);
    }

    #[test]
    fn the_phase_stops_at_its_maximum() {
        let score = Score::new([10, 1000, 3, 5]);
        assert_eq!(
            score.tapered(Taper::new(PHASE_MAXIMUM + 8, 9)),
            score.tapered(Taper::new(PHASE_MAXIMUM, 9))
        );
    }
}
