//! Regularisation: keeps the fit from following noise in rare features.
//!
//! Each family declares its kind. The strength is counted in hits: at strength N the pull equals that of N positions that
//! contradict the weight, so frequent features hardly change and rare ones stay near their neighbours or near 0.

use super::linear::Weight;
use crate::eval::COUNT;
use crate::eval::families::{Family, Penalty};
use crate::eval::weights::RARE_HITS;

/// Features with fewer hits are not fitted.
pub const RARE: u64 = RARE_HITS;
/// Share of the strength that pulls smooth tables to zero: just enough to fix their mean, which another family could
/// hold.
const SMOOTH_TO_ZERO: f32 = 0.1;
/// Factor for features that last for many positions of a game, which are no independent evidence. Tried on 6.4 million
/// positions: 8 and 20 gave the same held-out loss, and 1 gave no gain over leaving these features out.
const LASTING: f32 = 10.0;

/// What is known before a fit: it pulls the weights to these.
#[derive(Clone, Debug)]
pub struct Prior {
    /// In centipawns.
    pub weights: Vec<Weight>,
    /// Occurrences in the positions that they were trained on.
    pub hits: Vec<u64>,
    /// The share of these hits that counts, from 0 to 1.
    pub share: f32,
}

impl Prior {
    /// Nothing is known: weights of 0.
    pub fn none() -> Self {
        Self {
            weights: vec![[0.0; 2]; COUNT],
            hits: vec![0; COUNT],
            share: 0.0,
        }
    }
}

/// Adds the gradient of the prior and of the penalty of each family, which counts `strength` hits; the pull of a hit is
/// `unit` per centipawn.
pub fn add_gradient(
    weights: &[Weight],
    prior: &Prior,
    [unit, strength]: [f32; 2],
    gradient: &mut [Weight],
) {
    let mut deviations = weights.to_vec();
    for (place, deviation) in deviations.iter_mut().enumerate() {
        let pull = unit * prior.share * prior.hits[place] as f32;
        for half in 0..2 {
            deviation[half] -= prior.weights[place][half];
            gradient[place][half] += pull * deviation[half];
        }
    }
    let (weights, strength) = (&deviations, unit * strength);
    for &family in Family::ALL {
        let (first, declared) = (family.offset(), family.declaration());
        let cells = first..first + declared.size();
        let (weights, gradient) = (&weights[cells.clone()], &mut gradient[cells]);
        match declared.penalty {
            Penalty::Free => {}
            Penalty::Deviation => pull(weights, strength, gradient),
            Penalty::Lasting => pull(weights, strength * LASTING, gradient),
            Penalty::Smooth => {
                pull(weights, strength * SMOOTH_TO_ZERO, gradient);
                let row = declared.axes.last().map_or(1, |axis| axis.size);
                for (weights, gradient) in weights.chunks(row).zip(gradient.chunks_mut(row)) {
                    smooth(weights, strength, gradient);
                }
            }
        }
    }
}

/// L2 penalty.
fn pull(weights: &[Weight], strength: f32, gradient: &mut [Weight]) {
    for (weight, gradient) in weights.iter().zip(gradient) {
        gradient[0] += strength * weight[0];
        gradient[1] += strength * weight[1];
    }
}

/// Gradient of half the squared second differences: pulls each weight towards the line through its neighbours.
fn smooth(weights: &[Weight], strength: f32, gradient: &mut [Weight]) {
    for place in 1..weights.len().saturating_sub(1) {
        for half in 0..2 {
            let difference =
                weights[place - 1][half] - 2.0 * weights[place][half] + weights[place + 1][half];
            gradient[place - 1][half] += strength * difference;
            gradient[place][half] -= 2.0 * strength * difference;
            gradient[place + 1][half] += strength * difference;
        }
    }
}

/// Sets the weight of each rare feature to that of the prior; without one to that of its nearest neighbour on an ordered axis,
/// else to 0.
pub fn fill_rare(weights: &mut [Weight], hits: &[u64], prior: &Prior) {
    if prior.share > 0.0 {
        for (place, weight) in weights.iter_mut().enumerate() {
            if hits[place] < RARE {
                *weight = prior.weights[place];
            }
        }
        return;
    }
    for &family in Family::ALL {
        let (first, declared) = (family.offset(), family.declaration());
        let row = declared.axes.last().map_or(1, |axis| axis.size);
        for start in (first..first + declared.size()).step_by(row) {
            let cells = start..start + row;
            let (weights, hits) = (&mut weights[cells.clone()], &hits[cells]);
            for place in (0..row).filter(|&place| hits[place] < RARE) {
                let known = (0..row).filter(|&other| hits[other] >= RARE);
                let nearest = known.min_by_key(|&other| other.abs_diff(place));
                weights[place] = match (declared.penalty, nearest) {
                    (Penalty::Smooth, Some(nearest)) => weights[nearest],
                    _ => [0.0; 2],
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rare_feature_keeps_the_weight_of_the_prior() {
        let hits: Vec<u64> = (0..COUNT).map(|place| place as u64 % 2 * RARE).collect();
        let mut prior = Prior::none();
        prior.weights.fill([-55.0, -30.0]);
        let filled = |prior: &Prior| {
            let mut weights = vec![[7.0; 2]; COUNT];
            fill_rare(&mut weights, &hits, prior);
            weights
        };
        prior.share = 0.1;
        assert_eq!(filled(&prior)[..2], [[-55.0, -30.0], [7.0; 2]]);
        prior.share = 0.0;
        assert_eq!(filled(&prior)[..2], [[0.0; 2], [7.0; 2]]);
    }
}
