//! The fitted curve of win, draw and loss: written whole by `lucena wdl`, never by hand.
//! Uses: wdl. Used by: wdl.
//! Idea: where its numbers come from stands beside them.
//!
//! From 0063b1a76ed9f0a1 seed 61, nodes 1000, rules 2, engine 0.1.0, weights 8d353264c9f8fed8, games 18472, positions 2277567.
//! From 37bab585a752bd31 seed 62, nodes 1000, rules 2, engine 0.1.0, weights b2b8c1eee8b8ac51, games 15011, positions 1804266.
//! Mean loss 0.605539 on 4081833 positions with scores up to 1500.

use super::wdl::Curve;

/// The curve in use.
pub(super) const CURVE: Curve = Curve {
    even: [310.4, 156.9, 104.2, 89.3, 77.8, 64.8, 55.9],
    width: [55.8, 58.4, 69.7, 74.8, 85.1, 84.7, 85.2],
};
