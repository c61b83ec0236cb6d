//! Where a piece stands before and after a move, and the tables of weights by place.

use super::attention::target;
use crate::chess::{Color, Move, Piece, Position, Role, Square};

/// The tables of places, in the order of [`Place::indices`]; the last four count by how far the game is in the
/// endgame and in the opening.
pub const TABLES: [&str; 6] = [
    "from",
    "to",
    "endgame-from",
    "endgame-to",
    "opening-from",
    "opening-to",
];

/// What each of [`TABLES`] counts with.
pub const fn table_factors(ending: f32, opening: f32) -> [f32; TABLES.len()] {
    [1.0, 1.0, ending, ending, opening, opening]
}

/// The index in each of [`TABLES`], from those of the squares before and after a move.
pub const fn table_indices(from: usize, to: usize) -> [usize; TABLES.len()] {
    [from, to, from, to, from, to]
}

/// A role and its squares before and after a move, seen with the mover at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub role: Role,
    pub from: Square,
    pub to: Square,
}

impl Place {
    /// The number of roles and squares.
    pub const COUNT: usize = 6 * 64;

    pub(super) fn of(position: &Position, mv: Move) -> Self {
        let role = position.piece_on(mv.from()).map_or(Role::King, Piece::role);
        let seen = |square: Square| match position.turn() {
            Color::White => square,
            Color::Black => square.flip_vertical(),
        };
        Self {
            role,
            from: seen(mv.from()),
            to: seen(target(mv)),
        }
    }

    /// The index in each table of places: of the role with its square before or after the move.
    pub const fn indices(self) -> [usize; TABLES.len()] {
        let row = (self.role as usize - 1) * 64;
        table_indices(row + self.from as usize, row + self.to as usize)
    }
}
