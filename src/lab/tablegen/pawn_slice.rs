//! A pawn slice: the status of all positions with the same placement of pawns, and their quiet moves.
//! Quiet moves are reversible, so one walk serves moves and unmoves.

use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use super::geometry::REFLECT;
use super::solver_index::SolverIndex;
use crate::chess::{Bitboard, Color, Role, Square, attacks};

/// The status of a cell, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Not solved yet; a draw after the analysis.
    Unknown,
    /// Not solved yet, but all moves may lose.
    Recheck,
    /// Two pieces on one square, or the side not to move is in check.
    Illegal,
    /// Plies to the next capture, pawn move or mate (in DTM tables, to mate).
    Win(u16),
    Loss(u16),
}

/// The class of a cell without captures or pawn moves. Other classes are the outcome of the best one, plus one.
pub const NO_MOVE: u16 = 0;
/// The greatest DTZ of a win under the fifty-move rule, in plies.
pub const FIFTY_MOVES: u16 = 100;

/// Bits of a cell: 10 of status, 3 of the best pawn move, 3 of the best capture.
const STATUS_BITS: u16 = 10;
const STATUS_MASK: u16 = (1 << STATUS_BITS) - 1;
const CAPTURE_SHIFT: u16 = 13;
const CLASS_MASK: u16 = 7;
const RECHECK: u16 = 510;
const ILLEGAL: u16 = 511;
const LOSS: u16 = 512;

impl Status {
    /// The status bits of a cell.
    #[inline]
    pub fn bits(self) -> u16 {
        match self {
            Self::Unknown => 0,
            Self::Recheck => RECHECK,
            Self::Illegal => ILLEGAL,
            Self::Win(plies) => plies,
            Self::Loss(plies) => LOSS + plies,
        }
    }

    /// The status in a cell.
    #[inline]
    pub fn of(cell: u16) -> Self {
        match cell & STATUS_MASK {
            0 => Self::Unknown,
            RECHECK => Self::Recheck,
            ILLEGAL => Self::Illegal,
            plies if plies < LOSS => Self::Win(plies),
            loss => Self::Loss(loss - LOSS),
        }
    }

    /// 0 loss, 1 blessed loss, 2 draw, 3 cursed win, 4 win; `None` if illegal.
    #[inline]
    pub fn outcome(self) -> Option<u8> {
        match self {
            Self::Unknown | Self::Recheck => Some(2),
            Self::Illegal => None,
            Self::Win(plies) => Some(if plies <= FIFTY_MOVES { 4 } else { 3 }),
            Self::Loss(plies) => Some(u8::from(plies > FIFTY_MOVES)),
        }
    }
}

/// The class of the best capture in a cell.
#[inline]
pub fn capture_class(cell: u16) -> u16 {
    cell >> CAPTURE_SHIFT
}

/// The class of the best quiet pawn move in a cell.
#[inline]
pub fn pawn_class(cell: u16) -> u16 {
    cell >> STATUS_BITS & CLASS_MASK
}

/// The better of both classes.
#[inline]
pub fn best_class(cell: u16) -> u16 {
    capture_class(cell).max(pawn_class(cell))
}

#[inline]
pub fn with_status(cell: u16, status: Status) -> u16 {
    cell & !STATUS_MASK | status.bits()
}

/// Raises the class of captures, or of quiet pawn moves, to at least `class`.
pub fn raise_class(cell: &AtomicU16, class: u16, is_capture: bool) {
    let shift = if is_capture {
        CAPTURE_SHIFT
    } else {
        STATUS_BITS
    };
    let _ = cell.fetch_update(Relaxed, Relaxed, |old| {
        let is_better = old & STATUS_MASK != ILLEGAL && old >> shift & CLASS_MASK < class;
        is_better.then_some(old & !(CLASS_MASK << shift) | class << shift)
    });
}

/// All positions with the same placement of pawns.
pub struct PawnSlice<'a> {
    pub index: &'a SolverIndex,
    /// Pawn squares by slots.
    pub pawns: &'a [u8],
    /// `[side to move][cell]`.
    pub cells: [Vec<AtomicU16>; 2],
    /// `[side to move]`: whether the cells hold a code of four bits each, four per number.
    is_narrow: [bool; 2],
}

/// Narrow cells per number, and their bits.
const NARROW_CELLS: usize = 4;
const NARROW_BITS: usize = 4;

#[inline]
pub fn bit(square: u8) -> u64 {
    1 << square
}

/// The squares attacked by a piece other than a pawn.
#[inline]
pub fn targets(role: Role, from: u8, occupied: u64) -> u64 {
    if role == Role::Pawn {
        return 0;
    }
    let (from, occupied) = (Square::new(u32::from(from)), Bitboard(occupied));
    attacks::attacks(from, role.of(Color::White), occupied).0
}

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

impl<'a> PawnSlice<'a> {
    /// A slice with illegal positions marked.
    pub fn new(index: &'a SolverIndex, pawns: &'a [u8]) -> Self {
        let cells = index.cells();
        let make = || (0..cells).map(|_| AtomicU16::new(0)).collect::<Vec<_>>();
        let slice = Self {
            index,
            pawns,
            cells: [make(), make()],
            is_narrow: [false; 2],
        };
        slice.for_each_cell(&|cell| slice.mark_illegal(cell));
        slice
    }

    /// Replaces the cells of a side by codes below 16, to save memory. Only [`PawnSlice::code`] may read them afterwards.
    pub fn narrow(&mut self, side: usize, code: impl Fn(u16) -> u16) {
        let cells = &mut self.cells[side];
        let words = cells.len().div_ceil(NARROW_CELLS);
        // In place: only cells that are already read are overwritten.
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

    /// The code of a cell: stored, or computed by `code`.
    #[inline]
    pub fn code(&self, side: usize, cell: usize, code: impl Fn(u16) -> u16) -> u16 {
        let cells = &self.cells[side];
        if self.is_narrow[side] {
            let word = cells[cell / NARROW_CELLS].load(Relaxed);
            word >> (cell % NARROW_CELLS * NARROW_BITS) & ((1 << NARROW_BITS) - 1)
        } else {
            code(cells[cell].load(Relaxed))
        }
    }

    /// Calls `work` with every cell, on all threads if there are many.
    pub fn for_each_cell(&self, work: &(impl Fn(usize) + Sync)) {
        super::parallel(self.index.cells(), &|range| range.for_each(work));
    }

    /// Marks a cell if it is illegal.
    fn mark_illegal(&self, cell: usize) {
        let squares = self.index.squares(self.pawns, cell);
        let pieces = &self.index.pieces;
        let mut occupied = 0;
        for &square in &squares[..pieces.len()] {
            if occupied & bit(square) != 0 {
                for side in &self.cells {
                    side[cell].store(ILLEGAL, Relaxed);
                }
                return;
            }
            occupied |= bit(square);
        }
        let mut attacked = [false; 2];
        for (piece, &square) in pieces.iter().zip(&squares).skip(2) {
            let side = usize::from(piece.color() == Color::Black);
            let king = bit(squares[1 - side]);
            let reach = if piece.role() == Role::Pawn {
                attacks::pawn_attacks(piece.color(), Square::new(u32::from(square))).0
            } else {
                targets(piece.role(), square, occupied)
            };
            attacked[side] |= reach & king != 0;
        }
        for (cells, is_illegal) in self.cells.iter().zip(attacked) {
            if is_illegal {
                cells[cell].store(ILLEGAL, Relaxed);
            }
        }
    }

    #[inline]
    pub fn status(&self, side: usize, cell: usize) -> Status {
        Status::of(self.cells[side][cell].load(Relaxed))
    }

    /// Whether a cell without captures and pawn moves is checkmate: in check, that is illegal with the other side to move,
    /// and without legal quiet moves.
    pub fn is_mate(&self, side: usize, cell: usize) -> bool {
        self.status(1 - side, cell) == Status::Illegal
            && self.walk(side, cell, |next| {
                self.status(1 - side, next) == Status::Illegal
            })
    }

    /// Visits all cells that a quiet move or unmove of `mover`, pawns excepted, connects with this one, including symmetric
    /// images; stops and returns false when `visit` does.
    #[inline]
    pub fn walk(&self, mover: usize, cell: usize, mut visit: impl FnMut(usize) -> bool) -> bool {
        let index = self.index;
        let (pair, pieces) = (cell >> index.bits(), cell & ((1 << index.bits()) - 1));
        let mut occupied = self.pawns.iter().fold(0, |set, &square| set | bit(square));
        for king in index.kings.squares[pair] {
            occupied |= bit(king);
        }
        for piece in 0..index.non_pawns {
            occupied |= bit((pieces >> (6 * piece) & 63) as u8);
        }
        for piece in 0..index.non_pawns {
            let moved = index.pieces[2 + piece];
            if usize::from(moved.color() == Color::Black) != mover {
                continue;
            }
            let rest = cell & !(63 << (6 * piece));
            let from = (pieces >> (6 * piece) & 63) as u8;
            for to in squares_in(targets(moved.role(), from, occupied) & !occupied) {
                if !visit(rest | usize::from(to) << (6 * piece)) {
                    return false;
                }
            }
        }
        self.walk_king(mover, pair, pieces, occupied, visit)
    }

    /// [`Self::walk`] with king moves only.
    #[inline]
    pub fn walk_king(
        &self,
        mover: usize,
        pair: usize,
        pieces: usize,
        occupied: u64,
        mut visit: impl FnMut(usize) -> bool,
    ) -> bool {
        let index = self.index;
        for king_move in index.kings.moves(mover, pair) {
            if occupied & bit(king_move.to) != 0 {
                continue;
            }
            let image = match king_move.symmetry {
                0 => pieces,
                symmetry => index.image(pieces, symmetry),
            };
            let to = usize::from(king_move.pair);
            if !visit(to << index.bits() | image) {
                return false;
            }
            if index.kings.is_diagonal[to]
                && !visit(to << index.bits() | index.image(image, REFLECT))
            {
                return false;
            }
        }
        true
    }
}
