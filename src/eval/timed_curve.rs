//! The fitted widths of the curve of win, draw and loss at time controls: written by `lucena wdl --pgn --out`, never by hand.
//!
//! From match-1.pgn, games 211, positions 26600.
//! From match-2.pgn, games 225, positions 29279.
//! From match-3.pgn, games 156, positions 20082.
//! From match-4.pgn, games 157, positions 20173.
//! From match-5.pgn, games 161, positions 21137.
//! From match-6.pgn, games 180, positions 21982.
//! Mean loss 0.517041 on 139253 positions with scores up to 1500.

pub(super) const TIMED_WIDTH: [f64; 7] = [49.7, 40.5, 39.5, 35.9, 36.8, 38.6, 40.1];
