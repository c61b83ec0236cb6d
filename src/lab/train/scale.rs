//! The scale `k` of the win probability `1 / (1 + exp(-score / k))`, which relates centipawns to results.

use std::collections::BTreeMap;

use super::game_record::{GameRecord, GameResult};
use super::win_probability::cross_entropy;

/// Range of the scale, in centipawns.
const MIN_SCALE: f64 = 20.0;
const MAX_SCALE: f64 = 2000.0;

/// How often each search score occurred with each result, both from White's view.
#[derive(Clone, Debug, Default)]
pub struct ScoreCounts(BTreeMap<i16, [u64; 3]>);

impl ScoreCounts {
    pub fn add(&mut self, score: i16, outcome: GameResult) {
        self.0.entry(score).or_default()[outcome as usize] += 1;
    }

    /// Adds the scores of a game in viriformat that are at most `limit` for either side; bytes that are no game add
    /// nothing.
    pub(super) fn add_game(&mut self, game: &[u8], limit: i16) {
        if let Some(outcome) = GameRecord::outcome_in(game) {
            let scores = GameRecord::scores_in(game);
            let small = scores.filter(|score| score.unsigned_abs() <= limit.unsigned_abs());
            small.for_each(|score| self.add(score, outcome));
        }
    }

    /// The scale, in centipawns, at which the win probabilities of the scores fit the results best.
    pub fn fit(&self) -> f32 {
        fit(|logarithm| self.loss(logarithm.exp() as f32))
    }

    /// The sum of the cross-entropies at a scale.
    fn loss(&self, scale: f32) -> f64 {
        let losses = self.0.iter().flat_map(|(&score, counts)| {
            let with = GameResult::ALL.iter().zip(counts);
            with.map(move |(outcome, &count)| {
                let loss = cross_entropy(f32::from(score), scale, outcome.score());
                count as f64 * f64::from(loss)
            })
        });
        losses.sum()
    }
}

/// The scale, in centipawns, with the least loss; `loss` takes its logarithm.
pub(super) fn fit(loss: impl Fn(f64) -> f64) -> f32 {
    // The loss has one minimum over the logarithm of the scale: golden-section search.
    let golden = 5_f64.sqrt().mul_add(0.5, -0.5);
    let (mut low, mut high) = (MIN_SCALE.ln(), MAX_SCALE.ln());
    let (mut left, mut right) = (high - golden * (high - low), low + golden * (high - low));
    let (mut left_loss, mut right_loss) = (loss(left), loss(right));
    while high - low > 1e-4 {
        if left_loss < right_loss {
            (high, right, right_loss) = (right, left, left_loss);
            left = high - golden * (high - low);
            left_loss = loss(left);
        } else {
            (low, left, left_loss) = (left, right, right_loss);
            right = low + golden * (high - low);
            right_loss = loss(right);
        }
    }
    low.midpoint(high).exp() as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;
    use crate::lab::train::win_probability::win_probability;

    #[test]
    fn the_scale_of_generated_results_is_found() {
        let mut random = Random::new(3, 0);
        let mut counts = ScoreCounts::default();
        for _ in 0..100_000 {
            let score = random.below(801) as i16 - 400;
            let wins = (random.below(1 << 20) as f32)
                < win_probability(f32::from(score), 230.0) * (1 << 20) as f32;
            let outcome = if wins {
                GameResult::WhiteWins
            } else {
                GameResult::BlackWins
            };
            counts.add(score, outcome);
        }
        assert!((counts.fit() - 230.0).abs() < 8.0);
    }
}
