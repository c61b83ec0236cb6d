//! The fitted curve of win, draw and loss: written whole by `lucena wdl`, never by hand.
//! Uses: wdl. Used by: wdl.
//! Idea: where its numbers come from stands beside them.
//!
//! From 0063b1a76ed9f0a1 seed 61, nodes 1000, rules 2, engine 0.1.0, weights 8d353264c9f8fed8, games 18472, positions 2277567.
//! From 37bab585a752bd31 seed 62, nodes 1000, rules 2, engine 0.1.0, weights b2b8c1eee8b8ac51, games 15011, positions 1804266.
//! From 3dcb2d8b4eeb93fe seed 63, nodes 500, rules 2, engine 0.1.0, weights 12eb0d862157aaf3, games 52403, positions 6152998.
//! Mean loss 0.605497 on 10234831 positions with scores up to 1500.

use super::wdl::Curve;

/// The curve in use.
pub(super) const CURVE: Curve = Curve {
    even: [261.1, 152.9, 105.0, 92.1, 78.0, 64.4, 57.2],
    width: [48.0, 59.8, 75.8, 85.3, 97.0, 97.9, 99.9],
};
