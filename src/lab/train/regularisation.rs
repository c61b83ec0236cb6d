//! Regularisation: keeps the fit from following noise in rare features.
//!
//! Each family declares its kind. The strength is counted in hits: at strength N the pull equals that of N positions that
//! contradict the weight, so frequent features hardly change and rare ones stay near their neighbours or near 0.

use super::linear::RealWeight;
use crate::eval::families::{Family, Penalty};
use crate::eval::weights::RARE_HITS;
use crate::eval::{COUNT, WeightPart};

/// Features with fewer hits are not fitted.
pub const RARE: u64 = RARE_HITS;
/// Share of the strength that pulls smooth tables to zero: just enough to fix their mean, which another family could
/// hold.
const SMOOTH_TO_ZERO: f32 = 0.1;
/// Factor for features that last for many positions of a game, whose hits are not independent. Tried on 6.4 million
/// positions: 8 and 20 gave the same held-out loss, and 1 gave no gain over leaving these features out.
const LASTING: f32 = 10.0;

/// The prior of a fit, which pulls the weights towards its own.
#[derive(Clone, Debug)]
pub struct Prior {
    /// In centipawns.
    pub weights: Vec<RealWeight>,
    /// Occurrences in the positions that they were trained on.
    pub hits: Vec<u64>,
    /// The share of these hits that counts, from 0 to 1.
    pub share: f32,
    /// The parts that were trained; there is no prior for the others.
    pub trained: [bool; WeightPart::COUNT],
}

impl Prior {
    /// No prior: weights of 0.
    pub fn none() -> Self {
        Self {
            weights: vec![[0.0; WeightPart::COUNT]; COUNT],
            hits: vec![0; COUNT],
            share: 0.0,
            trained: [true; WeightPart::COUNT],
        }
    }
}

/// Adds the gradient of the prior and of the penalty of each family, which counts `strength` hits; the pull of a hit is
/// `unit` per centipawn.
pub fn add_gradient(
    weights: &[RealWeight],
    prior: &Prior,
    [unit, strength]: [f32; 2],
    gradient: &mut [RealWeight],
) {
    let mut deviations = weights.to_vec();
    for (place, deviation) in deviations.iter_mut().enumerate() {
        let pull = unit * prior.share * prior.hits[place] as f32;
        for part in 0..WeightPart::COUNT {
            deviation[part] -= prior.weights[place][part];
            if prior.trained[part] {
                gradient[place][part] += pull * deviation[part];
            }
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
fn pull(weights: &[RealWeight], strength: f32, gradient: &mut [RealWeight]) {
    for (weight, gradient) in weights.iter().zip(gradient) {
        for (gradient, part) in gradient.iter_mut().zip(weight) {
            *gradient += strength * part;
        }
    }
}

/// Gradient of half the squared second differences: pulls each weight towards the line through its neighbours.
fn smooth(weights: &[RealWeight], strength: f32, gradient: &mut [RealWeight]) {
    for place in 1..weights.len().saturating_sub(1) {
        for part in 0..WeightPart::COUNT {
            let difference =
                weights[place - 1][part] - 2.0 * weights[place][part] + weights[place + 1][part];
            gradient[place - 1][part] += strength * difference;
            gradient[place][part] -= 2.0 * strength * difference;
            gradient[place + 1][part] += strength * difference;
        }
    }
}

/// Sets the weight of each rare feature to that of the prior; without one to that of its nearest neighbour on an ordered axis,
/// else to 0.
pub fn fill_rare(weights: &mut [RealWeight], hits: &[u64], prior: &Prior) {
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
                    _ => [0.0; WeightPart::COUNT],
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prior_pulls_trained_parts_alone() {
        let mut prior = Prior::none();
        prior.share = 1.0;
        prior.hits.fill(1000);
        prior.trained = [true, true, false, false];
        let weights = vec![[1.0; WeightPart::COUNT]; COUNT];
        let mut gradient = vec![[0.0; WeightPart::COUNT]; COUNT];
        add_gradient(&weights, &prior, [1.0, 0.0], &mut gradient);
        assert!(gradient[0][..2].iter().all(|&part| part > 999.0));
        assert!(gradient[0][2..].iter().all(|&part| part.abs() < 1e-9));
    }

    #[test]
    fn a_rare_feature_keeps_the_weight_of_the_prior() {
        let hits: Vec<u64> = (0..COUNT).map(|place| place as u64 % 2 * RARE).collect();
        let mut prior = Prior::none();
        prior.weights.fill([-55.0, -30.0, 2.0, 3.0]);
        let filled = |prior: &Prior| {
            let mut weights = vec![[7.0; WeightPart::COUNT]; COUNT];
            fill_rare(&mut weights, &hits, prior);
            weights
        };
        prior.share = 0.1;
        assert_eq!(
            filled(&prior)[..2],
            [[-55.0, -30.0, 2.0, 3.0], [7.0; WeightPart::COUNT]]
        );
        prior.share = 0.0;
        assert_eq!(
            filled(&prior)[..2],
            [[0.0; WeightPart::COUNT], [7.0; WeightPart::COUNT]]
        );
    }
}
