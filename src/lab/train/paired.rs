//! Two sets of weights on the same positions: the difference of their losses, with an error by game.
//!
//! The loss itself varies with the results of the games, which are the same for both, so the difference is known much
//! better than either loss. Positions of one game are similar, so a game counts as one observation.

use rayon::prelude::*;

use super::corpus::Sample;
use super::fit::Target;
use super::linear::{FeatureCounts, RealWeight};
use super::win_probability::cross_entropy;

/// Weights in centipawns, and the scale of their win probability.
#[derive(Clone, Copy, Debug)]
pub struct Rated<'a> {
    pub weights: &'a [RealWeight],
    pub scale: f32,
}

/// A difference of two mean losses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The mean loss of the first minus that of the second: negative if the first is better.
    pub mean: f64,
    /// Two standard errors of it, clustered by game.
    pub error: f64,
}

/// The difference of the losses of two sets of weights. `games` has the number of positions of each game, in the order of
/// the positions.
pub fn difference(
    samples: &[Sample],
    games: &[usize],
    [first, second]: [Rated; 2],
    target: Target,
) -> Difference {
    let mut parts = Vec::with_capacity(games.len());
    let mut rest = samples;
    for &length in games {
        let (game, after) = rest.split_at(length.min(rest.len()));
        parts.push(game);
        rest = after;
    }
    let of_game = |game: &&[Sample]| {
        let mut reading = FeatureCounts::default();
        let differences = game.iter().map(|sample| {
            reading.read(&sample.position());
            let loss = |rated: Rated| {
                let score = reading.score(rated.weights);
                f64::from(cross_entropy(score, rated.scale, target.of(sample)))
            };
            loss(first) - loss(second)
        });
        (differences.sum::<f64>(), game.len() as f64)
    };
    let sums: Vec<(f64, f64)> = parts.par_iter().map(of_game).collect();
    clustered(&sums)
}

/// The mean over all positions and two standard errors, from the sum and the number of positions of each game.
fn clustered(sums: &[(f64, f64)]) -> Difference {
    let positions: f64 = sums.iter().map(|&(_, count)| count).sum();
    let positions = positions.max(1.0);
    let mean = sums.iter().map(|&(sum, _)| sum).sum::<f64>() / positions;
    let squares = sums.iter().map(|&(sum, count)| {
        let residual = count.mul_add(-mean, sum);
        residual * residual
    });
    let games = sums.len() as f64;
    let correction = if games > 1.0 {
        games / (games - 1.0)
    } else {
        1.0
    };
    Difference {
        mean,
        error: 2.0 * (squares.sum::<f64>() * correction).sqrt() / positions,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;
    use crate::chess::Position;
    use crate::eval::weights::starting;
    use crate::lab::train::game_record::GameResult;
    use crate::lab::train::linear::to_floats;

    #[test]
    fn equal_positions_of_a_game_count_as_one() {
        let alone: Vec<(f64, f64)> = [3.0, 5.0, 1.0, 7.0].map(|sum| (sum, 1.0)).into();
        let tenfold: Vec<(f64, f64)> = alone.iter().map(|&(sum, _)| (10.0 * sum, 10.0)).collect();
        let (one, ten) = (clustered(&alone), clustered(&tenfold));
        assert!((one.mean - 4.0).abs() < 1e-12 && (ten.mean - 4.0).abs() < 1e-12);
        // The standard deviation is the root of 20/3, and there are four games.
        assert!((one.error - (20.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!((one.error - ten.error).abs() < 1e-12);
    }

    #[test]
    fn the_error_covers_the_true_difference() {
        let mut random = Random::new(5, 5);
        let mut uncovered = 0;
        for _ in 0..400 {
            let games = (0..50).map(|_| {
                let count = 1 + random.below(20);
                let of_game = random.below(2001) as f64 / 1000.0 - 1.0;
                (of_game * count as f64, count as f64)
            });
            let found = clustered(&games.collect::<Vec<_>>());
            uncovered += usize::from(found.mean.abs() > found.error);
        }
        // Five percent of 400 are 20.
        assert!((5..45).contains(&uncovered), "{uncovered}");
    }

    #[test]
    fn weights_do_not_differ_from_themselves() {
        let position = Position::startpos();
        let samples = [Sample::new(&position, 0.6, GameResult::Draw); 3];
        let weights = to_floats(&starting());
        let rated = Rated {
            weights: &weights,
            scale: 90.0,
        };
        let target = Target {
            lambda: 0.3,
            scale: 90.0,
        };
        let found = difference(&samples, &[1, 2], [rated; 2], target);
        assert_eq!((found.mean, found.error), (0.0, 0.0));
    }
}
