//! The 16-byte checksum at the end of a Syzygy file: a hash of the 32-byte hashes of all 16 MiB chunks.
//!
//! The arithmetic is that of `CityHash` (2011), Copyright (c) 2011 Google, Inc., used under the MIT licence: permission is
//! granted, free of charge, to deal in that software without restriction, provided that the copyright notice and this
//! permission notice are included in all copies; it is provided "as is", without warranty of any kind.
#![allow(clippy::many_single_char_names)] // The letters of the published description.

const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K3: u64 = 0xc949_d7c7_509e_6557;
/// Bytes hashed at a time.
pub const CHUNK: usize = 1 << 24;
/// Shorter chunks are padded with zeros.
const MIN_CHUNK: usize = 240;

pub const SUM_BYTES: usize = 16;

/// The file without its checksum; `None` where the checksum is missing or wrong.
pub fn verified(bytes: &[u8]) -> Option<&[u8]> {
    let (body, sum) = bytes.split_last_chunk::<SUM_BYTES>()?;
    (checksum(body) == *sum).then_some(body)
}

/// The reflected polynomial of CRC-32C, byte by byte.
static CRC: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut value = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 {
                value >> 1 ^ 0x82f6_3b78
            } else {
                value >> 1
            };
            bit += 1;
        }
        table[byte] = value;
        byte += 1;
    }
    table
};

fn crc(start: u64, word: u64) -> u64 {
    let bytes = word.to_le_bytes();
    let sum = bytes.iter().fold(start as u32, |sum, &byte| {
        sum >> 8 ^ CRC[usize::from(sum as u8 ^ byte)]
    });
    u64::from(sum)
}

fn fetch(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

fn mix(value: u64) -> u64 {
    value ^ value >> 47
}

fn fold(u: u64, v: u64) -> u64 {
    const M: u64 = 0x9ddf_ea08_eb38_2d69;
    let a = mix((u ^ v).wrapping_mul(M));
    mix((v ^ a).wrapping_mul(M)).wrapping_mul(M)
}

/// The state of the long hash.
struct Long<'a> {
    bytes: &'a [u8],
    at: usize,
    /// a, b, c, d, e and the carried word.
    words: [u64; 6],
    sums: [u64; 5],
}

impl Long<'_> {
    fn step(&mut self, factor: u64, turn: u32) {
        let [first, rest @ ..] = self.words;
        let mut made = [0; 5];
        // Each word depends on the next one.
        for (at, (word, by)) in rest.into_iter().zip([41, 27, 41, 33, 25]).enumerate() {
            made[at] = word
                .rotate_right(by ^ turn)
                .wrapping_mul(factor)
                .wrapping_add(fetch(self.bytes, self.at + 8 * at));
        }
        self.words[..5].copy_from_slice(&made);
        self.words[5] = first;
        for (sum, word) in self.sums.iter_mut().zip(made) {
            *sum = crc(*sum, word);
        }
        self.at += 40;
    }
}

/// Calls `pause` after each `piece` bytes.
fn long_hash(bytes: &[u8], seed: u64, piece: usize, pause: &mut dyn FnMut()) -> [u64; 4] {
    let n = bytes.len() as u64;
    let f = |at| fetch(bytes, at);
    let a = f(56).wrapping_add(K0);
    let b = f(96).wrapping_add(K0);
    let c = fold(b, n);
    let d = f(120).wrapping_mul(K0).wrapping_add(n);
    let e = f(184).wrapping_add(seed);
    let r0 = c;
    let mut state = Long {
        bytes,
        at: 0,
        words: [a, b, c, d, e, c.wrapping_add(d)],
        sums: [seed, 0, 0, 0, 0],
    };
    let r1 = d;
    let rounds = (piece / 240).max(1);
    for round in 1..=bytes.len() / 240 {
        for _ in 0..3 {
            state.step(1, 1);
            state.step(K0, 0);
        }
        if round % rounds == 0 {
            pause();
        }
    }
    let mut left = bytes.len() % 240;
    while left >= 40 {
        state.step(K0, 0);
        left -= 40;
    }
    if left > 0 {
        state.at = state.at + left - 40;
        state.step(K0, 0);
    }
    let [mut a, mut b, mut c, mut d, mut e, t] = state.words;
    let [mut f, mut g, mut h, mut i, mut j] = state.sums;
    let plus = u64::wrapping_add;
    j = plus(j, i << 32);
    a = fold(a, j);
    h = plus(h, g << 32);
    b = plus(b, h);
    c = plus(fold(c, f), i);
    d = fold(d, plus(e, r0));
    j = plus(j, e);
    i = plus(i, fold(h, t));
    e = plus(fold(a, d), j);
    f = plus(fold(b, c), a);
    g = plus(fold(j, i), c);
    let r0 = plus(plus(e, f), plus(g, h));
    let times = |value: u64| value.wrapping_mul(K0);
    a = plus(times(mix(times(plus(a, g)))), b);
    let r1 = plus(plus(r1, a), r0);
    a = plus(times(mix(times(a))), c);
    let r2 = plus(a, r1);
    a = times(mix(times(plus(a, e))));
    [r0, r1, r2, plus(a, r2)]
}

/// The hash of the chunk hashes, of 32 to 143 bytes.
fn short_hash(all: &[u8]) -> [u64; 2] {
    let times = |value: u64| value.wrapping_mul(K1);
    let plus = u64::wrapping_add;
    let (mut a, mut b) = (fetch(all, 0) ^ K3, fetch(all, 8));
    let bytes = &all[16..];
    let n = bytes.len();
    let f = |at| fetch(bytes, at);
    let (mut c, mut d);
    if n == 16 {
        a = times(mix(times(a)));
        let word = f(8);
        c = plus(times(b), fold(f(0), plus(word, 16).rotate_right(16)) ^ word);
        d = mix(plus(a, f(0)));
    } else {
        c = fold(plus(f(n - 8), K1), a);
        d = fold(plus(b, n as u64), plus(c, f(n - 16)));
        a = plus(a, d);
        for at in (0..n - 16).step_by(16) {
            a = times(a ^ times(mix(times(f(at)))));
            b ^= a;
            c = times(c ^ times(mix(times(f(at + 8)))));
            d ^= c;
        }
    }
    a = fold(a, c);
    b = fold(d, b);
    [a ^ b, fold(b, a)]
}

/// The checksum of a file without its last 16 bytes. Files over 64 MiB are not supported.
pub fn checksum(bytes: &[u8]) -> [u8; SUM_BYTES] {
    let chunks = bytes.chunks(CHUNK);
    let hashes: Vec<[u64; 4]> = chunks
        .map(|chunk| chunk_hash(chunk, CHUNK, &mut || ()))
        .collect();
    of_hashes(&hashes)
}

/// The hash of a chunk of at most [`CHUNK`] bytes; calls `pause` after each `piece` bytes.
pub fn chunk_hash(chunk: &[u8], piece: usize, pause: &mut dyn FnMut()) -> [u64; 4] {
    if chunk.len() >= MIN_CHUNK {
        return long_hash(chunk, 0, piece, pause);
    }
    let mut padded = [0; MIN_CHUNK];
    padded[..chunk.len()].copy_from_slice(chunk);
    long_hash(&padded, u64::from(!(chunk.len() as u32)), piece, pause)
}

/// The checksum of a file by the hashes of its chunks, one to four.
pub fn of_hashes(hashes: &[[u64; 4]]) -> [u8; SUM_BYTES] {
    let bytes: Vec<u8> = hashes
        .iter()
        .flatten()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    let mut sum = [0; SUM_BYTES];
    if (32..144).contains(&bytes.len()) {
        let [first, second] = short_hash(&bytes);
        sum[..8].copy_from_slice(&first.to_le_bytes());
        sum[8..].copy_from_slice(&second.to_le_bytes());
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_hash_matches_city_hash() {
        let bytes =
            |n: usize| -> Vec<u8> { (0..n).map(|i| ((37 * i + 11) ^ i >> 3) as u8).collect() };
        for (n, expected) in [
            (32, [0xf0df_d9da_623f_8cba, 0x9701_3834_29a5_8ee5]),
            (64, [0x10db_2a95_d658_1816, 0xabb4_911b_a47a_d248]),
            (96, [0x9af8_5a0e_45cf_483d, 0x7b70_00e2_bbce_b929]),
            (128, [0xc422_d3d3_f123_ef3b, 0x660c_4f26_eff9_1c85]),
        ] {
            assert_eq!(short_hash(&bytes(n)), expected, "{n}");
        }
    }

    #[test]
    fn checksum_of_a_published_file() {
        let mut file = vec![0; 64];
        file[..15].copy_from_slice(&[
            0x71, 0xe8, 0x23, 0x5d, 0x31, 0x00, 0xee, 0x66, 0x33, 0x00, 0x80, 0x02, 0x80, 0x02,
            0x00,
        ]);
        let sum = 0x4b37_ef62_3e69_eadb_6756_777c_1603_4e6f_u128;
        assert_eq!(checksum(&file), sum.to_be_bytes());
    }
}
