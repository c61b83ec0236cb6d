//! The retrograde search: the value of every cell of a material.
//! Uses: slice, seed, space. Used by: the workshop.
//! Idea: ply by ply backwards. What moves into a loss wins one ply later; where a move into a win starts, all moves are
//! looked at, and if all lose it is a loss one ply later.

use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use super::slice::{Known, Slice, best_class, with_value};
use super::space::Space;
use crate::chess::Color;

/// The first class that is no loss: a draw.
pub const DRAWING: u16 = 3;
/// The class of a blessed loss: lost, but for the fifty-move rule.
pub const BLESSED: u16 = 2;

/// All slices of one file of the leading pawn, solved: `seed` gives each slice the worth of its captures and pawn moves,
/// the latter from the slices finished before, and searches it.
#[must_use]
pub fn solve_file<'a>(
    space: &'a Space,
    file: usize,
    seed: &dyn Fn(&Slice, &[Option<Slice>]),
) -> Vec<Slice<'a>> {
    let configurations = &space.files[file];
    let mut slices: Vec<Option<Slice>> = configurations.iter().map(|_| None).collect();
    // Pawns only go forwards: those farthest advanced first.
    let mut order: Vec<usize> = (0..configurations.len()).collect();
    let advance = |slice: &usize| -> i32 {
        let pawns = space.men[2 + space.pieces..]
            .iter()
            .zip(&configurations[*slice]);
        pawns
            .map(|(man, &square)| match man.color {
                Color::White => i32::from(square >> 3),
                Color::Black => 7 - i32::from(square >> 3),
            })
            .sum()
    };
    order.sort_by_key(|slice| std::cmp::Reverse(advance(slice)));
    for at in order {
        let slice = Slice::new(space, &configurations[at]);
        seed(&slice, &slices);
        slices[at] = Some(slice);
    }
    slices.into_iter().flatten().collect()
}

/// The ply loop of one seeded slice. A cell whose moves all lose is lost no sooner than `floor` says, from side, cell and bits.
pub fn search(slice: &Slice, floor: &(impl Fn(usize, usize, u16) -> u16 + Sync)) {
    // The last ply for which a value is known to stand somewhere.
    let last = AtomicU16::new(2);
    for side in 0..2 {
        slice.for_each_cell(&|cell| {
            if let Known::Win(plies) = slice.known(side, cell) {
                last.fetch_max(plies, Relaxed);
            }
        });
    }
    let mut ply = 1;
    while ply <= last.load(Relaxed) + 1 {
        let (lost, won) = (Known::Loss(ply - 1).bits(), Known::Win(ply - 1).bits());
        for side in 0..2 {
            slice.for_each_cell(&|cell| {
                let bits = Known::of(slice.cells[side][cell].load(Relaxed)).bits();
                if bits == lost {
                    slice.walk(1 - side, cell, |before| {
                        win(&slice.cells[1 - side][before], ply, &last);
                        true
                    });
                } else if bits == won && ply > 1 {
                    slice.walk(1 - side, cell, |before| {
                        doubt(&slice.cells[1 - side][before]);
                        true
                    });
                }
            });
        }
        for side in 0..2 {
            slice.for_each_cell(&|cell| look(slice, side, cell, ply, &last, floor));
        }
        ply += 1;
    }
}

/// A move into a loss: this cell wins in `ply` plies, if not faster.
fn win(cell: &AtomicU16, ply: u16, last: &AtomicU16) {
    let bits = cell.load(Relaxed);
    let is_better = match Known::of(bits) {
        Known::Open | Known::Look => true,
        Known::Win(known) => known > ply,
        Known::Illegal | Known::Loss(_) => false,
    };
    if is_better {
        cell.store(with_value(bits, Known::Win(ply)), Relaxed);
        last.fetch_max(ply, Relaxed);
    }
}

/// A move into a win of the other side: perhaps all moves are such.
fn doubt(cell: &AtomicU16) {
    let bits = cell.load(Relaxed);
    if Known::of(bits) == Known::Open && best_class(bits) < DRAWING {
        // If another thread was faster it has doubted too, or found a win, which must stay.
        let _ = cell.compare_exchange(bits, with_value(bits, Known::Look), Relaxed, Relaxed);
    }
}

/// Looks at all moves of a doubtful cell: a loss if each leads to a known win of the other side.
fn look(
    slice: &Slice,
    side: usize,
    cell: usize,
    ply: u16,
    last: &AtomicU16,
    floor: &impl Fn(usize, usize, u16) -> u16,
) {
    let here = &slice.cells[side][cell];
    let bits = here.load(Relaxed);
    if Known::of(bits) != Known::Look {
        return;
    }
    let is_lost = slice.walk(side, cell, |next| match slice.known(1 - side, next) {
        Known::Illegal => true,
        Known::Win(plies) => plies < ply,
        _ => false,
    });
    let value = if is_lost {
        Known::Loss(ply.max(floor(side, cell, bits)))
    } else {
        Known::Open
    };
    here.store(with_value(bits, value), Relaxed);
    if let Known::Loss(plies) = value {
        last.fetch_max(plies, Relaxed);
    }
}
