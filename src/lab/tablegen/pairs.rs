//! Pairing of frequent adjacent symbols: Larsson and Moffat's recursive pairing, in rounds that replace many pairs at once
//! as long as they do not overlap.

/// The most symbols in a file.
const MAX_SYMBOLS: usize = 4095;
/// The most values per symbol.
const MAX_RUN: u32 = 256;
/// The deepest nesting of symbols that all readers support.
const MAX_DEPTH: u8 = 14;
/// The right part of a symbol that is a value.
pub const LEAF: u16 = 0xfff;
/// The most pairs replaced per round.
const ROUND: usize = 250;

/// A pair of symbols or, with `LEAF` at the right, a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The first part, or the value.
    pub left: u16,
    /// The second part, or `LEAF`.
    pub right: u16,
    /// The number of values.
    pub run: u32,
    depth: u8,
}

/// Symbols and the text made of them.
pub struct Grammar {
    pub symbols: Vec<Symbol>,
    pub text: Vec<u16>,
}

/// Counts of pairs: in a matrix if there are few symbols, else in a hash table.
struct Counts {
    width: usize,
    matrix: Vec<u32>,
    keys: Vec<u32>,
    values: Vec<u32>,
    mask: usize,
}

/// The most symbols counted in a matrix.
const MATRIX: usize = 700;
const EMPTY: u32 = u32::MAX;

impl Counts {
    fn new(symbols: usize, text: usize) -> Self {
        if symbols <= MATRIX {
            return Self {
                width: symbols,
                matrix: vec![0; symbols * symbols],
                keys: Vec::new(),
                values: Vec::new(),
                mask: 0,
            };
        }
        let size = (2 * text.min(symbols * symbols))
            .next_power_of_two()
            .clamp(1 << 10, 1 << 22);
        Self {
            width: 0,
            matrix: Vec::new(),
            keys: vec![EMPTY; size],
            values: vec![0; size],
            mask: size - 1,
        }
    }

    #[inline]
    fn add(&mut self, left: u16, right: u16) {
        if self.width > 0 {
            self.matrix[usize::from(left) * self.width + usize::from(right)] += 1;
            return;
        }
        let key = u32::from(left) << 12 | u32::from(right);
        let mut at = (key.wrapping_mul(0x9e37_79b1) >> 8) as usize & self.mask;
        // Without a free entry nearby the pair is dropped: it is rare.
        for _ in 0..64 {
            if self.keys[at] == key {
                self.values[at] += 1;
                return;
            }
            if self.keys[at] == EMPTY {
                self.keys[at] = key;
                self.values[at] = 1;
                return;
            }
            at = (at + 1) & self.mask;
        }
    }

    /// All pairs that occur at least `least` times: count, left, right.
    fn frequent(&self, least: u32) -> Vec<(u32, u16, u16)> {
        if self.width > 0 {
            let pairs = self
                .matrix
                .iter()
                .enumerate()
                .filter(|(_, count)| **count >= least);
            return pairs
                .map(|(at, &count)| (count, (at / self.width) as u16, (at % self.width) as u16))
                .collect();
        }
        let pairs = self
            .keys
            .iter()
            .zip(&self.values)
            .filter(|(key, count)| **key != EMPTY && **count >= least);
        pairs
            .map(|(&key, &count)| (count, (key >> 12) as u16, key as u16 & 0xfff))
            .collect()
    }
}

/// The integer type of symbols: bytes while there are few, to save memory.
trait SymbolId: Copy + PartialEq + TryFrom<usize> + Into<usize> {}
impl SymbolId for u8 {}
impl SymbolId for u16 {}

/// The grammar of these values, with symbols for pairs that occur at least `least` times.
pub fn pair(mut values: Vec<u8>, least: u32) -> Grammar {
    let mut leaf_of = [None; 256];
    for &value in &values {
        leaf_of[usize::from(value)] = Some(0);
    }
    let mut symbols = Vec::new();
    for (value, leaf) in leaf_of
        .iter_mut()
        .enumerate()
        .filter(|(_, leaf)| leaf.is_some())
    {
        *leaf = Some(symbols.len() as u8);
        symbols.push(Symbol {
            left: value as u16,
            right: LEAF,
            run: 1,
            depth: 0,
        });
    }
    for value in &mut values {
        *value = leaf_of[usize::from(*value)].unwrap_or_default();
    }
    // The first rounds shorten the text much, then 16-bit symbols fit.
    while extend(&mut symbols, &mut values, least, 1 << 8) {}
    values.shrink_to_fit();
    let mut text: Vec<u16> = values.iter().map(|&symbol| u16::from(symbol)).collect();
    drop(values);
    while extend(&mut symbols, &mut text, least, MAX_SYMBOLS) {}
    Grammar { symbols, text }
}

/// One round; false if no pair was replaced or there are `most` symbols.
fn extend<T: SymbolId>(
    symbols: &mut Vec<Symbol>,
    text: &mut Vec<T>,
    least: u32,
    most: usize,
) -> bool {
    let chosen = choose(symbols, text, least, most);
    let first = symbols.len();
    for &(left, right) in &chosen {
        let [a, b] = [left, right].map(|symbol| symbols[usize::from(symbol)]);
        symbols.push(Symbol {
            left,
            right,
            run: a.run + b.run,
            depth: 1 + a.depth.max(b.depth),
        });
    }
    replace(text, first, &chosen);
    !chosen.is_empty()
}

/// The pairs to replace in the next round, most frequent first.
fn choose<T: SymbolId>(symbols: &[Symbol], text: &[T], least: u32, most: usize) -> Vec<(u16, u16)> {
    if symbols.len() >= most {
        return Vec::new();
    }
    let mut counts = Counts::new(symbols.len(), text.len());
    let mut at = 0;
    while at + 1 < text.len() {
        let (left, right) = (text[at], text[at + 1]);
        counts.add(left.into() as u16, right.into() as u16);
        // Three equal symbols in a row are one pair, not two.
        at += if left == right && text.get(at + 2) == Some(&left) {
            2
        } else {
            1
        };
    }
    let mut pairs = counts.frequent(least);
    pairs.retain(|&(_, left, right)| {
        let [a, b] = [left, right].map(|symbol| symbols[usize::from(symbol)]);
        a.run + b.run <= MAX_RUN && a.depth.max(b.depth) < MAX_DEPTH
    });
    pairs.sort_unstable_by_key(|&(count, left, right)| (std::cmp::Reverse(count), left, right));
    let best = pairs.first().map_or(0, |pair| pair.0);
    // Symbols at the left or right of a chosen pair.
    let (mut at_left, mut at_right) = (vec![false; symbols.len()], vec![false; symbols.len()]);
    let mut chosen = Vec::new();
    let room = ROUND.min(most - symbols.len());
    for (count, left, right) in pairs {
        if chosen.len() >= room || count < best / 2 {
            break;
        }
        let overlaps = at_right[usize::from(left)] || at_left[usize::from(right)];
        if !overlaps {
            at_left[usize::from(left)] = true;
            at_right[usize::from(right)] = true;
            chosen.push((left, right));
        }
    }
    chosen
}

/// Replaces the chosen pairs by symbols from `first` on, from left to right.
fn replace<T: SymbolId>(text: &mut Vec<T>, first: usize, chosen: &[(u16, u16)]) {
    // `[left]`: right and symbol of its pairs.
    let mut by_left: Vec<Vec<(usize, T)>> = vec![Vec::new(); first];
    for (at, &(left, right)) in chosen.iter().enumerate() {
        if let Ok(symbol) = T::try_from(first + at) {
            by_left[usize::from(left)].push((usize::from(right), symbol));
        }
    }
    let (mut from, mut to) = (0, 0);
    while from < text.len() {
        let left = text[from];
        let pairs = &by_left[left.into()];
        let next = if pairs.is_empty() {
            None
        } else {
            text.get(from + 1)
        };
        let found = next.and_then(|&right| pairs.iter().find(|pair| pair.0 == right.into()));
        if let Some(&(_, symbol)) = found {
            text[to] = symbol;
            from += 2;
        } else {
            text[to] = left;
            from += 1;
        }
        to += 1;
    }
    text.truncate(to);
}
