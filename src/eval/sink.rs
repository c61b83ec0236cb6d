//! The sink that the feature walk adds to: scoring, training and explaining share one walk and cannot disagree.

use super::families::{Index, RookFile, RookForward, Threat};
use super::side::{Black, Side, White};
use super::sums::{Attacked, file_state};
use crate::chess::{Bitboard, Color, Role};

/// Receives the features of a position. The compiler makes a copy of the walk for each sink.
pub trait FeatureSink {
    /// Adds the feature `index`, which side `C` has `count` times, maybe 0, because of the pieces on `squares`.
    fn add<C: Side>(&mut self, index: Index, count: i32, squares: Bitboard);

    /// [`Self::add`] for a side that is known only at run time.
    #[inline(always)]
    fn add_of(&mut self, color: Color, index: Index, count: i32, squares: Bitboard) {
        match color {
            Color::White => self.add::<White>(index, count, squares),
            Color::Black => self.add::<Black>(index, count, squares),
        }
    }

    /// Adds the features of one side that `add_all` adds for the colour that it receives.
    #[inline(always)]
    fn add_group(&mut self, color: Color, add_all: impl FnOnce(&mut Self, Color)) {
        add_all(self, color);
    }

    /// Adds the number of squares ahead of a rook of `owner` and its file: 1 if white has pawns there, plus 2 if black has, and
    /// the cell of its distance from the enemy king. `signed` is the colour that [`Self::add_group`] gives.
    #[inline]
    fn add_rook(
        &mut self,
        signed: Color,
        owner: Color,
        [ahead, owners, away]: [usize; 3],
        squares: Bitboard,
    ) {
        self.add_of(signed, RookForward::at(ahead), 1, squares);
        let state = file_state(owner, owners);
        self.add_of(signed, RookFile::at(state, away), 1, squares);
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
                self.add_of(owner, index, 1, squares);
            }
        }
    }
}
