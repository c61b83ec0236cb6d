//! The evaluation in training: a sum of feature counts times weights.
//!
//! Features come from the same code as in play; weights are real numbers, in centipawns.

use crate::chess::Position;
use crate::eval::Trace;
use crate::eval::{
    Accumulator, COUNT, MEAN_PAWNS, PAWN_STEP, PHASE_MAXIMUM, QUARTERS_PER_CENTIPAWN, Weight,
    WeightPart, Weights,
};

/// The parts of the weight of a feature ([`WeightPart`](crate::eval::WeightPart)), in centipawns.
pub type RealWeight = [f32; WeightPart::COUNT];
/// Limit of a rounded weight, in centipawns: sums of many must not overflow.
const MAX_WEIGHT: f32 = 8000.0;

/// The features of a position.
#[derive(Clone, Debug, Default)]
pub struct FeatureCounts {
    trace: Trace,
    /// The share of each part, by the phase and the number of pawns.
    shares: RealWeight,
}

impl FeatureCounts {
    /// Counts the features of another position.
    pub fn read(&mut self, position: &Position) {
        self.trace.read(position);
        let taper = Accumulator::of(position).taper();
        let middlegame = taper.phase() as f32 / PHASE_MAXIMUM as f32;
        let pawns = (taper.pawns() - MEAN_PAWNS) as f32 / PAWN_STEP as f32;
        let halves = [middlegame, 1.0 - middlegame];
        let [middlegame_pawns, endgame_pawns] = halves.map(|half| half * pawns);
        self.shares = [halves[0], halves[1], middlegame_pawns, endgame_pawns];
    }

    /// Each feature with its count, White's minus Black's. A feature may occur more than once.
    pub fn hits(&self) -> impl Iterator<Item = (usize, f32)> {
        (self.trace.counts().iter()).map(|&(index, count)| (index.get(), count as f32))
    }

    /// The share of each part of the weights.
    pub const fn shares(&self) -> RealWeight {
        self.shares
    }

    /// The evaluation in centipawns, from White's view.
    pub fn score(&self, weights: &[RealWeight]) -> f32 {
        let mut sums = [0.0; WeightPart::COUNT];
        for (index, count) in self.hits() {
            for (sum, part) in sums.iter_mut().zip(weights[index]) {
                *sum += count * part;
            }
        }
        sums.iter()
            .zip(self.shares)
            .map(|(sum, share)| sum * share)
            .sum()
    }
}

/// The weights of the engine as real numbers.
pub fn to_floats(weights: &Weights) -> Vec<RealWeight> {
    let centipawns = |quarters: i16| f32::from(quarters) / QUARTERS_PER_CENTIPAWN as f32;
    let weights = weights.0.iter();
    weights.map(|weight| weight.0.map(centipawns)).collect()
}

/// Rounds weights to the quarters of a centipawn that the engine uses.
pub fn to_quarters(weights: &[RealWeight]) -> Weights {
    let quarter = |centipawns: f32| {
        let limited = centipawns.clamp(-MAX_WEIGHT, MAX_WEIGHT);
        (limited * QUARTERS_PER_CENTIPAWN as f32).round() as i16
    };
    let mut rounded = Weights::ZERO;
    for (rounded, weight) in rounded.0.iter_mut().zip(weights) {
        *rounded = Weight(weight.map(quarter));
    }
    debug_assert_eq!(weights.len(), COUNT);
    rounded
}
