//! The memory of the searches: transposition tables and, for Monte Carlo tree search, trees. Together they take the size that
//! was set.

use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;

use crate::base::sys;
use crate::search::algorithm::{Algorithm, AlphaBeta};
use crate::search::mcts::{Fingerprint, Settings, Tree, TreeSearch};
use crate::search::shared::SharedSearch;
use crate::search::tt::TranspositionTable;
use crate::search::worker::Worker;

use super::EngineError;

/// A tree search gives this part of the memory to the TT, the rest to the tree.
const TT_PART: usize = 4;
const MEBIBYTE: usize = 1024 * 1024;
/// With more threads than this per processor a stop takes too long.
const THREADS_PER_PROCESSOR: usize = 32;

/// The most threads: as many as fit in half of the memory, and [`THREADS_PER_PROCESSOR`].
pub fn max_threads() -> usize {
    let processors = available_parallelism().map_or(1, NonZeroUsize::get);
    let bytes = sys::memory_limit().map_or(u64::MAX, |limit| limit / 2);
    let in_memory = usize::try_from(bytes / Worker::BYTES as u64).unwrap_or(usize::MAX);
    in_memory.clamp(1, processors.saturating_mul(THREADS_PER_PROCESSOR))
}

/// A TT and a tree for each isolated thread, or one of each for all threads.
#[derive(Default)]
pub struct Memory {
    pub tts: Vec<Arc<TranspositionTable>>,
    /// Empty with alpha-beta.
    pub trees: Vec<Arc<Tree>>,
    /// MiB in all; 0 before the first allocation.
    megabytes: usize,
}

impl Memory {
    /// Whether the memory is of this size and kind already.
    pub fn is(&self, megabytes: usize, count: usize, has_trees: bool) -> bool {
        let trees = if has_trees { count } else { 0 };
        self.megabytes == megabytes && self.tts.len() == count && self.trees.len() == trees
    }

    /// Replaces all memory by fresh zero pages, which cost no time until they are used. Without enough memory the size stays
    /// as it was, or is the default, or one MiB; returns the size.
    ///
    /// # Errors
    /// The size is another one than requested.
    pub fn allocate(
        &mut self,
        megabytes: usize,
        count: usize,
        has_trees: bool,
    ) -> Result<usize, EngineError> {
        // The old memory is freed first, so that both need not fit at once.
        (self.tts, self.trees) = (Vec::new(), Vec::new());
        let sizes = [megabytes, self.megabytes, super::DEFAULT_HASH, 1];
        let max = max_hash();
        let possible = sizes.into_iter().filter(|&size| 0 < size && size <= max);
        let allocated = possible.into_iter().find_map(|size| {
            let parts = (0..count).map(|_| part(size, count, has_trees));
            let parts: io::Result<Vec<_>> = parts.collect();
            parts.ok().map(|parts| (size, parts))
        });
        let kept = allocated.as_ref().map_or(0, |&(size, _)| size);
        for (tt, tree) in allocated.into_iter().flat_map(|(_, parts)| parts) {
            self.tts.push(tt);
            self.trees.extend(tree);
        }
        self.megabytes = kept;
        if kept == megabytes {
            return Ok(kept);
        }
        Err(EngineError::Hash { megabytes, kept })
    }

    /// MiB in all.
    pub const fn megabytes(&self) -> usize {
        self.megabytes
    }

    /// Empties all memory and keeps it.
    pub fn clear(&self) {
        self.tts.iter().for_each(|tt| tt.clear());
        self.trees.iter().for_each(|tree| tree.clear());
    }

    /// Makes the system provide the memory of the TTs; trees fill theirs in order, and need it only then.
    pub fn touch(&self) {
        self.tts.iter().for_each(|tt| tt.touch());
    }

    /// What the threads run: alpha-beta, or tree search with its root set to that of the search.
    pub fn algorithms(&self, shared: &SharedSearch, settings: Settings) -> Vec<Arc<dyn Algorithm>> {
        if self.trees.is_empty() {
            return vec![Arc::new(AlphaBeta)];
        }
        let on_tree = |tree: &Arc<Tree>| -> Arc<dyn Algorithm> {
            tree.set_root(shared, Fingerprint::of(shared, settings));
            let tree = Arc::clone(tree);
            Arc::new(TreeSearch { tree, settings })
        };
        self.trees.iter().map(on_tree).collect()
    }
}

/// One of `count` parts of the memory: a TT, and with trees a tree that takes most of it.
fn part(
    megabytes: usize,
    count: usize,
    has_trees: bool,
) -> io::Result<(Arc<TranspositionTable>, Option<Arc<Tree>>)> {
    let bytes = megabytes
        .checked_mul(MEBIBYTE)
        .ok_or(io::ErrorKind::OutOfMemory)?;
    let bytes = bytes / count;
    if !has_trees {
        let tt = TranspositionTable::with_bytes(bytes)?;
        return Ok((Arc::new(tt), None));
    }
    let tt = TranspositionTable::with_bytes(bytes / TT_PART)?;
    let tree = Tree::new(bytes - bytes / TT_PART)?;
    Ok((Arc::new(tt), Some(Arc::new(tree))))
}

/// The largest size in MiB. It leaves a sixteenth of the memory: if the system grants memory that it does not have, it
/// kills the process in mid-game.
fn max_hash() -> usize {
    let bytes = sys::memory_limit().map_or(u64::MAX, |limit| limit / 16 * 15);
    usize::try_from(bytes >> 20).unwrap_or(usize::MAX).max(1)
}
