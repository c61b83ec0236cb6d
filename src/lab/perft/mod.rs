//! Perft: the number of leaves of the tree of legal moves, by which a move generator is proved.
//! Uses: kernel, board, movegen, play, sync, sys; rayon. Used by: uci, cli, tests, benches.
//! Idea: the kernel counts fastest and knows nothing but the board; the search's own path lists and plays every move; a
//! table remembers what transpositions have counted. The first plies are shared out among the threads of the caller's
//! rayon pool.

mod kernel;
pub mod resume;

use std::str::FromStr;

use rayon::prelude::*;
use thiserror::Error;

use crate::base::random::GOLDEN_RATIO;
use crate::base::sync::{AtomicU64, Ordering::Relaxed};
use crate::base::sys::ZeroedWords;
use crate::chess::{FenError, Move, Position};

/// The deepest tree that is walked: no tree of this depth is counted in a lifetime.
pub const MAX_DEPTH: u32 = 32;

/// Why a count cannot be had.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PerftError {
    /// The tree is deeper than [`MAX_DEPTH`].
    #[error("depth: it may be {MAX_DEPTH} at most")]
    Depth(u32),
    /// There are more leaves than 64 bits can number.
    #[error("depth: the count does not fit into 64 bits")]
    Overflow,
    /// Whoever asked wants no answer any more.
    #[error("stopped")]
    Stopped,
    /// The table does not fit into memory.
    #[error("hash: no memory for a table of {0} MB")]
    Memory(usize),
}

/// Counts the leaves of the legal game tree on this thread. A count that does not fit stays at [`u64::MAX`].
///
/// ```
/// use lucena::chess::{Position, perft::perft};
/// assert_eq!(perft(&Position::startpos(), 3), 8_902);
/// ```
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    kernel::count(position, depth)
}

/// As [`perft`], but on the way that the search goes: each move is listed and played, keys and all; only the last ply is
/// counted from bitboards.
#[must_use]
pub fn perft_by_moves(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves() as u64,
        _ => sum_of_children(position, |child| perft_by_moves(child, depth - 1)),
    }
}

/// A tree less deep than this is sooner counted than looked up.
const HASHED_DEPTH: u32 = 3;

/// As [`perft`], remembering in a table what it has counted.
#[must_use]
pub fn perft_hashed(position: &Position, depth: u32, table: &PerftTable) -> u64 {
    if depth < HASHED_DEPTH {
        return perft(position, depth);
    }
    if let Some(leaves) = table.probe(position.key(), depth) {
        return leaves;
    }
    let leaves = if depth == HASHED_DEPTH {
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

/// Hears how far a division is.
pub trait Tally: Sync {
    /// It will take this many steps, of very different lengths.
    fn start(&self, _steps: u64) {}
    /// A step is done.
    fn step(&self) {}
    /// All leaves behind a move are counted.
    fn counted(&self, _mv: Move, _leaves: u64) {}
    /// Whether the count is not wanted any more. Asked every few milliseconds, but where a table remembers counts.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// The silent listener.
impl Tally for () {}

/// Counts the leaves behind each legal move, on all threads of the rayon pool it is called in. The moves come in the
/// generator's order; at depth 0 there are none.
///
/// # Errors
/// [`PerftError`] if the depth is above [`MAX_DEPTH`] or the sum of the counts does not fit.
pub fn divide(
    position: &Position,
    depth: u32,
    table: Option<&PerftTable>,
) -> Result<Vec<(Move, u64)>, PerftError> {
    divide_on(position, depth, table, &[], &())
}

/// As [`divide`], where the counts of some moves are known already, and telling how far it is.
///
/// # Errors
/// As [`divide`], and [`PerftError::Stopped`] if the tally says so.
pub fn divide_on(
    position: &Position,
    depth: u32,
    table: Option<&PerftTable>,
    known: &[(Move, u64)],
    tally: &impl Tally,
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
    let shared = rest >= SHARED_DEPTH;
    tally.start(if shared {
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
        let leaves = if shared {
            let replies = child.legal_moves();
            let leaves = |&reply: &Move| {
                let leaves = count_alone(&child.play(reply), rest - 1, table, tally);
                tally.step();
                leaves
            };
            let counts = replies.par_iter().map(leaves);
            counts.reduce(|| 0, u64::saturating_add)
        } else {
            let leaves = count_alone(&child, rest, table, tally);
            tally.step();
            leaves
        };
        // A count that does not fit is none, nor is one broken off.
        if leaves < u64::MAX && !tally.is_stopped() {
            tally.counted(mv, leaves);
        }
        (mv, leaves)
    };
    let counts: Vec<(Move, u64)> = moves.par_iter().map(leaves).collect();
    if tally.is_stopped() {
        return Err(PerftError::Stopped);
    }
    let add = |sum: u64, &(_, leaves): &(Move, u64)| sum.saturating_add(leaves);
    match counts.iter().fold(0, add) {
        u64::MAX => Err(PerftError::Overflow),
        _ => Ok(counts),
    }
}

/// Counts the leaves of the legal game tree on all threads of the rayon pool it is called in.
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

/// From this depth on the answers to each move are shared out too: where a few moves hold most of the leaves, the moves
/// alone would leave threads idle.
const SHARED_DEPTH: u32 = 3;

/// A tree no deeper than this is counted in milliseconds: nobody waits for the end of it.
const UNSTOPPED_DEPTH: u32 = 4;

fn count_alone(
    position: &Position,
    depth: u32,
    table: Option<&PerftTable>,
    tally: &impl Tally,
) -> u64 {
    match table {
        Some(table) => perft_hashed(position, depth, table),
        None if depth <= UNSTOPPED_DEPTH => perft(position, depth),
        None if tally.is_stopped() => 0,
        None => sum_of_children(position, |child| count_alone(child, depth - 1, None, tally)),
    }
}

/// What perft has counted, shared by all threads. It serves the positions of one game: the keys do not tell which of
/// two rooks has a castling right.
pub struct PerftTable {
    words: ZeroedWords,
}

/// Half a cache line: two entries of two words. The first keeps the greater of what it meets, the second takes everything
/// else.
const BUCKET_WORDS: usize = 4;

impl PerftTable {
    /// A table of this many megabytes, at the least one bucket. The memory is touched only as it is used.
    ///
    /// # Errors
    /// [`PerftError::Memory`] if there is not so much memory.
    pub fn new(megabytes: usize) -> Result<Self, PerftError> {
        let error = PerftError::Memory(megabytes);
        let words = megabytes.checked_mul((1 << 20) / size_of::<AtomicU64>());
        let words = words.ok_or_else(|| error.clone())?.max(BUCKET_WORDS);
        let words = ZeroedWords::new(words).map_err(|_| error)?;
        Ok(Self { words })
    }

    /// Forgets everything.
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
        let [greater, latest] = self.bucket(signature);
        let entry = if leaves >= greater.leaves.load(Relaxed) {
            greater
        } else {
            latest
        };
        entry.check.store(signature ^ leaves, Relaxed);
        entry.leaves.store(leaves, Relaxed);
    }

    /// The high bits of the signature choose among any number of buckets.
    fn bucket(&self, signature: u64) -> [Entry<'_>; 2] {
        let buckets = self.words.as_chunks::<BUCKET_WORDS>().0;
        let index = (u128::from(signature) * buckets.len() as u128) >> 64;
        let [check, leaves, other_check, other_leaves] = &buckets[index as usize];
        [
            Entry { check, leaves },
            Entry {
                check: other_check,
                leaves: other_leaves,
            },
        ]
    }
}

/// `check` is signature ⊕ leaves, so that an entry torn between two threads fits no signature.
#[derive(Clone, Copy)]
struct Entry<'a> {
    check: &'a AtomicU64,
    leaves: &'a AtomicU64,
}

/// A key with the depth folded in: one position at two depths is two entries in two buckets.
const fn signature(key: u64, depth: u32) -> u64 {
    key ^ (depth as u64).wrapping_mul(GOLDEN_RATIO)
}

/// A line of a perft suite: `FEN ;D1 20 ;D2 400`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteLine {
    /// The position.
    pub position: Position,
    /// Depths and the number of leaves at each.
    pub counts: Vec<(u32, u64)>,
}

/// Why a line is none of a perft suite.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SuiteError {
    /// The part before the first semicolon is no position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A part behind a semicolon is no depth with its count.
    #[error("`{0}` is not a depth and its count as in `D4 197281`")]
    Count(String),
    /// There is no count at all.
    #[error("no depth with its count follows the position, as in `;D4 197281`")]
    Empty,
}

impl FromStr for SuiteLine {
    type Err = SuiteError;

    fn from_str(text: &str) -> Result<Self, SuiteError> {
        let mut parts = text.split(';').map(str::trim);
        let position = Position::from_fen(parts.next().unwrap_or_default())?;
        let counts = parts
            .map(|part| {
                depth_and_count(part)
                    .ok_or_else(|| SuiteError::Count(part.chars().take(32).collect()))
            })
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

/// The positions of a suite file's text with their line numbers, from 1. Blank lines and lines that begin with `#` are
/// left out.
pub fn suite_lines(text: &str) -> impl Iterator<Item = (usize, Result<SuiteLine, SuiteError>)> {
    let numbered = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()));
    numbered
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| (number, line.parse()))
}
