//! The sink that the feature walk adds to: scoring, training and explaining share one walk and cannot disagree.

use super::families::{Index, Mobility, Reach, Threat};
use super::side::Side;
use super::sums::RoleSet;
use crate::chess::{Bitboard, Role};

/// Receives the features of a position. The compiler makes a copy of the walk for each sink.
pub trait FeatureSink {
    /// Adds the feature `index`, which side `C` has `count` times because of the pieces on `squares`.
    fn add<C: Side>(&mut self, index: Index, count: i32, squares: Bitboard);

    /// Adds mobility and reach of one piece, as numbers of squares.
    #[inline]
    fn add_mobility<C: Side>(&mut self, role: Role, safe: usize, reach: usize, squares: Bitboard) {
        self.add::<C>(Mobility::at(role, safe), 1, squares);
        self.add::<C>(Reach::at(role, reach), 1, squares);
    }

    /// Adds the attacks by several roles on one piece.
    #[inline]
    fn add_threats<C: Side>(
        &mut self,
        is_to_move: bool,
        attackers: RoleSet,
        role: Role,
        defence: usize,
        squares: Bitboard,
    ) {
        for by in Role::ALL {
            if attackers.contains(by) {
                self.add::<C>(Threat::at(is_to_move, by, role, defence), 1, squares);
            }
        }
    }
}
