//! The fitted widths of the curve of win, draw and loss at time controls: written by `lucena wdl --pgn --out`, never by hand.
//!
//! From match-7.pgn, games 479, positions 59292.
//! Mean loss 0.465777 on 59292 positions with scores up to 1500.

pub(super) const TIMED_WIDTH: [f64; 7] = [37.9, 36.5, 31.0, 30.7, 33.0, 33.0, 39.2];
