//! The bytes of a file, written and read.
//! Uses: checksum, material, numbering, pack, space, table, values. Used by: workshop, verify.
//! Idea: the parts of the format one after the other; the reader here takes a whole file apart again, to prove it.

use super::numbering::{NO_SLOT, Numbering, Order};
use super::pack::Packed;
use super::pairs::LEAF;
use super::space::Space;
use super::table::{Body, Subtable};
use super::values::{KINDS, Scale};
use crate::tablebase::Metric;
use crate::tablebase::checksum::{SUM_BYTES, checksum, verified};

const WDL_MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
const DTZ_MAGIC: [u8; 4] = [0xd7, 0x66, 0x0c, 0xa5];
/// The layout byte: not symmetric.
const SPLIT: u8 = 1;
/// The layout byte: with pawns.
const PAWNS: u8 = 2;
/// Flags of a subtable.
const BLACK_TO_MOVE: u8 = 1;
const MAPPED: u8 = 2;
const WINS_IN_PLIES: u8 = 4;
const LOSSES_IN_PLIES: u8 = 8;
const WIDE: u8 = 16;
const SINGLE: u8 = 128;

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileFault {
    /// Files are a multiple of 64 bytes, and 16 more.
    #[error("it is cut off or not a table: {0} bytes")]
    Length(usize),
    /// The first bytes are not those of such a table.
    #[error("its first bytes are not those of this table")]
    Magic,
    /// The checksum at the end does not fit the rest.
    #[error("its checksum is wrong: it is damaged")]
    Checksum,
    /// The men in it are others than those of its name.
    #[error("its men are not those of its name")]
    Men,
    /// A part cannot be what it says.
    #[error("its {0} cannot be")]
    Part(&'static str),
}

fn magic(metric: Metric) -> [u8; 4] {
    match metric {
        Metric::Wdl => WDL_MAGIC,
        Metric::Dtz => DTZ_MAGIC,
    }
}

fn layout(space: &Space) -> u8 {
    let split = if space.material.is_symmetric() {
        0
    } else {
        SPLIT
    };
    let pawns = if space.files.len() > 1 { PAWNS } else { 0 };
    split | pawns | (space.men.len() as u8) << 4
}

fn has_second(space: &Space) -> bool {
    space.material.pawns().iter().all(|&pawns| pawns > 0)
}

fn pad(bytes: &mut Vec<u8>, to: usize) {
    bytes.resize(bytes.len().next_multiple_of(to), 0);
}

/// The file of these subtables, `[file][side]`.
#[must_use]
pub fn write(space: &Space, metric: Metric, tables: &[Vec<Subtable>]) -> Vec<u8> {
    let mut out = magic(metric).to_vec();
    out.push(layout(space));
    for sides in tables {
        let nibbles = |of: &dyn Fn(&Subtable) -> u8| {
            let high = match (metric, sides.len()) {
                (Metric::Dtz, _) => 0,
                (Metric::Wdl, count) => of(&sides[count - 1]),
            };
            of(&sides[0]) | high << 4
        };
        out.push(nibbles(&|table| table.order.lead));
        if has_second(space) {
            out.push(nibbles(&|table| table.order.second));
        }
        for at in 0..space.men.len() {
            out.push(nibbles(&|table| space.men[table.order.men[at]].code()));
        }
    }
    pad(&mut out, 2);
    for table in tables.iter().flatten() {
        write_header(&mut out, metric, table);
    }
    if metric == Metric::Dtz {
        for table in tables
            .iter()
            .flatten()
            .filter(|table| table.scale.is_mapped)
        {
            write_map(&mut out, &table.scale);
        }
        pad(&mut out, 2);
    }
    let packed = || {
        tables
            .iter()
            .flatten()
            .filter_map(|table| match &table.body {
                Body::Single(_) => None,
                Body::Packed(packed) => Some(packed),
            })
    };
    for packed in packed() {
        for (block, offset) in &packed.sparse {
            out.extend(block.to_le_bytes());
            out.extend(offset.to_le_bytes());
        }
    }
    for packed in packed() {
        let dummies = std::iter::repeat_n(u16::MAX, usize::from(packed.dummies));
        out.extend(
            packed
                .counts
                .iter()
                .copied()
                .chain(dummies)
                .flat_map(u16::to_le_bytes),
        );
    }
    pad(&mut out, 64);
    for packed in packed() {
        out.extend(&packed.blocks);
        pad(&mut out, 64);
    }
    let sum = checksum(&out);
    out.extend(sum);
    out
}

fn write_header(out: &mut Vec<u8>, metric: Metric, table: &Subtable) {
    let mut flags = 0;
    if metric == Metric::Dtz {
        let set = |is: bool, flag: u8| if is { flag } else { 0 };
        let [wins, losses] = table.scale.in_plies;
        flags = set(table.side == 1, BLACK_TO_MOVE)
            | set(table.scale.is_mapped, MAPPED)
            | set(wins, WINS_IN_PLIES)
            | set(losses, LOSSES_IN_PLIES)
            | set(table.scale.is_mapped && is_wide(&table.scale), WIDE);
    }
    let packed = match &table.body {
        Body::Single(value) => {
            out.extend([SINGLE, *value]);
            return;
        }
        Body::Packed(packed) => packed,
    };
    out.extend([flags, packed.block_bits, packed.span_bits, packed.dummies]);
    out.extend((packed.counts.len() as u32).to_le_bytes());
    out.extend(packed.lengths);
    out.extend(packed.first.iter().flat_map(|first| first.to_le_bytes()));
    out.extend((packed.symbols.len() as u16).to_le_bytes());
    for [left, right] in &packed.symbols {
        out.extend([
            *left as u8,
            (left >> 8 | right << 4) as u8,
            (right >> 4) as u8,
        ]);
    }
    pad(out, 2);
}

fn is_wide(scale: &Scale) -> bool {
    let too_much = |&number: &u16| number > 255;
    scale
        .lists
        .iter()
        .any(|list| list.len() > 255 || list.iter().any(too_much))
}

fn write_map(out: &mut Vec<u8>, scale: &Scale) {
    let is_wide = is_wide(scale);
    if is_wide {
        pad(out, 2);
    }
    for list in &scale.lists {
        let mut put = |number: u16| {
            out.push(number as u8);
            if is_wide {
                out.push((number >> 8) as u8);
            }
        };
        put(list.len() as u16);
        list.iter().copied().for_each(&mut put);
    }
}

/// Reads on from a place in a file.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], FileFault> {
        let end = self
            .at
            .checked_add(count)
            .filter(|&end| end <= self.bytes.len());
        let end = end.ok_or(FileFault::Length(self.bytes.len()))?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, FileFault> {
        Ok(self.take(1)?[0])
    }

    fn word(&mut self) -> Result<u16, FileFault> {
        let bytes = self.take(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn long(&mut self) -> Result<u32, FileFault> {
        Ok(u32::from(self.word()?) | u32::from(self.word()?) << 16)
    }

    fn pad(&mut self, to: usize) -> Result<(), FileFault> {
        let padding = self.take(self.at.next_multiple_of(to) - self.at)?;
        padding
            .iter()
            .all(|&byte| byte == 0)
            .then_some(())
            .ok_or(FileFault::Part("padding"))
    }
}

/// The file without its checksum, if that is right.
///
/// # Errors
/// It is wrong, or there is no room for one.
pub fn check_sum(bytes: &[u8]) -> Result<&[u8], FileFault> {
    if bytes.len() < SUM_BYTES {
        return Err(FileFault::Length(bytes.len()));
    }
    verified(bytes).ok_or(FileFault::Checksum)
}

/// Takes a file apart into subtables, `[file][side]`; every byte must have its place.
///
/// # Errors
/// What is wrong with it.
pub fn read(space: &Space, metric: Metric, bytes: &[u8]) -> Result<Vec<Vec<Subtable>>, FileFault> {
    if bytes.len() % 64 != SUM_BYTES || bytes.len() < 64 {
        return Err(FileFault::Length(bytes.len()));
    }
    if bytes[..4] != magic(metric) {
        return Err(FileFault::Magic);
    }
    let body = check_sum(bytes)?;
    if body[4] & 15 != layout(space) & 15 {
        return Err(FileFault::Men);
    }
    let mut reader = Reader { bytes: body, at: 5 };
    let sides = if metric == Metric::Wdl && !space.material.is_symmetric() {
        2
    } else {
        1
    };
    let mut orders = Vec::new();
    for _ in &space.files {
        let lead = reader.byte()?;
        let second = if has_second(space) {
            reader.byte()?
        } else {
            NO_SLOT | NO_SLOT << 4
        };
        let codes = reader.take(space.men.len())?;
        for side in 0..sides {
            let shift = 4 * side;
            let order = read_order(space, codes, shift).ok_or(FileFault::Men)?;
            orders.push(Order {
                men: order,
                lead: lead >> shift & 15,
                second: second >> shift & 15,
            });
        }
    }
    reader.pad(2)?;
    let mut tables = Vec::new();
    for (at, order) in orders.into_iter().enumerate() {
        tables.push(read_header(&mut reader, metric, order, at % sides)?);
    }
    if metric == Metric::Dtz {
        for (table, flags) in &mut tables {
            if *flags & MAPPED != 0 {
                read_map(&mut reader, &mut table.scale, *flags & WIDE != 0)?;
            }
        }
        reader.pad(2)?;
    }
    for (at, (table, _)) in tables.iter_mut().enumerate() {
        if let Body::Packed(packed) = &mut table.body {
            let entries = Numbering::new(space, at / sides, &table.order).entries;
            let records = entries.div_ceil(1 << packed.span_bits);
            for _ in 0..records {
                packed.sparse.push((reader.long()?, reader.word()?));
            }
        }
    }
    for (table, _) in &mut tables {
        if let Body::Packed(packed) = &mut table.body {
            for count in &mut packed.counts {
                *count = reader.word()?;
            }
            for _ in 0..packed.dummies {
                reader.word()?;
            }
        }
    }
    reader.pad(64)?;
    for (table, _) in &mut tables {
        if let Body::Packed(packed) = &mut table.body {
            packed.blocks = reader
                .take(packed.counts.len() << packed.block_bits)?
                .to_vec();
            reader.pad(64)?;
        }
    }
    if reader.at != body.len() {
        return Err(FileFault::Part("length"));
    }
    let mut tables = tables.into_iter().map(|(table, _)| table);
    Ok(space
        .files
        .iter()
        .map(|_| tables.by_ref().take(sides).collect())
        .collect())
}

/// The slots whose men have these codes (the low or the high four bits of each byte).
fn read_order(space: &Space, codes: &[u8], shift: usize) -> Option<Vec<usize>> {
    let mut free: Vec<usize> = (0..space.men.len()).collect();
    let slots = codes.iter().map(|code| {
        let at = free
            .iter()
            .position(|&slot| space.men[slot].code() == code >> shift & 15)?;
        Some(free.remove(at))
    });
    slots.collect()
}

fn read_header(
    reader: &mut Reader,
    metric: Metric,
    order: Order,
    side: usize,
) -> Result<(Subtable, u8), FileFault> {
    let flags = reader.byte()?;
    let mut table = Subtable {
        order,
        side,
        scale: Scale::default(),
        body: Body::Single(0),
    };
    if metric == Metric::Dtz {
        table.side = usize::from(flags & BLACK_TO_MOVE != 0);
        table.scale.is_mapped = flags & MAPPED != 0;
        table.scale.in_plies = [flags & WINS_IN_PLIES != 0, flags & LOSSES_IN_PLIES != 0];
    }
    if flags & SINGLE != 0 {
        table.body = Body::Single(reader.byte()?);
        return Ok((table, 0));
    }
    let [block_bits, span_bits, dummies] = [reader.byte()?, reader.byte()?, reader.byte()?];
    let blocks = reader.long()? as usize;
    let [longest, shortest] = [reader.byte()?, reader.byte()?];
    let is_possible = block_bits <= 10
        && (1..31).contains(&span_bits)
        && (1..=longest).contains(&shortest)
        && longest <= 32;
    if !is_possible || blocks > reader.bytes.len() {
        return Err(FileFault::Part("header"));
    }
    let first = (shortest..=longest)
        .map(|_| reader.word())
        .collect::<Result<Vec<_>, _>>()?;
    let mut symbols = Vec::new();
    for symbol in 0..reader.word()? {
        let bytes = reader.take(3)?;
        let [a, b, c] = [bytes[0], bytes[1], bytes[2]].map(u16::from);
        let parts = [a | (b & 15) << 8, b >> 4 | c << 4];
        if parts == [symbol, symbol] {
            return Err(FileFault::Part("symbol"));
        }
        symbols.push(parts);
    }
    is_a_tree(&symbols)?;
    reader.pad(2)?;
    table.body = Body::Packed(Packed {
        block_bits,
        span_bits,
        dummies,
        lengths: [longest, shortest],
        first,
        symbols,
        counts: vec![0; blocks],
        sparse: Vec::new(),
        blocks: Vec::new(),
    });
    Ok((table, flags))
}

/// Symbols that are made of one another in a circle would never end.
fn is_a_tree(symbols: &[[u16; 2]]) -> Result<(), FileFault> {
    fn depth(symbols: &[[u16; 2]], symbol: u16, left: u8) -> bool {
        match symbols.get(usize::from(symbol)) {
            None => false,
            Some(&[_, LEAF]) => true,
            Some(&[a, b]) => left > 0 && depth(symbols, a, left - 1) && depth(symbols, b, left - 1),
        }
    }
    let is_fine = (0..symbols.len()).all(|symbol| depth(symbols, symbol as u16, 14));
    is_fine.then_some(()).ok_or(FileFault::Part("symbols"))
}

fn read_map(reader: &mut Reader, scale: &mut Scale, is_wide: bool) -> Result<(), FileFault> {
    if is_wide {
        reader.pad(2)?;
    }
    let mut number = || {
        if is_wide {
            reader.word()
        } else {
            reader.byte().map(u16::from)
        }
    };
    for kind in 0..KINDS {
        let count = number()?;
        scale.lists[kind] = (0..count).map(|_| number()).collect::<Result<_, _>>()?;
    }
    Ok(())
}
