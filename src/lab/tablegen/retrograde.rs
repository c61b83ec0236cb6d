//! Retrograde analysis of a pawn slice, ply by ply. An unmove from a loss reaches a win one ply longer. An unmove from a
//! win reaches a position to recheck: if all its moves lose, it is a loss one ply longer.

use std::ops::Range;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};

use super::pawn_slice::{PawnSlice, Status, best_class, with_status};
use super::solver_index::SolverIndex;
use crate::chess::Color;

/// The class of a draw.
pub const DRAW_CLASS: u16 = 3;
/// The class of a blessed loss.
pub const BLESSED_LOSS_CLASS: u16 = 2;

/// Solves all slices of a file of the leading pawn, in an order in which pawn moves lead to solved slices. `solve` gets each
/// slice and the slices solved so far.
pub fn solve_file<'a>(
    index: &'a SolverIndex,
    file: usize,
    solve: &dyn Fn(&PawnSlice, &[Option<PawnSlice>]),
) -> Vec<PawnSlice<'a>> {
    let placements = &index.files[file];
    let mut slices: Vec<Option<PawnSlice>> = placements.iter().map(|_| None).collect();
    // Most advanced pawns first.
    let mut order: Vec<usize> = (0..placements.len()).collect();
    let advance = |slice: &usize| -> i32 {
        let pawns = index.pieces[index.first_pawn()..]
            .iter()
            .zip(&placements[*slice]);
        pawns
            .map(|(pawn, &square)| match pawn.color() {
                Color::White => i32::from(square >> 3),
                Color::Black => 7 - i32::from(square >> 3),
            })
            .sum()
    };
    order.sort_by_key(|slice| std::cmp::Reverse(advance(slice)));
    for at in order {
        let slice = PawnSlice::new(index, &placements[at]);
        solve(&slice, &slices);
        slices[at] = Some(slice);
    }
    slices.into_iter().flatten().collect()
}

/// Cells per block.
const BLOCK: usize = 1 << 12;
/// 64-bit words for a bit per status.
const WORDS: usize = 1 << 4;

/// The statuses that may occur in each block of cells, so that other blocks are skipped.
struct Worklist(Vec<[AtomicU64; WORDS]>);

impl Worklist {
    fn new(cells: usize) -> Self {
        Self(
            (0..cells.div_ceil(BLOCK))
                .map(|_| Default::default())
                .collect(),
        )
    }

    #[inline]
    fn add(&self, cell: usize, status: Status) {
        let bits = usize::from(status.bits());
        let (word, bit) = (&self.0[cell / BLOCK][bits / 64], 1 << (bits % 64));
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
    }

    fn has(&self, block: usize, status: Status) -> bool {
        let bits = usize::from(status.bits());
        self.0[block][bits / 64].load(Relaxed) & 1 << (bits % 64) != 0
    }

    fn remove(&self, block: usize, status: Status) {
        let bits = usize::from(status.bits());
        self.0[block][bits / 64].fetch_and(!(1 << (bits % 64)), Relaxed);
    }
}

/// The analysis of one slice.
struct Analysis<'a> {
    slice: &'a PawnSlice<'a>,
    /// `[side to move]`
    worklists: [Worklist; 2],
    /// The longest win or loss so far, in plies.
    longest: AtomicU16,
}

/// Solves a slice whose conversions are initialized. `floor` returns, from side, cell and bits, the least plies of a loss in
/// that cell.
pub fn solve_slice(slice: &PawnSlice, floor: &(impl Fn(usize, usize, u16) -> u16 + Sync)) {
    let cells = slice.index.cells();
    let analysis = Analysis {
        slice,
        worklists: [Worklist::new(cells), Worklist::new(cells)],
        longest: AtomicU16::new(2),
    };
    for side in 0..2 {
        slice.for_each_cell(&|cell| {
            let status = slice.status(side, cell);
            if !matches!(status, Status::Unknown | Status::Illegal) {
                analysis.worklists[side].add(cell, status);
            }
            if let Status::Win(plies) = status {
                analysis.longest.fetch_max(plies, Relaxed);
            }
        });
    }
    let mut ply = 1;
    while ply <= analysis.longest.load(Relaxed) + 1 {
        for side in 0..2 {
            analysis.propagate(side, ply);
        }
        for side in 0..2 {
            let worklist = &analysis.worklists[side];
            analysis.for_each_block(&|block, cells| {
                if worklist.has(block, Status::Recheck) {
                    worklist.remove(block, Status::Recheck);
                    cells.for_each(|cell| analysis.recheck(side, cell, ply, floor));
                }
            });
        }
        ply += 1;
    }
}

impl Analysis<'_> {
    /// Calls `work` with each block and its cells.
    fn for_each_block(&self, work: &(impl Fn(usize, Range<usize>) + Sync)) {
        let cells = self.slice.index.cells();
        super::parallel(cells, &|range| {
            for block in range.start / BLOCK..range.end.div_ceil(BLOCK) {
                work(block, block * BLOCK..cells.min((block + 1) * BLOCK));
            }
        });
    }

    /// Unmoves from all cells with `side` to move that are lost or won in `ply - 1` plies.
    fn propagate(&self, side: usize, ply: u16) {
        let (slice, worklist) = (self.slice, &self.worklists[side]);
        let (lost, won) = (Status::Loss(ply - 1), Status::Win(ply - 1));
        let has_won = |block| ply > 1 && worklist.has(block, won);
        self.for_each_block(&|block, cells| {
            if !worklist.has(block, lost) && !has_won(block) {
                return;
            }
            for cell in cells {
                let status = slice.status(side, cell);
                if status == lost {
                    slice.walk(1 - side, cell, |before| {
                        self.mark_win(1 - side, before, ply);
                        true
                    });
                } else if status == won {
                    slice.walk(1 - side, cell, |before| {
                        self.mark_recheck(1 - side, before);
                        true
                    });
                }
            }
        });
    }

    /// The cell has a move to a loss: it wins in `ply` plies, if not faster.
    fn mark_win(&self, side: usize, cell: usize, ply: u16) {
        let here = &self.slice.cells[side][cell];
        let bits = here.load(Relaxed);
        let is_better = match Status::of(bits) {
            Status::Unknown | Status::Recheck => true,
            Status::Win(plies) => plies > ply,
            Status::Illegal | Status::Loss(_) => false,
        };
        if is_better {
            here.store(with_status(bits, Status::Win(ply)), Relaxed);
            self.worklists[side].add(cell, Status::Win(ply));
            self.longest.fetch_max(ply, Relaxed);
        }
    }

    /// The cell has a move to a win of the other side: recheck it, unless a conversion draws or wins.
    fn mark_recheck(&self, side: usize, cell: usize) {
        let here = &self.slice.cells[side][cell];
        let bits = here.load(Relaxed);
        if Status::of(bits) == Status::Unknown && best_class(bits) < DRAW_CLASS {
            // Do not overwrite a win that another thread has stored.
            let recheck = with_status(bits, Status::Recheck);
            let _ = here.compare_exchange(bits, recheck, Relaxed, Relaxed);
            self.worklists[side].add(cell, Status::Recheck);
        }
    }

    /// Rechecks all quiet moves of a cell: it is lost if each leads to a win of the other side.
    fn recheck(
        &self,
        side: usize,
        cell: usize,
        ply: u16,
        floor: &impl Fn(usize, usize, u16) -> u16,
    ) {
        let slice = self.slice;
        let here = &slice.cells[side][cell];
        let bits = here.load(Relaxed);
        if Status::of(bits) != Status::Recheck {
            return;
        }
        let is_lost = slice.walk(side, cell, |next| match slice.status(1 - side, next) {
            Status::Illegal => true,
            Status::Win(plies) => plies < ply,
            _ => false,
        });
        let status = if is_lost {
            Status::Loss(ply.max(floor(side, cell, bits)))
        } else {
            Status::Unknown
        };
        here.store(with_status(bits, status), Relaxed);
        if let Status::Loss(plies) = status {
            self.worklists[side].add(cell, status);
            self.longest.fetch_max(plies, Relaxed);
        }
    }
}
