//! Fits the policy of the tree search: the weights under which the chosen moves are most likely (a softmax over the moves of
//! each position), by Adam on batches.

use crate::base::random::Random;
use crate::eval::weights::{Digest, WEIGHTS as EVALUATION};
use crate::search::mcts::policy::{WEIGHTS, to_text};

use super::header::ENGINE;
use super::policy_samples::{Sample, SamplePlan};

const BATCH: usize = 256;
const EPOCHS: usize = 20;
/// The step falls from this to nearly nothing.
const STEP: f32 = 0.02;
/// Pulls weights towards 0, per sample.
const DECAY: f32 = 1e-5;
const MOMENTUM: f32 = 0.9;
const SCALING: f32 = 0.999;

/// The weights with which all moves are equally probable.
pub const UNIFORM: [f32; WEIGHTS] = [0.0; WEIGHTS];

/// How well a policy predicts the chosen moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quality {
    pub samples: usize,
    /// Mean negative logarithm of the probability of the chosen move.
    pub loss: f64,
    /// Share of the samples whose chosen move has the highest probability.
    pub first: f64,
    /// Share in which it is among the first five.
    pub first_five: f64,
}

/// The probabilities of the moves of a sample.
fn probabilities(weights: &[f32], sample: &Sample) -> Vec<f32> {
    let score = |features: &Vec<u16>| features.iter().map(|&index| weights[index as usize]).sum();
    let mut shares: Vec<f32> = sample.features.iter().map(score).collect();
    let most = shares.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for share in &mut shares {
        *share = (*share - most).exp();
    }
    let sum: f32 = shares.iter().sum();
    for share in &mut shares {
        *share /= sum;
    }
    shares
}

/// The quality of weights on samples.
pub fn measure<'a>(weights: &[f32], samples: impl IntoIterator<Item = &'a Sample>) -> Quality {
    let mut quality = Quality::default();
    for sample in samples {
        let shares = probabilities(weights, sample);
        let own = shares[sample.chosen];
        let better = shares.iter().filter(|&&share| share > own).count();
        quality.samples += 1;
        quality.loss -= f64::from(own.max(f32::MIN_POSITIVE)).ln();
        quality.first += f64::from(u8::from(better == 0));
        quality.first_five += f64::from(u8::from(better < 5));
    }
    let count = quality.samples.max(1) as f64;
    for sum in [
        &mut quality.loss,
        &mut quality.first,
        &mut quality.first_five,
    ] {
        *sum /= count;
    }
    quality
}

/// Fits the weights to the samples that are not held out.
pub fn fit(samples: &[Sample], seed: u64) -> Vec<f32> {
    let mut order: Vec<usize> = (0..samples.len())
        .filter(|&index| !samples[index].held_out)
        .collect();
    let mut random = Random::new(seed, 0);
    let mut weights = vec![0.0_f32; WEIGHTS];
    let (mut mean, mut square) = (weights.clone(), weights.clone());
    let batches = order.len().div_ceil(BATCH) * EPOCHS;
    let mut batch_number = 0;
    for _ in 0..EPOCHS {
        random.shuffle(&mut order);
        for batch in order.chunks(BATCH) {
            let mut gradient = vec![0.0_f32; WEIGHTS];
            for &index in batch {
                add_gradient(&weights, &samples[index], &mut gradient);
            }
            batch_number += 1;
            let rest = 1.0 - (batch_number - 1) as f32 / batches as f32;
            let scale = 1.0 / batch.len() as f32;
            let number = batch_number;
            for index in 0..WEIGHTS {
                let slope = DECAY.mul_add(weights[index], gradient[index] * scale);
                mean[index] = MOMENTUM.mul_add(mean[index], (1.0 - MOMENTUM) * slope);
                square[index] = SCALING.mul_add(square[index], (1.0 - SCALING) * slope * slope);
                let mean = mean[index] / (1.0 - MOMENTUM.powi(number));
                let square = square[index] / (1.0 - SCALING.powi(number));
                weights[index] -= STEP * rest * mean / (square.sqrt() + 1e-8);
            }
        }
    }
    weights
}

/// Adds the gradient of the loss of one sample.
fn add_gradient(weights: &[f32], sample: &Sample, gradient: &mut [f32]) {
    let shares = probabilities(weights, sample);
    for (index, (features, share)) in sample.features.iter().zip(shares).enumerate() {
        let wanted = f32::from(u8::from(index == sample.chosen));
        for &feature in features {
            gradient[feature as usize] += share - wanted;
        }
    }
}

/// The file of fitted weights, with where they come from and their quality on the samples held out.
pub fn file_text(weights: &[f32], plan: &SamplePlan, samples: usize, quality: Quality) -> String {
    let SamplePlan { games, nodes, seed } = plan;
    let evaluation = Digest::of_weights(&EVALUATION);
    let comment = format!(
        "The policy of the tree search: written by `lucena policy --out`, never by hand.\n\
         From games {games}, nodes {nodes}, seed {seed}, engine {ENGINE}, weights {evaluation}, positions {samples}.\n\
         On {} positions held out: loss {:.3}, first choice {:.1} %, first five {:.1} %.",
        quality.samples,
        quality.loss,
        100.0 * quality.first,
        100.0 * quality.first_five,
    );
    to_text(weights, &comment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chosen_moves_become_likely() {
        // Three moves in four with feature 1 are chosen against feature 2.
        let sample = |number: usize| Sample {
            features: vec![vec![1], vec![2]],
            chosen: usize::from(number.is_multiple_of(4)),
            held_out: false,
        };
        let samples: Vec<Sample> = (0..400).map(sample).collect();
        let weights = fit(&samples, 1);
        let share = probabilities(&weights, &samples[0])[0];
        assert!((share - 0.75).abs() < 0.08, "{share}");
        let quality = measure(&weights, &samples);
        assert_eq!((quality.samples, quality.first), (400, 0.75));
    }
}
