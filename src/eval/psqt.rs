//! Incremental sums: the part of the evaluation that a move changes in a few places only.
//! Uses: chess, families, model, views. Used by: model, sink, search.
//! Idea: the sums hear of every piece put or removed, as an observer of moves, and equal after every move what the
//! material and piece-square features add up to from scratch. What a king sees changes with its every step, and is then
//! added up anew; most moves are of others.

use super::BUILT_IN;
use super::families::{Material, PieceSquare};
use super::model::{Model, Weights};
use super::score::Score;
use super::views::View;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceSquareSums {
    score: Score,
    /// What the places are worth besides, by the king that sees them, from white's view.
    seen: [Score; 2],
    views: [View; 2],
    /// The kings that have moved since the sums were settled, one bit each: what they see is to be added up anew.
    moved: u8,
    phase: i32,
    counts: u64,
}

impl PieceSquareSums {
    /// The sums of an empty board. The kings' places are of no account.
    const EMPTY: Self = Self {
        score: Score::ZERO,
        seen: [Score::ZERO; 2],
        views: [
            View::of(Color::Black, Square::A8),
            View::of(Color::White, Square::A1),
        ],
        moved: 0,
        phase: 0,
        counts: 0,
    };

    /// The sums of a position, from scratch.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        BUILT_IN.sums(position)
    }

    /// The material and piece-square part of the score, from white's view.
    #[inline]
    #[must_use]
    pub fn score(&self) -> Score {
        self.score + self.seen[0] + self.seen[1]
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
    fn put_by(&mut self, model: &Model, piece: Piece, square: Square) {
        if piece.role() == Role::King {
            let color = piece.color();
            self.views[color as usize] = View::of(color, square);
            self.moved |= 1 << color as u8;
        }
        self.score += model.piece_square().get(piece, square);
        let [black, white] = self.views;
        self.seen[1] += model.views().get(white, piece, square);
        self.seen[0] -= model.views().get(black, piece, square);
        self.counts += UNITS[piece.index()];
        self.phase += PHASES[piece.index() / 2];
    }

    #[inline]
    fn remove_by(&mut self, model: &Model, piece: Piece, square: Square) {
        self.score -= model.piece_square().get(piece, square);
        let [black, white] = self.views;
        self.seen[1] -= model.views().get(white, piece, square);
        self.seen[0] += model.views().get(black, piece, square);
        self.counts -= UNITS[piece.index()];
        self.phase -= PHASES[piece.index() / 2];
    }

    #[inline]
    fn settle_by(&mut self, model: &Model, position: &Position) {
        if self.moved != 0 {
            self.look_anew(model, position);
        }
    }

    /// Adds up what the kings see that have moved.
    #[inline(never)]
    fn look_anew(&mut self, model: &Model, position: &Position) {
        for color in Color::ALL {
            if self.moved >> color as u8 & 1 == 0 {
                continue;
            }
            let view = self.views[color as usize];
            let mut seen = Score::ZERO;
            for square in position.occupied() ^ position.pieces(color, Role::King) {
                if let Some(piece) = position.piece_on(square) {
                    seen += model.views().get(view, piece, square);
                }
            }
            self.seen[color as usize] = match color {
                Color::White => seen,
                Color::Black => -seen,
            };
        }
        self.moved = 0;
    }
}

impl Default for PieceSquareSums {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Observer for PieceSquareSums {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.put_by(&BUILT_IN, piece, square);
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.remove_by(&BUILT_IN, piece, square);
    }

    #[inline]
    fn settle(&mut self, child: &Position) {
        self.settle_by(&BUILT_IN, child);
    }
}

/// Keeps sums by a model that is not compiled in.
#[derive(Clone, Copy, Debug)]
pub struct Watcher<'a> {
    model: &'a Model,
    sums: PieceSquareSums,
}

impl<'a> Watcher<'a> {
    #[inline]
    pub(super) const fn new(model: &'a Model, sums: PieceSquareSums) -> Self {
        Self { model, sums }
    }

    /// Puts every piece of a position.
    pub(super) fn read(mut self, position: &Position) -> PieceSquareSums {
        for piece in Piece::ALL {
            for square in position.pieces(piece.color(), piece.role()) {
                self.put(piece, square);
            }
        }
        self.settle(position);
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
        self.sums.put_by(self.model, piece, square);
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.sums.remove_by(self.model, piece, square);
    }

    #[inline]
    fn settle(&mut self, child: &Position) {
        self.sums.settle_by(self.model, child);
    }
}
