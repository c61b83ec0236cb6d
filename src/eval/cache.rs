//! The caches of one thread: pawn and material features by key, since most moves change neither.
//!
//! What an entry adds to an evaluation depends only on the position, so evaluations do not depend on the contents of the
//! cache.

use super::accumulator::Accumulator;
use super::features::{KingFacts, MaterialFacts, PawnFacts};
use super::material::{self, MaterialClass};
use super::score::Score;
use crate::base::random::GOLDEN_RATIO;
use crate::chess::{Color, Position};

/// Entries of the pawn cache: half a megabyte, which fits a second-level cache.
const PAWN_ENTRIES: usize = 1 << 13;
/// Entries of the material cache; one game has a few hundred different ones.
const MATERIAL_ENTRIES: usize = 1 << 11;

/// One pawn structure, with both kings where they were last; one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct PawnEntry {
    key: u64,
    /// The score of the pawns without the kings.
    structure: Score,
    /// The scores of each king and the pawns, by colour.
    kings: [Score; 2],
    facts: PawnFacts,
}

const _: () = assert!(size_of::<PawnEntry>() == 64);

#[derive(Clone, Copy)]
struct MaterialEntry {
    key: u64,
    score: Score,
    facts: MaterialFacts,
}

/// The pawn and material caches of one thread. They hold scores, so [`Self::clear`] them when the model changes.
pub struct PawnCache {
    pawns: Box<[PawnEntry]>,
    material: Box<[MaterialEntry]>,
}

impl PawnCache {
    /// Empty caches.
    pub fn new() -> Self {
        // No position has these keys: a position without pawns has 0, and counts have 60 bits.
        let pawns = PawnEntry {
            key: !0,
            structure: Score::ZERO,
            kings: [Score::ZERO; 2],
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

    /// Empties the caches.
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// The pawn entry of a position, to prefetch it.
    #[inline]
    pub fn place(&self, position: &Position) -> &impl Sized {
        &self.pawns[Self::pawn_slot(position.pawn_key())]
    }

    #[inline]
    const fn pawn_slot(key: u64) -> usize {
        (key >> 32) as usize % PAWN_ENTRIES
    }

    /// Facts and score of pawns and kings. What is not cached comes from `structure`, and for each king from `of_king`.
    #[inline]
    pub(super) fn pawns(
        &mut self,
        position: &Position,
        structure: impl FnOnce() -> (PawnFacts, Score),
        of_king: impl Fn(&PawnFacts, Color) -> (KingFacts, Score),
    ) -> (PawnFacts, Score) {
        let key = position.pawn_key();
        let entry = &mut self.pawns[Self::pawn_slot(key)];
        let is_new = entry.key != key;
        if is_new {
            entry.key = key;
            (entry.facts, entry.structure) = structure();
        }
        for color in Color::ALL {
            if is_new || entry.facts.kings[color as usize].square != position.king(color) {
                let (facts, score) = of_king(&entry.facts, color);
                entry.facts.kings[color as usize] = facts;
                entry.kings[color as usize] = score;
            }
        }
        let score = entry.structure + entry.kings[0] + entry.kings[1];
        (entry.facts, score)
    }

    /// Facts and score of the material, from `miss` if they are not cached. `accumulator` must belong to the position.
    #[inline]
    pub(super) fn material(
        &mut self,
        position: &Position,
        accumulator: &Accumulator,
        miss: impl FnOnce() -> (MaterialFacts, Score),
    ) -> (MaterialFacts, Score) {
        let opposite = u64::from(material::has_opposite_bishops(position));
        let key = accumulator.counts() | opposite << 60;
        let slot = (key.wrapping_mul(GOLDEN_RATIO) >> 48) as usize % MATERIAL_ENTRIES;
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
