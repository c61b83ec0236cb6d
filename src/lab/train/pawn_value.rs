//! The unit of the weights. A fit determines them up to one factor; it is chosen so that removing a pawn changes the
//! evaluation by 100 on average, whichever families share its value.

use super::corpus::Sample;
use super::linear::{FeatureCounts, RealWeight};
use crate::base::random::Random;
use crate::chess::{Color, Role};

/// Positions used to measure the value of a pawn.
const PAWN_SAMPLES: usize = 1 << 16;

/// Average change of the evaluation when a pawn is removed, in the unit of the weights; 0 if no position has pawns.
pub fn mean_pawn_value(samples: &[Sample], weights: &[RealWeight]) -> f32 {
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

    #[test]
    fn a_pawn_is_worth_100_with_the_starting_weights() {
        let position =
            Position::from_fen("4k3/pppp4/8/8/8/8/PPP5/4K3 w - - 0 1").expect("a position");
        let samples = [Sample::new(&position, 0.5, GameResult::Draw); 10];
        let weights = linear::to_floats(&crate::eval::weights::starting());
        assert!((mean_pawn_value(&samples, &weights) - 100.0).abs() < 1e-3);
    }
}
