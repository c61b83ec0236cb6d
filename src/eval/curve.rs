//! The fitted curve of win, draw and loss: written by `lucena wdl --out`, never by hand.
//!
//! From 23d30ecae2d5dc9c seed 71, nodes 500, rules 2, engine 7527d10, weights c8efd50ab1f0f247, games 192104, positions 22800109.
//! Mean loss 0.595041 on 22800109 positions with scores up to 1500.

pub(super) const EVEN: [f64; 7] = [205.7, 155.9, 106.9, 92.0, 74.6, 60.6, 56.4];
pub(super) const WIDTH: [f64; 7] = [32.6, 63.0, 80.1, 88.4, 97.7, 100.7, 106.4];
