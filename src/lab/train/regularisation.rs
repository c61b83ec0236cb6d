//! What keeps learning from fitting noise.
//! Uses: eval. Used by: fit, emit.
//! Idea: a family declares how it is restrained. The regularisation is counted in hits: it pulls like that many positions that
//! say the weight should be elsewhere, so that a weight with many hits hardly feels it and one with few hardly moves.

use super::linear::Weight;
use crate::eval::families::{Family, Penalty};

/// A feature that occurs less often is not learned.
pub const RARE: u64 = 200;
/// Tables whose mean another family can hold are pulled to zero by this share of the regularisation: just enough to settle
/// which of the two holds it.
const SETTLING: f32 = 0.1;
/// Facts that last are restrained so many times as much: about so many positions of a game share them. From trials with 6.4
/// million positions, where 8 and 20 held out equally well and 1 no better than no such table at all.
const LASTING: f32 = 10.0;

/// Adds what the regularisation of each family asks to the gradient; `regularisation` is its strength for each centipawn.
pub fn add_gradient(weights: &[Weight], regularisation: f32, gradient: &mut [Weight]) {
    for &family in Family::ALL {
        let (first, declared) = (family.offset(), family.declaration());
        let cells = first..first + declared.size();
        let (weights, gradient) = (&weights[cells.clone()], &mut gradient[cells]);
        match declared.penalty {
            Penalty::Free => {}
            Penalty::Deviation => pull(weights, regularisation, gradient),
            Penalty::Lasting => pull(weights, regularisation * LASTING, gradient),
            Penalty::Smooth => {
                pull(weights, regularisation * SETTLING, gradient);
                let row = declared.axes.last().map_or(1, |axis| axis.size);
                for (weights, gradient) in weights.chunks(row).zip(gradient.chunks_mut(row)) {
                    smooth(weights, regularisation, gradient);
                }
            }
        }
    }
}

/// Towards zero.
fn pull(weights: &[Weight], strength: f32, gradient: &mut [Weight]) {
    for (weight, gradient) in weights.iter().zip(gradient) {
        gradient[0] += strength * weight[0];
        gradient[1] += strength * weight[1];
    }
}

/// Towards a straight line through the neighbours: the slope of half the square of each second difference.
fn smooth(weights: &[Weight], strength: f32, gradient: &mut [Weight]) {
    for place in 1..weights.len().saturating_sub(1) {
        for half in 0..2 {
            let bend =
                weights[place - 1][half] - 2.0 * weights[place][half] + weights[place + 1][half];
            gradient[place - 1][half] += strength * bend;
            gradient[place][half] -= 2.0 * strength * bend;
            gradient[place + 1][half] += strength * bend;
        }
    }
}

/// Gives weights whose features hardly occur what their neighbours have on an ordered axis, else nothing.
pub fn fill_rare(weights: &mut [Weight], hits: &[u64]) {
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
