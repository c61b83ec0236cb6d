//! What a file stores of each placement, and where it may store anything.
//! Uses: numbering, slice, space. Used by: table, verify.
//! Idea: a reader tries captures (and for DTZ winning pawn moves) by itself; where those decide, the cell is free, and
//! free cells take the values that make the file small.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::numbering::Numbering;
use super::slice::{FIFTY_MOVES, Known, Slice, capture_class, pawn_class};

/// Values are below this; a cell that is free in part is this plus the largest value allowed.
pub const FREE: u8 = 128;
/// Any value.
pub const ANY: u8 = 255;

/// The outcomes to be stored, 0 to 4, or how free a cell is, by their codes.
const OUTCOMES: [u8; 9] = [0, 1, 2, 3, 4, FREE | 1, FREE | 2, FREE | 3, ANY];

/// The code of the outcome to be stored of a cell.
fn outcome_code(cell: u16) -> u16 {
    let Some(outcome) = Known::of(cell).outcome().map(u16::from) else {
        return 8;
    };
    // Where a capture is as good, the file may say less; and anything where nothing is better than a win.
    let is_capture = outcome > 0 && capture_class(cell) == outcome + 1;
    if is_capture { outcome + 4 } else { outcome }
}

/// Keeps no more of a side than the outcomes to be stored, in a quarter of the memory.
pub fn narrow(slices: &mut [Slice], side: usize) {
    for slice in slices {
        slice.narrow(side, outcome_code);
    }
}

/// The four kinds of a distance: win, loss, cursed win, blessed loss, as the files list them.
pub const KINDS: usize = 4;

/// The kind and the plies to be stored of a cell; `None` where anything may stand.
#[must_use]
pub fn stored_distance(cell: u16) -> Option<(usize, u16)> {
    match Known::of(cell) {
        Known::Win(plies) => {
            let kind = if plies <= FIFTY_MOVES { 0 } else { 2 };
            let best = if kind == 0 { 5 } else { 4 };
            let is_found = capture_class(cell) == best || kind == 0 && pawn_class(cell) == best;
            (!is_found).then_some((kind, plies))
        }
        Known::Loss(plies) => Some((if plies <= FIFTY_MOVES { 1 } else { 3 }, plies)),
        Known::Open | Known::Look | Known::Illegal => None,
    }
}

/// What the cells of one side to move are worth, by number.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The solved slices of the file.
    pub slices: &'a [Slice<'a>],
    /// The numbering.
    pub numbering: &'a Numbering<'a>,
    /// The side to move.
    pub side: usize,
}

/// How many numbers in a row are drawn for a sample.
pub const STRETCH: usize = 4096;

impl Source<'_> {
    /// The outcome of a number, or how free it is.
    #[inline]
    #[must_use]
    pub fn outcome(&self, number: usize) -> u8 {
        self.find(number).map_or(ANY, |(slice, cell)| {
            OUTCOMES[usize::from(slice.code(self.side, cell, outcome_code))]
        })
    }

    /// The distance of a number: kind in bits 10 and 11, plies below; `None` where it is free.
    #[inline]
    #[must_use]
    pub fn distance(&self, number: usize) -> Option<usize> {
        let (slice, cell) = self.find(number)?;
        let found = stored_distance(slice.cells[self.side][cell].load(Relaxed));
        found.map(|(kind, plies)| kind << 10 | usize::from(plies))
    }

    /// The slice and the cell of a number; `None` if there is none.
    #[inline]
    fn find(&self, number: usize) -> Option<(&Slice<'_>, usize)> {
        let place = self.slices[0]
            .space
            .locate(&self.numbering.squares(number))?;
        Some((self.slices.get(place.slice)?, place.cell))
    }

    /// A value for all numbers, or for the stretches that begin at `starts` where there are some.
    pub fn collect(&self, starts: &[usize], value: impl Fn(usize) -> u8 + Sync + Send) -> Vec<u8> {
        let entries = self.numbering.entries;
        if starts.is_empty() {
            let numbers = (0..entries).into_par_iter().with_min_len(super::PORTION);
            return numbers.map(value).collect();
        }
        let stretches = starts.iter();
        let numbers = stretches.flat_map(|&start| start..entries.min(start + STRETCH));
        numbers.map(value).collect()
    }

    /// How often each distance occurs among all numbers or in the stretches.
    #[must_use]
    pub fn distances(&self, starts: &[usize]) -> Vec<u64> {
        let entries = self.numbering.entries;
        let empty = || vec![0_u64; KINDS << 10];
        let count = |mut counts: Vec<u64>, number: usize| {
            if let Some(distance) = self.distance(number) {
                counts[distance] += 1;
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
        let stretches = starts.iter();
        let numbers = stretches.flat_map(|&start| start..entries.min(start + STRETCH));
        numbers.fold(empty(), count)
    }
}

/// How the distances of one subtable are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scale {
    /// `[kind]`: the values by rank, the most frequent first.
    pub lists: [Vec<u16>; KINDS],
    /// Whether the ranks are stored; else the values themselves are.
    pub is_mapped: bool,
    /// Wins (losses) are counted in plies, not in moves.
    pub in_plies: [bool; 2],
}

impl Scale {
    /// The value of the files: plies of wins and losses, or moves, from 0.
    #[must_use]
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

    /// What is stored for a distance as [`Source::distance`] gives it.
    #[inline]
    #[must_use]
    pub fn stored(&self, distance: Option<usize>) -> u8 {
        let Some(distance) = distance else {
            return ANY;
        };
        let kind = distance >> 10;
        let value = self.value(kind, (distance & 0x3ff) as u16);
        if self.is_mapped {
            let rank = self.lists[kind].iter().position(|&listed| listed == value);
            rank.map_or(ANY - 1, |rank| rank as u8)
        } else {
            value as u8
        }
    }

    /// The scale for distances that occur so often, see [`Source::distances`].
    #[must_use]
    pub fn new(distances: &[u64], in_plies: [bool; 2]) -> Self {
        let mut scale = Self {
            in_plies,
            ..Self::default()
        };
        let mut counts = vec![0_u64; KINDS << 10];
        for (distance, &count) in distances
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
        {
            let kind = distance >> 10;
            counts[kind << 10 | usize::from(scale.value(kind, (distance & 0x3ff) as u16))] += count;
        }
        for (kind, list) in scale.lists.iter_mut().enumerate() {
            let of = |value: u16| counts[kind << 10 | usize::from(value)];
            list.extend((0..1 << 10).filter(|&value| of(value) > 0));
            list.sort_by_key(|&value| Reverse(of(value)));
        }
        let longest = scale
            .lists
            .iter()
            .max_by_key(|list| list.len())
            .cloned()
            .unwrap_or_default();
        scale.is_mapped = !scale.lists.iter().all(|list| longest.starts_with(list));
        scale
    }
}

/// Whether wins (losses) of this side to move must be stored in plies: a hundred plies are a win only if they are exact.
#[must_use]
pub fn in_plies(slices: &[Slice], side: usize) -> [bool; 2] {
    let has = |side: usize, known: Known| {
        slices.iter().any(|slice| {
            slice.cells[side]
                .iter()
                .any(|cell| Known::of(cell.load(Relaxed)) == known)
        })
    };
    let wins_of =
        |side: usize| has(side, Known::Win(FIFTY_MOVES)) || has(1 - side, Known::Loss(FIFTY_MOVES));
    [wins_of(side), wins_of(1 - side)]
}

/// Gives every free outcome a value: its neighbour's where that is allowed.
pub fn fill_outcomes(values: &mut [u8]) {
    let mut counts = [0_usize; 5];
    for &value in values.iter().filter(|&&value| value < FREE) {
        counts[usize::from(value)] += 1;
    }
    let mut at = 0;
    while at < values.len() {
        if values[at] < FREE {
            at += 1;
            continue;
        }
        let end = (at..values.len())
            .find(|&next| values[next] < FREE)
            .unwrap_or(values.len());
        let left = at.checked_sub(1).map(|before| values[before]);
        let right = values.get(end).copied();
        for cell in &mut values[at..end] {
            let largest = *cell & (FREE - 1);
            let near = [left, right]
                .into_iter()
                .flatten()
                .find(|&value| value <= largest);
            *cell = near.unwrap_or_else(|| {
                (0..=largest.min(4))
                    .max_by_key(|&value| counts[usize::from(value)])
                    .unwrap_or(0)
            });
        }
        at = end;
    }
}

/// A longer stretch of free distances is filled with one value for all such stretches.
const SHORT_STRETCH: usize = 32;

/// Gives every free distance a value.
pub fn fill_distances(values: &mut [u8]) {
    let mut counts = [0_usize; 256];
    for &value in values.iter().filter(|&&value| value < FREE) {
        counts[usize::from(value)] += 1;
    }
    let common = (0..FREE)
        .max_by_key(|&value| (counts[usize::from(value)], Reverse(value)))
        .unwrap_or(0);
    let mut at = 0;
    while at < values.len() {
        if values[at] < FREE {
            at += 1;
            continue;
        }
        let end = (at..values.len())
            .find(|&next| values[next] < FREE)
            .unwrap_or(values.len());
        let sides = [
            at.checked_sub(1).map(|before| values[before]),
            values.get(end).copied(),
        ];
        let near = sides
            .into_iter()
            .flatten()
            .max_by_key(|&value| counts[usize::from(value)]);
        let filling = if end - at < SHORT_STRETCH {
            near.unwrap_or(common)
        } else {
            common
        };
        values[at..end].fill(filling);
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::super::space::Space;
    use super::*;

    #[test]
    fn a_narrow_side_stores_the_same_outcomes() {
        let space = Space::new("KQvK".parse().expect("a name"));
        let mut slices = vec![Slice::new(&space, &space.files[0][0])];
        for (number, cell) in (0..).zip(&slices[0].cells[1]) {
            cell.store(40_503_u16.wrapping_mul(number), Relaxed);
        }
        let stored = |slices: &[Slice]| -> Vec<u8> {
            let codes = (0..space.cells()).map(|cell| slices[0].code(1, cell, outcome_code));
            codes.map(|code| OUTCOMES[usize::from(code)]).collect()
        };
        let before = stored(&slices);
        assert!(OUTCOMES.iter().all(|outcome| before.contains(outcome)));
        narrow(&mut slices, 1);
        assert_eq!(stored(&slices), before);
        assert_eq!(slices[0].cells[1].len(), space.cells().div_ceil(4));
    }
}
