//! What captures and pawn moves are worth in every cell of a slice: the seeds of the retrograde search.
//! Uses: chess, slice, space, exact. Used by: solve.
//! Idea: captures are unmade from the smaller table, so the work is that of the smaller table; a quiet pawn move leads to
//! the same cell of a finished slice.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::exact::{Exact, Link};
use super::material::Man;
use super::slice::{
    Known, NO_MOVE, Slice, best_class, bit, raise_class, squares_in, targets, with_value,
};
use super::space::{Space, Squares};
use crate::chess::{Color, Move, Role, Square, attacks};
use crate::tablebase::Material;

/// `[slot]`, links to the tables with a piece in the place of the pawn in the slot; none for pieces.
type Promotions = Vec<Vec<Link>>;

/// The ways from one material to all that its captures and promotions lead to.
pub struct Links {
    /// `[captured slot]`, kings first and never used.
    captures: Vec<Option<Link>>,
    /// `[captured slot][promoted slot]`
    captures_promoting: Vec<Promotions>,
    /// `[promoted slot]`
    promotions: Promotions,
}

impl Links {
    /// All ways from this space; `find` gives outcomes of smaller tables.
    ///
    /// # Errors
    /// Those of `find`.
    pub fn new<E>(
        space: &Space,
        mut find: impl FnMut(Material) -> Result<Arc<Exact>, E>,
    ) -> Result<Self, E> {
        let men: Vec<Option<Man>> = space.men.iter().copied().map(Some).collect();
        let mut promotions = |men: &[Option<Man>], captor: Option<Color>| {
            let slots = men.iter().enumerate().map(|(slot, man)| match man {
                Some(man)
                    if man.role == Role::Pawn && captor.is_none_or(|color| color == man.color) =>
                {
                    let links = Move::PROMOTIONS.iter().map(|&role| {
                        let mut after = men.to_vec();
                        after[slot] = Some(Man {
                            color: man.color,
                            role,
                        });
                        Link::new(&after, &mut find)
                    });
                    links.collect()
                }
                _ => Ok(Vec::new()),
            });
            slots.collect::<Result<Promotions, E>>()
        };
        let mut captures_promoting = Vec::new();
        for slot in 0..men.len() {
            let mut after = men.clone();
            after[slot] = None;
            captures_promoting.push(if slot < 2 {
                Vec::new()
            } else {
                promotions(&after, Some(!space.men[slot].color))?
            });
        }
        let promotions = promotions(&men, None)?;
        let mut captures = Vec::new();
        for slot in 0..men.len() {
            let mut after = men.clone();
            after[slot] = None;
            captures.push(if slot < 2 {
                None
            } else {
                Some(Link::new(&after, &mut find)?)
            });
        }
        Ok(Self {
            captures,
            captures_promoting,
            promotions,
        })
    }
}

/// A slice being seeded.
pub struct Seeding<'a> {
    /// The slice.
    pub slice: &'a Slice<'a>,
    /// The ways out of its material.
    pub links: &'a Links,
    /// `[slice of the file]`: the finished ones.
    pub finished: &'a [Option<Slice<'a>>],
}

/// The class of a move for the mover, from the outcome for the other side after it.
fn class(outcome: Option<u8>) -> u16 {
    outcome.map_or(NO_MOVE, |outcome| 5 - u16::from(outcome))
}

impl Seeding<'_> {
    /// Works out all classes and marks wins by them, mates, and cells to be looked at.
    pub fn run(&self) {
        let space = self.slice.space;
        for slot in 2..space.men.len() {
            self.captures_by_pieces(slot);
            for captor in 2 + space.pieces..space.men.len() {
                if space.men[captor].color != space.men[slot].color {
                    self.captures_by_pawn(slot, captor);
                }
            }
        }
        for slot in 2 + space.pieces..space.men.len() {
            self.quiet_moves(slot);
        }
        for side in 0..2 {
            self.slice.for_each_cell(&|cell| self.start(side, cell));
        }
    }

    /// The squares of all men with the set of those taken, the man in `absent` left out; `None` if two share one.
    #[inline]
    fn men(&self, cell: usize, absent: usize) -> Option<(Squares, u64)> {
        let space = self.slice.space;
        let squares = space.squares(self.slice.pawns, cell);
        let mut occupied = 0;
        for (slot, &square) in squares[..space.men.len()].iter().enumerate() {
            if slot != absent {
                if occupied & bit(square) != 0 {
                    return None;
                }
                occupied |= bit(square);
            }
        }
        Some((squares, occupied))
    }

    /// All captures of the man in `captured` by kings and pieces, unmade.
    fn captures_by_pieces(&self, captured: usize) {
        let (slice, space) = (self.slice, self.slice.space);
        let Some(link) = &self.links.captures[captured] else {
            return;
        };
        let owner = usize::from(space.men[captured].color == Color::Black);
        let captor = 1 - owner;
        let is_pawn = space.is_pawn(captured);
        // The placements without the captured piece: its six bits are cut out of the number.
        let low = if is_pawn { 0 } else { 6 * (captured - 2) };
        let cut = if is_pawn { 0 } else { 6 };
        let unmake = |number: usize| {
            let cell = number >> low << (low + cut) | number & ((1 << low) - 1);
            let Some((squares, occupied)) = self.men(cell, captured) else {
                return;
            };
            // A captured pawn stood where a piece of the captor stands now.
            let landed = is_pawn.then_some(squares[captured]);
            let mut found = None;
            let mut class_here =
                || *found.get_or_insert_with(|| class(link.outcome(&squares, owner)));
            let occupied = occupied | landed.map_or(0, bit);
            for piece in 0..space.pieces {
                let man = space.men[2 + piece];
                let at = squares[2 + piece];
                if usize::from(man.color == Color::Black) != captor
                    || landed.is_some_and(|square| square != at)
                    || class_here() == NO_MOVE
                {
                    continue;
                }
                let placed = if is_pawn {
                    cell
                } else {
                    cell | usize::from(at) << low
                };
                let rest = placed & !(63 << (6 * piece));
                for from in squares_in(targets(man.role, at, occupied) & !occupied) {
                    let before = rest | usize::from(from) << (6 * piece);
                    raise_class(&slice.cells[captor][before], class_here(), true);
                }
            }
            let at = squares[captor];
            if landed.is_none_or(|square| square == at) && class_here() != NO_MOVE {
                let pieces = cell & ((1 << space.bits()) - 1);
                let pieces = if is_pawn {
                    pieces
                } else {
                    pieces | usize::from(at) << low
                };
                slice.walk_king(captor, cell >> space.bits(), pieces, occupied, |before| {
                    raise_class(&slice.cells[captor][before], class_here(), true);
                    true
                });
            }
        };
        super::parallel(space.cells() >> cut, &|range| range.for_each(unmake));
    }

    /// All captures of the man in `captured` by the pawn in `captor`, promoting or not, made.
    fn captures_by_pawn(&self, captured: usize, captor: usize) {
        let (slice, space) = (self.slice, self.slice.space);
        let Some(plain) = &self.links.captures[captured] else {
            return;
        };
        let color = space.men[captor].color;
        let (side, owner) = match color {
            Color::White => (0, 1),
            Color::Black => (1, 0),
        };
        let from = slice.pawns[captor - 2 - space.pieces];
        let reach = attacks::pawn_attacks(color, Square::new(u32::from(from))).0;
        for to in squares_in(reach) {
            let is_pawn = space.is_pawn(captured);
            if is_pawn && slice.pawns[captured - 2 - space.pieces] != to {
                continue;
            }
            let links = if (8..56).contains(&to) {
                std::slice::from_ref(plain)
            } else {
                &self.links.captures_promoting[captured][captor]
            };
            let low = if is_pawn { 0 } else { 6 * (captured - 2) };
            let cut = if is_pawn { 0 } else { 6 };
            let make = |number: usize| {
                let mut cell = number >> low << (low + cut) | number & ((1 << low) - 1);
                if !is_pawn {
                    cell |= usize::from(to) << low;
                }
                let Some((mut squares, occupied)) = self.men(cell, captured) else {
                    return;
                };
                if !is_pawn && occupied & bit(to) != 0 {
                    return;
                }
                squares[captor] = to;
                let best = links
                    .iter()
                    .map(|link| class(link.outcome(&squares, owner)))
                    .max();
                raise_class(&slice.cells[side][cell], best.unwrap_or(NO_MOVE), true);
            };
            super::parallel(space.cells() >> cut, &|range| range.for_each(make));
        }
    }

    /// All quiet moves of the pawn in `slot`, promoting or not.
    fn quiet_moves(&self, slot: usize) {
        let (slice, space) = (self.slice, self.slice.space);
        let from = slice.pawns[slot - 2 - space.pieces];
        let (side, other, forward, home) = match space.men[slot].color {
            Color::White => (0, 1, 8_i8, 1),
            Color::Black => (1, 0, -8, 6),
        };
        let to = from.wrapping_add_signed(forward);
        if slice.pawns.contains(&to) {
            return;
        }
        if !(8..56).contains(&to) {
            let links = &self.links.promotions[slot];
            slice.for_each_cell(&|cell| {
                let Some((mut squares, occupied)) = self.men(cell, slot) else {
                    return;
                };
                if occupied & bit(to) == 0 {
                    squares[slot] = to;
                    let best = links
                        .iter()
                        .map(|link| class(link.outcome(&squares, other)))
                        .max();
                    raise_class(&slice.cells[side][cell], best.unwrap_or(NO_MOVE), false);
                }
            });
            return;
        }
        let moved = |to: u8| {
            let mut pawns = slice.pawns.to_vec();
            pawns[slot - 2 - space.pieces] = to;
            self.finished[space.slice_of(&pawns)].as_ref()
        };
        // A piece in the pawn's way makes the cell after the move illegal.
        if let Some(after) = moved(to) {
            slice.for_each_cell(&|cell| {
                let class = class(after.known(other, cell).outcome());
                raise_class(&slice.cells[side][cell], class, false);
            });
        }
        let far = to.wrapping_add_signed(forward);
        if from >> 3 != home || slice.pawns.contains(&far) {
            return;
        }
        let Some(after) = moved(far) else {
            return;
        };
        // Pawns of the other side that may take the pawn in passing.
        let beside =
            attacks::king_attacks(Square::new(u32::from(far))).0 & 0xff << (far & 0b11_1000);
        let takers: Vec<usize> = (2 + space.pieces..space.men.len())
            .filter(|&taker| {
                space.men[taker].color != space.men[slot].color
                    && beside & bit(slice.pawns[taker - 2 - space.pieces]) != 0
            })
            .collect();
        slice.for_each_cell(&|cell| {
            let squares = space.squares(slice.pawns, cell);
            if squares[..2 + space.pieces].contains(&to) {
                return;
            }
            let Some(mut outcome) = after.known(other, cell).outcome() else {
                return;
            };
            if !takers.is_empty() {
                outcome = self.with_taking(outcome, after, cell, slot, to, &takers);
            }
            raise_class(&slice.cells[side][cell], class(Some(outcome)), false);
        });
    }

    /// The outcome, for the side to move, of the cell after a double step when that pawn may be taken on `passed`.
    fn with_taking(
        &self,
        outcome: u8,
        after: &Slice,
        cell: usize,
        slot: usize,
        passed: u8,
        takers: &[usize],
    ) -> u8 {
        let space = self.slice.space;
        let mover = usize::from(space.men[slot].color == Color::Black);
        let replies = takers.iter().filter_map(|&taker| {
            let mut squares = space.squares(self.slice.pawns, cell);
            squares[taker] = passed;
            let link = self.links.captures[slot].as_ref()?;
            link.outcome(&squares, mover).map(|outcome| 4 - outcome)
        });
        let Some(best) = replies.max() else {
            return outcome;
        };
        // Where nothing else can be moved, there is no stalemate to rest on.
        let is_forced = outcome == 2
            && best_class(after.cells[1 - mover][cell].load(Relaxed)) == NO_MOVE
            && after.walk(1 - mover, cell, |next| {
                after.known(mover, next) == Known::Illegal
            });
        if is_forced { best } else { outcome.max(best) }
    }

    /// What the classes alone make of a cell.
    fn start(&self, side: usize, cell: usize) {
        let slice = self.slice;
        let here = &slice.cells[side][cell];
        let bits = here.load(Relaxed);
        if Known::of(bits) == Known::Illegal {
            return;
        }
        let value = match best_class(bits) {
            5 => Known::Win(1),
            4 => Known::Win(101),
            3 => Known::Open,
            1 | 2 => Known::Look,
            _ if slice.is_mate(side, cell) => Known::Loss(0),
            _ => Known::Open,
        };
        here.store(with_value(bits, value), Relaxed);
    }
}
