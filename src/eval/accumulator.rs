//! The accumulator: the part of the evaluation that is updated move by move instead of being summed up anew.
//!
//! After every move it equals the sum of the material and piece-square features of the position. A king move changes all
//! king-piece-square terms of its side; these are then refreshed from scratch.

use super::king_piece_square::Perspective;
use super::psqt::Tables;
use super::score::Score;
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
    /// Material and piece-square tables, from white's view.
    piece_square: Score,
    /// King-piece-square tables by the king's colour, from white's view.
    king_piece_square: [Score; 2],
    perspectives: [Perspective; 2],
    /// The kings that have moved since the last refresh, one bit each.
    stale: u8,
    phase: i32,
    counts: u64,
}

impl Accumulator {
    /// The accumulator of an empty board. The squares of the kings do not matter yet.
    const EMPTY: Self = Self {
        piece_square: Score::ZERO,
        king_piece_square: [Score::ZERO; 2],
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
        self.piece_square + self.king_piece_square[0] + self.king_piece_square[1]
    }

    /// The phase: 24 or more on a full board, 0 with only kings and pawns.
    #[inline]
    pub const fn phase(&self) -> i32 {
        self.phase
    }

    /// The number of pieces of each colour and role without the kings, six bits each.
    #[inline]
    pub(super) const fn counts(&self) -> u64 {
        self.counts
    }

    #[inline]
    pub(super) fn put_by(&mut self, tables: &Tables, piece: Piece, square: Square) {
        if piece.role() == Role::King {
            let color = piece.color();
            self.perspectives[color as usize] = Perspective::of(color, square);
            self.stale |= 1 << color as u8;
        }
        self.piece_square += tables.piece_square.get(piece, square);
        let [black, white] = self.perspectives;
        self.king_piece_square[1] += tables.king_piece_square.get(white, piece, square);
        self.king_piece_square[0] -= tables.king_piece_square.get(black, piece, square);
        self.counts += UNITS[piece.index()];
        self.phase += PHASES[piece.index() / 2];
    }

    #[inline]
    pub(super) fn remove_by(&mut self, tables: &Tables, piece: Piece, square: Square) {
        self.piece_square -= tables.piece_square.get(piece, square);
        let [black, white] = self.perspectives;
        self.king_piece_square[1] -= tables.king_piece_square.get(white, piece, square);
        self.king_piece_square[0] += tables.king_piece_square.get(black, piece, square);
        self.counts -= UNITS[piece.index()];
        self.phase -= PHASES[piece.index() / 2];
    }

    #[inline]
    pub(super) fn settle_by(&mut self, tables: &Tables, position: &Position) {
        if self.stale != 0 {
            self.refresh(tables, position);
        }
    }

    /// Sums up the king-piece-square terms of the kings that have moved.
    #[inline(never)]
    fn refresh(&mut self, tables: &Tables, position: &Position) {
        for color in Color::ALL {
            if self.stale >> color as u8 & 1 == 0 {
                continue;
            }
            let perspective = self.perspectives[color as usize];
            let mut sum = Score::ZERO;
            for square in position.occupied() ^ position.pieces(color, Role::King) {
                if let Some(piece) = position.piece_on(square) {
                    sum += tables.king_piece_square.get(perspective, piece, square);
                }
            }
            self.king_piece_square[color as usize] = match color {
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
    tables: &'a Tables,
    accumulator: Accumulator,
}

impl<'a> Updater<'a> {
    #[inline]
    pub(super) const fn new(tables: &'a Tables, accumulator: Accumulator) -> Self {
        Self {
            tables,
            accumulator,
        }
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
        self.accumulator.put_by(self.tables, piece, square);
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.accumulator.remove_by(self.tables, piece, square);
    }

    #[inline]
    fn settle(&mut self, child: &Position) {
        self.accumulator.settle_by(self.tables, child);
    }
}
