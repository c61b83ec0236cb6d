//! What a score promises: chances, and how wrong they were.
//! Uses: nothing. Used by: corpus, scale, fit.
//! Idea: one curve, `1 / (1 + exp(-score / scale))`, turns scores into chances and back.

/// No chance is thought nearer to 0 or to 1 when it is turned into a score.
const CERTAIN: f32 = 1e-7;

/// The chance of white that a score promises at a scale, the score counted in the scale's units.
#[must_use]
pub fn win_probability(score: f32, scale: f32) -> f32 {
    1.0 / (1.0 + (-score / scale).exp())
}

/// Cross-entropy of a promise against a target, both from 0 to 1, in natural units. `score` over `scale` is the promise.
#[must_use]
pub fn cross_entropy(score: f32, scale: f32, target: f32) -> f32 {
    // ln(1 + e^-x) + (1 - t) x, written so that no exponential is large.
    let x = score / scale;
    (-x.abs()).exp().ln_1p() + x.max(0.0) - target * x
}

/// The score that promises a chance at a scale: the inverse of [`expected`], finite for every chance.
#[must_use]
pub fn score_of(chance: f32, scale: f32) -> f32 {
    let chance = chance.clamp(CERTAIN, 1.0 - CERTAIN);
    scale * (chance / (1.0 - chance)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_is_least_at_the_truth() {
        for (score, scale, target) in [(0.0, 100.0, 0.5), (250.0, 170.0, 0.8), (-9000.0, 50.0, 0.0)]
        {
            let promise = win_probability(score, scale);
            let plain = -target * promise.max(1e-30).ln()
                - (1.0 - target) * (1.0 - promise).max(1e-30).ln();
            assert!((cross_entropy(score, scale, target) - plain).abs() < 1e-4);
        }
        let at = |score| cross_entropy(score, 100.0, win_probability(70.0, 100.0));
        assert!(at(70.0) < at(69.0) && at(70.0) < at(71.0));
    }

    #[test]
    fn a_score_comes_back_from_its_chance() {
        for score in [-900.0, -40.0, 0.0, 3.0, 600.0] {
            assert!((score_of(win_probability(score, 140.0), 140.0) - score).abs() < 0.1);
        }
        assert!(score_of(1.0, 140.0).is_finite() && score_of(0.0, 140.0).is_finite());
    }
}
