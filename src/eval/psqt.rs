//! Incremental sums: the part of the evaluation that a move changes in a few places only.
//! Uses: chess, families, model. Used by: model, sink, search.
//! Idea: the sums hear of every piece put or removed, as an observer of moves, and equal at all times what the
//! material and piece-square features add up to from scratch.

use super::BUILT_IN;
use super::families::{Material, PieceSquare};
use super::model::Weights;
use super::score::Score;
use crate::chess::{Color, Observer, Piece, Position, Role, Square};

/// How much each role counts for the phase, pawn first.
const PHASES: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// What each piece adds to the packed counts, pawns first; kings are not counted. Six bits are more than a side has men.
const UNITS: [u64; Piece::COUNT] = {
    let mut units = [0; Piece::COUNT];
    let mut piece = 0;
    while piece < Piece::COUNT - 2 {
        units[piece] = 1 << (6 * piece);
        piece += 1;
    }
    units
};

/// What each piece on each square adds to the score, from white's view: its material and its place.
#[derive(Clone, Debug)]
pub struct PieceSquareTable([[Score; 64]; Piece::COUNT]); // [piece][square]

impl PieceSquareTable {
    /// The table that follows from these weights.
    #[must_use]
    pub const fn of(weights: &Weights) -> Self {
        let mut table = [[Score::ZERO; 64]; Piece::COUNT];
        let mut role = 0;
        while role < Role::ALL.len() {
            let mut index = 0;
            while index < 64 {
                let square = Square::new(index);
                let score = worth(weights, Role::ALL[role], square);
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

    /// What a piece on a square adds to the score.
    #[inline]
    #[must_use]
    pub const fn get(&self, piece: Piece, square: Square) -> Score {
        self.0[piece.index()][square as usize]
    }
}

/// What a piece is worth to its owner on a square seen from the owner's side.
const fn worth(weights: &Weights, role: Role, square: Square) -> Score {
    let place = weights.0[PieceSquare::at(role, square).get()].score();
    match role {
        Role::King => place,
        _ => place.plus(weights.0[Material::at(role).get()].score()),
    }
}

/// The material and piece-square part of a position's score, its phase and how many men of each kind there are.
///
/// As an [`Observer`] it follows a move by the weights that are compiled in:
/// `let child = position.play_observed(mv, &mut sums)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PieceSquareSums {
    score: Score,
    counts: u64,
    phase: i32,
}

impl PieceSquareSums {
    /// The sums of a position, from scratch.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        BUILT_IN.sums(position)
    }

    /// The material and piece-square part of the score, from white's view.
    #[inline]
    #[must_use]
    pub const fn score(&self) -> Score {
        self.score
    }

    /// The phase: 24 and more on a full board, 0 when only kings and pawns are left.
    #[inline]
    #[must_use]
    pub const fn phase(&self) -> i32 {
        self.phase
    }

    /// How many men of each kind there are, kings apart, in sixty bits.
    #[inline]
    pub(super) const fn counts(&self) -> u64 {
        self.counts
    }

    #[inline]
    fn put_by(&mut self, table: &PieceSquareTable, piece: Piece, square: Square) {
        self.score += table.get(piece, square);
        self.counts += UNITS[piece.index()];
        self.phase += PHASES[piece.index() / 2];
    }

    #[inline]
    fn remove_by(&mut self, table: &PieceSquareTable, piece: Piece, square: Square) {
        self.score -= table.get(piece, square);
        self.counts -= UNITS[piece.index()];
        self.phase -= PHASES[piece.index() / 2];
    }
}

impl Observer for PieceSquareSums {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.put_by(BUILT_IN.piece_square(), piece, square);
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.remove_by(BUILT_IN.piece_square(), piece, square);
    }
}

/// Keeps sums by a table that is not compiled in.
#[derive(Clone, Copy, Debug)]
pub struct Watcher<'a> {
    table: &'a PieceSquareTable,
    sums: PieceSquareSums,
}

impl<'a> Watcher<'a> {
    #[inline]
    pub(super) const fn new(table: &'a PieceSquareTable, sums: PieceSquareSums) -> Self {
        Self { table, sums }
    }

    /// Puts every piece of a position.
    pub(super) fn read(mut self, position: &Position) -> PieceSquareSums {
        for piece in Piece::ALL {
            for square in position.pieces(piece.color(), piece.role()) {
                self.put(piece, square);
            }
        }
        self.sums
    }

    /// The sums after what was observed.
    #[inline]
    #[must_use]
    pub const fn sums(&self) -> PieceSquareSums {
        self.sums
    }
}

impl Observer for Watcher<'_> {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.sums.put_by(self.table, piece, square);
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.sums.remove_by(self.table, piece, square);
    }
}
