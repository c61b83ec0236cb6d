//! A grammar of pairs: what stands side by side often becomes one symbol.
//! Uses: nothing. Used by: pack.
//! Idea: Larsson and Moffat's recursive pairing in rounds: the most frequent pairs that do not overlap each other are
//! replaced in one sweep, until no pair pays for its symbol.

/// The most symbols that a file can name.
const MAX_SYMBOLS: usize = 4095;
/// The most values that a symbol may stand for.
const MAX_RUN: u32 = 256;
/// The deepest nesting of symbols that every reader takes.
const MAX_DEPTH: u8 = 14;
/// A symbol that stands for a value.
pub const LEAF: u16 = 0xfff;
/// The most pairs replaced in one round.
const ROUND: usize = 250;

/// A symbol: two others, or (with `LEAF` at the right) a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The first part, or the value.
    pub left: u16,
    /// The second part, or `LEAF`.
    pub right: u16,
    /// How many values it stands for.
    pub run: u32,
    depth: u8,
}

/// A text of symbols.
pub struct Grammar {
    /// All symbols.
    pub symbols: Vec<Symbol>,
    /// What was to be written.
    pub text: Vec<u16>,
}

/// Counts pairs of symbols: a matrix while it is small, a hash table later.
struct Counts {
    width: usize,
    matrix: Vec<u32>,
    keys: Vec<u32>,
    values: Vec<u32>,
    mask: usize,
}

/// Up to so many symbols are counted in a matrix.
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
        // A full neighbourhood drops a pair: it is a rare one.
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

    /// All pairs that occur at least so often: count, left, right.
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

/// A number of a symbol, as narrow as may be: the text is the largest thing there is.
trait Number: Copy + PartialEq + TryFrom<usize> + Into<usize> {}
impl Number for u8 {}
impl Number for u16 {}

/// The grammar of these values, with symbols for pairs that occur at least `least` times.
#[must_use]
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
    // The first rounds make the text much shorter; then there is room for longer numbers.
    while extend(&mut symbols, &mut values, least, 1 << 8) {}
    // What these rounds have freed goes back before the wider text is there too.
    values.shrink_to_fit();
    let mut text: Vec<u16> = values.iter().map(|&symbol| u16::from(symbol)).collect();
    drop(values);
    while extend(&mut symbols, &mut text, least, MAX_SYMBOLS) {}
    Grammar { symbols, text }
}

/// A round of replacements; whether there was anything to replace and room (`most` symbols) for it.
fn extend<T: Number>(
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

/// The pairs of the next round, most frequent first.
fn choose<T: Number>(symbols: &[Symbol], text: &[T], least: u32, most: usize) -> Vec<(u16, u16)> {
    if symbols.len() >= most {
        return Vec::new();
    }
    let mut counts = Counts::new(symbols.len(), text.len());
    let mut at = 0;
    while at + 1 < text.len() {
        let (left, right) = (text[at], text[at + 1]);
        counts.add(left.into() as u16, right.into() as u16);
        // In a row of three equal symbols there is one pair, not two.
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
    // Which symbols stand at the left or the right of a chosen pair.
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

/// Replaces the chosen pairs, whose symbols begin at `first`, from left to right.
fn replace<T: Number>(text: &mut Vec<T>, first: usize, chosen: &[(u16, u16)]) {
    // `[left]`: the pairs that begin so.
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
