//! The fit of the weights to training positions.
//!
//! The evaluation is linear in its weights, so the loss (cross-entropy of the win probability `1 / (1 + exp(-score /
//! k))` against a mixture of result and search score) is convex and has one minimum. The gradient for a weight is the
//! error of the win probability times the feature's count times the weight's share of the phase. Optimised with Adam
//! (Kingma and Ba, 2014) on batches.

use std::convert::Infallible;

use rayon::prelude::*;

use super::checkpoint::Checkpoint;
use super::corpus::{Corpus, Sample};
use super::linear::{FeatureCounts, RealWeight, to_floats};
use super::pawn_value::mean_pawn_value;
use super::regularisation::{self, Prior};
use super::scale;
use super::win_probability::{cross_entropy, win_probability};
use crate::base::progress::Progress;
use crate::base::random::Random;
use crate::eval::weights::{self, FILE, WEIGHTS, starting};
use crate::eval::{Accumulator, COUNT, PHASE_MAXIMUM, WeightPart};

/// A batch is split into this many parts whose sums are added in order, so that the result does not depend on threads.
const PARTS: usize = 8;
/// Adam's decay rates of the gradient's mean and of its square.
const BETAS: [f32; 2] = [0.9, 0.999];
/// Adam's epsilon.
const EPSILON: f32 = 1e-10;
/// Learning rate of the last step, as a share of the first.
const LAST_RATE: f32 = 0.005;

/// Positions used to fit the scale of weights; more do not change it.
const SCALE_SAMPLES: usize = 1 << 16;
/// Bins of the calibration.
const BINS: usize = 20;
/// Ranges of the phase for which losses are reported.
const PHASES: usize = 4;
#[derive(Clone, Debug, PartialEq)]
pub struct FitSettings {
    /// Share of the result in the target; the search score has the rest.
    pub lambda: f32,
    pub epochs: usize,
    /// Positions per step.
    pub batch: usize,
    /// First learning rate, in centipawns.
    pub rate: f32,
    /// Regularisation strength, in hits.
    pub regularisation: f32,
    /// Seed of the order of positions.
    pub seed: u64,
    /// The share of the hits of the built-in weights that counts beside those of the new positions: the fit starts at
    /// the built-in weights. `None` starts from scratch.
    pub prior: Option<f32>,
}

impl Default for FitSettings {
    fn default() -> Self {
        Self {
            lambda: 0.1,
            epochs: 8,
            batch: 16_384,
            rate: 1.0,
            regularisation: 500.0,
            seed: 1,
            prior: None,
        }
    }
}

/// A finished fit.
#[derive(Clone, Debug)]
pub struct Fit {
    /// In centipawns, not rounded.
    pub weights: Vec<RealWeight>,
    /// Occurrences of each feature in the training positions, and those of the prior.
    pub hits: Vec<u64>,
    /// Scale of the win probability of the search scores.
    pub score_scale: f32,
    /// Scale of the win probability of the new weights.
    pub scale: f32,
    /// Training loss and held-out loss after each epoch.
    pub losses: Vec<[f64; 2]>,
}

/// Sums over a part of a batch.
struct Part {
    reading: FeatureCounts,
    gradient: Vec<RealWeight>,
    loss: f64,
    /// Sum of the weights of the positions.
    total: f64,
}

impl Part {
    fn new() -> Self {
        Self {
            reading: FeatureCounts::default(),
            gradient: vec![[0.0; WeightPart::COUNT]; COUNT],
            loss: 0.0,
            total: 0.0,
        }
    }

    /// Adds the loss and gradient of these positions.
    fn add(&mut self, samples: &[Sample], weights: &[RealWeight], target: Target) {
        for sample in samples {
            self.reading.read(&sample.position());
            let (score, wanted) = (self.reading.score(weights), target.of(sample));
            let weight = sample.weight();
            self.total += f64::from(weight);
            self.loss += f64::from(weight * cross_entropy(score, target.scale, wanted));
            let error = weight * (win_probability(score, target.scale) - wanted);
            let errors = self.reading.shares().map(|share| share * error);
            for (index, count) in self.reading.hits() {
                let cell = &mut self.gradient[index];
                for (part, error) in cell.iter_mut().zip(errors) {
                    *part += count * error;
                }
            }
        }
    }
}

/// The target of the win probability.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Share of the result.
    pub lambda: f32,
    /// Scale of the search scores.
    pub scale: f32,
}

impl Target {
    /// The target of a position, from 0 to 1.
    pub fn of(self, sample: &Sample) -> f32 {
        self.lambda * sample.outcome.score() + (1.0 - self.lambda) * sample.chance()
    }
}

/// Mean loss of weights on positions; `scale` is that of the weights.
pub fn loss(samples: &[Sample], weights: &[RealWeight], scale: f32, target: Target) -> f64 {
    let chunk = samples.len().div_ceil(PARTS * PARTS).max(1);
    let sums: Vec<f64> = (samples.par_chunks(chunk))
        .map(|chunk| {
            let mut reading = FeatureCounts::default();
            let losses = chunk.iter().map(|sample| {
                reading.read(&sample.position());
                f64::from(cross_entropy(
                    reading.score(weights),
                    scale,
                    target.of(sample),
                ))
            });
            losses.sum()
        })
        .collect();
    sums.iter().sum::<f64>() / samples.len().max(1) as f64
}

/// Fits weights to a corpus, whose training positions are shuffled in place.
pub fn fit(corpus: &mut Corpus, settings: &FitSettings, progress: &dyn Progress) -> Fit {
    let Ok(fit) = fit_from::<Infallible>(corpus, settings, None, &mut |_| Ok(()), progress);
    fit
}

/// As [`fit`], continued from a checkpoint of the same corpus and settings; `keep` gets a checkpoint after each epoch.
/// The weights do not depend on interruptions.
///
/// # Errors
/// The error of `keep`.
pub fn fit_from<E>(
    corpus: &mut Corpus,
    settings: &FitSettings,
    start: Option<Checkpoint>,
    keep: &mut dyn FnMut(&Checkpoint) -> Result<(), E>,
    progress: &dyn Progress,
) -> Result<Fit, E> {
    let score_scale = corpus.score_scale;
    let target = Target {
        lambda: settings.lambda,
        scale: score_scale,
    };
    let samples = corpus.training.len();
    progress.start((samples * settings.epochs) as u64);
    let prior = settings
        .prior
        .map(|share| built_in(share, &corpus.training, target));
    let mut optimizer = Optimizer::new(settings, samples, score_scale, prior);
    let mut losses = start.map_or_else(Vec::new, |start| optimizer.resume(start));
    for epoch in 0..settings.epochs {
        // Each order is made from the previous one, so finished epochs are shuffled as well.
        Random::new(settings.seed, epoch as u64).shuffle(&mut corpus.training);
        if epoch < losses.len() {
            progress.resume(((epoch + 1) * samples) as u64);
            continue;
        }
        let (mut sum, mut total) = (0.0, 0.0);
        for batch in corpus.training.chunks(settings.batch) {
            let [loss, weight] = optimizer.step(batch, target);
            (sum, total) = (sum + loss, total + weight);
            progress.advance(batch.len() as u64);
        }
        let held_out = loss(&corpus.held_out, &optimizer.weights, score_scale, target);
        losses.push([sum / total, held_out]);
        keep(&optimizer.checkpoint(&losses))?;
    }
    let mut hits = count_hits(&corpus.training);
    for (hits, prior) in hits.iter_mut().zip(&optimizer.prior.hits) {
        *hits += prior;
    }
    let mut weights = optimizer.weights;
    regularisation::fill_rare(&mut weights, &hits, &optimizer.prior);
    let pawn = mean_pawn_value(&corpus.training, &weights);
    let factor = if pawn > 1.0 { 100.0 / pawn } else { 1.0 };
    for weight in &mut weights {
        *weight = weight.map(|part| part * factor);
    }
    progress.finish();
    Ok(Fit {
        weights,
        hits,
        score_scale,
        scale: score_scale * factor,
        losses,
    })
}

/// The built-in weights as a prior.
fn built_in(share: f32, samples: &[Sample], target: Target) -> Prior {
    let mut weights = to_floats(&WEIGHTS);
    let factor = target.scale / scale_of(&weights, samples, target);
    for weight in &mut weights {
        *weight = weight.map(|part| part * factor);
    }
    let trained = std::array::from_fn(|part| weights.iter().any(|weight| weight[part] != 0.0));
    Prior {
        weights,
        hits: weights::hits(FILE),
        share,
        trained,
    }
}

/// The scale of win probability of weights, in centipawns, that fits the targets of positions best.
pub fn scale_of(weights: &[RealWeight], samples: &[Sample], target: Target) -> f32 {
    let step = samples.len().div_ceil(SCALE_SAMPLES).max(1);
    let mut reading = FeatureCounts::default();
    let scores = samples.iter().step_by(step).map(|sample| {
        reading.read(&sample.position());
        (reading.score(weights), target.of(sample))
    });
    let scores: Vec<(f32, f32)> = scores.collect();
    scale::fit(|logarithm| {
        let scale = logarithm.exp() as f32;
        let losses = scores.iter();
        losses
            .map(|&(score, wanted)| f64::from(cross_entropy(score, scale, wanted)))
            .sum()
    })
}

/// Positions with about the same predicted win probability.
#[derive(Clone, Copy, Debug, Default)]
pub struct CalibrationBin {
    pub count: usize,
    /// Mean win probability of White by the weights.
    pub predicted: f64,
    /// Mean result of White.
    pub result: f64,
    /// Mean win probability of White by the search scores.
    pub searched: f64,
}

/// Predicted win probabilities with results, in ascending order; empty bins are left out.
pub fn calibration(samples: &[Sample], weights: &[RealWeight], scale: f32) -> Vec<CalibrationBin> {
    let mut bins = [CalibrationBin::default(); BINS];
    let mut reading = FeatureCounts::default();
    for sample in samples {
        reading.read(&sample.position());
        let predicted = win_probability(reading.score(weights), scale);
        let bin = &mut bins[((predicted * BINS as f32) as usize).min(BINS - 1)];
        bin.count += 1;
        bin.predicted += f64::from(predicted);
        bin.result += f64::from(sample.outcome.score());
        bin.searched += f64::from(sample.chance());
    }
    let full = bins.into_iter().filter(|bin| bin.count > 0);
    full.map(|bin| {
        let mean = |sum: f64| sum / bin.count as f64;
        CalibrationBin {
            count: bin.count,
            predicted: mean(bin.predicted),
            result: mean(bin.result),
            searched: mean(bin.searched),
        }
    })
    .collect()
}

/// Number of positions and mean loss by phase, from the endgame to the middlegame.
pub fn loss_by_phase(
    samples: &[Sample],
    weights: &[RealWeight],
    scale: f32,
    target: Target,
) -> Vec<(usize, f64)> {
    let mut parts = vec![Vec::new(); PHASES];
    for sample in samples {
        let phase = Accumulator::of(&sample.position())
            .phase()
            .min(PHASE_MAXIMUM);
        parts[phase as usize * (PHASES - 1) / PHASE_MAXIMUM as usize].push(*sample);
    }
    let losses = parts
        .iter()
        .map(|part| (part.len(), loss(part, weights, scale, target)));
    losses.collect()
}

/// Occurrences of each feature.
fn count_hits(samples: &[Sample]) -> Vec<u64> {
    let chunk = samples.len().div_ceil(PARTS).max(1);
    let counts: Vec<Vec<u64>> = (samples.par_chunks(chunk))
        .map(|chunk| {
            let (mut reading, mut counts) = (FeatureCounts::default(), vec![0; COUNT]);
            for sample in chunk {
                reading.read(&sample.position());
                for (index, count) in reading.hits() {
                    counts[index] += count.abs() as u64;
                }
            }
            counts
        })
        .collect();
    let mut total = vec![0; COUNT];
    for counts in counts {
        total
            .iter_mut()
            .zip(counts)
            .for_each(|(total, count)| *total += count);
    }
    total
}

/// Adam, with the weights it optimises.
struct Optimizer {
    weights: Vec<RealWeight>,
    mean: Vec<RealWeight>,
    square: Vec<RealWeight>,
    parts: Vec<Part>,
    gradient: Vec<RealWeight>,
    step: usize,
    steps: usize,
    rate: f32,
    prior: Prior,
    /// The pull of a hit per centipawn, and the regularisation strength in hits.
    pull: [f32; 2],
}

impl Optimizer {
    /// Starts at a prior, or at plain values of the pieces.
    fn new(settings: &FitSettings, samples: usize, scale: f32, prior: Option<Prior>) -> Self {
        let zero = || vec![[0.0; WeightPart::COUNT]; COUNT];
        let weights = match &prior {
            Some(prior) => prior.weights.clone(),
            None => to_floats(&starting()),
        };
        Self {
            weights,
            prior: prior.unwrap_or_else(Prior::none),
            mean: zero(),
            square: zero(),
            parts: (0..PARTS).map(|_| Part::new()).collect(),
            gradient: zero(),
            step: 0,
            steps: samples.div_ceil(settings.batch) * settings.epochs,
            rate: settings.rate,
            // At a score of 0, a hit pulls with the slope of the curve, 1 / 4k per centipawn of error.
            pull: [
                1.0 / (4.0 * scale * samples.max(1) as f32),
                settings.regularisation,
            ],
        }
    }

    /// Continues from a checkpoint and returns its losses.
    fn resume(&mut self, start: Checkpoint) -> Vec<[f64; 2]> {
        self.step = start.step as usize;
        [self.weights, self.mean, self.square] = start.tables;
        start.losses
    }

    fn checkpoint(&self, losses: &[[f64; 2]]) -> Checkpoint {
        Checkpoint {
            step: self.step as u64,
            losses: losses.to_vec(),
            tables: [self.weights.clone(), self.mean.clone(), self.square.clone()],
        }
    }

    /// One step on a batch; returns the weighted sum of its losses before the step, and the sum of the weights.
    fn step(&mut self, batch: &[Sample], target: Target) -> [f64; 2] {
        let weights = &self.weights;
        let chunk = batch.len().div_ceil(PARTS);
        self.parts
            .par_iter_mut()
            .zip(batch.par_chunks(chunk))
            .for_each(|(part, samples)| {
                part.add(samples, weights, target);
            });
        self.gradient.fill([0.0; WeightPart::COUNT]);
        let (mut loss, mut total) = (0.0, 0.0);
        for part in &mut self.parts {
            loss += std::mem::take(&mut part.loss);
            total += std::mem::take(&mut part.total);
            for (sum, cell) in self.gradient.iter_mut().zip(&mut part.gradient) {
                for (sum, part) in sum.iter_mut().zip(*cell) {
                    *sum += part;
                }
                *cell = [0.0; WeightPart::COUNT];
            }
        }
        for cell in &mut self.gradient {
            *cell = cell.map(|half| half / total as f32);
        }
        regularisation::add_gradient(&self.weights, &self.prior, self.pull, &mut self.gradient);
        self.descend();
        [loss, total]
    }

    /// One step of Adam with a cosine schedule of the learning rate.
    fn descend(&mut self) {
        self.step += 1;
        let done = (self.step - 1) as f32 / self.steps.max(1) as f32;
        let cosine = 0.5 + 0.5 * (std::f32::consts::PI * done).cos();
        let rate = self.rate * (LAST_RATE + (1.0 - LAST_RATE) * cosine);
        let [mean_bias, square_bias] =
            BETAS.map(|beta| 1.0 - beta.powi(self.step.min(1 << 20) as i32));
        let cells = self
            .weights
            .iter_mut()
            .zip(&mut self.mean)
            .zip(&mut self.square)
            .zip(&self.gradient);
        for (((weight, mean), square), gradient) in cells {
            for part in 0..WeightPart::COUNT {
                let slope = gradient[part];
                mean[part] = BETAS[0] * mean[part] + (1.0 - BETAS[0]) * slope;
                square[part] = BETAS[1] * square[part] + (1.0 - BETAS[1]) * slope * slope;
                weight[part] -= rate * (mean[part] / mean_bias)
                    / ((square[part] / square_bias).sqrt() + EPSILON);
            }
        }
    }
}
