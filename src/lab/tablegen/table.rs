//! The subtables of a file: values, order, compression.
//! Uses: orders, pack, values. Used by: file, workshop, verify.
//! Idea: what is packed is unpacked again at once and compared with the solver's values, so no file leaves with a wrong one.

use rayon::prelude::*;

use super::numbering::{Numbering, Order};
use super::orders::{Kind, distance_side, outcome_order};
use super::pack::Packed;
use super::slice::Slice;
use super::values::{self, ANY, FREE, Scale, Source};

/// Pairs rarer than this do not pay for their symbol.
const LEAST: u32 = 8;

/// The values of a subtable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// One for all.
    Single(u8),
    /// Compressed.
    Packed(Packed),
}

/// One side to move (WDL) or the stored side (DTZ), for one file of the leading pawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subtable {
    /// The order of its men.
    pub order: Order,
    /// Whose move it is: 0 the first side of the name.
    pub side: usize,
    /// How distances are stored; nothing for outcomes.
    pub scale: Scale,
    /// Its values.
    pub body: Body,
}

/// A value read back is not the solver's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("number {number} of file {file}, side {side}: stored {stored}, solved {solved}")]
pub struct Mismatch {
    /// File of the leading pawn.
    pub file: usize,
    /// Side to move.
    pub side: usize,
    /// Where.
    pub number: usize,
    /// What the file says.
    pub stored: u16,
    /// What is true; 128 and more: what is allowed.
    pub solved: u8,
}

fn body(values: Vec<u8>, is_distance: bool) -> Body {
    let first = values.first().copied().unwrap_or(0);
    // A distance table of one value must have the value 0 for readers.
    if (first == 0 || !is_distance) && values.iter().all(|&value| value == first) {
        Body::Single(first)
    } else {
        Body::Packed(Packed::new(values, LEAST))
    }
}

/// The outcomes of a side to move.
///
/// # Errors
/// A value that does not survive the way through the compression: a fault of the program.
pub fn outcomes(slices: &[Slice], file: usize, side: usize) -> Result<Subtable, Mismatch> {
    let order = outcome_order(slices, file, side);
    let numbering = Numbering::new(slices[0].space, file, &order);
    let (values, scale) = Kind::Outcome(side).filled(slices, &numbering, &[], [false; 2]);
    let body = body(values, false);
    let table = Subtable {
        order,
        side,
        scale,
        body,
    };
    table.check(slices, file, false)?;
    Ok(table)
}

/// How the distances of a file are stored.
pub struct Plan {
    /// The side that takes less.
    pub side: usize,
    order: Order,
    in_plies: [bool; 2],
}

impl Plan {
    /// The best plan, from the values of both sides.
    #[must_use]
    pub fn new(slices: &[Slice], file: usize) -> Self {
        let flags = [values::in_plies(slices, 0), values::in_plies(slices, 1)];
        let (side, order) = distance_side(slices, file, &|side| flags[side]);
        Self {
            side,
            order,
            in_plies: flags[side],
        }
    }
}

/// The distances of one side as planned, from its values alone.
///
/// # Errors
/// As for [`outcomes`].
pub fn distances(slices: &[Slice], file: usize, plan: Plan) -> Result<Subtable, Mismatch> {
    let Plan {
        side,
        order,
        in_plies,
    } = plan;
    let numbering = Numbering::new(slices[0].space, file, &order);
    let (values, scale) = Kind::Distance(side).filled(slices, &numbering, &[], in_plies);
    let body = body(values, true);
    let table = Subtable {
        order,
        side,
        scale,
        body,
    };
    table.check(slices, file, true)?;
    Ok(table)
}

impl Subtable {
    /// Compares every value with the solver's.
    ///
    /// # Errors
    /// One that differs.
    pub fn check(&self, slices: &[Slice], file: usize, is_distance: bool) -> Result<(), Mismatch> {
        let numbering = Numbering::new(slices[0].space, file, &self.order);
        let source = Source {
            slices,
            numbering: &numbering,
            side: self.side,
        };
        let fault = |number: usize, stored: u16| {
            let solved = if is_distance {
                self.scale.stored(source.distance(number))
            } else {
                source.outcome(number)
            };
            let is_allowed = match solved {
                ANY => is_distance || stored <= 4,
                part if part >= FREE => stored <= u16::from(part - FREE),
                exact => stored == u16::from(exact),
            };
            (!is_allowed).then_some(Mismatch {
                file,
                side: self.side,
                number,
                stored,
                solved,
            })
        };
        let found = match &self.body {
            Body::Single(value) => {
                let numbers = (0..numbering.entries).into_par_iter();
                numbers
                    .filter_map(|number| fault(number, u16::from(*value)))
                    .find_any(|_| true)
            }
            Body::Packed(packed) => {
                let starts = packed.starts();
                if starts.last() != Some(&numbering.entries) {
                    return Err(Mismatch {
                        file,
                        side: self.side,
                        number: numbering.entries,
                        stored: 0,
                        solved: 0,
                    });
                }
                let blocks = (0..starts.len() - 1).into_par_iter();
                blocks
                    .filter_map(|block| {
                        let values = packed.unpack(block);
                        let mut numbers = values.into_iter().zip(starts[block]..);
                        numbers.find_map(|(stored, number)| fault(number, stored))
                    })
                    .find_any(|_| true)
            }
        };
        found.map_or(Ok(()), Err)
    }
}
