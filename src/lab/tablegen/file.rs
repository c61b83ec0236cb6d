//! Reading and writing of Syzygy files.

use super::compress::Compressed;
use super::file_index::{FileIndex, NO_SECOND, PieceOrder};
use super::material::code;
use super::pairs::LEAF;
use super::solver_index::SolverIndex;
use super::subtable::{Body, Subtable};
use super::values::{DtzMap, KINDS};
use crate::tablebase::Metric;
use crate::tablebase::checksum::{SUM_BYTES, checksum, verified};

const WDL_MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
const DTZ_MAGIC: [u8; 4] = [0xd7, 0x66, 0x0c, 0xa5];
/// Layout bit: WDL tables for both sides to move.
const SPLIT: u8 = 1;
/// Layout bit: with pawns.
const PAWNS: u8 = 2;
/// Subtable flags.
const BLACK_TO_MOVE: u8 = 1;
const MAPPED: u8 = 2;
const WINS_IN_PLIES: u8 = 4;
const LOSSES_IN_PLIES: u8 = 8;
const WIDE: u8 = 16;
const SINGLE: u8 = 128;

/// A file is not a valid table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileFault {
    #[error("truncated or not a table: {0} bytes")]
    Length(usize),
    #[error("wrong magic number: not a table of this kind")]
    Magic,
    #[error("wrong checksum: damaged")]
    Checksum,
    #[error("the pieces are not those of the file name")]
    Pieces,
    #[error("invalid {0}")]
    Part(&'static str),
}

fn magic(metric: Metric) -> [u8; 4] {
    match metric {
        Metric::Wdl => WDL_MAGIC,
        Metric::Dtz => DTZ_MAGIC,
    }
}

fn layout(index: &SolverIndex) -> u8 {
    let split = if index.material.is_symmetric() {
        0
    } else {
        SPLIT
    };
    let pawns = if index.files.len() > 1 { PAWNS } else { 0 };
    split | pawns | (index.pieces.len() as u8) << 4
}

fn has_second(index: &SolverIndex) -> bool {
    index.material.pawns().iter().all(|&pawns| pawns > 0)
}

fn pad(bytes: &mut Vec<u8>, to: usize) {
    bytes.resize(bytes.len().next_multiple_of(to), 0);
}

/// Writes a file of subtables, `[file][side]`.
pub fn write(index: &SolverIndex, metric: Metric, tables: &[Vec<Subtable>]) -> Vec<u8> {
    let mut out = magic(metric).to_vec();
    out.push(layout(index));
    for sides in tables {
        let nibbles = |of: &dyn Fn(&Subtable) -> u8| {
            let high = match (metric, sides.len()) {
                (Metric::Dtz, _) => 0,
                (Metric::Wdl, count) => of(&sides[count - 1]),
            };
            of(&sides[0]) | high << 4
        };
        out.push(nibbles(&|table| table.order.lead));
        if has_second(index) {
            out.push(nibbles(&|table| table.order.second));
        }
        for at in 0..index.pieces.len() {
            out.push(nibbles(&|table| code(index.pieces[table.order.slots[at]])));
        }
    }
    pad(&mut out, 2);
    for table in tables.iter().flatten() {
        write_header(&mut out, metric, table);
    }
    if metric == Metric::Dtz {
        for table in tables.iter().flatten().filter(|table| table.map.is_mapped) {
            write_map(&mut out, &table.map);
        }
        pad(&mut out, 2);
    }
    let packed = || {
        tables
            .iter()
            .flatten()
            .filter_map(|table| match &table.body {
                Body::Single(_) => None,
                Body::Compressed(packed) => Some(packed),
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
        let [wins, losses] = table.map.in_plies;
        flags = set(table.side == 1, BLACK_TO_MOVE)
            | set(table.map.is_mapped, MAPPED)
            | set(wins, WINS_IN_PLIES)
            | set(losses, LOSSES_IN_PLIES)
            | set(table.map.is_mapped && is_wide(&table.map), WIDE);
    }
    let packed = match &table.body {
        Body::Single(value) => {
            out.extend([SINGLE, *value]);
            return;
        }
        Body::Compressed(packed) => packed,
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

fn is_wide(map: &DtzMap) -> bool {
    let too_much = |&number: &u16| number > 255;
    map.lists
        .iter()
        .any(|list| list.len() > 255 || list.iter().any(too_much))
}

fn write_map(out: &mut Vec<u8>, map: &DtzMap) {
    let is_wide = is_wide(map);
    if is_wide {
        pad(out, 2);
    }
    for list in &map.lists {
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

/// The file without its checksum.
///
/// # Errors
/// The checksum is missing or wrong.
pub fn check_sum(bytes: &[u8]) -> Result<&[u8], FileFault> {
    if bytes.len() < SUM_BYTES {
        return Err(FileFault::Length(bytes.len()));
    }
    verified(bytes).ok_or(FileFault::Checksum)
}

/// Reads the subtables, `[file][side]`, of a whole file.
///
/// # Errors
/// The file is not a valid table.
pub fn read(
    index: &SolverIndex,
    metric: Metric,
    bytes: &[u8],
) -> Result<Vec<Vec<Subtable>>, FileFault> {
    if bytes.len() % 64 != SUM_BYTES || bytes.len() < 64 {
        return Err(FileFault::Length(bytes.len()));
    }
    if bytes[..4] != magic(metric) {
        return Err(FileFault::Magic);
    }
    let body = check_sum(bytes)?;
    if body[4] & 15 != layout(index) & 15 {
        return Err(FileFault::Pieces);
    }
    let mut reader = Reader { bytes: body, at: 5 };
    let sides = if metric == Metric::Wdl && !index.material.is_symmetric() {
        2
    } else {
        1
    };
    let mut orders = Vec::new();
    for _ in &index.files {
        let lead = reader.byte()?;
        let second = if has_second(index) {
            reader.byte()?
        } else {
            NO_SECOND | NO_SECOND << 4
        };
        let codes = reader.take(index.pieces.len())?;
        for side in 0..sides {
            let shift = 4 * side;
            let order = read_slots(index, codes, shift).ok_or(FileFault::Pieces)?;
            orders.push(PieceOrder {
                slots: order,
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
                read_map(&mut reader, &mut table.map, *flags & WIDE != 0)?;
            }
        }
        reader.pad(2)?;
    }
    for (at, (table, _)) in tables.iter_mut().enumerate() {
        if let Body::Compressed(packed) = &mut table.body {
            let entries = FileIndex::new(index, at / sides, &table.order).entries;
            let records = entries.div_ceil(1 << packed.span_bits);
            for _ in 0..records {
                packed.sparse.push((reader.long()?, reader.word()?));
            }
        }
    }
    for (table, _) in &mut tables {
        if let Body::Compressed(packed) = &mut table.body {
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
        if let Body::Compressed(packed) = &mut table.body {
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
    Ok(index
        .files
        .iter()
        .map(|_| tables.by_ref().take(sides).collect())
        .collect())
}

/// The slots of the pieces with these codes, four bits of each byte from bit `shift`.
fn read_slots(index: &SolverIndex, codes: &[u8], shift: usize) -> Option<Vec<usize>> {
    let mut free: Vec<usize> = (0..index.pieces.len()).collect();
    let slots = codes.iter().map(|byte| {
        let at = free
            .iter()
            .position(|&slot| code(index.pieces[slot]) == byte >> shift & 15)?;
        Some(free.remove(at))
    });
    slots.collect()
}

fn read_header(
    reader: &mut Reader,
    metric: Metric,
    order: PieceOrder,
    side: usize,
) -> Result<(Subtable, u8), FileFault> {
    let flags = reader.byte()?;
    let mut table = Subtable {
        order,
        side,
        map: DtzMap::default(),
        body: Body::Single(0),
    };
    if metric == Metric::Dtz {
        table.side = usize::from(flags & BLACK_TO_MOVE != 0);
        table.map.is_mapped = flags & MAPPED != 0;
        table.map.in_plies = [flags & WINS_IN_PLIES != 0, flags & LOSSES_IN_PLIES != 0];
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
    check_symbols(&symbols)?;
    reader.pad(2)?;
    table.body = Body::Compressed(Compressed {
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

/// Checks that no symbol contains itself, which would never end.
fn check_symbols(symbols: &[[u16; 2]]) -> Result<(), FileFault> {
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

fn read_map(reader: &mut Reader, map: &mut DtzMap, is_wide: bool) -> Result<(), FileFault> {
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
        map.lists[kind] = (0..count).map(|_| number()).collect::<Result<_, _>>()?;
    }
    Ok(())
}
