//! How much levels play like people: the likelihood of people's moves, and the losses of both.

use super::fit::{Likelihood, likelihood, shares};
use super::samples::Sample;
use crate::engine::level::overlook::oversight_rates;
use crate::engine::level::player::BLUNDER_INTERVAL;
use crate::engine::level::{Feature, LevelWeights, Oversight};

/// Losses of at least this many expected points are counted.
pub const LOSSES: [f32; 2] = [0.10, 0.30];

/// The losses of moves at the greatest depth that levels see.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Expected points per move.
    pub mean: f64,
    /// The share of moves that lose at least each of [`LOSSES`].
    pub shares: [f64; 2],
    /// The share of moves that leave a queen to a capture.
    pub hung: f64,
}

impl Losses {
    fn add(&mut self, sample: &Sample, index: usize, share: f64) {
        let loss = value(sample, index, Feature::Loss4);
        self.mean += share * f64::from(loss);
        for (sum, least) in self.shares.iter_mut().zip(LOSSES) {
            *sum += if loss >= least { share } else { 0.0 };
        }
        if hangs_queen(sample, index) {
            self.hung += share;
        }
    }

    fn over(mut self, count: usize) -> Self {
        let count = count.max(1) as f64;
        self.mean /= count;
        self.hung /= count;
        for share in &mut self.shares {
            *share /= count;
        }
        self
    }
}

/// Whether a move leaves a queen to a capture.
fn hangs_queen(sample: &Sample, index: usize) -> bool {
    value(sample, index, Feature::QueenLeft) > 0.0
}

/// The probability that a level leaves a queen to a capture although the guard forbids it: the move's reply is overlooked
/// by name, or no other move is left.
fn hung_after_guards(sample: &Sample, shares: &[f32], rates: &[(Oversight, f32)]) -> f64 {
    let allowed = |index: usize| {
        if !hangs_queen(sample, index) {
            return 1.0;
        }
        let unseen = rates
            .iter()
            .find(|(class, _)| value(sample, index, class.feature()) > 0.0);
        unseen.map_or(0.0, |(_, rate)| *rate)
    };
    let (mut hung, mut all) = (0.0, 0.0);
    for (index, share) in shares.iter().enumerate() {
        let left = f64::from(share * allowed(index));
        all += left;
        hung += if hangs_queen(sample, index) {
            left
        } else {
            0.0
        };
    }
    if all > 0.0 { hung / all } else { 1.0 }
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
    /// The mean rating of the players.
    pub rating: u16,
    pub likelihood: Likelihood,
    pub people: Losses,
    pub level: Losses,
    /// The share of moves that leave a queen to a capture, with the guard.
    pub guarded: f64,
    /// The share of moves of at least the greatest of [`LOSSES`] when a level blunders at most once in three moves.
    pub spaced: f64,
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
    let mut guarded = 0.0;
    for sample in samples {
        people.add(sample, sample.played, 1.0);
        let shares = shares(sample, weights, sample.rating);
        let rates = oversight_rates(&weights.at(sample.rating));
        guarded += hung_after_guards(sample, &shares, &rates);
        for (index, share) in shares.into_iter().enumerate() {
            level.add(sample, index, f64::from(share));
        }
    }
    let nll = |rating: &u16| likelihood(samples, weights, Some(*rating)).nll;
    let likeliest = ratings().min_by(|a, b| nll(a).total_cmp(&nll(b)));
    let level = level.over(samples.len());
    Band {
        name: name.to_owned(),
        positions: samples.len(),
        rating: mean_rating(samples),
        guarded: guarded / samples.len().max(1) as f64,
        likelihood: likelihood(samples, weights, None),
        people: people.over(samples.len()),
        spaced: spaced(level.shares[LOSSES.len() - 1]),
        level,
        likeliest: likeliest.unwrap_or_default(),
    }
}

/// The share of blunders when none may follow another within [`BLUNDER_INTERVAL`] moves.
fn spaced(share: f64) -> f64 {
    let waits = f64::from(BLUNDER_INTERVAL - 1);
    share / waits.mul_add(share, 1.0)
}

fn mean_rating(samples: &[&Sample]) -> u16 {
    let sum: u64 = samples.iter().map(|sample| u64::from(sample.rating)).sum();
    (sum / samples.len().max(1) as u64) as u16
}

/// The standard error of a share of this many.
pub fn error(share: f64, count: usize) -> f64 {
    (share * (1.0 - share) / count.max(1) as f64).sqrt()
}
