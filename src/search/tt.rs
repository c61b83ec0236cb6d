//! The transposition table (TT), shared by all threads without locks.
//!
//! A cluster has three payload words and one word of their tags, each xored with a hash of its payload. A torn read fails
//! its own tag, so that there is neither a lock nor a data race.

use std::io;

use crate::base::random::GOLDEN_RATIO;
use crate::base::sync::{AtomicU8, AtomicU64, Ordering};
use crate::base::sys::{self, ZeroedWords};
use crate::base::value::{Bound, Depth, MATE, MATE_BOUND, TABLEBASE_BOUND, TABLEBASE_WIN, Value};
use crate::chess::{Move, Position};

/// Payload words of a cluster; one more word holds their tags. Two clusters fill a cache line.
const LANES: usize = 3;
const CLUSTER_WORDS: usize = LANES + 1;
/// Bytes per cluster.
const CLUSTER_BYTES: usize = CLUSTER_WORDS * size_of::<AtomicU64>();
const _: () = assert!(CLUSTER_BYTES == 32);

/// Bits of a tag: three fit a word.
const TAG_BITS: u32 = 21;
const TAG_MASK: u64 = (1 << TAG_BITS) - 1;

/// Ages are counted modulo this: five bits.
const AGES: u8 = 32;
/// Replacement: an entry counts as this many plies shallower for each search since it was written.
const AGE_PENALTY: i32 = 4;
const NO_EVALUATION: i16 = i16::MIN;

/// An entry of the TT. Mate and tablebase scores count from the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    /// The best move; it may be illegal in another position with the same tag.
    pub best: Option<Move>,
    pub score: Value,
    /// `None` if only the evaluation is stored.
    pub bound: Option<Bound>,
    /// Depth of the search, in plies.
    pub depth: Depth,
    /// The static evaluation without corrections; `None` in check.
    pub evaluation: Option<Value>,
    /// Whether the position was on a principal variation.
    pub was_pv: bool,
}

/// The fifty-move rule, in plies.
const RULE50_PLIES: Value = 100;

impl TtEntry {
    /// The entry as it holds for this position, `ply` plies from the root: a mate or tablebase win that was stored with a
    /// lower halfmove clock and is too far to be reached within the fifty-move rule becomes a score just below a proven one.
    #[inline]
    #[must_use]
    pub fn for_rule50(mut self, position: &Position, ply: usize) -> Self {
        let plies_left = RULE50_PLIES - Value::from(position.halfmove_clock()) + ply as Value;
        let score = self.score.abs();
        let top = if score >= MATE_BOUND {
            MATE
        } else {
            TABLEBASE_WIN
        };
        if score >= TABLEBASE_BOUND && top - score > plies_left {
            self.score = self.score.signum() * (TABLEBASE_BOUND - 1);
        }
        self
    }
}

pub struct TranspositionTable {
    words: ZeroedWords,
    age: AtomicU8,
    /// 0 until a search uses the table.
    used: AtomicU8,
    /// 0 until the system has provided all pages.
    touched: AtomicU8,
}

impl TranspositionTable {
    /// An empty table of this many MiB. The memory is touched only as it is used.
    ///
    /// # Errors
    /// The memory could not be allocated.
    pub fn new(megabytes: usize) -> io::Result<Self> {
        let bytes = megabytes.checked_mul(1024 * 1024);
        Self::with_bytes(bytes.ok_or(io::ErrorKind::OutOfMemory)?)
    }

    /// An empty table of this many bytes, at least one cluster.
    ///
    /// # Errors
    /// The memory could not be allocated.
    pub fn with_bytes(bytes: usize) -> io::Result<Self> {
        let clusters = (bytes / CLUSTER_BYTES).max(1);
        Ok(Self {
            words: ZeroedWords::new(clusters * CLUSTER_WORDS)?,
            age: AtomicU8::new(0),
            used: AtomicU8::new(0),
            touched: AtomicU8::new(0),
        })
    }

    /// Empties the table and keeps its memory; an unused table is not touched.
    pub fn clear(&self) {
        self.age.store(0, Ordering::Relaxed);
        if self.used.swap(0, Ordering::Relaxed) != 0 {
            sys::zero(&self.words);
            self.touched.store(1, Ordering::Relaxed);
        }
    }

    /// Makes the system provide the memory now. Otherwise it does so page by page in the first search, where a page of 2 MiB
    /// costs from 0.2 to 5 ms. Keeps all entries.
    pub fn touch(&self) {
        if self.touched.swap(1, Ordering::Relaxed) == 0 {
            sys::touch(&self.words);
        }
    }

    /// Starts a new search: older entries are replaced first.
    pub fn new_search(&self) {
        self.used.store(1, Ordering::Relaxed);
        self.age.store(
            (self.age.load(Ordering::Relaxed) + 1) % AGES,
            Ordering::Relaxed,
        );
    }

    #[inline]
    fn cluster(&self, key: u64) -> &[AtomicU64; CLUSTER_WORDS] {
        let clusters = self.words.as_chunks::<CLUSTER_WORDS>().0;
        &clusters[((u128::from(key) * clusters.len() as u128) >> 64) as usize]
    }

    /// Prefetches the cluster of a key.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        sys::prefetch(self.cluster(key));
    }

    /// The entry of this key, with scores as seen `ply` plies from the root.
    #[inline]
    #[must_use]
    pub fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        let (payloads, found) = Self::read(self.cluster(key), key);
        found.map(|lane| unpack(payloads[lane], ply))
    }

    /// The payloads of a cluster, and the lane of the key.
    #[inline]
    fn read(cluster: &[AtomicU64; CLUSTER_WORDS], key: u64) -> ([u64; LANES], Option<usize>) {
        let tags = cluster[LANES].load(Ordering::Relaxed);
        let payloads = [0, 1, 2].map(|lane: usize| cluster[lane].load(Ordering::Relaxed));
        let matches = |lane: usize| {
            let tag = tags >> (TAG_BITS * lane as u32) & TAG_MASK;
            usize::from(tag ^ fold(payloads[lane]) == key & TAG_MASK)
                & usize::from(payloads[lane] != 0)
        };
        // Without branches: testing all three is cheaper.
        let hits = matches(0) | (matches(1) << 1) | (matches(2) << 2);
        (
            payloads,
            (hits != 0).then(|| hits.trailing_zeros() as usize),
        )
    }

    /// Stores an entry found `ply` plies from the root; if a much deeper one of this search has the key, only its move.
    pub fn store(&self, key: u64, mut entry: TtEntry, ply: usize) {
        let cluster = self.cluster(key);
        let (payloads, found) = Self::read(cluster, key);
        let lane = found.unwrap_or_else(|| self.lane_to_replace(payloads));
        if found.is_some() {
            let old = unpack(payloads[lane], ply);
            entry.best = entry.best.or(old.best);
            let exact = entry.bound == Some(Bound::Exact);
            let margin = if entry.was_pv { 6 } else { 4 };
            if !exact
                && old.bound.is_some()
                && entry.depth + margin <= old.depth
                && self.age_of(payloads[lane]) == 0
            {
                if entry.best == old.best {
                    return;
                }
                entry = TtEntry {
                    best: entry.best,
                    ..old
                };
            }
        }
        let payload = pack(entry, self.age.load(Ordering::Relaxed), ply);
        let shift = TAG_BITS * lane as u32;
        let tag = (key & TAG_MASK) ^ fold(payload);
        let tags = cluster[LANES].load(Ordering::Relaxed) & !(TAG_MASK << shift) | tag << shift;
        cluster[lane].store(payload, Ordering::Relaxed);
        cluster[LANES].store(tags, Ordering::Relaxed);
    }

    /// The lane to replace: an empty one, else the one with the least depth less age.
    fn lane_to_replace(&self, payloads: [u64; LANES]) -> usize {
        let value = |payload: u64| {
            if payload == 0 {
                i32::MIN
            } else {
                depth_of(payload) - AGE_PENALTY * i32::from(self.age_of(payload))
            }
        };
        (0..LANES)
            .min_by_key(|&lane| value(payloads[lane]))
            .unwrap_or(0)
    }

    /// How many searches ago a payload was stored.
    fn age_of(&self, payload: u64) -> u8 {
        (AGES + self.age.load(Ordering::Relaxed) - (payload >> 59) as u8) % AGES
    }

    /// The share of entries stored by this search, per mille, by a sample.
    #[must_use]
    pub fn hash_full(&self) -> u32 {
        const SAMPLE: usize = 1000;
        let payloads = self
            .words
            .chunks(CLUSTER_WORDS)
            .flat_map(|cluster| &cluster[..LANES])
            .take(SAMPLE);
        let (mut used, mut seen) = (0, 0);
        for payload in payloads.map(|word| word.load(Ordering::Relaxed)) {
            seen += 1;
            used += u32::from(payload != 0 && self.age_of(payload) == 0);
        }
        used * 1000 / seen.max(1)
    }
}

/// The hash of a payload that its tag is xored with.
#[inline]
const fn fold(payload: u64) -> u64 {
    payload.wrapping_mul(GOLDEN_RATIO) >> (64 - TAG_BITS)
}

#[inline]
const fn depth_of(payload: u64) -> Depth {
    (payload >> 48 & 0xff) as Depth
}

/// From the low bits: move 16, score 16, evaluation 16, depth 8, bound 2, PV 1, age 5.
#[inline]
fn pack(entry: TtEntry, age: u8, ply: usize) -> u64 {
    // Mate and tablebase scores count from the root in the search, from the position in the table.
    let score = match entry.score {
        score if score >= TABLEBASE_BOUND => score + ply as Value,
        score if score <= -TABLEBASE_BOUND => score - ply as Value,
        score => score,
    };
    let evaluation = entry.evaluation.map_or(NO_EVALUATION, |value| value as i16);
    u64::from(entry.best.map_or(0, Move::bits))
        | u64::from(score as i16 as u16) << 16
        | u64::from(evaluation as u16) << 32
        | (entry.depth.clamp(0, 255) as u64) << 48
        | entry.bound.map_or(0, |bound| bound as u64) << 56
        | u64::from(entry.was_pv) << 58
        | u64::from(age) << 59
}

#[inline]
fn unpack(payload: u64, ply: usize) -> TtEntry {
    let score = match Value::from((payload >> 16) as i16) {
        score if score >= TABLEBASE_BOUND => score - ply as Value,
        score if score <= -TABLEBASE_BOUND => score + ply as Value,
        score => score,
    };
    let evaluation = (payload >> 32) as i16;
    TtEntry {
        best: Move::from_bits(payload as u16),
        score,
        bound: match payload >> 56 & 3 {
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            3 => Some(Bound::Exact),
            _ => None,
        },
        depth: depth_of(payload),
        evaluation: (evaluation != NO_EVALUATION).then_some(Value::from(evaluation)),
        was_pv: payload >> 58 & 1 != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::value::{mate_in, mated_in};
    use crate::chess::{MoveKind, Square};

    fn entry(score: Value, depth: Depth) -> TtEntry {
        TtEntry {
            best: Some(Move::new(Square::E2, Square::E4, MoveKind::DoublePush)),
            score,
            bound: Some(Bound::Exact),
            depth,
            evaluation: Some(-37),
            was_pv: true,
        }
    }

    #[test]
    fn a_cleared_table_is_empty() {
        let table = TranspositionTable::new(1).expect("a mebibyte");
        for age in 0..2 * AGES {
            table.new_search();
            table.store(u64::from(age) << 50, entry(1, 2), 0);
        }
        table.clear();
        assert_eq!(table.age.load(Ordering::Relaxed), 0);
        assert!(
            table
                .words
                .iter()
                .all(|word| word.load(Ordering::Relaxed) == 0)
        );
    }

    #[test]
    fn a_stored_entry_is_found() {
        let table = TranspositionTable::new(1).expect("a mebibyte");
        let key = 0x1234_5678_9abc_def0;
        assert_eq!(table.probe(key, 0), None);
        table.store(key, entry(120, 9), 3);
        assert_eq!(table.probe(key, 3), Some(entry(120, 9)));
        assert_eq!(table.probe(key ^ 1, 3), None);
        table.store(
            key,
            TtEntry {
                evaluation: None,
                best: None,
                ..entry(-5, 10)
            },
            3,
        );
        let hit = table.probe(key, 3).expect("stored");
        assert_eq!((hit.evaluation, hit.best), (None, entry(0, 0).best));
    }

    #[test]
    fn a_deeper_entry_gets_the_newer_move() {
        let table = TranspositionTable::new(1).expect("a mebibyte");
        table.store(9, entry(50, 20), 0);
        let newer = Some(Move::new(Square::D2, Square::D4, MoveKind::DoublePush));
        let shallow = |best| TtEntry {
            best,
            bound: Some(Bound::Lower),
            was_pv: false,
            ..entry(-10, 5)
        };
        table.store(9, shallow(newer), 0);
        let expected = TtEntry {
            best: newer,
            ..entry(50, 20)
        };
        assert_eq!(table.probe(9, 0), Some(expected));
        table.store(9, shallow(None), 0);
        assert_eq!(table.probe(9, 0), Some(expected));
    }

    #[test]
    fn mate_scores_count_from_the_position() {
        let table = TranspositionTable::new(1).expect("a mebibyte");
        table.store(7, entry(mate_in(9), 5), 4);
        assert_eq!(table.probe(7, 6).expect("stored").score, mate_in(11));
        table.store(8, entry(mated_in(8), 5), 4);
        assert_eq!(table.probe(8, 2).expect("stored").score, mated_in(6));
    }

    #[test]
    fn old_and_shallow_entries_are_replaced_first() {
        let table = TranspositionTable::new(1).expect("a mebibyte");
        // Four keys of one cluster: the index comes from the upper bits.
        for (key, depth) in [(1, 8), (2, 3), (3, 6), (4, 5)] {
            table.store(key, entry(0, depth), 0);
        }
        assert_eq!(table.probe(2, 0), None);
        table.new_search();
        table.new_search();
        table.store(5, entry(0, 1), 0);
        assert_eq!(table.probe(4, 0), None);
        assert!(table.probe(1, 0).is_some());
    }

    #[test]
    fn hash_full_counts_the_current_search_only() {
        let table = TranspositionTable::new(1).expect("a mebibyte");
        assert_eq!(table.hash_full(), 0);
        for index in 0..1_000_000_u64 {
            table.store(index.wrapping_mul(GOLDEN_RATIO), entry(0, 4), 0);
        }
        assert!(table.hash_full() > 900);
        table.new_search();
        assert_eq!(table.hash_full(), 0);
    }

    #[test]
    fn distant_wins_are_not_decisive_near_the_fifty_move_rule() {
        let hit = |score| TtEntry {
            best: None,
            score,
            bound: Some(Bound::Exact),
            depth: 5,
            evaluation: None,
            was_pv: false,
        };
        let position = |clock| {
            Position::from_fen(&format!("4k3/8/8/8/8/8/8/4K2R w - - {clock} 90")).expect("legal")
        };
        let score = |score, clock, ply| hit(score).for_rule50(&position(clock), ply).score;
        // Mate in nine plies from here, four plies below the root.
        assert_eq!(score(mate_in(13), 91, 4), mate_in(13));
        assert_eq!(score(mate_in(13), 92, 4), TABLEBASE_BOUND - 1);
        assert_eq!(score(mated_in(13), 92, 4), 1 - TABLEBASE_BOUND);
        assert_eq!(score(TABLEBASE_WIN - 13, 91, 4), TABLEBASE_WIN - 13);
        assert_eq!(score(TABLEBASE_WIN - 13, 92, 4), TABLEBASE_BOUND - 1);
        assert_eq!(score(500, 99, 4), 500);
    }
}

#[cfg(all(test, loom))]
mod model {
    use std::sync::Arc;

    use super::*;
    use crate::chess::{MoveKind, Square};

    /// Greatest number of preemptions: without a bound there are too many interleavings of two stores and a probe; most
    /// faults show with two.
    const PREEMPTIONS: usize = 2;

    /// A distinct entry for each key and score. Key 1 is replaced first.
    fn entry(key: u64, score: Value) -> TtEntry {
        TtEntry {
            best: Some(Move::new(Square::E2, Square::E4, MoveKind::DoublePush)),
            score: score + 1_000 * key as Value,
            bound: Some(Bound::Exact),
            depth: if key == 1 { 1 } else { 9 },
            evaluation: Some(-score),
            was_pv: false,
        }
    }

    /// Two writers and a reader in one full cluster, in every interleaving up to that bound: the reader finds nothing, or an
    /// entry that was stored for its key.
    fn check(writes: [(u64, Value); 2], read: u64) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(PREEMPTIONS);
        model.check(move || {
            let table = Arc::new(TranspositionTable::new(0).unwrap());
            for key in 1..=LANES as u64 {
                table.store(key, entry(key, 0), 0);
            }
            let writers = writes.map(|(key, score)| {
                let table = Arc::clone(&table);
                loom::thread::spawn(move || table.store(key, entry(key, score), 0))
            });
            let reader = loom::thread::spawn(move || {
                if let Some(hit) = table.probe(read, 0) {
                    let stored = [0, 1, 2].map(|score| entry(read, score));
                    assert!(stored.contains(&hit), "{hit:?}");
                }
            });
            for thread in writers.into_iter().chain([reader]) {
                thread.join().unwrap();
            }
        });
    }

    #[test]
    fn loom_no_torn_hit_with_two_writers_of_its_key() {
        check([(1, 1), (1, 2)], 1);
    }

    #[test]
    fn loom_no_torn_hit_with_a_writer_that_replaces_it() {
        check([(4, 1), (1, 2)], 1);
        check([(4, 1), (1, 2)], 4);
    }

    #[test]
    fn loom_no_torn_hit_with_two_writers_that_replace_it() {
        check([(4, 1), (5, 2)], 1);
        check([(4, 1), (5, 2)], 4);
    }

    #[test]
    fn loom_no_torn_hit_with_writers_of_other_lanes() {
        check([(2, 1), (3, 2)], 1);
        check([(2, 1), (3, 2)], 2);
    }
}
