//! Units: the scale of scores, and the value of a pawn.
//!
//! A fit determines the weights up to one factor. It is chosen so that removing a pawn changes the evaluation by 100 on
//! average, whichever families share its value. The scale `k` of `1 / (1 + exp(-score / k))` then relates centipawns to
//! results.

use super::corpus::Sample;
use super::linear::{FeatureCounts, Weight};
use super::win_probability::cross_entropy;
use crate::base::random::Random;
use crate::chess::{Color, Role};

/// Positions used to fit a scale; more do not change it.
const SAMPLES: usize = 1 << 20;
/// Positions used to measure the value of a pawn.
const PAWN_SAMPLES: usize = 1 << 16;
/// Range of the scale, in centipawns.
const MIN_SCALE: f64 = 20.0;
const MAX_SCALE: f64 = 2000.0;

/// The scale at which the win probabilities of the search scores fit the results best.
pub fn fit_to_scores(samples: &[Sample]) -> f32 {
    let step = samples.len().div_ceil(SAMPLES).max(1);
    let loss = |logarithm: f64| -> f64 {
        let scale = logarithm.exp() as f32;
        let chosen = samples.iter().step_by(step);
        chosen
            .map(|sample| {
                f64::from(cross_entropy(
                    f32::from(sample.score),
                    scale,
                    sample.outcome.score(),
                ))
            })
            .sum()
    };
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

/// Average change of the evaluation when a pawn is removed, in the unit of the weights; 0 if no position has pawns.
pub fn mean_pawn_value(samples: &[Sample], weights: &[Weight]) -> f32 {
    let step = samples.len().div_ceil(PAWN_SAMPLES).max(1);
    let (mut before, mut after) = (FeatureCounts::default(), FeatureCounts::default());
    let mut random = Random::new(0, 0);
    let (mut sum, mut count) = (0.0, 0.0);
    for sample in samples.iter().step_by(step) {
        let position = sample.position();
        let pawns = position.by_role(Role::Pawn);
        let chosen = pawns.into_iter().nth(random.below(pawns.count().max(1)));
        let Some((pawn, without)) = chosen.and_then(|pawn| Some((pawn, position.without(pawn)?)))
        else {
            continue;
        };
        before.read(&position);
        after.read(&without);
        let lost = f64::from(before.score(weights) - after.score(weights));
        let is_white = position.by_color(Color::White).contains(pawn);
        sum += if is_white { lost } else { -lost };
        count += 1.0;
    }
    (sum / f64::max(count, 1.0)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::lab::train::game_record::GameResult;
    use crate::lab::train::linear;
    use crate::lab::train::win_probability::win_probability;

    #[test]
    fn the_scale_of_generated_results_is_found() {
        let mut random = Random::new(3, 0);
        let position = Position::startpos();
        let samples: Vec<Sample> = (0..100_000)
            .map(|_| {
                let score = random.below(801) as i16 - 400;
                let wins = (random.below(1 << 20) as f32)
                    < win_probability(f32::from(score), 230.0) * (1 << 20) as f32;
                Sample::new(
                    &position,
                    score,
                    if wins {
                        GameResult::WhiteWins
                    } else {
                        GameResult::BlackWins
                    },
                )
            })
            .collect();
        assert!((fit_to_scores(&samples) - 230.0).abs() < 8.0);
    }

    #[test]
    fn a_pawn_is_worth_100_with_the_starting_weights() {
        let position =
            Position::from_fen("4k3/pppp4/8/8/8/8/PPP5/4K3 w - - 0 1").expect("a position");
        let samples = [Sample::new(&position, 0, GameResult::Draw); 10];
        let weights = linear::to_floats(&crate::eval::weights::starting());
        assert!((mean_pawn_value(&samples, &weights) - 100.0).abs() < 1e-3);
    }
}
