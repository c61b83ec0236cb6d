//! King-piece-square tables: what each piece is worth on each square, by the square of a king.
//!
//! Each king has a perspective: the board from its own side, mirrored so that the king is on the files a to d. Both wings
//! and both colours share the weights. The distance of a piece to the king follows from the same squares, so the table
//! includes it.

use super::axes::FoldedSquare;
use super::families::{EnemyKing, Index, KingPieceSquare, OwnKing};
use super::score::Score;
use super::side::steps;
use super::weights::Weights;
use crate::chess::{Color, File, Piece, Role, Square};

/// Buckets: one for each king square on the files a to d.
const BUCKETS: usize = 32;
/// Kinds of pieces of one side without the king.
const KINDS: usize = 5;
/// Kinds of all other pieces: own pawn to queen, enemy pawn to king.
const ALL_KINDS: usize = 2 * KINDS + 1;

/// How one king sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Perspective {
    color: Color,
    /// The king's square in this perspective, on the files a to d.
    king: Square,
    /// Turns a square into this perspective by exclusive or.
    flip: Square,
}

impl Perspective {
    #[inline]
    pub(super) const fn of(color: Color, king: Square) -> Self {
        let flip = match (color, (king.file() as usize) < File::E as usize) {
            (Color::White, true) => Square::A1,
            (Color::White, false) => Square::H1,
            (Color::Black, true) => Square::A8,
            (Color::Black, false) => Square::H8,
        };
        Self {
            color,
            king: king.xor(flip),
            flip,
        }
    }

    /// The feature of a piece on a square. For the king itself the index is valid, but means nothing.
    #[inline]
    pub(super) const fn index(self, piece: Piece, square: Square) -> Index {
        KingPieceSquare::at(self.king, self.kind(piece), square.xor(self.flip))
    }

    #[inline]
    const fn kind(self, piece: Piece) -> usize {
        let is_enemy = piece.color() as usize != self.color as usize;
        piece.role() as usize - Role::Pawn as usize + KINDS * is_enemy as usize
    }
}

/// The weights as one table, from the king's own perspective.
#[derive(Clone, Debug)]
pub(super) struct KingPieceSquareTable([[[Score; 64]; ALL_KINDS]; BUCKETS]); // [bucket][kind][square]

impl KingPieceSquareTable {
    pub(super) const fn of(weights: &Weights) -> Self {
        let mut table = [[[Score::ZERO; 64]; ALL_KINDS]; BUCKETS];
        let mut cell = 0;
        while cell < BUCKETS * ALL_KINDS * 64 {
            let (bucket, kind, index) = (cell / 64 / ALL_KINDS, cell / 64 % ALL_KINDS, cell % 64);
            let king = Square::new((bucket / 4 * 8 + bucket % 4) as u32);
            debug_assert!(FoldedSquare::cell(king) == bucket);
            let square = Square::new(index as u32);
            let place = weights.0[KingPieceSquare::at(king, kind, square).get()].score();
            table[bucket][kind][index] = place.plus(distance(weights, king, kind, square));
            cell += 1;
        }
        Self(table)
    }

    /// What a piece on a square adds to the score of the king's side.
    #[inline]
    pub(super) const fn get(
        &self,
        perspective: Perspective,
        piece: Piece,
        square: Square,
    ) -> Score {
        let bucket = FoldedSquare::cell(perspective.king);
        self.0[bucket][perspective.kind(piece)][square.xor(perspective.flip) as usize]
    }
}

/// What the distance of a piece from the king adds.
const fn distance(weights: &Weights, king: Square, kind: usize, square: Square) -> Score {
    let role = Role::ALL[kind % KINDS];
    let steps = steps(king, square);
    if kind == ALL_KINDS - 1 || matches!(role, Role::Pawn) || steps == 0 {
        Score::ZERO
    } else if kind < KINDS {
        weights.0[OwnKing::at(role, steps).get()].score()
    } else {
        weights.0[EnemyKing::at(role, steps).get()]
            .score()
            .negated()
    }
}
