//! The retrograde search: the value of every cell of a material.
//! Uses: slice, seed, space. Used by: the workshop.
//! Idea: ply by ply backwards. What moves into a loss wins one ply later; where a move into a win starts, all moves are
//! looked at, and if all lose it is a loss one ply later.

use std::ops::Range;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};

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

/// How many cells share a line of the agenda.
const LINE: usize = 1 << 12;
/// A bit for each value that a cell can have.
const WORDS: usize = 1 << 4;

/// Which values stand somewhere in each stretch of cells, or stood there: only such stretches are searched for them.
struct Agenda(Vec<[AtomicU64; WORDS]>);

impl Agenda {
    fn new(cells: usize) -> Self {
        Self(
            (0..cells.div_ceil(LINE))
                .map(|_| Default::default())
                .collect(),
        )
    }

    #[inline]
    fn note(&self, cell: usize, value: Known) {
        let bits = usize::from(value.bits());
        let (word, bit) = (&self.0[cell / LINE][bits / 64], 1 << (bits % 64));
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
    }

    fn has(&self, line: usize, value: Known) -> bool {
        let bits = usize::from(value.bits());
        self.0[line][bits / 64].load(Relaxed) & 1 << (bits % 64) != 0
    }

    fn strike(&self, line: usize, value: Known) {
        let bits = usize::from(value.bits());
        self.0[line][bits / 64].fetch_and(!(1 << (bits % 64)), Relaxed);
    }
}

/// A slice being searched.
struct Search<'a> {
    slice: &'a Slice<'a>,
    /// `[side to move]`
    agendas: [Agenda; 2],
    /// The last ply for which a value stands somewhere.
    last: AtomicU16,
}

/// The ply loop of one seeded slice. A cell whose moves all lose is lost no sooner than `floor` says, from side, cell and bits.
pub fn search(slice: &Slice, floor: &(impl Fn(usize, usize, u16) -> u16 + Sync)) {
    let cells = slice.space.cells();
    let search = Search {
        slice,
        agendas: [Agenda::new(cells), Agenda::new(cells)],
        last: AtomicU16::new(2),
    };
    for side in 0..2 {
        slice.for_each_cell(&|cell| {
            let known = slice.known(side, cell);
            if !matches!(known, Known::Open | Known::Illegal) {
                search.agendas[side].note(cell, known);
            }
            if let Known::Win(plies) = known {
                search.last.fetch_max(plies, Relaxed);
            }
        });
    }
    let mut ply = 1;
    while ply <= search.last.load(Relaxed) + 1 {
        for side in 0..2 {
            search.spread(side, ply);
        }
        for side in 0..2 {
            let agenda = &search.agendas[side];
            search.for_each_line(&|line, cells| {
                if agenda.has(line, Known::Look) {
                    agenda.strike(line, Known::Look);
                    cells.for_each(|cell| search.look(side, cell, ply, floor));
                }
            });
        }
        ply += 1;
    }
}

impl Search<'_> {
    /// Does something with every stretch of cells.
    fn for_each_line(&self, work: &(impl Fn(usize, Range<usize>) + Sync)) {
        let cells = self.slice.space.cells();
        super::parallel(cells, &|range| {
            for line in range.start / LINE..range.end.div_ceil(LINE) {
                work(line, line * LINE..cells.min((line + 1) * LINE));
            }
        });
    }

    /// Tells the cells before those of `side` that lose or win in `ply - 1` plies.
    fn spread(&self, side: usize, ply: u16) {
        let (slice, agenda) = (self.slice, &self.agendas[side]);
        let (lost, won) = (Known::Loss(ply - 1), Known::Win(ply - 1));
        let has_won = |line| ply > 1 && agenda.has(line, won);
        self.for_each_line(&|line, cells| {
            if !agenda.has(line, lost) && !has_won(line) {
                return;
            }
            for cell in cells {
                let known = slice.known(side, cell);
                if known == lost {
                    slice.walk(1 - side, cell, |before| {
                        self.win(1 - side, before, ply);
                        true
                    });
                } else if known == won {
                    slice.walk(1 - side, cell, |before| {
                        self.doubt(1 - side, before);
                        true
                    });
                }
            }
        });
    }

    /// A move into a loss: this cell wins in `ply` plies, if not faster.
    fn win(&self, side: usize, cell: usize, ply: u16) {
        let here = &self.slice.cells[side][cell];
        let bits = here.load(Relaxed);
        let is_better = match Known::of(bits) {
            Known::Open | Known::Look => true,
            Known::Win(known) => known > ply,
            Known::Illegal | Known::Loss(_) => false,
        };
        if is_better {
            here.store(with_value(bits, Known::Win(ply)), Relaxed);
            self.agendas[side].note(cell, Known::Win(ply));
            self.last.fetch_max(ply, Relaxed);
        }
    }

    /// A move into a win of the other side: perhaps all moves are such.
    fn doubt(&self, side: usize, cell: usize) {
        let here = &self.slice.cells[side][cell];
        let bits = here.load(Relaxed);
        if Known::of(bits) == Known::Open && best_class(bits) < DRAWING {
            // If another thread was faster it has doubted too, or found a win, which must stay.
            let doubted = with_value(bits, Known::Look);
            let _ = here.compare_exchange(bits, doubted, Relaxed, Relaxed);
            self.agendas[side].note(cell, Known::Look);
        }
    }

    /// Looks at all moves of a doubtful cell: a loss if each leads to a known win of the other side.
    fn look(&self, side: usize, cell: usize, ply: u16, floor: &impl Fn(usize, usize, u16) -> u16) {
        let slice = self.slice;
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
            self.agendas[side].note(cell, value);
            self.last.fetch_max(plies, Relaxed);
        }
    }
}
