//! The probability of every legal move at a rating.

use super::inputs::Input;
use super::place::{TABLES, table_factors};
use super::products::Context;
use super::weights::RatedWeights;

impl RatedWeights {
    /// The logarithm of a move's probability, up to a constant that all moves share.
    pub fn score(&self, input: &Input) -> f32 {
        let values = self.features.0.iter().zip(input.features.0);
        let sum: f32 = values.map(|(weight, value)| weight * value).sum();
        let Context {
            ending, opening, ..
        } = input.context;
        sum + self.place_score(input.place.indices(), ending, opening)
    }

    /// The part of the places with these indices.
    pub fn place_score(&self, indices: [usize; TABLES.len()], ending: f32, opening: f32) -> f32 {
        let places = self
            .places
            .iter()
            .zip(indices)
            .zip(table_factors(ending, opening));
        places
            .map(|((table, place), factor)| factor * table[place])
            .sum()
    }
}

/// The probabilities that belong to scores; they sum to 1.
pub fn probabilities(scores: &[f32]) -> Vec<f32> {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut shares: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
    let sum: f32 = shares.iter().sum();
    for share in &mut shares {
        *share /= sum;
    }
    shares
}
