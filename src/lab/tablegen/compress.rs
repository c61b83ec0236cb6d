//! Compression of a subtable with fast random access: pairing of symbols, a canonical Huffman code, and blocks of equal
//! size with the number of values in each and a sparse index.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::pairs::{Grammar, LEAF, pair};

/// The longest code, in bits.
const MAX_CODE_BITS: u8 = 32;
/// Logarithms of block sizes: 32 to 1024 bytes.
const BLOCK_BITS: std::ops::RangeInclusive<u8> = 5..=10;
/// The most values in a block.
const MAX_VALUES: usize = 1 << 16;

/// The compressed values of a subtable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compressed {
    /// Logarithm of the block size in bytes.
    pub block_bits: u8,
    /// Logarithm of the span of the sparse index in values.
    pub span_bits: u8,
    /// Empty blocks at the end of the block list, for the sparse index only.
    pub dummies: u8,
    /// Longest and shortest code, in bits.
    pub lengths: [u8; 2],
    /// The first symbol of each code length, shortest first.
    pub first: Vec<u16>,
    /// Left and right part of each symbol.
    pub symbols: Vec<[u16; 2]>,
    /// Values in each block less one, without dummies.
    pub counts: Vec<u16>,
    /// Block and offset of the middle value of each span.
    pub sparse: Vec<(u32, u16)>,
    pub blocks: Vec<u8>,
}

impl Compressed {
    /// Bytes of the parts that depend on the block size.
    fn size(&self) -> usize {
        self.blocks.len().next_multiple_of(64) + 2 * self.counts.len() + 6 * self.sparse.len()
    }

    /// Compresses values, with symbols for pairs that occur at least `least` times.
    pub fn new(values: Vec<u8>, least: u32) -> Self {
        let entries = values.len();
        let (grammar, code) = encode(&pair(values, least));
        let candidates = BLOCK_BITS.map(|bits| code.pack(&grammar, entries, bits));
        let best = candidates.min_by_key(Self::size);
        best.unwrap_or_else(|| code.pack(&grammar, entries, 6))
    }

    /// The index of the first value of each block, and the end of the last block.
    pub fn starts(&self) -> Vec<usize> {
        let lengths = self.counts.iter().scan(0, |end, &count| {
            *end += usize::from(count) + 1;
            Some(*end)
        });
        std::iter::once(0).chain(lengths).collect()
    }

    /// Decompresses a block.
    pub fn unpack(&self, block: usize) -> Vec<u16> {
        let [longest, shortest] = self.lengths;
        let base = bases(&self.first);
        let size = 1 << self.block_bits;
        let bytes = self
            .blocks
            .get(block * size..(block + 1) * size)
            .unwrap_or_default();
        let end = usize::from(self.counts[block]) + 1;
        let mut values = Vec::with_capacity(end + 256);
        let mut bits = BitReader { bytes, at: 0 };
        while values.len() < end && bits.at < 8 * size {
            let mut number = bits.take(shortest);
            let mut length = 0;
            while length < usize::from(longest - shortest) && number < base[length] {
                number = number << 1 | bits.take(1);
                length += 1;
            }
            let symbol = u64::from(self.first[length]) + number.wrapping_sub(base[length]);
            self.expand(symbol as u16, &mut values);
        }
        values.truncate(end);
        values
    }

    fn expand(&self, symbol: u16, values: &mut Vec<u16>) {
        let Some(&[left, right]) = self.symbols.get(usize::from(symbol)) else {
            return;
        };
        if right == LEAF {
            values.push(left);
        } else {
            self.expand(left, values);
            self.expand(right, values);
        }
    }
}

/// The first code of each length, shortest first.
fn bases(first: &[u16]) -> Vec<u64> {
    let mut bases = vec![0; first.len()];
    for at in (0..first.len() - 1).rev() {
        bases[at] = (bases[at + 1] + u64::from(first[at]) - u64::from(first[at + 1])) / 2;
    }
    bases
}

struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl BitReader<'_> {
    fn take(&mut self, count: u8) -> u64 {
        (0..count).fold(0, |word, _| {
            let byte = self.bytes.get(self.at / 8).copied().unwrap_or(0);
            let bit = byte >> (7 - self.at % 8) & 1;
            self.at += 1;
            word << 1 | u64::from(bit)
        })
    }
}

/// The Huffman code of the symbols of a grammar.
struct Code {
    lengths: [u8; 2],
    first: Vec<u16>,
    /// `[symbol]`: length, 0 if unused, and code.
    codes: Vec<(u8, u64)>,
}

/// Drops unused symbols, renumbers the others by code length, longest first, and assigns codes.
fn encode(grammar: &Grammar) -> (Grammar, Code) {
    let mut counts = vec![0_u64; grammar.symbols.len()];
    for &symbol in &grammar.text {
        counts[usize::from(symbol)] += 1;
    }
    let lengths = code_lengths(&counts);
    let mut is_used: Vec<bool> = lengths.iter().map(|&length| length > 0).collect();
    for symbol in (0..grammar.symbols.len()).rev() {
        let parts = grammar.symbols[symbol];
        if is_used[symbol] && parts.right != LEAF {
            is_used[usize::from(parts.left)] = true;
            is_used[usize::from(parts.right)] = true;
        }
    }
    let mut order: Vec<usize> = (0..grammar.symbols.len())
        .filter(|&symbol| is_used[symbol])
        .collect();
    order.sort_by_key(|&symbol| (Reverse(lengths[symbol]), counts[symbol]));
    let mut number = vec![0_u16; grammar.symbols.len()];
    for (at, &symbol) in order.iter().enumerate() {
        number[symbol] = at as u16;
    }
    let symbols = order.iter().map(|&symbol| {
        let mut parts = grammar.symbols[symbol];
        if parts.right != LEAF {
            parts.left = number[usize::from(parts.left)];
            parts.right = number[usize::from(parts.right)];
        }
        parts
    });
    let symbols = symbols.collect();
    let lengths: Vec<u8> = order.iter().map(|&symbol| lengths[symbol]).collect();
    let longest = lengths.first().copied().unwrap_or(1);
    let shortest = lengths
        .iter()
        .copied()
        .filter(|&length| length > 0)
        .min()
        .unwrap_or(1);
    let first: Vec<u16> = (shortest..=longest)
        .map(|length| {
            lengths
                .iter()
                .position(|&other| other <= length)
                .unwrap_or(0) as u16
        })
        .collect();
    let base = bases(&first);
    let codes = lengths.iter().enumerate().map(|(symbol, &length)| {
        if length == 0 {
            return (0, 0);
        }
        let at = usize::from(length - shortest);
        (length, base[at] + (symbol as u64 - u64::from(first[at])))
    });
    let code = Code {
        lengths: [longest, shortest],
        codes: codes.collect(),
        first,
    };
    let text = grammar
        .text
        .iter()
        .map(|&symbol| number[usize::from(symbol)])
        .collect();
    (Grammar { symbols, text }, code)
}

/// Huffman code lengths of symbols with these counts; 0 for unused ones.
fn code_lengths(counts: &[u64]) -> Vec<u8> {
    let mut weights: Vec<u64> = counts.to_vec();
    loop {
        let lengths = huffman(&weights);
        if lengths.iter().all(|&length| length <= MAX_CODE_BITS) {
            return lengths;
        }
        // Flatter weights give shorter codes.
        for weight in weights.iter_mut().filter(|weight| **weight > 0) {
            *weight = *weight / 4 + 1;
        }
    }
}

fn huffman(weights: &[u64]) -> Vec<u8> {
    let mut lengths = vec![0; weights.len()];
    let used: Vec<usize> = (0..weights.len())
        .filter(|&symbol| weights[symbol] > 0)
        .collect();
    if let [only] = used[..] {
        lengths[only] = 1;
        return lengths;
    }
    let mut heap: BinaryHeap<Reverse<(u64, usize)>> = used
        .iter()
        .enumerate()
        .map(|(leaf, &symbol)| Reverse((weights[symbol], leaf)))
        .collect();
    let mut parent = vec![usize::MAX; 2 * used.len()];
    let mut next = used.len();
    while let (Some(Reverse((a, one))), Some(Reverse((b, other)))) = (heap.pop(), heap.pop()) {
        parent[one] = next;
        parent[other] = next;
        heap.push(Reverse((a + b, next)));
        next += 1;
        if heap.len() == 1 {
            break;
        }
    }
    let mut depth = vec![0_u8; next];
    for node in (0..next.saturating_sub(1)).rev() {
        depth[node] = depth[parent[node]].saturating_add(1);
        if let Some(&symbol) = used.get(node) {
            lengths[symbol] = depth[node];
        }
    }
    lengths
}

impl Code {
    /// Encodes into blocks of this size.
    fn pack(&self, grammar: &Grammar, entries: usize, block_bits: u8) -> Compressed {
        let capacity = 8 << block_bits;
        let (mut blocks, mut counts) = (Vec::new(), Vec::new());
        let (mut word, mut filled, mut used, mut values) = (0_u64, 0_u32, 0, 0);
        let mut flush = |word: &mut u64, filled: &mut u32, to: usize| {
            while *filled >= 8 {
                blocks.push((*word >> (*filled - 8)) as u8);
                *filled -= 8;
            }
            if to > 0 {
                if *filled > 0 {
                    blocks.push((*word << (8 - *filled)) as u8);
                    *filled = 0;
                }
                blocks.resize(to, 0);
            }
        };
        for &symbol in &grammar.text {
            let (length, code) = self.codes[usize::from(symbol)];
            let run = grammar.symbols[usize::from(symbol)].run as usize;
            if used + usize::from(length) > capacity || values + run > MAX_VALUES {
                counts.push((values - 1) as u16);
                flush(&mut word, &mut filled, counts.len() << block_bits);
                (used, values, word) = (0, 0, 0);
            }
            word = word << length | code;
            filled += u32::from(length);
            used += usize::from(length);
            values += run;
            flush(&mut word, &mut filled, 0);
        }
        counts.push((values - 1) as u16);
        flush(&mut word, &mut filled, counts.len() << block_bits);
        let mut packed = Compressed {
            block_bits,
            span_bits: 0,
            dummies: 0,
            lengths: self.lengths,
            first: self.first.clone(),
            symbols: grammar
                .symbols
                .iter()
                .map(|symbol| [symbol.left, symbol.right])
                .collect(),
            counts,
            sparse: Vec::new(),
            blocks,
        };
        packed.build_sparse_index(entries);
        packed
    }
}

impl Compressed {
    /// Builds the sparse index.
    fn build_sparse_index(&mut self, entries: usize) {
        let per_block = entries / self.counts.len();
        let mut bits = (usize::BITS - per_block.leading_zeros()) as u8 + 4;
        while 1_usize << (bits - 1) > entries {
            bits -= 1;
        }
        self.span_bits = bits;
        let span = 1_usize << bits;
        let records = entries.div_ceil(span);
        let beyond = ((2 * records - 1) * span / 2 + 1).saturating_sub(entries + 1);
        self.dummies = beyond.div_ceil(MAX_VALUES) as u8;
        let (mut block, mut start) = (0, 0);
        let length = |block: usize| {
            self.counts
                .get(block)
                .map_or(MAX_VALUES, |&count| usize::from(count) + 1)
        };
        self.sparse = (0..records)
            .map(|record| {
                let middle = record * span + span / 2;
                while start + length(block) <= middle {
                    start += length(block);
                    block += 1;
                }
                (block as u32, (middle - start) as u16)
            })
            .collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpacking_restores_the_values() {
        let mut seed = 1_u32;
        let mut random = move |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % below
        };
        let mut texts: Vec<Vec<u8>> =
            vec![vec![3; 70_000], vec![0, 1, 0, 1, 1], (0..250).collect()];
        for values in [2, 5, 60, 250] {
            texts.push((0..50_000).map(|_| random(values) as u8).collect());
            texts.push(
                (0..500)
                    .flat_map(|_| vec![random(values) as u8; random(900) as usize + 1])
                    .collect(),
            );
        }
        for text in texts {
            let packed = Compressed::new(text.clone(), 8);
            let blocks = (0..packed.counts.len()).flat_map(|block| packed.unpack(block));
            assert!(
                blocks.eq(text.iter().copied().map(u16::from)),
                "{} values",
                text.len()
            );
        }
    }
}
