//! A subtable of a file: values, piece order and compression. Each is decompressed again and compared with the solution.

use rayon::prelude::*;

use super::compress::Compressed;
use super::file_index::{FileIndex, PieceOrder};
use super::pawn_slice::PawnSlice;
use super::piece_order::{SubtableKind, dtz_side, wdl_order};
use super::values::{self, ANY, DtzMap, FREE, ValueSource};

/// Rarer pairs get no symbol.
const MIN_PAIRS: u32 = 8;

/// The values of a subtable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// All values are equal.
    Single(u8),
    Compressed(Compressed),
}

/// The values of one side to move, for one file of the leading pawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subtable {
    pub order: PieceOrder,
    /// Side to move: 0 white.
    pub side: usize,
    /// Default for WDL.
    pub map: DtzMap,
    pub body: Body,
}

/// A stored value differs from the solved one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("wrong value at index {index}, file {file}, side {side}: stored {stored}, solved {solved}")]
pub struct Mismatch {
    /// File of the leading pawn.
    pub file: usize,
    pub side: usize,
    pub index: usize,
    pub stored: u16,
    /// From 128 on: any value up to the low seven bits.
    pub solved: u8,
}

fn body(values: Vec<u8>, is_dtz: bool) -> Body {
    let first = values.first().copied().unwrap_or(0);
    // Readers take a DTZ table with a single value as 0.
    if (first == 0 || !is_dtz) && values.iter().all(|&value| value == first) {
        Body::Single(first)
    } else {
        Body::Compressed(Compressed::new(values, MIN_PAIRS))
    }
}

/// The WDL subtable of a side to move.
///
/// # Errors
/// A compressed value is wrong: a bug.
pub fn wdl(slices: &[PawnSlice], file: usize, side: usize) -> Result<Subtable, Mismatch> {
    let order = wdl_order(slices, file, side);
    let index = FileIndex::new(slices[0].index, file, &order);
    let (values, map) = SubtableKind::Wdl(side).filled_values(slices, &index, &[], [false; 2]);
    let body = body(values, false);
    let table = Subtable {
        order,
        side,
        map,
        body,
    };
    table.check(slices, file, false)?;
    Ok(table)
}

/// How the DTZ of a file is stored.
pub struct DtzPlan {
    /// The side with the smaller subtable.
    pub side: usize,
    order: PieceOrder,
    in_plies: [bool; 2],
}

impl DtzPlan {
    /// The best plan for the values of both sides.
    pub fn new(slices: &[PawnSlice], file: usize) -> Self {
        let flags = [values::in_plies(slices, 0), values::in_plies(slices, 1)];
        let (side, order) = dtz_side(slices, file, &|side| flags[side]);
        Self {
            side,
            order,
            in_plies: flags[side],
        }
    }
}

/// The DTZ subtable of the planned side.
///
/// # Errors
/// A compressed value is wrong: a bug.
pub fn dtz(slices: &[PawnSlice], file: usize, plan: DtzPlan) -> Result<Subtable, Mismatch> {
    let DtzPlan {
        side,
        order,
        in_plies,
    } = plan;
    let index = FileIndex::new(slices[0].index, file, &order);
    let (values, map) = SubtableKind::Dtz(side).filled_values(slices, &index, &[], in_plies);
    let body = body(values, true);
    let table = Subtable {
        order,
        side,
        map,
        body,
    };
    table.check(slices, file, true)?;
    Ok(table)
}

impl Subtable {
    /// Compares every value with the solution.
    ///
    /// # Errors
    /// A value differs.
    pub fn check(&self, slices: &[PawnSlice], file: usize, is_dtz: bool) -> Result<(), Mismatch> {
        let index = FileIndex::new(slices[0].index, file, &self.order);
        let source = ValueSource {
            slices,
            index: &index,
            side: self.side,
        };
        let fault = |at: usize, stored: u16| {
            let solved = if is_dtz {
                self.map.stored(source.dtz(at))
            } else {
                source.outcome(at)
            };
            let is_allowed = match solved {
                ANY => is_dtz || stored <= 4,
                part if part >= FREE => stored <= u16::from(part - FREE),
                exact => stored == u16::from(exact),
            };
            (!is_allowed).then_some(Mismatch {
                file,
                side: self.side,
                index: at,
                stored,
                solved,
            })
        };
        let found = match &self.body {
            Body::Single(value) => {
                let indices = (0..index.entries).into_par_iter();
                indices
                    .filter_map(|at| fault(at, u16::from(*value)))
                    .find_any(|_| true)
            }
            Body::Compressed(packed) => {
                let starts = packed.starts();
                if starts.last() != Some(&index.entries) {
                    return Err(Mismatch {
                        file,
                        side: self.side,
                        index: index.entries,
                        stored: 0,
                        solved: 0,
                    });
                }
                let blocks = (0..starts.len() - 1).into_par_iter();
                blocks
                    .filter_map(|block| {
                        let values = packed.unpack(block);
                        let mut indices = values.into_iter().zip(starts[block]..);
                        indices.find_map(|(stored, at)| fault(at, stored))
                    })
                    .find_any(|_| true)
            }
        };
        found.map_or(Ok(()), Err)
    }
}
