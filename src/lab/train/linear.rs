//! The evaluation as training sees it: a sum of feature counts times weights.
//!
//! Features come from the same code as in play; weights are real numbers, in centipawns.

use crate::chess::Position;
use crate::eval::Trace;
use crate::eval::{Accumulator, COUNT, PHASE_MAXIMUM, Pair, QUARTERS_PER_CENTIPAWN, Weights};

/// Middlegame and endgame weight of a feature, in centipawns.
pub type Weight = [f32; 2];
/// Limit of a rounded weight, in centipawns: sums of many must not overflow.
const MAX_WEIGHT: f32 = 8000.0;

/// The features of a position.
#[derive(Clone, Debug, Default)]
pub struct FeatureCounts {
    trace: Trace,
    /// Share of the middlegame and of the endgame, by the phase.
    shares: [f32; 2],
}

impl FeatureCounts {
    /// Counts the features of another position.
    pub fn read(&mut self, position: &Position) {
        self.trace.read(position);
        let phase = Accumulator::of(position).phase().min(PHASE_MAXIMUM);
        let middlegame = phase as f32 / PHASE_MAXIMUM as f32;
        self.shares = [middlegame, 1.0 - middlegame];
    }

    /// Each feature with its count, White's minus Black's. A feature may occur more than once.
    pub fn hits(&self) -> impl Iterator<Item = (usize, f32)> {
        (self.trace.counts().iter()).map(|&(index, count)| (index.get(), count as f32))
    }

    /// Share of the middlegame and of the endgame.
    pub const fn shares(&self) -> [f32; 2] {
        self.shares
    }

    /// The evaluation in centipawns, from White's view.
    pub fn score(&self, weights: &[Weight]) -> f32 {
        let (mut middlegame, mut endgame) = (0.0, 0.0);
        for (index, count) in self.hits() {
            middlegame += count * weights[index][0];
            endgame += count * weights[index][1];
        }
        middlegame * self.shares[0] + endgame * self.shares[1]
    }
}

/// The weights of the engine as real numbers.
pub fn to_floats(weights: &Weights) -> Vec<Weight> {
    let centipawns = |quarters: i16| f32::from(quarters) / QUARTERS_PER_CENTIPAWN as f32;
    let pairs = weights.0.iter();
    pairs
        .map(|pair| [centipawns(pair.middlegame), centipawns(pair.endgame)])
        .collect()
}

/// Rounds weights to the quarters of a centipawn that the engine uses.
pub fn to_quarters(weights: &[Weight]) -> Weights {
    let quarter = |centipawns: f32| {
        let limited = centipawns.clamp(-MAX_WEIGHT, MAX_WEIGHT);
        (limited * QUARTERS_PER_CENTIPAWN as f32).round() as i16
    };
    let mut rounded = Weights::ZERO;
    for (pair, &[middlegame, endgame]) in rounded.0.iter_mut().zip(weights) {
        *pair = Pair {
            middlegame: quarter(middlegame),
            endgame: quarter(endgame),
        };
    }
    debug_assert_eq!(weights.len(), COUNT);
    rounded
}
