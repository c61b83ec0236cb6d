//! The cells of one placement of pawns and their neighbours by quiet moves of kings and pieces.
//! Uses: chess, geometry, space. Used by: seed, solve, exact, statistics, layout.
//! Idea: a quiet move made and a quiet move unmade are the same step, so one walk serves forwards and backwards.

use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use super::geometry::REFLECT;
use super::space::Space;
use crate::chess::{Bitboard, Color, Role, Square, attacks};

/// What is known of a cell, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Nothing, or in the end: a draw.
    Open,
    /// Perhaps all moves lose now: to be looked at.
    Look,
    /// Not a position: two men on a square, or the side to move could take the king.
    Illegal,
    /// Wins; in so many plies the next capture or pawn move (or mate) happens.
    Win(u16),
    /// Loses; likewise.
    Loss(u16),
}

/// The best that captures, or pawn moves, lead to. The numbers are win-draw-loss values plus one.
pub const NO_MOVE: u16 = 0;
/// The longest line without capture or pawn move that wins under the fifty-move rule, in plies.
pub const FIFTY_MOVES: u16 = 100;

/// A cell's bits: 10 of value, 3 of the best pawn move, 3 of the best capture.
const VALUE_BITS: u16 = 10;
const VALUE_MASK: u16 = (1 << VALUE_BITS) - 1;
const CAPTURE_SHIFT: u16 = 13;
const CLASS_MASK: u16 = 7;
const LOOK: u16 = 510;
/// The cell of an illegal placement.
pub const ILLEGAL: u16 = 511;
const LOSS: u16 = 512;

impl Known {
    /// As the ten bits of a cell.
    #[inline]
    #[must_use]
    pub fn bits(self) -> u16 {
        match self {
            Self::Open => 0,
            Self::Look => LOOK,
            Self::Illegal => ILLEGAL,
            Self::Win(plies) => plies,
            Self::Loss(plies) => LOSS + plies,
        }
    }

    /// What a cell says.
    #[inline]
    #[must_use]
    pub fn of(cell: u16) -> Self {
        match cell & VALUE_MASK {
            0 => Self::Open,
            LOOK => Self::Look,
            ILLEGAL => Self::Illegal,
            plies if plies < LOSS => Self::Win(plies),
            loss => Self::Loss(loss - LOSS),
        }
    }

    /// Loss 0, blessed loss 1, draw 2, cursed win 3, win 4; `None` for an illegal placement.
    #[inline]
    #[must_use]
    pub fn outcome(self) -> Option<u8> {
        match self {
            Self::Open | Self::Look => Some(2),
            Self::Illegal => None,
            Self::Win(plies) => Some(if plies <= FIFTY_MOVES { 4 } else { 3 }),
            Self::Loss(plies) => Some(u8::from(plies > FIFTY_MOVES)),
        }
    }
}

/// The best class of captures in a cell.
#[inline]
#[must_use]
pub fn capture_class(cell: u16) -> u16 {
    cell >> CAPTURE_SHIFT
}

/// The best class of pawn moves in a cell, captures aside.
#[inline]
#[must_use]
pub fn pawn_class(cell: u16) -> u16 {
    cell >> VALUE_BITS & CLASS_MASK
}

/// The better of the two classes.
#[inline]
#[must_use]
pub fn best_class(cell: u16) -> u16 {
    capture_class(cell).max(pawn_class(cell))
}

/// A cell with another value.
#[inline]
#[must_use]
pub fn with_value(cell: u16, value: Known) -> u16 {
    cell & !VALUE_MASK | value.bits()
}

/// Raises the class of captures (or of pawn moves) of a cell to at least this one.
pub fn raise_class(cell: &AtomicU16, class: u16, is_capture: bool) {
    let shift = if is_capture {
        CAPTURE_SHIFT
    } else {
        VALUE_BITS
    };
    let _ = cell.fetch_update(Relaxed, Relaxed, |old| {
        let is_better = old & VALUE_MASK != ILLEGAL && old >> shift & CLASS_MASK < class;
        is_better.then_some(old & !(CLASS_MASK << shift) | class << shift)
    });
}

/// All placements of kings and pieces with the same pawns, for both sides to move.
pub struct Slice<'a> {
    /// The numbering.
    pub space: &'a Space,
    /// The pawns, by slots.
    pub pawns: &'a [u8],
    /// `[side to move][cell]`.
    pub cells: [Vec<AtomicU16>; 2],
    /// `[side to move]`: whether the cells hold no more than a code of four bits each, four to a number.
    is_narrow: [bool; 2],
}

/// How many narrow cells share a number, and their bits.
const NARROW_CELLS: usize = 4;
const NARROW_BITS: usize = 4;

/// The set of one square.
#[inline]
pub fn bit(square: u8) -> u64 {
    1 << square
}

/// Where a piece (no pawn) on `from` goes when these squares are taken, captures included.
#[inline]
pub fn targets(role: Role, from: u8, occupied: u64) -> u64 {
    let (from, occupied) = (Square::new(u32::from(from)), Bitboard(occupied));
    match role {
        Role::Pawn => 0,
        Role::Knight => attacks::knight_attacks(from).0,
        Role::Bishop => attacks::bishop_attacks(from, occupied).0,
        Role::Rook => attacks::rook_attacks(from, occupied).0,
        Role::Queen => attacks::queen_attacks(from, occupied).0,
        Role::King => attacks::king_attacks(from).0,
    }
}

/// The squares of a set.
#[inline]
pub fn squares_in(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            square as u8
        })
    })
}

impl<'a> Slice<'a> {
    /// The slice with all illegal placements marked and nothing else known.
    #[must_use]
    pub fn new(space: &'a Space, pawns: &'a [u8]) -> Self {
        let cells = space.cells();
        let make = || (0..cells).map(|_| AtomicU16::new(0)).collect::<Vec<_>>();
        let slice = Self {
            space,
            pawns,
            cells: [make(), make()],
            is_narrow: [false; 2],
        };
        slice.for_each_cell(&|cell| slice.mark(cell));
        slice
    }

    /// Keeps no more of a side's cells than a code (below 16) of each, and gives the rest of their memory back. Only
    /// [`Slice::code`] may ask for them from then on.
    pub fn narrow(&mut self, side: usize, code: impl Fn(u16) -> u16) {
        let cells = &mut self.cells[side];
        let words = cells.len().div_ceil(NARROW_CELLS);
        // In place: a number is written where the cells before it have been read.
        for word in 0..words {
            let start = word * NARROW_CELLS;
            let end = cells.len().min(start + NARROW_CELLS);
            let codes = cells[start..end].iter_mut().enumerate();
            let packed = codes.map(|(at, cell)| code(*cell.get_mut()) << (at * NARROW_BITS));
            *cells[word].get_mut() = packed.sum();
        }
        cells.truncate(words);
        cells.shrink_to_fit();
        self.is_narrow[side] = true;
    }

    /// The code of a cell: the one kept of a narrow one, else that of what it holds.
    #[inline]
    #[must_use]
    pub fn code(&self, side: usize, cell: usize, code: impl Fn(u16) -> u16) -> u16 {
        let cells = &self.cells[side];
        if self.is_narrow[side] {
            let word = cells[cell / NARROW_CELLS].load(Relaxed);
            word >> (cell % NARROW_CELLS * NARROW_BITS) & ((1 << NARROW_BITS) - 1)
        } else {
            code(cells[cell].load(Relaxed))
        }
    }

    /// Does something with every cell, on all cores where it is worth it.
    pub fn for_each_cell(&self, work: &(impl Fn(usize) + Sync)) {
        super::parallel(self.space.cells(), &|range| range.for_each(work));
    }

    /// Marks a placement that cannot be.
    fn mark(&self, cell: usize) {
        let squares = self.space.squares(self.pawns, cell);
        let men = &self.space.men;
        let mut occupied = 0;
        for &square in &squares[..men.len()] {
            if occupied & bit(square) != 0 {
                for side in &self.cells {
                    side[cell].store(ILLEGAL, Relaxed);
                }
                return;
            }
            occupied |= bit(square);
        }
        let mut attacked = [false; 2];
        for (man, &square) in men.iter().zip(&squares).skip(2) {
            let side = usize::from(man.color == Color::Black);
            let king = bit(squares[1 - side]);
            let reach = if man.role == Role::Pawn {
                attacks::pawn_attacks(man.color, Square::new(u32::from(square))).0
            } else {
                targets(man.role, square, occupied)
            };
            attacked[side] |= reach & king != 0;
        }
        for (cells, is_illegal) in self.cells.iter().zip(attacked) {
            if is_illegal {
                cells[cell].store(ILLEGAL, Relaxed);
            }
        }
    }

    /// What is known of a cell.
    #[inline]
    #[must_use]
    pub fn known(&self, side: usize, cell: usize) -> Known {
        Known::of(self.cells[side][cell].load(Relaxed))
    }

    /// Whether a cell without captures and pawn moves is mate: in check, since the other side to move would be illegal
    /// here, and nowhere to go.
    #[must_use]
    pub fn is_mate(&self, side: usize, cell: usize) -> bool {
        self.known(1 - side, cell) == Known::Illegal
            && self.walk(side, cell, |next| {
                self.known(1 - side, next) == Known::Illegal
            })
    }

    /// Walks over all cells that a quiet move of `mover`'s king or pieces connects with this one, both images where
    /// there are two; stops and returns false when `visit` does.
    #[inline]
    pub fn walk(&self, mover: usize, cell: usize, mut visit: impl FnMut(usize) -> bool) -> bool {
        let space = self.space;
        let (pair, pieces) = (cell >> space.bits(), cell & ((1 << space.bits()) - 1));
        let mut occupied = self.pawns.iter().fold(0, |set, &square| set | bit(square));
        for king in space.kings.squares[pair] {
            occupied |= bit(king);
        }
        for piece in 0..space.pieces {
            occupied |= bit((pieces >> (6 * piece) & 63) as u8);
        }
        for piece in 0..space.pieces {
            let man = space.men[2 + piece];
            if usize::from(man.color == Color::Black) != mover {
                continue;
            }
            let rest = cell & !(63 << (6 * piece));
            let from = (pieces >> (6 * piece) & 63) as u8;
            for to in squares_in(targets(man.role, from, occupied) & !occupied) {
                if !visit(rest | usize::from(to) << (6 * piece)) {
                    return false;
                }
            }
        }
        self.walk_king(mover, pair, pieces, occupied, visit)
    }

    /// The king's part of [`Self::walk`].
    #[inline]
    pub fn walk_king(
        &self,
        mover: usize,
        pair: usize,
        pieces: usize,
        occupied: u64,
        mut visit: impl FnMut(usize) -> bool,
    ) -> bool {
        let space = self.space;
        for step in space.kings.steps(mover, pair) {
            if occupied & bit(step.to) != 0 {
                continue;
            }
            let image = match step.symmetry {
                0 => pieces,
                symmetry => space.image(pieces, symmetry),
            };
            let to = usize::from(step.pair);
            if !visit(to << space.bits() | image) {
                return false;
            }
            if space.kings.is_diagonal[to]
                && !visit(to << space.bits() | space.image(image, REFLECT))
            {
                return false;
            }
        }
        true
    }
}
