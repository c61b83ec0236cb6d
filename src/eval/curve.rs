//! The fitted curve of win, draw and loss: written whole by `lucena wdl`, never by hand.
//! Uses: wdl. Used by: wdl.
//! Idea: where its numbers come from stands beside them.
//!
//! From ac4ecd33e14f4c78 seed 3, nodes 1000, rules 1, engine 0.1.0, weights b0e3f565c2ec53a5, games 13489, positions 1823437.
//! Mean loss 0.634643 on 1823437 positions with scores up to 1500.

use super::wdl::Curve;

/// The curve in use.
pub(super) const CURVE: Curve = Curve {
    even: [910.8, 240.6, 124.9, 108.2, 92.6, 77.7, 70.2],
    width: [273.0, 84.9, 67.2, 75.7, 85.5, 89.0, 93.1],
};
