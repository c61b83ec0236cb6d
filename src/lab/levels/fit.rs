//! Fits the weights of the levels: the greatest likelihood of the moves played, with a pull towards 0 (L-BFGS).

use std::collections::VecDeque;

use rayon::prelude::*;

use super::samples::{Choice, Sample};
use crate::engine::level::place::{TABLES, table_factors};
use crate::engine::level::weights::{LevelWeights, change};
use crate::engine::level::{Feature, Place};

/// Where the parameters of each kind begin: weights, slopes, places.
const SLOPES: usize = Feature::COUNT;
const PLACES: usize = 2 * Feature::COUNT;
const PARAMETERS: usize = PLACES + TABLES.len() * Place::COUNT;
/// Pairs of steps that L-BFGS remembers.
const MEMORY: usize = 12;
/// Samples that one task sums up.
const CHUNK: usize = 256;

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct FitSettings {
    /// The pull towards 0 of standardised weights.
    pub pull: f64,
    /// The pull towards 0 of places.
    pub place_pull: f64,
    /// The greatest number of iterations.
    pub iterations: usize,
}

/// The weights found.
#[derive(Clone, Debug)]
pub struct Fit {
    pub weights: LevelWeights,
    pub iterations: usize,
}

/// Negative log-likelihood in nats and share of moves found, on average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Likelihood {
    pub nll: f64,
    pub matched: f64,
}

/// Fits weights to samples. `report` receives the iteration and the mean negative log-likelihood.
pub fn fit(samples: &[&Sample], settings: FitSettings, report: &mut dyn FnMut(usize, f64)) -> Fit {
    let scale = scales(samples);
    let pull = |index: usize| {
        if index < PLACES {
            settings.pull
        } else {
            settings.place_pull
        }
    };
    let objective = |scaled: &[f64]| {
        let parameters: Vec<f64> = scaled.iter().zip(&scale).map(|(a, b)| a * b).collect();
        let (mut loss, mut gradient) = loss_and_gradient(samples, &parameters);
        let mean = loss / samples.len() as f64;
        for (index, value) in scaled.iter().enumerate() {
            loss += 0.5 * pull(index) * value * value;
            gradient[index] = gradient[index].mul_add(scale[index], pull(index) * value);
        }
        (loss, gradient, mean)
    };
    let (scaled, iterations) = minimise(
        vec![0.0; PARAMETERS],
        settings.iterations,
        objective,
        report,
    );
    let parameters: Vec<f64> = scaled.iter().zip(&scale).map(|(a, b)| a * b).collect();
    Fit {
        weights: weights(&parameters),
        iterations,
    }
}

/// The factor from a standardised parameter to a weight: one over the feature's root mean square.
fn scales(samples: &[&Sample]) -> Vec<f64> {
    let mut squares = vec![0.0; Feature::COUNT];
    let mut count = 0.0;
    for sample in samples {
        for choice in &sample.choices {
            count += 1.0;
            for (index, value) in &choice.features {
                squares[*index as usize] += f64::from(*value).powi(2);
            }
        }
    }
    let scale = |sum: f64| if sum > 0.0 { (count / sum).sqrt() } else { 0.0 };
    let single: Vec<f64> = squares.into_iter().map(scale).collect();
    let places = std::iter::repeat_n(1.0, TABLES.len() * Place::COUNT);
    (single.iter().chain(&single).copied())
        .chain(places)
        .collect()
}

fn weights(parameters: &[f64]) -> LevelWeights {
    let mut weights = LevelWeights::ZERO;
    for (index, pair) in weights.features.iter_mut().enumerate() {
        *pair = [parameters[index] as f32, parameters[SLOPES + index] as f32];
    }
    for (table, places) in weights.places.iter_mut().enumerate() {
        let start = PLACES + table * Place::COUNT;
        for (place, value) in places.iter_mut().enumerate() {
            *value = parameters[start + place] as f32;
        }
    }
    weights
}

/// The parameters of a move's places with their factors.
fn places(choice: &Choice, factors: [f32; 2]) -> impl Iterator<Item = (usize, f64)> {
    let indices = choice.indices().into_iter();
    let indices = indices.zip(table_factors(factors[0], factors[1]));
    let place =
        |(table, (index, factor))| (PLACES + table * Place::COUNT + index, f64::from(factor));
    (0..).zip(indices).map(place)
}

/// The probabilities of the moves of a sample.
fn chances(sample: &Sample, parameters: &[f64], change: f64) -> Vec<f64> {
    let score = |choice: &Choice| {
        let mut sum = 0.0;
        for (index, value) in &choice.features {
            let index = *index as usize;
            let weight = parameters[SLOPES + index].mul_add(change, parameters[index]);
            sum += weight * f64::from(*value);
        }
        for (place, factor) in places(choice, sample.factors()) {
            sum += factor * parameters[place];
        }
        sum
    };
    let mut shares: Vec<f64> = sample.choices.iter().map(score).collect();
    let most = shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for share in &mut shares {
        *share = (*share - most).exp();
        sum += *share;
    }
    for share in &mut shares {
        *share /= sum;
    }
    shares
}

/// The summed negative log-likelihood and its gradient.
fn loss_and_gradient(samples: &[&Sample], parameters: &[f64]) -> (f64, Vec<f64>) {
    let part = |chunk: &[&Sample]| {
        let mut gradient = vec![0.0; PARAMETERS];
        let mut loss = 0.0;
        for sample in chunk {
            let change = f64::from(change(sample.rating));
            let shares = chances(sample, parameters, change);
            loss -= shares[sample.played].max(f64::MIN_POSITIVE).ln();
            for (place, (choice, share)) in sample.choices.iter().zip(shares).enumerate() {
                let error = share - if place == sample.played { 1.0 } else { 0.0 };
                for (index, value) in &choice.features {
                    let change_of = error * f64::from(*value);
                    gradient[*index as usize] += change_of;
                    gradient[SLOPES + *index as usize] += change_of * change;
                }
                for (place, factor) in places(choice, sample.factors()) {
                    gradient[place] += factor * error;
                }
            }
        }
        (loss, gradient)
    };
    // Summed in order, so that the result does not depend on the threads.
    let parts: Vec<(f64, Vec<f64>)> = samples.par_chunks(CHUNK).map(part).collect();
    let mut total = (0.0, vec![0.0; PARAMETERS]);
    for (loss, gradient) in parts {
        total.0 += loss;
        for (sum, value) in total.1.iter_mut().zip(gradient) {
            *sum += value;
        }
    }
    total
}

/// How likely the moves of samples are with some weights; with a rating, as if all players had it.
pub fn likelihood(samples: &[&Sample], weights: &LevelWeights, rating: Option<u16>) -> Likelihood {
    if samples.is_empty() {
        return Likelihood::default();
    }
    let each = samples.par_iter().map(|sample| {
        let shares = shares(sample, weights, rating.unwrap_or(sample.rating));
        let played = shares[sample.played];
        let best = shares.iter().all(|share| *share <= played);
        (-played.max(f32::MIN_POSITIVE).ln(), best)
    });
    let found: Vec<(f32, bool)> = each.collect();
    let count = found.len() as f64;
    Likelihood {
        nll: found.iter().map(|(nll, _)| f64::from(*nll)).sum::<f64>() / count,
        matched: found.iter().filter(|(_, best)| *best).count() as f64 / count,
    }
}

/// The probabilities of the moves of a sample at a rating.
pub fn shares(sample: &Sample, weights: &LevelWeights, rating: u16) -> Vec<f32> {
    let rated = weights.at(rating);
    let score = |choice: &Choice| -> f32 {
        let features = choice.features.iter();
        let sum: f32 = features
            .map(|(index, value)| rated.features.0[*index as usize] * value)
            .sum();
        let [ending, opening] = sample.factors();
        sum + rated.place_score(choice.indices(), ending, opening)
    };
    let scores: Vec<f32> = sample.choices.iter().map(score).collect();
    crate::engine::level::model::probabilities(&scores)
}

/// Minimises a smooth convex function by L-BFGS. `objective` returns the value, the gradient and a figure to report.
fn minimise(
    mut at: Vec<f64>,
    iterations: usize,
    mut objective: impl FnMut(&[f64]) -> (f64, Vec<f64>, f64),
    report: &mut dyn FnMut(usize, f64),
) -> (Vec<f64>, usize) {
    /// The decrease that a step must bring, as a share of the slope.
    const ARMIJO: f64 = 1e-4;
    /// The relative decrease at which the search ends.
    const PRECISION: f64 = 1e-7;
    let (mut value, mut gradient, mut shown) = objective(&at);
    let mut memory: VecDeque<(Vec<f64>, Vec<f64>, f64)> = VecDeque::new();
    for iteration in 1..=iterations {
        report(iteration, shown);
        let direction = direction(&gradient, &memory);
        let slope = dot(&direction, &gradient);
        let mut step = if memory.is_empty() {
            1.0 / dot(&gradient, &gradient).sqrt().max(1.0)
        } else {
            1.0
        };
        let found = loop {
            let next: Vec<f64> = at
                .iter()
                .zip(&direction)
                .map(|(a, d)| step.mul_add(*d, *a))
                .collect();
            let reached = objective(&next);
            if reached.0 <= value + ARMIJO * step * slope {
                break Some((next, reached));
            }
            step /= 2.0;
            if step < 1e-12 {
                break None;
            }
        };
        let Some((next, reached)) = found else {
            return (at, iteration);
        };
        let moved: Vec<f64> = next.iter().zip(&at).map(|(a, b)| a - b).collect();
        let turned: Vec<f64> = reached
            .1
            .iter()
            .zip(&gradient)
            .map(|(a, b)| a - b)
            .collect();
        let curvature = dot(&moved, &turned);
        if curvature > 0.0 {
            memory.push_back((moved, turned, curvature));
            if memory.len() > MEMORY {
                memory.pop_front();
            }
        }
        let decrease = value - reached.0;
        at = next;
        (value, gradient, shown) = reached;
        if decrease < PRECISION * value.abs() {
            return (at, iteration);
        }
    }
    (at, iterations)
}

/// The direction of the next step of L-BFGS.
fn direction(gradient: &[f64], memory: &VecDeque<(Vec<f64>, Vec<f64>, f64)>) -> Vec<f64> {
    let mut direction: Vec<f64> = gradient.iter().map(|value| -value).collect();
    let mut factors = Vec::with_capacity(memory.len());
    for (moved, turned, curvature) in memory.iter().rev() {
        let factor = dot(moved, &direction) / curvature;
        add(&mut direction, turned, -factor);
        factors.push(factor);
    }
    if let Some((_, turned, curvature)) = memory.back() {
        let scale = curvature / dot(turned, turned);
        for value in &mut direction {
            *value *= scale;
        }
    }
    for ((moved, turned, curvature), factor) in memory.iter().zip(factors.into_iter().rev()) {
        let other = dot(turned, &direction) / curvature;
        add(&mut direction, moved, factor - other);
    }
    direction
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(to: &mut [f64], what: &[f64], factor: f64) {
    for (value, more) in to.iter_mut().zip(what) {
        *value = more.mul_add(factor, *value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quadratic_is_minimised() {
        let wanted = [3.0, -1.0, 0.5];
        let curve = [1.0, 10.0, 100.0];
        let objective = |at: &[f64]| {
            let away: Vec<f64> = at.iter().zip(wanted).map(|(a, b)| a - b).collect();
            let value = away.iter().zip(curve).map(|(a, c)| c * a * a).sum();
            let gradient = away.iter().zip(curve).map(|(a, c)| 2.0 * c * a).collect();
            (value, gradient, value)
        };
        let (found, _) = minimise(vec![0.0; 3], 100, objective, &mut |_, _| {});
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-3, "{found}");
        }
    }
}
