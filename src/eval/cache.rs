//! What a thread remembers of pawns and material between evaluations.
//! Uses: chess, material, score, side. Used by: sink, features, search.
//! Idea: most moves change neither, so their part of the sum, and what the rest asks of them, is kept by key. An entry
//! is a pure function of its key's position; a forgotten one is worked out again and comes out the same.

use super::material::{self, MaterialClass};
use super::psqt::PieceSquareSums;
use super::score::Score;
use crate::chess::{Bitboard, Color, File, Position};

/// Entries for pawns and kings: half a megabyte, which a second-level cache holds.
const PAWN_ENTRIES: usize = 1 << 13;
/// Entries for material: a game meets a few hundred kinds.
const MATERIAL_ENTRIES: usize = 1 << 11;
/// Spreads keys: 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// What the rest of the evaluation asks of pawns and kings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PawnFacts {
    /// The passed pawns of both sides.
    pub(super) passed: Bitboard,
    /// The squares that a side's pawns attack or could ever attack.
    pub(super) spans: [Bitboard; 2],
    /// The files without pawns of a side, one bit each.
    pub(super) open_files: [u8; 2],
    /// How each king is sheltered: a cell of the shelter axis.
    pub(super) shelters: [u8; 2],
}

impl PawnFacts {
    /// Whether a side has no pawn on a file.
    #[inline(always)]
    pub(super) const fn is_open(&self, color: Color, file: File) -> bool {
        self.open_files[color as usize] >> file as u32 & 1 != 0
    }
}

/// What the rest of the evaluation asks of the material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaterialFacts {
    /// The kind of game.
    pub(super) class: MaterialClass,
    /// The phase in four steps.
    pub(super) phase: u8,
}

/// Facts with the score of their features. One cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct PawnEntry {
    key: u64,
    score: Score,
    facts: PawnFacts,
}

const _: () = assert!(size_of::<PawnEntry>() == 64);

#[derive(Clone, Copy)]
struct MaterialEntry {
    key: u64,
    score: Score,
    facts: MaterialFacts,
}

/// The caches of one thread. They hold scores, so they belong to one model: [`Self::clear`] them when it changes.
pub struct PawnCache {
    pawns: Box<[PawnEntry]>,
    material: Box<[MaterialEntry]>,
}

impl PawnCache {
    /// Empty caches.
    #[must_use]
    pub fn new() -> Self {
        // No position has these keys: neither both kings on one square nor more than 60 bits of counts.
        let pawns = PawnEntry {
            key: 0,
            score: Score::ZERO,
            facts: PawnFacts::default(),
        };
        let material = MaterialEntry {
            key: !0,
            score: Score::ZERO,
            facts: MaterialFacts {
                class: MaterialClass::Pawns,
                phase: 0,
            },
        };
        Self {
            pawns: vec![pawns; PAWN_ENTRIES].into_boxed_slice(),
            material: vec![material; MATERIAL_ENTRIES].into_boxed_slice(),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// Where a position's pawns are remembered, for whoever has it fetched before it is asked for.
    #[inline]
    #[must_use]
    pub fn place(&self, position: &Position) -> &impl Sized {
        &self.pawns[Self::pawn_slot(Self::pawn_key(position))]
    }

    /// The key of pawns and kings.
    #[inline]
    fn pawn_key(position: &Position) -> u64 {
        let kings = (position.king(Color::White) as u64) << 6 | position.king(Color::Black) as u64;
        position.pawn_key() ^ kings.wrapping_mul(SPREAD)
    }

    /// The place of such a key.
    #[inline]
    const fn pawn_slot(key: u64) -> usize {
        (key >> 32) as usize % PAWN_ENTRIES
    }

    /// The pawns and kings of a position, worked out by `miss` if they are not known.
    #[inline]
    pub(super) fn pawns(
        &mut self,
        position: &Position,
        miss: impl FnOnce() -> (PawnFacts, Score),
    ) -> (PawnFacts, Score) {
        let key = Self::pawn_key(position);
        let entry = &mut self.pawns[Self::pawn_slot(key)];
        if entry.key != key {
            let (facts, score) = miss();
            *entry = PawnEntry { key, score, facts };
        }
        (entry.facts, entry.score)
    }

    /// The material of a position, worked out by `miss` if it is not known. `sums` must belong to the position.
    #[inline]
    pub(super) fn material(
        &mut self,
        position: &Position,
        sums: &PieceSquareSums,
        miss: impl FnOnce() -> (MaterialFacts, Score),
    ) -> (MaterialFacts, Score) {
        let opposite = u64::from(material::has_opposite_bishops(position));
        let key = sums.counts() | opposite << 60;
        let slot = (key.wrapping_mul(SPREAD) >> 48) as usize % MATERIAL_ENTRIES;
        let entry = &mut self.material[slot];
        if entry.key != key {
            let (facts, score) = miss();
            *entry = MaterialEntry { key, score, facts };
        }
        (entry.facts, entry.score)
    }
}

impl Default for PawnCache {
    fn default() -> Self {
        Self::new()
    }
}
