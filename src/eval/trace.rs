//! Traces: the features of a position as a list, for training and for explaining.

use super::families::Index;
use super::features::features;
use super::score::Score;
use super::side::Side;
use super::sink::FeatureSink;
use super::weights::Weights;
use crate::chess::{Bitboard, Color, Position};

/// The coefficients of the weighted sum.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    counts: Vec<(Index, i32)>,
}

impl Trace {
    /// The coefficients of a position.
    pub fn of(position: &Position) -> Self {
        let mut trace = Self::default();
        trace.read(position);
        trace
    }

    /// Replaces the coefficients by those of another position and reuses the memory.
    pub fn read(&mut self, position: &Position) {
        self.counts.clear();
        features(position, self);
    }

    /// Every feature with its count, positive for white. An index may occur more than once.
    pub fn counts(&self) -> &[(Index, i32)] {
        &self.counts
    }

    /// The sum of the counts times these weights.
    pub fn dot(&self, weights: &Weights) -> Score {
        (self.counts.iter()).fold(Score::ZERO, |sum, &(index, count)| {
            sum + weights[index].score() * count
        })
    }
}

impl FeatureSink for Trace {
    #[inline]
    fn add<C: Side>(&mut self, index: Index, count: i32, _squares: Bitboard) {
        if count != 0 {
            self.counts.push((index, C::SIGN * count));
        }
    }
}

/// One feature of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermCount {
    pub index: Index,
    /// The side that has the feature.
    pub color: Color,
    /// How often the side has it; not signed by colour.
    pub count: i32,
    /// The squares of the pieces that make up the feature.
    pub squares: Bitboard,
}

/// A trace with colours and squares.
#[derive(Clone, Debug, Default)]
pub struct DetailedTrace {
    counts: Vec<TermCount>,
}

impl DetailedTrace {
    /// The features of a position.
    pub fn of(position: &Position) -> Self {
        let mut trace = Self::default();
        features(position, &mut trace);
        trace
    }

    /// Every feature, in the order of the walk.
    pub fn counts(&self) -> &[TermCount] {
        &self.counts
    }
}

impl FeatureSink for DetailedTrace {
    fn add<C: Side>(&mut self, index: Index, count: i32, squares: Bitboard) {
        if count != 0 {
            self.counts.push(TermCount {
                index,
                color: C::COLOR,
                count,
                squares,
            });
        }
    }
}
