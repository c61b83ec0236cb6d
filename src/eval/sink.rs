//! The sink that the feature walk adds to: scoring, training and explaining share one walk and cannot disagree.

use super::families::{Index, RookFile, RookForward, Threat};
use super::side::{Black, Side, White};
use super::sums::{Attacked, file_state};
use crate::chess::{Bitboard, Color, Role};

/// Receives the features of a position. The compiler makes a copy of the walk for each sink.
pub trait FeatureSink {
    /// Adds the feature `index`, which side `C` has `count` times, maybe 0, because of the pieces on `squares`.
    fn add<C: Side>(&mut self, index: Index, count: i32, squares: Bitboard);

    /// Adds the number of squares ahead of a rook and its file: 1 if white has pawns there, plus 2 if black has, and the cell
    /// of its distance from the enemy king.
    #[inline]
    fn add_rook<C: Side>(&mut self, ahead: usize, owners: usize, away: usize, squares: Bitboard) {
        self.add::<C>(RookForward::at(ahead), 1, squares);
        let state = file_state(C::COLOR, owners);
        self.add::<C>(RookFile::at(state, away), 1, squares);
    }

    /// Adds the attacks by several roles of one side on one piece.
    #[inline]
    fn add_threats(
        &mut self,
        owner: Color,
        is_to_move: bool,
        role: Role,
        attacked: Attacked,
        squares: Bitboard,
    ) {
        for by in Role::ALL {
            if attacked.is_by(by) {
                let index = Threat::at(is_to_move, by, role, attacked.defence());
                match owner {
                    Color::White => self.add::<White>(index, 1, squares),
                    Color::Black => self.add::<Black>(index, 1, squares),
                }
            }
        }
    }
}
