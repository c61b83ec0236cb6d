//! Piece-square tables, material included, as one sum for each piece on each square.

use super::families::{Material, PieceSquare};
use super::king_piece_square::KingPieceSquareTable;
use super::score::Score;
use super::weights::Weights;
use crate::chess::{Color, Piece, Role, Square};

/// All that an [`Accumulator`](super::Accumulator) adds up.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    pub(super) piece_square: PieceSquareTable,
    pub(super) king_piece_square: KingPieceSquareTable,
}

impl Tables {
    pub(super) const fn of(weights: &Weights) -> Self {
        Self {
            piece_square: PieceSquareTable::of(weights),
            king_piece_square: KingPieceSquareTable::of(weights),
        }
    }
}

/// What each piece on each square adds to the score, from white's view.
#[derive(Clone, Debug)]
pub(super) struct PieceSquareTable([[Score; 64]; Piece::COUNT]); // [piece][square]

impl PieceSquareTable {
    const fn of(weights: &Weights) -> Self {
        let mut table = [[Score::ZERO; 64]; Piece::COUNT];
        let mut role = 0;
        while role < Role::ALL.len() {
            let mut index = 0;
            while index < 64 {
                let square = Square::new(index);
                let score = value(weights, Role::ALL[role], square);
                let white = Piece::new(Color::White, Role::ALL[role]).index();
                let black = Piece::new(Color::Black, Role::ALL[role]).index();
                table[white][square as usize] = score;
                table[black][square.flip_vertical() as usize] = score.negated();
                index += 1;
            }
            role += 1;
        }
        Self(table)
    }

    #[inline]
    pub(super) const fn get(&self, piece: Piece, square: Square) -> Score {
        self.0[piece.index()][square as usize]
    }
}

/// The value of a piece to its owner on a square relative to the owner.
const fn value(weights: &Weights, role: Role, square: Square) -> Score {
    let place = weights.0[PieceSquare::at(role, square).get()].score();
    match role {
        Role::King => place,
        _ => place.plus(weights.0[Material::at(role).get()].score()),
    }
}
