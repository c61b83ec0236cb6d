//! Win probability from a score, and its loss: one curve, `1 / (1 + exp(-score / scale))`.

/// Probabilities are kept this far from 0 and 1 before they are turned into scores.
const MARGIN: f32 = 1e-7;

/// White's expected result, from 0 to 1. `score` and `scale` have the same unit.
pub fn win_probability(score: f32, scale: f32) -> f32 {
    1.0 / (1.0 + (-score / scale).exp())
}

/// Cross-entropy, in nats, of the win probability of a score against a target from 0 to 1.
pub fn cross_entropy(score: f32, scale: f32, target: f32) -> f32 {
    // ln(1 + e^-x) + (1 - t) x, in a form that does not overflow.
    let x = score / scale;
    (-x.abs()).exp().ln_1p() + x.max(0.0) - target * x
}

/// The score with this win probability: the inverse of [`win_probability`], finite even for 0 and 1.
pub fn score_of(probability: f32, scale: f32) -> f32 {
    let probability = probability.clamp(MARGIN, 1.0 - MARGIN);
    scale * (probability / (1.0 - probability)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cross_entropy_is_least_at_the_target() {
        for (score, scale, target) in [(0.0, 100.0, 0.5), (250.0, 170.0, 0.8), (-9000.0, 50.0, 0.0)]
        {
            let probability = win_probability(score, scale);
            let plain = -target * probability.max(1e-30).ln()
                - (1.0 - target) * (1.0 - probability).max(1e-30).ln();
            assert!((cross_entropy(score, scale, target) - plain).abs() < 1e-4);
        }
        let at = |score| cross_entropy(score, 100.0, win_probability(70.0, 100.0));
        assert!(at(70.0) < at(69.0) && at(70.0) < at(71.0));
    }

    #[test]
    fn score_of_inverts_win_probability() {
        for score in [-900.0, -40.0, 0.0, 3.0, 600.0] {
            assert!((score_of(win_probability(score, 140.0), 140.0) - score).abs() < 0.1);
        }
        assert!(score_of(1.0, 140.0).is_finite() && score_of(0.0, 140.0).is_finite());
    }
}
