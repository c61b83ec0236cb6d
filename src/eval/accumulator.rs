//! The accumulator: the part of the evaluation that is updated incrementally, move by move.
//!
//! After every move it equals the sum of the material and piece-square features of the position. A king move changes the
//! weights of every piece in that king's table; that sum is then computed from scratch.

use super::king_piece_square::{KingPieceSquareTable, Perspective};
use super::score::{Score, Taper};
use crate::chess::{Color, Observer, Piece, Position, Role, Square};

/// How much each role counts for the phase, pawn first.
const PHASES: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// What each piece adds to the packed counts, pawns first; kings are not counted. A side has fewer pieces of a kind than six
/// bits hold.
const UNITS: [u64; Piece::COUNT] = {
    let mut units = [0; Piece::COUNT];
    let mut piece = 0;
    while piece < Piece::COUNT - 2 {
        units[piece] = 1 << (6 * piece);
        piece += 1;
    }
    units
};

/// The material and piece-square score of a position, its phase and its piece counts.
///
/// As an [`Observer`] it follows moves with the built-in weights:
/// `let child = position.play_observed(mv, &mut accumulator)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accumulator {
    /// Sums of the tables by the king's colour, from white's view.
    sums: [Score; 2],
    perspectives: [Perspective; 2],
    /// The kings that have moved since the last refresh, one bit each.
    stale: u8,
    phase: i32,
    counts: u64,
}

impl Accumulator {
    /// The accumulator of an empty board. The squares of the kings do not matter yet.
    const EMPTY: Self = Self {
        sums: [Score::ZERO; 2],
        perspectives: [
            Perspective::of(Color::Black, Square::A8),
            Perspective::of(Color::White, Square::A1),
        ],
        stale: 0,
        phase: 0,
        counts: 0,
    };

    /// The score in quarters of a centipawn, from white's view.
    #[inline]
    pub fn score(&self) -> Score {
        self.sums[0] + self.sums[1]
    }

    /// The phase: 24 or more on a full board, 0 with only kings and pawns.
    #[inline]
    pub const fn phase(&self) -> i32 {
        self.phase
    }

    /// The phase and the number of pawns, which set the shares of the parts of a score.
    #[inline]
    pub const fn taper(&self) -> Taper {
        let pawns = (self.counts & 63) + (self.counts >> 6 & 63);
        Taper::new(self.phase, pawns as i32)
    }

    /// The number of pieces of each colour and role without the kings, six bits each.
    #[inline]
    pub(super) const fn counts(&self) -> u64 {
        self.counts
    }

    #[inline]
    pub(super) fn put_by(&mut self, table: &KingPieceSquareTable, piece: Piece, square: Square) {
        self.add_by(table, piece, square);
        self.counts += UNITS[piece.index()];
        self.phase += PHASES[piece.index() / 2];
    }

    #[inline]
    pub(super) fn remove_by(&mut self, table: &KingPieceSquareTable, piece: Piece, square: Square) {
        self.subtract_by(table, piece, square);
        self.counts -= UNITS[piece.index()];
        self.phase -= PHASES[piece.index() / 2];
    }

    #[inline]
    pub(super) fn move_by(
        &mut self,
        table: &KingPieceSquareTable,
        piece: Piece,
        from: Square,
        to: Square,
    ) {
        // A king's move changes its perspective between the two squares.
        if piece.role() == Role::King {
            self.subtract_by(table, piece, from);
            self.add_by(table, piece, to);
            return;
        }
        let [black, white] = self.perspectives;
        self.sums[1] += table.step(Color::White, white, piece, from, to);
        self.sums[0] -= table.step(Color::Black, black, piece, from, to);
    }

    /// Adds a piece to both sums.
    #[inline(always)]
    fn add_by(&mut self, table: &KingPieceSquareTable, piece: Piece, square: Square) {
        if piece.role() == Role::King {
            let color = piece.color();
            self.perspectives[color as usize] = Perspective::of(color, square);
            self.stale |= 1 << color as u8;
        }
        let [black, white] = self.perspectives;
        self.sums[1] += table.get(Color::White, white, piece, square);
        self.sums[0] -= table.get(Color::Black, black, piece, square);
    }

    /// Removes a piece from both sums.
    #[inline(always)]
    fn subtract_by(&mut self, table: &KingPieceSquareTable, piece: Piece, square: Square) {
        let [black, white] = self.perspectives;
        self.sums[1] -= table.get(Color::White, white, piece, square);
        self.sums[0] += table.get(Color::Black, black, piece, square);
    }

    #[inline]
    pub(super) fn settle_by(&mut self, table: &KingPieceSquareTable, position: &Position) {
        if self.stale != 0 {
            self.refresh(table, position);
        }
    }

    /// Computes the sums of the kings that have moved from scratch.
    #[inline(never)]
    fn refresh(&mut self, table: &KingPieceSquareTable, position: &Position) {
        for color in Color::ALL {
            if self.stale >> color as u8 & 1 == 0 {
                continue;
            }
            let perspective = self.perspectives[color as usize];
            let mut sum = Score::ZERO;
            for square in position.occupied() {
                if let Some(piece) = position.piece_on(square) {
                    sum += table.get(color, perspective, piece, square);
                }
            }
            self.sums[color as usize] = match color {
                Color::White => sum,
                Color::Black => -sum,
            };
        }
        self.stale = 0;
    }
}

impl Default for Accumulator {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// Updates an accumulator with the weights of any model.
#[derive(Clone, Copy, Debug)]
pub struct Updater<'a> {
    table: &'a KingPieceSquareTable,
    accumulator: Accumulator,
}

impl<'a> Updater<'a> {
    #[inline]
    pub(super) const fn new(table: &'a KingPieceSquareTable, accumulator: Accumulator) -> Self {
        Self { table, accumulator }
    }

    /// Puts every piece of a position.
    pub(super) fn read(mut self, position: &Position) -> Accumulator {
        for piece in Piece::ALL {
            for square in position.pieces(piece.color(), piece.role()) {
                self.put(piece, square);
            }
        }
        self.settle(position);
        self.accumulator
    }

    /// The accumulator after the observed move.
    #[inline]
    pub const fn accumulator(&self) -> Accumulator {
        self.accumulator
    }
}

impl Observer for Updater<'_> {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.accumulator.put_by(self.table, piece, square);
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.accumulator.remove_by(self.table, piece, square);
    }

    #[inline]
    fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        self.accumulator.move_by(self.table, piece, from, to);
    }

    #[inline]
    fn settle(&mut self, child: &Position) {
        self.accumulator.settle_by(self.table, child);
    }
}
