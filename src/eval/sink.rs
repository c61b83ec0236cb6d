//! The sink that the feature walk adds to: scoring, training and explaining share one walk and cannot disagree.

use super::families::Index;
use super::side::Side;
use crate::chess::Bitboard;

/// Receives the features of a position. The compiler makes a copy of the walk for each sink.
pub trait FeatureSink {
    /// Adds the feature `index`, which side `C` has `count` times because of the pieces on `squares`.
    fn add<C: Side>(&mut self, index: Index, count: i32, squares: Bitboard);
}
