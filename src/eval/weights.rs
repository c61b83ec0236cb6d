//! The weights, and the text file that training writes and the compiler reads.
//!
//! No weight is chosen by hand. Families are found by name and shape, so a file older than the families is never misread: a
//! family that is missing or has another shape has zero weights until it is trained ([`missing`]).
//!
//! The file has the line [`MAGIC`], lines of provenance (`key value`), then for each family `[name: sizes of its axes]` and
//! for each row of its last axis a line `mg`, a line `eg`, a line `mp` and a line `ep` of quarters of a centipawn, one for each
//! [`WeightPart`]. A file of version 1 has no lines `mp` and `ep`: these parts are 0. A value with a `*` occurred too
//! rarely to be trained. Lines that begin with `#` are comments.

use std::fmt;
use std::ops::{Index as Subscript, IndexMut as SubscriptMut};

use thiserror::Error;

use super::families::{COUNT, Family, Index, Material};
use super::score::{QUARTERS_PER_CENTIPAWN, Weight, WeightPart};
use crate::chess::Role;

/// The first line of a file of weights.
pub const MAGIC: &str = "lucena weights 2";
/// The first line of a file of version 1, whose weights have the first two parts.
const MAGIC_1: &str = "lucena weights 1";
/// The built-in file.
pub const FILE: &str = include_str!("weights.txt");
/// The built-in weights, parsed at compile time.
#[allow(long_running_const_eval)]
pub static WEIGHTS: Weights = match parse(FILE) {
    Ok(weights) => weights,
    Err(_) => panic!(
        "src/eval/weights.txt is not a file of weights: `lucena weights src/eval/weights.txt` names the line"
    ),
};

/// One weight for every feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights(pub [Weight; COUNT]);

impl Weights {
    pub const ZERO: Self = Self([Weight::ZERO; COUNT]);
}

impl Subscript<Index> for Weights {
    type Output = Weight;

    #[inline(always)]
    fn index(&self, index: Index) -> &Weight {
        &self.0[index.get()]
    }
}

impl SubscriptMut<Index> for Weights {
    fn index_mut(&mut self, index: Index) -> &mut Weight {
        &mut self.0[index.get()]
    }
}

/// What is wrong with a file of weights, with the line number from 1.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum WeightsError {
    /// The first line is not [`MAGIC`].
    #[error("line 1: not a file of weights of this version (\"{MAGIC}\" expected)")]
    Version,
    /// A line that is neither a family nor values nor provenance.
    #[error(
        "line {0}: neither a family ([name: sizes]) nor the next row of values (mg, eg, mp, ep)"
    )]
    Line(usize),
    /// A value is not a whole number from -32768 to 32767.
    #[error("line {0}: a value is not a whole number from -32768 to 32767")]
    Number(usize),
    /// The text ends inside a line.
    #[error("line {0}: the file ends inside the line")]
    CutOff(usize),
    /// A row has too few values or too many, or a family too few rows or too many.
    #[error("line {0}: the number of values or rows is not that of the family")]
    Count(usize),
}

/// The weights that training starts from: pieces are worth 1, 3, 3, 5 and 9 pawns, and nothing else counts.
pub const fn starting() -> Weights {
    const PAWNS: [(Role, i16); 5] = [
        (Role::Pawn, 1),
        (Role::Knight, 3),
        (Role::Bishop, 3),
        (Role::Rook, 5),
        (Role::Queen, 9),
    ];
    let mut weights = Weights::ZERO;
    let mut next = 0;
    while next < PAWNS.len() {
        let (role, pawns) = PAWNS[next];
        let quarters = pawns * 100 * QUARTERS_PER_CENTIPAWN as i16;
        weights.0[Material::at(role).get()] = Weight::constant(quarters);
        next += 1;
    }
    weights
}

/// The weights in a text. Families that the text lacks in their present shape are zero ([`missing`]).
///
/// # Errors
/// [`WeightsError`] names the first line at fault.
pub const fn parse(text: &str) -> Result<Weights, WeightsError> {
    let text = text.as_bytes();
    let mut weights = Weights::ZERO;
    let (mut at, mut line) = (0, 0);
    // The family being read: its next weight and the one after its last, and the length of a row.
    let (mut next, mut end, mut row) = (0, 0, 0);
    // Whether a family has begun, and whether this build has it.
    let (mut in_family, mut known) = (false, false);
    // The part of the next row, and the number of parts.
    let (mut part, mut parts) = (0, WeightPart::COUNT);
    while at < text.len() {
        let start = at;
        while at < text.len() && text[at] != b'\n' {
            at += 1;
        }
        let mut stop = at;
        at += 1;
        line += 1;
        if stop == text.len() && line > 1 {
            // A number that is cut off would be another number.
            return Err(WeightsError::CutOff(line));
        }
        // Some editors end lines with a carriage return as well.
        if stop > start && text[stop - 1] == b'\r' {
            stop -= 1;
        }
        if line == 1 {
            if equal(text, start, stop, MAGIC_1.as_bytes()) {
                parts = 2;
            } else if !equal(text, start, stop, MAGIC.as_bytes()) {
                return Err(WeightsError::Version);
            }
        } else if start == stop || text[start] == b'#' {
            // Nothing to read.
        } else if text[start] == b'[' {
            if next != end || part != 0 {
                return Err(WeightsError::Count(line));
            }
            let mut colon = start;
            while colon < stop && text[colon] != b':' {
                colon += 1;
            }
            if colon == stop || text[stop - 1] != b']' {
                return Err(WeightsError::Line(line));
            }
            in_family = true;
            known = false;
            if let Some(family) = family_of(text, start + 1, colon, stop - 1) {
                let declared = family.declaration();
                known = true;
                next = family.offset();
                end = next + declared.size();
                row = declared.axes[declared.axes.len() - 1].size;
            }
        } else if in_family {
            if !equal(
                text,
                start,
                start + 2,
                WeightPart::ALL[part].key().as_bytes(),
            ) {
                return Err(WeightsError::Line(line));
            }
            if known && next == end {
                return Err(WeightsError::Count(line));
            }
            let (mut place, mut count) = (start + 2, 0);
            while let Some((value, after)) = number(text, place, stop) {
                if value < i16::MIN as i32 || value > i16::MAX as i32 {
                    return Err(WeightsError::Number(line));
                }
                if known {
                    if count == row {
                        return Err(WeightsError::Count(line));
                    }
                    weights.0[next + count].0[part] = value as i16;
                }
                count += 1;
                place = if after < stop && text[after] == b'*' {
                    after + 1
                } else {
                    after
                };
            }
            if place != stop {
                return Err(WeightsError::Number(line));
            }
            if known && count != row {
                return Err(WeightsError::Count(line));
            }
            part += 1;
            if part == parts {
                part = 0;
                if known {
                    next += row;
                }
            }
        }
    }
    if line == 0 {
        return Err(WeightsError::Version);
    }
    if next != end || part != 0 {
        Err(WeightsError::Count(line))
    } else {
        Ok(weights)
    }
}

const fn equal(text: &[u8], start: usize, stop: usize, other: &[u8]) -> bool {
    if stop > text.len() || stop - start != other.len() {
        return false;
    }
    let mut place = 0;
    while place < other.len() {
        if text[start + place] != other[place] {
            return false;
        }
        place += 1;
    }
    true
}

/// The family whose name is from `start` to `colon`, and whose sizes follow to `stop`.
const fn family_of(text: &[u8], start: usize, colon: usize, stop: usize) -> Option<Family> {
    let mut place = 0;
    while place < Family::ALL.len() {
        let family = Family::ALL[place];
        if equal(text, start, colon, family.declaration().name.as_bytes())
            && has_shape(text, colon + 1, stop, family)
        {
            return Some(family);
        }
        place += 1;
    }
    None
}

/// Whether the numbers from `start` to `stop` are the sizes of a family's axes.
const fn has_shape(text: &[u8], start: usize, stop: usize, family: Family) -> bool {
    let axes = family.declaration().axes;
    let (mut place, mut axis) = (start, 0);
    while let Some((size, after)) = number(text, place, stop) {
        if axis == axes.len() || axes[axis].size as i32 != size {
            return false;
        }
        axis += 1;
        place = after;
    }
    place == stop && axis == axes.len()
}

/// The number after `start` and at least one blank, and the place after it.
const fn number(text: &[u8], start: usize, stop: usize) -> Option<(i32, usize)> {
    let mut at = start;
    while at < stop && text[at] == b' ' {
        at += 1;
    }
    let negative = at < stop && text[at] == b'-';
    let digits = if negative { at + 1 } else { at };
    let (mut value, mut end) = (0_i32, digits);
    while end < stop && text[end].is_ascii_digit() {
        value = value
            .saturating_mul(10)
            .saturating_add((text[end] - b'0') as i32);
        end += 1;
    }
    if at == start || end == digits {
        return None;
    }
    Some((if negative { -value } else { value }, end))
}

/// The part of the last row of each block of rows in a text: version 1 lacks the parts for pawns.
pub fn last_part(text: &str) -> WeightPart {
    if text.lines().next() == Some(MAGIC_1) {
        WeightPart::Endgame
    } else {
        WeightPart::EndgamePawns
    }
}

/// The families that a text lacks in their present shape.
pub fn missing(text: &str) -> Vec<Family> {
    let sections: Vec<&str> = text.lines().filter(|line| line.starts_with('[')).collect();
    let has = |family: Family| sections.contains(&section(family).as_str());
    Family::ALL
        .iter()
        .copied()
        .filter(|&family| !has(family))
        .collect()
}

/// By index: whether a text marks the weight as too rare to be trained.
pub fn untrained(text: &str) -> Vec<bool> {
    let mut marks = vec![false; COUNT];
    let mut row = None;
    for line in text.lines() {
        if line.starts_with('[') {
            let family = Family::ALL.iter().find(|&&family| section(family) == line);
            row = family.map(|family| family.offset());
        } else if let (Some(first), Some(values)) = (row, line.strip_prefix("eg ")) {
            let values = values.split(' ').map(|value| value.ends_with('*'));
            let cells = marks.iter_mut().skip(first).zip(values);
            row = Some(first + cells.map(|(mark, is_rare)| *mark = is_rare).count());
        }
    }
    marks
}

/// A feature with fewer hits than this in training is rarely seen, and its weight is not trained.
pub const RARE_HITS: u64 = 200;

/// By index: the hits of a feature in training by the text, 0 if it has none.
pub fn hits(text: &str) -> Vec<u64> {
    let mut hits = vec![0; COUNT];
    let (mut at, mut pending) = (None, Vec::new());
    for line in text.lines() {
        if line.starts_with('[') {
            let family = Family::ALL.iter().find(|&&family| section(family) == line);
            at = family.map(|family| family.offset());
        } else if let Some(values) = line.strip_prefix("# hits ") {
            pending = values
                .split(' ')
                .filter_map(|value| value.parse().ok())
                .collect();
        } else if let (Some(first), Some(values)) = (at, line.strip_prefix("eg ")) {
            for (hits, value) in hits[first..].iter_mut().zip(pending.drain(..)) {
                *hits = value;
            }
            at = Some(first + values.split_whitespace().count());
        }
    }
    hits
}

/// The first line of a family.
pub fn section(family: Family) -> String {
    let declared = family.declaration();
    let sizes: Vec<String> = (declared.axes.iter())
        .map(|axis| axis.size.to_string())
        .collect();
    format!("[{}: {}]", declared.name, sizes.join(" "))
}

/// The provenance of a text: keys and values.
pub fn provenance(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = text
        .lines()
        .skip(1)
        .take_while(|line| !line.starts_with('['));
    lines
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
}

/// A fingerprint of bytes (FNV-1a, 64 bits): against accidents, not against malice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digest(pub u64);

impl Digest {
    /// The fingerprint of no bytes.
    pub const START: Self = Self(0xcbf2_9ce4_8422_2325);

    /// The fingerprint with these bytes appended.
    #[must_use]
    pub const fn add(self, bytes: &[u8]) -> Self {
        let (mut state, mut place) = (self.0, 0);
        while place < bytes.len() {
            state = (state ^ bytes[place] as u64).wrapping_mul(0x0000_0100_0000_01b3);
            place += 1;
        }
        Self(state)
    }

    /// The fingerprint of the families' names and shapes.
    pub fn of_families() -> Self {
        let sections = Family::ALL.iter().map(|&family| section(family));
        sections.fold(Self::START, |digest, section| {
            digest.add(section.as_bytes())
        })
    }

    pub fn of_weights(weights: &Weights) -> Self {
        weights.0.iter().fold(Self::START, |digest, pair| {
            let parts = pair.0.iter();
            parts.fold(digest, |digest, part| digest.add(&part.to_le_bytes()))
        })
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
