//! Piece-square tables from a king's perspective: what each piece is worth on each square, by the square of a king.
//!
//! Each king has a perspective: the board from its own side, mirrored so that the king is on the files a to d. Both wings
//! and both colours share the weights. The distance of a piece to the king follows from the same squares, so the table
//! includes it; material and plain piece-square weights are added to the table of the piece's own king.

use super::axes::FoldedSquare;
use super::families::{EnemyKing, Index, KingPieceSquare, Material, OwnKing, PieceSquare};
use super::score::Score;
use super::side::steps;
use super::weights::Weights;
use crate::chess::{Color, File, Piece, Role, Square};

/// Buckets: one for each king square on the files a to d.
const BUCKETS: usize = 32;
/// Kinds of pieces of one side without the king.
const KINDS: usize = 5;

/// How one king sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Perspective {
    color: Color,
    /// The king's square in this perspective, on the files a to d.
    king: Square,
    /// Turns a square into this perspective by exclusive or.
    flip: Square,
    /// The number of the king's square among those on the files a to d.
    bucket: u8,
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
        let king = king.xor(flip);
        Self {
            color,
            king,
            flip,
            bucket: FoldedSquare::cell(king) as u8,
        }
    }

    /// The feature of another piece on a square.
    #[inline]
    pub(super) const fn index(self, piece: Piece, square: Square) -> Index {
        let is_enemy = piece.color() as usize != self.color as usize;
        let role = piece.role() as usize - Role::Pawn as usize;
        let kind = role + KINDS * is_enemy as usize;
        KingPieceSquare::at(self.king, kind, square.xor(self.flip))
    }
}

/// The weights as one table, from the king's own perspective.
#[derive(Clone, Debug)]
pub(super) struct KingPieceSquareTable([[[Score; 64]; Piece::COUNT]; BUCKETS]); // [bucket][kind][square]

impl KingPieceSquareTable {
    pub(super) const fn of(weights: &Weights) -> Self {
        let mut table = [[[Score::ZERO; 64]; Piece::COUNT]; BUCKETS];
        let mut cell = 0;
        while cell < BUCKETS * Piece::COUNT * 64 {
            let (bucket, kind, index) = (
                cell / 64 / Piece::COUNT,
                cell / 64 % Piece::COUNT,
                cell % 64,
            );
            let king = Square::new((bucket / 4 * 8 + bucket % 4) as u32);
            debug_assert!(FoldedSquare::cell(king) == bucket);
            let (role, square) = (Role::ALL[kind / 2], Square::new(index as u32));
            table[bucket][kind][index] = if kind % 2 == 0 {
                of_own(weights, king, role, square)
            } else {
                of_enemy(weights, king, role, square)
            };
            cell += 1;
        }
        Self(table)
    }

    /// What a piece on a square adds to the score of the king's side, `color`.
    #[inline(always)]
    pub(super) const fn get(
        &self,
        color: Color,
        perspective: Perspective,
        piece: Piece,
        square: Square,
    ) -> Score {
        self.row(color, perspective, piece)[square.xor(perspective.flip) as usize]
    }

    /// What a move of a piece adds to it; the king of `color` must not move.
    #[inline(always)]
    pub(super) fn step(
        &self,
        color: Color,
        perspective: Perspective,
        piece: Piece,
        from: Square,
        to: Square,
    ) -> Score {
        let row = self.row(color, perspective, piece);
        let [from, to] = [from, to].map(|square| row[square.xor(perspective.flip) as usize]);
        to - from
    }

    /// The scores of a piece by its square in the perspective. `color` is the perspective's, which callers have as a constant.
    #[inline(always)]
    const fn row(&self, color: Color, perspective: Perspective, piece: Piece) -> &[Score; 64] {
        // Twice the role, and one more for an enemy piece.
        let kind = piece.index() ^ color as usize;
        &self.0[perspective.bucket as usize % BUCKETS][kind]
    }
}

/// The weights of a piece of the king's side, or of the king itself, which is worth nothing but on its square.
const fn of_own(weights: &Weights, king: Square, role: Role, square: Square) -> Score {
    let on_square = weights.0[PieceSquare::at(role, square).get()].score();
    if matches!(role, Role::King) {
        return on_square;
    }
    let kind = role as usize - Role::Pawn as usize;
    let sum = on_square
        .plus(weights.0[Material::at(role).get()].score())
        .plus(weights.0[KingPieceSquare::at(king, kind, square).get()].score());
    match steps(king, square) {
        steps if steps > 0 && !matches!(role, Role::Pawn) => {
            sum.plus(weights.0[OwnKing::at(role, steps).get()].score())
        }
        _ => sum,
    }
}

/// The weights of an enemy piece.
const fn of_enemy(weights: &Weights, king: Square, role: Role, square: Square) -> Score {
    let kind = KINDS + role as usize - Role::Pawn as usize;
    let place = weights.0[KingPieceSquare::at(king, kind, square).get()].score();
    match steps(king, square) {
        steps if steps > 0 && !matches!(role, Role::Pawn | Role::King) => {
            let distance = weights.0[EnemyKing::at(role, steps).get()].score();
            place.plus(distance.negated())
        }
        _ => place,
    }
}
