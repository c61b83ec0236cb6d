//! The values that a file stores, and the cells where it may store any value.
//! A reader tries captures (for DTZ also winning pawn moves) itself. Where those decide, the cell is free and takes the
//! value that compresses best.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::file_index::FileIndex;
use super::pawn_slice::{FIFTY_MOVES, PawnSlice, Status, capture_class, pawn_class};

/// Stored values are smaller. A cell that may hold any value up to `v` is `FREE | v`.
pub const FREE: u8 = 128;
/// The cell may hold any value.
pub const ANY: u8 = 255;

/// `[code]`: the outcome to store, 0 to 4, or how free the cell is.
const OUTCOMES: [u8; 9] = [0, 1, 2, 3, 4, FREE | 1, FREE | 2, FREE | 3, ANY];

/// The code of the outcome to store for a cell.
fn outcome_code(cell: u16) -> u16 {
    let Some(outcome) = Status::of(cell).outcome().map(u16::from) else {
        return 8;
    };
    // If a capture is as good, the file may store any outcome up to this one.
    let is_capture = outcome > 0 && capture_class(cell) == outcome + 1;
    if is_capture { outcome + 4 } else { outcome }
}

/// Keeps only the WDL values of a side, in a quarter of the memory.
pub fn narrow(slices: &mut [PawnSlice], side: usize) {
    for slice in slices {
        slice.narrow(side, outcome_code);
    }
}

/// Kinds of DTZ in the order of the files: win, loss, cursed win, blessed loss.
pub const KINDS: usize = 4;

/// The kind and plies of the DTZ to store for a cell; `None` if it is free.
fn stored_dtz(cell: u16) -> Option<(usize, u16)> {
    match Status::of(cell) {
        Status::Win(plies) => {
            let kind = if plies <= FIFTY_MOVES { 0 } else { 2 };
            let best = if kind == 0 { 5 } else { 4 };
            let is_found = capture_class(cell) == best || kind == 0 && pawn_class(cell) == best;
            (!is_found).then_some((kind, plies))
        }
        Status::Loss(plies) => Some((if plies <= FIFTY_MOVES { 1 } else { 3 }, plies)),
        Status::Unknown | Status::Recheck | Status::Illegal => None,
    }
}

/// The solved values of one side to move, by file index.
#[derive(Clone, Copy)]
pub struct ValueSource<'a> {
    pub slices: &'a [PawnSlice<'a>],
    pub index: &'a FileIndex<'a>,
    pub side: usize,
}

/// Consecutive indices per window of a sample.
pub const WINDOW: usize = 4096;

impl ValueSource<'_> {
    /// The outcome to store at an index, or how free it is.
    #[inline]
    pub fn outcome(&self, number: usize) -> u8 {
        self.find(number).map_or(ANY, |(slice, cell)| {
            OUTCOMES[usize::from(slice.code(self.side, cell, outcome_code))]
        })
    }

    /// The DTZ to store at an index: kind in bits 10 and 11, plies below; `None` if it is free.
    #[inline]
    pub fn dtz(&self, number: usize) -> Option<usize> {
        let (slice, cell) = self.find(number)?;
        let found = stored_dtz(slice.cells[self.side][cell].load(Relaxed));
        found.map(|(kind, plies)| kind << 10 | usize::from(plies))
    }

    /// The slice and the cell of an index; `None` if the kings are adjacent.
    #[inline]
    fn find(&self, number: usize) -> Option<(&PawnSlice<'_>, usize)> {
        let place = self.slices[0].index.locate(&self.index.squares(number))?;
        Some((self.slices.get(place.slice)?, place.cell))
    }

    /// The values at all indices, or in the windows that begin at `starts` if not empty.
    pub fn collect(&self, starts: &[usize], value: impl Fn(usize) -> u8 + Sync + Send) -> Vec<u8> {
        let entries = self.index.entries;
        if starts.is_empty() {
            let numbers = (0..entries).into_par_iter().with_min_len(super::PORTION);
            return numbers.map(value).collect();
        }
        let windows = starts.iter();
        let numbers = windows.flat_map(|&start| start..entries.min(start + WINDOW));
        numbers.map(value).collect()
    }

    /// `[DTZ]`: how often it occurs, over all indices or in the windows that begin at `starts`.
    pub fn dtz_counts(&self, starts: &[usize]) -> Vec<u64> {
        let entries = self.index.entries;
        let empty = || vec![0_u64; KINDS << 10];
        let count = |mut counts: Vec<u64>, number: usize| {
            if let Some(dtz) = self.dtz(number) {
                counts[dtz] += 1;
            }
            counts
        };
        if starts.is_empty() {
            let numbers = (0..entries).into_par_iter().with_min_len(super::PORTION);
            return numbers.fold(empty, count).reduce(empty, |mut sum, part| {
                sum.iter_mut()
                    .zip(part)
                    .for_each(|(sum, part)| *sum += part);
                sum
            });
        }
        let windows = starts.iter();
        let numbers = windows.flat_map(|&start| start..entries.min(start + WINDOW));
        numbers.fold(empty(), count)
    }
}

/// The mapping from DTZ to the stored values of one subtable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DtzMap {
    /// `[kind]`: values, the most frequent first.
    pub lists: [Vec<u16>; KINDS],
    /// Whether indices of `lists` are stored and not values.
    pub is_mapped: bool,
    /// Whether wins (losses) are stored in plies and not in moves.
    pub in_plies: [bool; 2],
}

impl DtzMap {
    /// The value of a DTZ: plies or moves, less one.
    pub fn value(&self, kind: usize, plies: u16) -> u16 {
        let from_zero = match kind {
            0 | 1 => plies.saturating_sub(1),
            _ => plies - FIFTY_MOVES - 1,
        };
        if kind < 2 && self.in_plies[kind] {
            from_zero
        } else {
            from_zero / 2
        }
    }

    /// The stored byte of a [`ValueSource::dtz`].
    #[inline]
    pub fn stored(&self, dtz: Option<usize>) -> u8 {
        let Some(dtz) = dtz else {
            return ANY;
        };
        let kind = dtz >> 10;
        let value = self.value(kind, (dtz & 0x3ff) as u16);
        if self.is_mapped {
            let rank = self.lists[kind].iter().position(|&listed| listed == value);
            rank.map_or(ANY - 1, |rank| rank as u8)
        } else {
            value as u8
        }
    }

    /// From the result of [`ValueSource::dtz_counts`].
    pub fn new(dtz_counts: &[u64], in_plies: [bool; 2]) -> Self {
        let mut map = Self {
            in_plies,
            ..Self::default()
        };
        let mut counts = vec![0_u64; KINDS << 10];
        for (dtz, &count) in dtz_counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
        {
            let kind = dtz >> 10;
            counts[kind << 10 | usize::from(map.value(kind, (dtz & 0x3ff) as u16))] += count;
        }
        for (kind, list) in map.lists.iter_mut().enumerate() {
            let of = |value: u16| counts[kind << 10 | usize::from(value)];
            list.extend((0..1 << 10).filter(|&value| of(value) > 0));
            list.sort_by_key(|&value| Reverse(of(value)));
        }
        let longest = map
            .lists
            .iter()
            .max_by_key(|list| list.len())
            .cloned()
            .unwrap_or_default();
        map.is_mapped = !map.lists.iter().all(|list| longest.starts_with(list));
        map
    }
}

/// Whether wins (losses) of this side to move must be stored in plies: with a DTZ of exactly 100 plies, rounding would change
/// the result.
pub fn in_plies(slices: &[PawnSlice], side: usize) -> [bool; 2] {
    let has = |side: usize, known: Status| {
        slices.iter().any(|slice| {
            slice.cells[side]
                .iter()
                .any(|cell| Status::of(cell.load(Relaxed)) == known)
        })
    };
    let wins_of = |side: usize| {
        has(side, Status::Win(FIFTY_MOVES)) || has(1 - side, Status::Loss(FIFTY_MOVES))
    };
    [wins_of(side), wins_of(1 - side)]
}

/// Fills free WDL cells: with a neighbour's value if allowed.
pub fn fill_wdl(values: &mut [u8]) {
    let mut counts = [0_usize; 5];
    for &value in values.iter().filter(|&&value| value < FREE) {
        counts[usize::from(value)] += 1;
    }
    fill_runs(values, |run, neighbours| {
        for cell in run {
            let largest = *cell & (FREE - 1);
            let near = neighbours
                .into_iter()
                .flatten()
                .find(|&value| value <= largest);
            *cell = near.unwrap_or_else(|| {
                (0..=largest.min(4))
                    .max_by_key(|&value| counts[usize::from(value)])
                    .unwrap_or(0)
            });
        }
    });
}

/// Longer runs of free DTZ cells are all filled with the same value.
const SHORT_RUN: usize = 32;

/// Fills free DTZ cells.
pub fn fill_dtz(values: &mut [u8]) {
    let mut counts = [0_usize; 256];
    for &value in values.iter().filter(|&&value| value < FREE) {
        counts[usize::from(value)] += 1;
    }
    let common = (0..FREE)
        .max_by_key(|&value| (counts[usize::from(value)], Reverse(value)))
        .unwrap_or(0);
    fill_runs(values, |run, neighbours| {
        let near = neighbours
            .into_iter()
            .flatten()
            .max_by_key(|&value| counts[usize::from(value)]);
        let filling = if run.len() < SHORT_RUN {
            near.unwrap_or(common)
        } else {
            common
        };
        run.fill(filling);
    });
}

/// Calls `fill` for each run of free cells, with the values before and after it.
fn fill_runs(values: &mut [u8], mut fill: impl FnMut(&mut [u8], [Option<u8>; 2])) {
    let mut at = 0;
    while at < values.len() {
        if values[at] < FREE {
            at += 1;
            continue;
        }
        let end = (at..values.len())
            .find(|&next| values[next] < FREE)
            .unwrap_or(values.len());
        let before = at.checked_sub(1).map(|before| values[before]);
        let after = values.get(end).copied();
        fill(&mut values[at..end], [before, after]);
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::super::solver_index::SolverIndex;
    use super::*;

    #[test]
    fn narrow_keeps_the_outcomes() {
        let index = SolverIndex::new("KQvK".parse().expect("a name"));
        let mut slices = vec![PawnSlice::new(&index, &index.files[0][0])];
        for (number, cell) in (0..).zip(&slices[0].cells[1]) {
            cell.store(40_503_u16.wrapping_mul(number), Relaxed);
        }
        let stored = |slices: &[PawnSlice]| -> Vec<u8> {
            let codes = (0..index.cells()).map(|cell| slices[0].code(1, cell, outcome_code));
            codes.map(|code| OUTCOMES[usize::from(code)]).collect()
        };
        let before = stored(&slices);
        assert!(OUTCOMES.iter().all(|outcome| before.contains(outcome)));
        narrow(&mut slices, 1);
        assert_eq!(stored(&slices), before);
        assert_eq!(slices[0].cells[1].len(), index.cells().div_ceil(4));
    }
}
