//! The first pass over a pawn slice: the scores of all captures and pawn moves.
//! Captures are unmade from the smaller table, so the work is proportional to that table. A quiet pawn move leads to the
//! same cell of a slice that is solved already.

use std::sync::atomic::Ordering::Relaxed;

use super::conversions::{Conversions, SolvedTable};
use super::pawn_slice::{NO_MOVE, PawnSlice, Status, best_class, bit, squares_in, targets};
use super::solver_index::Squares;
use crate::chess::{Color, Square, attacks};

/// Initializes a slice.
pub struct SliceInit<'a, T, F> {
    pub slice: &'a PawnSlice<'a>,
    pub conversions: &'a Conversions<T>,
    /// `[slice of the file]`: those already solved.
    pub solved: &'a [Option<PawnSlice<'a>>],
    /// Raises the score of a cell: side to move, cell, score, whether by a capture.
    pub raise: F,
}

impl<T: SolvedTable, F: Fn(usize, usize, u16, bool) + Sync> SliceInit<'_, T, F> {
    /// Raises the scores of all cells to those of their captures and pawn moves.
    pub fn run(&self) {
        let index = self.slice.index;
        for slot in 2..index.pieces.len() {
            self.captures_by_pieces(slot);
            for captor in index.first_pawn()..index.pieces.len() {
                if index.pieces[captor].color() != index.pieces[slot].color() {
                    self.captures_by_pawn(slot, captor);
                }
            }
        }
        for slot in index.first_pawn()..index.pieces.len() {
            self.quiet_moves(slot);
        }
    }

    /// The squares by slots and the set of occupied squares, without the piece in slot `absent`; `None` if two pieces share a
    /// square.
    #[inline]
    fn placement(&self, cell: usize, absent: usize) -> Option<(Squares, u64)> {
        let index = self.slice.index;
        let squares = index.squares(self.slice.pawns, cell);
        let mut occupied = 0;
        for (slot, &square) in squares[..index.pieces.len()].iter().enumerate() {
            if slot != absent {
                if occupied & bit(square) != 0 {
                    return None;
                }
                occupied |= bit(square);
            }
        }
        Some((squares, occupied))
    }

    /// Unmakes all captures of the piece in slot `captured` by pieces other than pawns.
    fn captures_by_pieces(&self, captured: usize) {
        let (slice, index) = (self.slice, self.slice.index);
        let Some(conversion) = &self.conversions.captures[captured] else {
            return;
        };
        let owner = usize::from(index.pieces[captured].color() == Color::Black);
        let captor = 1 - owner;
        let is_pawn = index.is_pawn(captured);
        // Enumerate the placements without the captured piece: its six bits are cut out of the cell.
        let low = if is_pawn { 0 } else { 6 * (captured - 2) };
        let cut = if is_pawn { 0 } else { 6 };
        let unmake = |number: usize| {
            let cell = number >> low << (low + cut) | number & ((1 << low) - 1);
            let Some((squares, occupied)) = self.placement(cell, captured) else {
                return;
            };
            // The captor stands on the square of a captured pawn.
            let landed = is_pawn.then_some(squares[captured]);
            let mut found = None;
            let mut score =
                || *found.get_or_insert_with(|| conversion.score_of_move(&squares, owner));
            let occupied = occupied | landed.map_or(0, bit);
            for piece in 0..index.non_pawns {
                let captor_piece = index.pieces[2 + piece];
                let at = squares[2 + piece];
                if usize::from(captor_piece.color() == Color::Black) != captor
                    || landed.is_some_and(|square| square != at)
                    || score() == NO_MOVE
                {
                    continue;
                }
                let placed = if is_pawn {
                    cell
                } else {
                    cell | usize::from(at) << low
                };
                let rest = placed & !(63 << (6 * piece));
                for from in squares_in(targets(captor_piece.role(), at, occupied) & !occupied) {
                    let before = rest | usize::from(from) << (6 * piece);
                    (self.raise)(captor, before, score(), true);
                }
            }
            let at = squares[captor];
            if landed.is_none_or(|square| square == at) && score() != NO_MOVE {
                let pieces = cell & ((1 << index.bits()) - 1);
                let pieces = if is_pawn {
                    pieces
                } else {
                    pieces | usize::from(at) << low
                };
                slice.walk_king(captor, cell >> index.bits(), pieces, occupied, |before| {
                    (self.raise)(captor, before, score(), true);
                    true
                });
            }
        };
        super::parallel(index.cells() >> cut, &|range| range.for_each(unmake));
    }

    /// Makes all captures of the piece in slot `captured` by the pawn in slot `captor`, with promotion or without.
    fn captures_by_pawn(&self, captured: usize, captor: usize) {
        let (slice, index) = (self.slice, self.slice.index);
        let Some(plain) = &self.conversions.captures[captured] else {
            return;
        };
        let color = index.pieces[captor].color();
        let (side, owner) = match color {
            Color::White => (0, 1),
            Color::Black => (1, 0),
        };
        let from = slice.pawns[captor - index.first_pawn()];
        let reach = attacks::pawn_attacks(color, Square::new(u32::from(from))).0;
        for to in squares_in(reach) {
            let is_pawn = index.is_pawn(captured);
            if is_pawn && slice.pawns[captured - index.first_pawn()] != to {
                continue;
            }
            let conversions = if (8..56).contains(&to) {
                std::slice::from_ref(plain)
            } else {
                &self.conversions.captures_promoting[captured][captor]
            };
            let low = if is_pawn { 0 } else { 6 * (captured - 2) };
            let cut = if is_pawn { 0 } else { 6 };
            let make = |number: usize| {
                let mut cell = number >> low << (low + cut) | number & ((1 << low) - 1);
                if !is_pawn {
                    cell |= usize::from(to) << low;
                }
                let Some((mut squares, occupied)) = self.placement(cell, captured) else {
                    return;
                };
                if !is_pawn && occupied & bit(to) != 0 {
                    return;
                }
                squares[captor] = to;
                let best = conversions
                    .iter()
                    .map(|conversion| conversion.score_of_move(&squares, owner))
                    .max();
                (self.raise)(side, cell, best.unwrap_or(NO_MOVE), true);
            };
            super::parallel(index.cells() >> cut, &|range| range.for_each(make));
        }
    }

    /// Makes all quiet moves of the pawn in `slot`, with promotion or without.
    fn quiet_moves(&self, slot: usize) {
        let (slice, index) = (self.slice, self.slice.index);
        let from = slice.pawns[slot - index.first_pawn()];
        let (side, other, forward, home) = match index.pieces[slot].color() {
            Color::White => (0, 1, 8_i8, 1),
            Color::Black => (1, 0, -8, 6),
        };
        let to = from.wrapping_add_signed(forward);
        if slice.pawns.contains(&to) {
            return;
        }
        if !(8..56).contains(&to) {
            let conversions = &self.conversions.promotions[slot];
            slice.for_each_cell(&|cell| {
                let Some((mut squares, occupied)) = self.placement(cell, slot) else {
                    return;
                };
                if occupied & bit(to) == 0 {
                    squares[slot] = to;
                    let best = conversions
                        .iter()
                        .map(|conversion| conversion.score_of_move(&squares, other))
                        .max();
                    (self.raise)(side, cell, best.unwrap_or(NO_MOVE), false);
                }
            });
            return;
        }
        let moved = |to: u8| {
            let mut pawns = slice.pawns.to_vec();
            pawns[slot - index.first_pawn()] = to;
            self.solved[index.slice_of(&pawns)].as_ref()
        };
        // If a piece blocks the pawn, the cell after the move is illegal.
        if let Some(after) = moved(to) {
            slice.for_each_cell(&|cell| {
                let score = T::score_of_move(T::score_of(after.status(other, cell)));
                (self.raise)(side, cell, score, false);
            });
        }
        let far = to.wrapping_add_signed(forward);
        if from >> 3 != home || slice.pawns.contains(&far) {
            return;
        }
        let Some(after) = moved(far) else {
            return;
        };
        // Enemy pawns that may capture en passant.
        let beside =
            attacks::king_attacks(Square::new(u32::from(far))).0 & 0xff << (far & 0b11_1000);
        let captors: Vec<usize> = (index.first_pawn()..index.pieces.len())
            .filter(|&captor| {
                index.pieces[captor].color() != index.pieces[slot].color()
                    && beside & bit(slice.pawns[captor - index.first_pawn()]) != 0
            })
            .collect();
        slice.for_each_cell(&|cell| {
            let squares = index.squares(slice.pawns, cell);
            if squares[..index.first_pawn()].contains(&to) {
                return;
            }
            let mut score = T::score_of(after.status(other, cell));
            if score == NO_MOVE {
                return;
            }
            if !captors.is_empty() {
                score = self.with_en_passant(score, after, cell, slot, to, &captors);
            }
            (self.raise)(side, cell, T::score_of_move(score), false);
        });
    }

    /// The score, for the side to move, of the cell after a double step, if `captors` may capture en passant on `ep_square`;
    /// `score` is that without en passant.
    fn with_en_passant(
        &self,
        score: u16,
        after: &PawnSlice,
        cell: usize,
        slot: usize,
        ep_square: u8,
        captors: &[usize],
    ) -> u16 {
        let index = self.slice.index;
        let mover = usize::from(index.pieces[slot].color() == Color::Black);
        let captures = captors.iter().filter_map(|&captor| {
            let mut squares = index.squares(self.slice.pawns, cell);
            squares[captor] = ep_square;
            let conversion = self.conversions.captures[slot].as_ref()?;
            Some(conversion.score_of_move(&squares, mover))
        });
        let best = captures.max().unwrap_or(NO_MOVE);
        // Not stalemate if en passant is the only legal move.
        let is_forced = best != NO_MOVE
            && score == T::DRAW
            && best_class(after.cells[1 - mover][cell].load(Relaxed)) == NO_MOVE
            && after.walk(1 - mover, cell, |next| {
                after.status(mover, next) == Status::Illegal
            });
        if is_forced { best } else { score.max(best) }
    }
}
