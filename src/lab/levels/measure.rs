//! How much levels play like people: the likelihood of people's moves, and the losses of both.

use super::fit::{Likelihood, likelihood, shares};
use super::samples::Sample;
use crate::level::{Feature, LevelWeights};

/// Losses of so many expected points are counted.
pub const LOSSES: [f32; 2] = [0.10, 0.30];
/// A piece of so many pawns left to a capture is absurd.
const ABSURD: f32 = 8.0;

/// The losses of moves at the greatest depth that levels see.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Expected points per move.
    pub mean: f64,
    /// The share of moves that lose at least each of [`LOSSES`].
    pub shares: [f64; 2],
    /// The share of moves that leave a queen to a capture.
    pub absurd: f64,
}

impl Losses {
    fn add(&mut self, sample: &Sample, index: usize, share: f64) {
        let loss = value(sample, index, Feature::Loss4);
        self.mean += share * f64::from(loss);
        for (sum, least) in self.shares.iter_mut().zip(LOSSES) {
            *sum += if loss >= least { share } else { 0.0 };
        }
        let risks = [Feature::HangsMoved, Feature::HangsNew, Feature::HangsOld];
        let hangs = risks
            .iter()
            .any(|risk| value(sample, index, *risk) >= ABSURD);
        if hangs && loss >= LOSSES[1] {
            self.absurd += share;
        }
    }

    fn over(mut self, count: usize) -> Self {
        let count = count.max(1) as f64;
        self.mean /= count;
        self.absurd /= count;
        for share in &mut self.shares {
            *share /= count;
        }
        self
    }
}

fn value(sample: &Sample, index: usize, feature: Feature) -> f32 {
    let all = sample.choices[index].features.iter();
    let mut own = all.filter(|(other, _)| usize::from(*other) == feature as usize);
    own.next().map_or(0.0, |(_, value)| *value)
}

/// What is measured in one range of ratings.
#[derive(Clone, Debug)]
pub struct Band {
    pub name: String,
    pub positions: usize,
    pub likelihood: Likelihood,
    pub people: Losses,
    pub level: Losses,
    /// The rating whose level makes the moves likeliest.
    pub likeliest: u16,
}

/// The ratings that are tried for [`Band::likeliest`].
fn ratings() -> impl Iterator<Item = u16> {
    (800..=2200).step_by(100)
}

/// Measures the samples of one band.
pub fn measure(name: &str, samples: &[&Sample], weights: &LevelWeights) -> Band {
    let (mut people, mut level) = (Losses::default(), Losses::default());
    for sample in samples {
        people.add(sample, sample.played, 1.0);
        let shares = shares(sample, weights, sample.rating);
        for (index, share) in shares.into_iter().enumerate() {
            level.add(sample, index, f64::from(share));
        }
    }
    let nll = |rating: &u16| likelihood(samples, weights, Some(*rating)).nll;
    let likeliest = ratings().min_by(|a, b| nll(a).total_cmp(&nll(b)));
    Band {
        name: name.to_owned(),
        positions: samples.len(),
        likelihood: likelihood(samples, weights, None),
        people: people.over(samples.len()),
        level: level.over(samples.len()),
        likeliest: likeliest.unwrap_or_default(),
    }
}

/// The standard error of a share of this many.
pub fn error(share: f64, count: usize) -> f64 {
    (share * (1.0 - share) / count.max(1) as f64).sqrt()
}
