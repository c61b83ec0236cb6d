//! The piece order of a subtable, which determines its compressed size most.
//! The best orders of small tables are listed. For others all orders are tried on a sample, and the best few again with the
//! real compression.

use rayon::prelude::*;

use super::compress::Compressed;
use super::file_index::{FileIndex, NO_SECOND, PieceOrder, read_order, unique_pieces};
use super::pawn_slice::PawnSlice;
use super::solver_index::SolverIndex;
use super::values::{self, DtzMap, ValueSource, WINDOW};

/// For each table with three or four pieces: the orders of its WDL subtables, then those of its DTZ subtables and the side
/// stored, as in the published files.
const KNOWN: &str = include_str!("piece_orders.txt");
/// Windows of the first and the second sample.
const WINDOWS: [usize; 2] = [24, 96];
/// Orders tried on the second sample.
const FINALISTS: usize = 4;
/// Rarer pairs in a sample get no symbol.
const MIN_PAIRS: u32 = 20;

/// The values of a subtable and its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubtableKind {
    Wdl(usize),
    Dtz(usize),
}

impl SubtableKind {
    /// The values at all indices, or in the windows that begin at `starts` if not empty, with free cells filled, and the DTZ map.
    pub fn filled_values(
        self,
        slices: &[PawnSlice],
        index: &FileIndex,
        starts: &[usize],
        in_plies: [bool; 2],
    ) -> (Vec<u8>, DtzMap) {
        match self {
            Self::Wdl(side) => {
                let source = ValueSource {
                    slices,
                    index,
                    side,
                };
                let mut found = source.collect(starts, |at| source.outcome(at));
                values::fill_wdl(&mut found);
                (found, DtzMap::default())
            }
            Self::Dtz(side) => {
                let source = ValueSource {
                    slices,
                    index,
                    side,
                };
                let map = DtzMap::new(&source.dtz_counts(starts), in_plies);
                let mut found = source.collect(starts, |at| map.stored(source.dtz(at)));
                values::fill_dtz(&mut found);
                (found, map)
            }
        }
    }
}

/// The listed order of a subtable, and whether the DTZ file stores this side; `None` if not listed.
pub fn known(index: &SolverIndex, file: usize, kind: SubtableKind) -> Option<(PieceOrder, bool)> {
    let name = index.material.to_string();
    let mut words = KNOWN
        .lines()
        .map(str::split_whitespace)
        .find_map(|mut words| (words.next() == Some(&name)).then_some(words))?;
    let sides = if index.material.is_symmetric() { 1 } else { 2 };
    let word = match kind {
        SubtableKind::Wdl(side) => words.nth(file * sides + side.min(sides - 1))?,
        SubtableKind::Dtz(_) => words.nth(index.files.len() * sides + file)?,
    };
    let letters = word.get(..index.pieces.len())?;
    let mut rest = word[index.pieces.len()..].bytes();
    let mut digit = || rest.next().map(|digit| digit.wrapping_sub(b'0'));
    let lead = digit()?;
    let second = if has_second(index) {
        digit()?
    } else {
        NO_SECOND
    };
    let stored = match rest.next() {
        Some(b'b') => 1,
        _ => 0,
    };
    let is_stored = kind == SubtableKind::Dtz(stored);
    Some((read_order(index, letters, lead, second)?, is_stored))
}

fn has_second(index: &SolverIndex) -> bool {
    index.material.pawns().iter().all(|&pawns| pawns > 0)
}

/// All orders that differ in more than the order of equal pieces.
pub fn all(index: &SolverIndex) -> Vec<PieceOrder> {
    let first_pawn = index.first_pawn();
    let pawns: Vec<usize> = (first_pawn..index.pieces.len()).collect();
    let has_pawns = !pawns.is_empty();
    // Groups of equal pieces, pawns excepted.
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for slot in 0..first_pawn {
        match groups.last_mut() {
            Some(group) if index.pieces[group[0]] == index.pieces[slot] => group.push(slot),
            _ => groups.push(vec![slot]),
        }
    }
    let lead_pieces = match (has_pawns, unique_pieces(index) >= 3) {
        (true, _) => 0,
        (false, true) => 3,
        (false, false) => 2,
    };
    let mut lists = Vec::new();
    permute(&groups, &mut Vec::new(), &mut |list| {
        let is_lead = |group: &[usize]| {
            if lead_pieces == 2 {
                group[0] < 2
            } else {
                group.len() == 1
            }
        };
        if list
            .iter()
            .take(lead_pieces)
            .all(|&group| is_lead(&groups[group]))
        {
            lists.push(list.to_vec());
        }
    });
    let mut orders = Vec::new();
    for list in lists {
        let slots: Vec<usize> = pawns
            .iter()
            .copied()
            .chain(list.iter().flat_map(|&group| groups[group].clone()))
            .collect();
        let others = list.len() - lead_pieces;
        if has_second(index) {
            for (lead, second) in
                (0..others as u8 + 2).flat_map(|a| (0..others as u8 + 2).map(move |b| (a, b)))
            {
                if lead != second {
                    orders.push(PieceOrder {
                        slots: slots.clone(),
                        lead,
                        second,
                    });
                }
            }
        } else {
            orders.extend((0..=others as u8).map(|lead| PieceOrder {
                slots: slots.clone(),
                lead,
                second: NO_SECOND,
            }));
        }
    }
    orders
}

/// Calls `found` with every permutation of the groups.
fn permute(groups: &[Vec<usize>], list: &mut Vec<usize>, found: &mut impl FnMut(&[usize])) {
    if list.len() == groups.len() {
        found(list);
        return;
    }
    for group in 0..groups.len() {
        if !list.contains(&group) {
            list.push(group);
            permute(groups, list, found);
            list.pop();
        }
    }
}

/// The best order on a sample, and the compressed bytes of the sample.
pub fn search(
    slices: &[PawnSlice],
    file: usize,
    kind: SubtableKind,
    in_plies: [bool; 2],
) -> (PieceOrder, usize) {
    let index = slices[0].index;
    let sample = |order: &PieceOrder, windows: usize| {
        let index = FileIndex::new(index, file, order);
        let gap = (index.entries / windows).max(WINDOW);
        let starts: Vec<usize> = (0..index.entries).step_by(gap).collect();
        kind.filled_values(slices, &index, &starts, in_plies).0
    };
    let mut rough: Vec<(usize, PieceOrder)> = all(index)
        .into_par_iter()
        .map(|order| {
            let values = sample(&order, WINDOWS[0]);
            (
                values.windows(2).filter(|two| two[0] != two[1]).count(),
                order,
            )
        })
        .collect();
    rough.sort_by_key(|(changes, _)| *changes);
    rough.truncate(FINALISTS);
    let finalists: Vec<(usize, PieceOrder)> = rough
        .into_par_iter()
        .map(|(_, order)| {
            let packed = Compressed::new(sample(&order, WINDOWS[1]), MIN_PAIRS);
            (packed.blocks.len(), order)
        })
        .collect();
    let best = finalists.into_iter().min_by_key(|(bytes, _)| *bytes);
    best.map_or_else(
        || (all(index).swap_remove(0), 0),
        |(bytes, order)| (order, bytes),
    )
}

/// The side whose DTZ a file stores, and its order.
pub fn dtz_side(
    slices: &[PawnSlice],
    file: usize,
    in_plies: &impl Fn(usize) -> [bool; 2],
) -> (usize, PieceOrder) {
    let index = slices[0].index;
    for side in 0..2 {
        if let Some((order, true)) = known(index, file, SubtableKind::Dtz(side)) {
            return (side, order);
        }
    }
    let (white, bytes) = search(slices, file, SubtableKind::Dtz(0), in_plies(0));
    if index.material.is_symmetric() {
        return (0, white);
    }
    let (black, fewer) = search(slices, file, SubtableKind::Dtz(1), in_plies(1));
    if fewer < bytes {
        (1, black)
    } else {
        (0, white)
    }
}

/// The order of the WDL subtable of a side to move.
pub fn wdl_order(slices: &[PawnSlice], file: usize, side: usize) -> PieceOrder {
    let kind = SubtableKind::Wdl(side);
    known(slices[0].index, file, kind).map_or_else(
        || search(slices, file, kind, [false; 2]).0,
        |(order, _)| order,
    )
}
