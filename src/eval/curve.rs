//! The fitted curve of win, draw and loss: written whole by `lucena wdl`, never by hand.
//! Uses: wdl. Used by: wdl.
//! Idea: where its numbers come from stands beside them.
//!
//! From 23d30ecae2d5dc9c seed 71, nodes 500, rules 2, engine 7527d10, weights c8efd50ab1f0f247, games 192104, positions 22800109.
//! Mean loss 0.595041 on 22800109 positions with scores up to 1500.

use super::wdl::Curve;

/// The curve in use.
pub(super) const CURVE: Curve = Curve {
    even: [205.7, 155.9, 106.9, 92.0, 74.6, 60.6, 56.4],
    width: [32.6, 63.0, 80.1, 88.4, 97.7, 100.7, 106.4],
};
