//! Perft: the number of leaves of the tree of legal moves, for testing move generation. There are three ways to count: the
//! kernel (fastest, a board of its own), the search's positions and moves, and either with a hash table. The first plies are
//! divided among the threads of the caller's rayon pool.

mod kernel;

use std::str::FromStr;

use rayon::prelude::*;
use thiserror::Error;

use crate::base::random::GOLDEN_RATIO;
use crate::base::sync::{AtomicU64, Ordering::Relaxed};
use crate::base::sys::ZeroedWords;
use crate::base::text::shortened;
use crate::chess::{FenError, Move, Position};

/// The greatest depth in plies; far deeper than anyone can count.
pub const MAX_DEPTH: u32 = 32;

#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PerftError {
    #[error("depth: must be at most {MAX_DEPTH}")]
    Depth(u32),
    #[error("depth: the count does not fit into 64 bits")]
    Overflow,
    /// [`PerftProgress::is_stopped`] returned true.
    #[error("stopped")]
    Stopped,
    #[error("hash: cannot allocate a table of {0} MiB")]
    Memory(usize),
}

/// Counts the leaves of the tree of legal moves on this thread. A count that does not fit is [`u64::MAX`].
///
/// ```
/// use lucena::chess::Position;
/// use lucena::engine::perft::perft;
/// assert_eq!(perft(&Position::startpos(), 3), 8_902);
/// ```
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    kernel::count(position, depth)
}

/// As [`perft`], by the code that the search uses: every move is listed and played, and only the last ply is counted from
/// bitboards.
#[must_use]
pub fn perft_by_moves(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves() as u64,
        _ => sum_of_children(position, |child| perft_by_moves(child, depth - 1)),
    }
}

/// The least depth at which a lookup is faster than counting.
const MIN_HASH_DEPTH: u32 = 3;

/// As [`perft`], with a hash table of counts.
#[must_use]
pub fn perft_hashed(position: &Position, depth: u32, table: &PerftTable) -> u64 {
    if depth < MIN_HASH_DEPTH {
        return perft(position, depth);
    }
    if let Some(leaves) = table.probe(position.key(), depth) {
        return leaves;
    }
    let leaves = if depth == MIN_HASH_DEPTH {
        perft(position, depth)
    } else {
        sum_of_children(position, |child| perft_hashed(child, depth - 1, table))
    };
    table.store(position.key(), depth, leaves);
    leaves
}

#[inline]
fn sum_of_children(position: &Position, leaves: impl Fn(&Position) -> u64) -> u64 {
    let mut sum = 0_u64;
    for &mv in &position.legal_moves() {
        let mut child = *position;
        position.play_into(mv, &mut child, &mut ());
        sum = sum.saturating_add(leaves(&child));
    }
    sum
}

/// Receives the progress of [`divide_with`], and can stop it.
pub trait PerftProgress: Sync {
    /// The count takes this many steps, of very different lengths.
    fn start(&self, _steps: u64) {}
    /// A step is done.
    fn step(&self) {}
    /// All leaves below a root move are counted.
    fn counted(&self, _mv: Move, _leaves: u64) {}
    /// Whether to stop. Called every few milliseconds, or less often with a hash table.
    fn is_stopped(&self) -> bool {
        false
    }
}

impl PerftProgress for () {}

/// Counts the leaves below each legal move, on all threads of the current rayon pool. The moves are in the generator's
/// order; at depth 0 there are none.
///
/// # Errors
/// [`PerftError`] if the depth is above [`MAX_DEPTH`] or the sum of the counts does not fit.
pub fn divide(
    position: &Position,
    depth: u32,
    table: Option<&PerftTable>,
) -> Result<Vec<(Move, u64)>, PerftError> {
    divide_with(position, depth, table, &[], &())
}

/// As [`divide`], with counts that are already known, and with progress.
///
/// # Errors
/// As [`divide`], and [`PerftError::Stopped`].
pub fn divide_with(
    position: &Position,
    depth: u32,
    table: Option<&PerftTable>,
    known: &[(Move, u64)],
    progress: &impl PerftProgress,
) -> Result<Vec<(Move, u64)>, PerftError> {
    if depth > MAX_DEPTH {
        return Err(PerftError::Depth(depth));
    }
    let Some(rest) = depth.checked_sub(1) else {
        return Ok(Vec::new());
    };
    let moves = position.legal_moves();
    let known = |mv| known.iter().find(|&&(other, _)| other == mv).copied();
    let missing = moves.iter().filter(|&&mv| known(mv).is_none());
    let splits = rest >= MIN_SPLIT_DEPTH;
    progress.start(if splits {
        let replies = missing.map(|&mv| position.play(mv).count_legal_moves() as u64);
        replies.sum()
    } else {
        missing.count() as u64
    });
    let leaves = |&mv: &Move| {
        if let Some(count) = known(mv) {
            return count;
        }
        let child = position.play(mv);
        let leaves = if splits {
            let replies = child.legal_moves();
            let leaves = |&reply: &Move| {
                let leaves = count_on_one_thread(&child.play(reply), rest - 1, table, progress);
                progress.step();
                leaves
            };
            let counts = replies.par_iter().map(leaves);
            counts.reduce(|| 0, u64::saturating_add)
        } else {
            let leaves = count_on_one_thread(&child, rest, table, progress);
            progress.step();
            leaves
        };
        // Not if the count has overflowed or was stopped.
        if leaves < u64::MAX && !progress.is_stopped() {
            progress.counted(mv, leaves);
        }
        (mv, leaves)
    };
    let counts: Vec<(Move, u64)> = moves.par_iter().map(leaves).collect();
    if progress.is_stopped() {
        return Err(PerftError::Stopped);
    }
    let add = |sum: u64, &(_, leaves): &(Move, u64)| sum.saturating_add(leaves);
    match counts.iter().fold(0, add) {
        u64::MAX => Err(PerftError::Overflow),
        _ => Ok(counts),
    }
}

/// Counts the leaves of the tree of legal moves on all threads of the current rayon pool.
///
/// # Errors
/// As [`divide`].
pub fn count(
    position: &Position,
    depth: u32,
    table: Option<&PerftTable>,
) -> Result<u64, PerftError> {
    match depth {
        0 => Ok(1),
        _ => Ok(divide(position, depth, table)?
            .iter()
            .map(|&(_, leaves)| leaves)
            .sum()),
    }
}

/// The least depth below a root move at which its replies are divided among the threads as well: a few root moves may hold
/// most of the leaves.
const MIN_SPLIT_DEPTH: u32 = 3;

/// A tree of this depth takes milliseconds, so it is counted without asking whether to stop.
const UNSTOPPED_DEPTH: u32 = 4;

fn count_on_one_thread(
    position: &Position,
    depth: u32,
    table: Option<&PerftTable>,
    progress: &impl PerftProgress,
) -> u64 {
    match table {
        Some(table) => perft_hashed(position, depth, table),
        None if depth <= UNSTOPPED_DEPTH => perft(position, depth),
        None if progress.is_stopped() => 0,
        None => sum_of_children(position, |child| {
            count_on_one_thread(child, depth - 1, None, progress)
        }),
    }
}

/// A hash table of counts, shared by all threads. Clear it between unrelated positions: keys do not distinguish which of
/// two rooks has a castling right.
pub struct PerftTable {
    words: ZeroedWords,
}

/// Half a cache line: two entries of two words. The first keeps the larger count, the second is always replaced.
const BUCKET_WORDS: usize = 4;

impl PerftTable {
    /// A table of this many mebibytes, at least one bucket.
    ///
    /// # Errors
    /// [`PerftError::Memory`] if the memory cannot be allocated.
    pub fn new(megabytes: usize) -> Result<Self, PerftError> {
        let error = PerftError::Memory(megabytes);
        let words = megabytes.checked_mul((1 << 20) / size_of::<AtomicU64>());
        let words = words.ok_or_else(|| error.clone())?.max(BUCKET_WORDS);
        let words = ZeroedWords::new(words).map_err(|_| error)?;
        Ok(Self { words })
    }

    pub fn clear(&mut self) {
        for word in &*self.words {
            word.store(0, Relaxed);
        }
    }

    fn probe(&self, key: u64, depth: u32) -> Option<u64> {
        let signature = signature(key, depth);
        self.bucket(signature).into_iter().find_map(|entry| {
            let leaves = entry.leaves.load(Relaxed);
            (entry.check.load(Relaxed) ^ leaves == signature).then_some(leaves)
        })
    }

    fn store(&self, key: u64, depth: u32, leaves: u64) {
        let signature = signature(key, depth);
        let [larger, latest] = self.bucket(signature);
        let entry = if leaves >= larger.leaves.load(Relaxed) {
            larger
        } else {
            latest
        };
        entry.check.store(signature ^ leaves, Relaxed);
        entry.leaves.store(leaves, Relaxed);
    }

    /// The bucket of a signature, by its high bits.
    fn bucket(&self, signature: u64) -> [PerftEntry<'_>; 2] {
        let buckets = self.words.as_chunks::<BUCKET_WORDS>().0;
        let index = (u128::from(signature) * buckets.len() as u128) >> 64;
        let [check, leaves, other_check, other_leaves] = &buckets[index as usize];
        [
            PerftEntry { check, leaves },
            PerftEntry {
                check: other_check,
                leaves: other_leaves,
            },
        ]
    }
}

/// `check` is signature ⊕ leaves, so that an entry torn between two threads matches no signature.
#[derive(Clone, Copy)]
struct PerftEntry<'a> {
    check: &'a AtomicU64,
    leaves: &'a AtomicU64,
}

/// The key and the depth in one word.
const fn signature(key: u64, depth: u32) -> u64 {
    key ^ (depth as u64).wrapping_mul(GOLDEN_RATIO)
}

/// A line of a perft suite: `FEN ;D1 20 ;D2 400`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteLine {
    pub position: Position,
    /// Depths and their counts.
    pub counts: Vec<(u32, u64)>,
}

/// Why a line is not a line of a perft suite.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SuiteError {
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("`{0}` is not a depth and a count, as in `D4 197281`")]
    Count(String),
    #[error("no depth and count after the position, as in `;D4 197281`")]
    Empty,
}

impl FromStr for SuiteLine {
    type Err = SuiteError;

    fn from_str(text: &str) -> Result<Self, SuiteError> {
        let mut parts = text.split(';').map(str::trim);
        let position = Position::from_fen(parts.next().unwrap_or_default())?;
        let counts = parts
            .map(|part| depth_and_count(part).ok_or_else(|| SuiteError::Count(shortened(part, 32))))
            .collect::<Result<Vec<_>, _>>()?;
        if counts.is_empty() {
            Err(SuiteError::Empty)
        } else {
            Ok(Self { position, counts })
        }
    }
}

fn depth_and_count(part: &str) -> Option<(u32, u64)> {
    let (depth, leaves) = part.strip_prefix('D')?.split_once(' ')?;
    let depth = depth.parse().ok().filter(|&depth| depth <= MAX_DEPTH)?;
    Some((depth, leaves.trim().parse().ok()?))
}

/// The lines of a suite with their line numbers, from 1. Blank lines and lines that begin with `#` are skipped.
pub fn suite_lines(text: &str) -> impl Iterator<Item = (usize, Result<SuiteLine, SuiteError>)> {
    let numbered = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()));
    numbered
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| (number, line.parse()))
}
