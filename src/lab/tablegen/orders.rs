//! In which order the men of a subtable stand: the choice that matters most for its size.
//! Uses: numbering, pack, slice, space, values. Used by: table.
//! Idea: for small tables the best orders are known; for others all are tried on a sample, quickly, and the best few again
//! with the real compression.

use rayon::prelude::*;

use super::numbering::{NO_SLOT, Numbering, Order, read_order, unique_men};
use super::pack::Packed;
use super::slice::Slice;
use super::space::Space;
use super::values::{self, STRETCH, Scale, Source};

/// For each table with three or four men: the orders of its WDL subtables, then those of its DTZ subtables with the side
/// stored, as the published files have them (facts of those files, not code).
const KNOWN: &str = include_str!("orders.txt");
/// Stretches of the first and of the second look.
const STRETCHES: [usize; 2] = [24, 96];
/// How many orders are looked at twice.
const FINALISTS: usize = 4;
/// Pairs rarer than this are not worth a symbol in a sample.
const LEAST: u32 = 20;

/// Which values a subtable has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Outcomes of this side to move.
    Outcome(usize),
    /// Distances of this side to move.
    Distance(usize),
}

impl Kind {
    /// The values of all numbers, or of some stretches of them, with free ones filled, and the way that distances are stored.
    #[must_use]
    pub fn filled(
        self,
        slices: &[Slice],
        numbering: &Numbering,
        starts: &[usize],
        in_plies: [bool; 2],
    ) -> (Vec<u8>, Scale) {
        match self {
            Self::Outcome(side) => {
                let source = Source {
                    slices,
                    numbering,
                    side,
                };
                let mut found = source.collect(starts, |number| source.outcome(number));
                values::fill_outcomes(&mut found);
                (found, Scale::default())
            }
            Self::Distance(side) => {
                let source = Source {
                    slices,
                    numbering,
                    side,
                };
                let scale = Scale::new(&source.distances(starts), in_plies);
                let mut found =
                    source.collect(starts, |number| scale.stored(source.distance(number)));
                values::fill_distances(&mut found);
                (found, scale)
            }
        }
    }
}

/// The known order of a subtable, and whether a DTZ file stores this side; `None` if none is known.
#[must_use]
pub fn known(space: &Space, file: usize, kind: Kind) -> Option<(Order, bool)> {
    let name = space.material.to_string();
    let mut words = KNOWN
        .lines()
        .map(str::split_whitespace)
        .find_map(|mut words| (words.next() == Some(&name)).then_some(words))?;
    let sides = if space.material.is_symmetric() { 1 } else { 2 };
    let word = match kind {
        Kind::Outcome(side) => words.nth(file * sides + side.min(sides - 1))?,
        Kind::Distance(_) => words.nth(space.files.len() * sides + file)?,
    };
    let letters = word.get(..space.men.len())?;
    let mut rest = word[space.men.len()..].bytes();
    let mut digit = || rest.next().map(|digit| digit.wrapping_sub(b'0'));
    let lead = digit()?;
    let second = if has_second(space) { digit()? } else { NO_SLOT };
    let stored = match rest.next() {
        Some(b'b') => 1,
        _ => 0,
    };
    let is_stored = kind == Kind::Distance(stored);
    Some((read_order(space, letters, lead, second)?, is_stored))
}

fn has_second(space: &Space) -> bool {
    space.material.pawns().iter().all(|&pawns| pawns > 0)
}

/// All orders that differ in more than the names of equal men.
#[must_use]
pub fn all(space: &Space) -> Vec<Order> {
    let first_pawn = 2 + space.pieces;
    let pawns: Vec<usize> = (first_pawn..space.men.len()).collect();
    let has_pawns = !pawns.is_empty();
    // Groups of equal men, kings and pieces.
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for slot in 0..first_pawn {
        match groups.last_mut() {
            Some(group) if space.men[group[0]] == space.men[slot] => group.push(slot),
            _ => groups.push(vec![slot]),
        }
    }
    let lead_men = match (has_pawns, unique_men(space) >= 3) {
        (true, _) => 0,
        (false, true) => 3,
        (false, false) => 2,
    };
    let mut lists = Vec::new();
    arrange(&groups, &mut Vec::new(), &mut |list| {
        let is_lead = |group: &[usize]| {
            if lead_men == 2 {
                group[0] < 2
            } else {
                group.len() == 1
            }
        };
        if list
            .iter()
            .take(lead_men)
            .all(|&group| is_lead(&groups[group]))
        {
            lists.push(list.to_vec());
        }
    });
    let mut orders = Vec::new();
    for list in lists {
        let men: Vec<usize> = pawns
            .iter()
            .copied()
            .chain(list.iter().flat_map(|&group| groups[group].clone()))
            .collect();
        let others = list.len() - lead_men;
        if has_second(space) {
            for (lead, second) in
                (0..others as u8 + 2).flat_map(|a| (0..others as u8 + 2).map(move |b| (a, b)))
            {
                if lead != second {
                    orders.push(Order {
                        men: men.clone(),
                        lead,
                        second,
                    });
                }
            }
        } else {
            orders.extend((0..=others as u8).map(|lead| Order {
                men: men.clone(),
                lead,
                second: NO_SLOT,
            }));
        }
    }
    orders
}

/// Calls `found` with every arrangement of the groups.
fn arrange(groups: &[Vec<usize>], list: &mut Vec<usize>, found: &mut impl FnMut(&[usize])) {
    if list.len() == groups.len() {
        found(list);
        return;
    }
    for group in 0..groups.len() {
        if !list.contains(&group) {
            list.push(group);
            arrange(groups, list, found);
            list.pop();
        }
    }
}

/// The best order on a sample, and the bytes of the sample.
#[must_use]
pub fn search(slices: &[Slice], file: usize, kind: Kind, in_plies: [bool; 2]) -> (Order, usize) {
    let space = slices[0].space;
    let sample = |order: &Order, stretches: usize| {
        let numbering = Numbering::new(space, file, order);
        let gap = (numbering.entries / stretches).max(STRETCH);
        let starts: Vec<usize> = (0..numbering.entries).step_by(gap).collect();
        kind.filled(slices, &numbering, &starts, in_plies).0
    };
    let mut rough: Vec<(usize, Order)> = all(space)
        .into_par_iter()
        .map(|order| {
            let values = sample(&order, STRETCHES[0]);
            (
                values.windows(2).filter(|two| two[0] != two[1]).count(),
                order,
            )
        })
        .collect();
    rough.sort_by_key(|(changes, _)| *changes);
    rough.truncate(FINALISTS);
    let finalists: Vec<(usize, Order)> = rough
        .into_par_iter()
        .map(|(_, order)| {
            let packed = Packed::new(sample(&order, STRETCHES[1]), LEAST);
            (packed.blocks.len(), order)
        })
        .collect();
    let best = finalists.into_iter().min_by_key(|(bytes, _)| *bytes);
    best.map_or_else(
        || (all(space).swap_remove(0), 0),
        |(bytes, order)| (order, bytes),
    )
}

/// The side whose distances a file stores, and its order.
#[must_use]
pub fn distance_side(
    slices: &[Slice],
    file: usize,
    in_plies: &impl Fn(usize) -> [bool; 2],
) -> (usize, Order) {
    let space = slices[0].space;
    for side in 0..2 {
        if let Some((order, true)) = known(space, file, Kind::Distance(side)) {
            return (side, order);
        }
    }
    let (white, bytes) = search(slices, file, Kind::Distance(0), in_plies(0));
    if space.material.is_symmetric() {
        return (0, white);
    }
    let (black, fewer) = search(slices, file, Kind::Distance(1), in_plies(1));
    if fewer < bytes {
        (1, black)
    } else {
        (0, white)
    }
}

/// The order for the outcomes of a side to move.
#[must_use]
pub fn outcome_order(slices: &[Slice], file: usize, side: usize) -> Order {
    let kind = Kind::Outcome(side);
    known(slices[0].space, file, kind).map_or_else(
        || search(slices, file, kind, [false; 2]).0,
        |(order, _)| order,
    )
}
