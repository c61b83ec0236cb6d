//! The memory of all transposition tables together: every search gets a share, so that many searches stay within a limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::limits::{ALL_HASH, MAX_SOCKETS, MIN_HASH};
use crate::base::sys;

/// A search may take this part of what is left.
const PART: usize = 8;

/// The MiB that all searches may have together, beyond [`MIN_HASH`] each, and those in use.
#[derive(Debug)]
pub struct HashBudget {
    all: usize,
    used: AtomicUsize,
}

/// MiB that a search has; returned when dropped.
#[derive(Debug)]
pub struct HashShare {
    budget: Arc<HashBudget>,
    megabytes: usize,
}

impl HashBudget {
    pub fn new() -> Arc<Self> {
        let quarter = sys::memory_limit().map_or(usize::MAX, |bytes| (bytes >> 22) as usize);
        Arc::new(Self {
            all: ALL_HASH.min(quarter).saturating_sub(MAX_SOCKETS * MIN_HASH),
            used: AtomicUsize::new(0),
        })
    }

    /// As much of `wanted` as a search may have now, at least [`MIN_HASH`].
    pub fn take(self: &Arc<Self>, wanted: usize) -> HashShare {
        let mut share = HashShare {
            budget: Arc::clone(self),
            megabytes: 0,
        };
        share.resize(wanted);
        share
    }
}

impl HashShare {
    /// Takes as much of `wanted` as a search may have now, but not less of it than it has: a table of another size is empty.
    pub fn resize(&mut self, wanted: usize) {
        let used = &self.budget.used;
        let before = self.beyond_least();
        used.fetch_sub(before, Ordering::Relaxed);
        let left = (self.budget.all).saturating_sub(used.load(Ordering::Relaxed));
        let granted = before.max(left / PART);
        let beyond = wanted.saturating_sub(MIN_HASH).min(granted);
        self.megabytes = MIN_HASH + beyond;
        used.fetch_add(beyond, Ordering::Relaxed);
    }

    const fn beyond_least(&self) -> usize {
        self.megabytes.saturating_sub(MIN_HASH)
    }

    pub const fn megabytes(&self) -> usize {
        self.megabytes
    }
}

impl Drop for HashShare {
    fn drop(&mut self) {
        let used = &self.budget.used;
        used.fetch_sub(self.beyond_least(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_shrink_before_the_memory_is_used_up() {
        let budget = Arc::new(HashBudget {
            all: 256 - MAX_SOCKETS * MIN_HASH,
            used: AtomicUsize::new(0),
        });
        let shares: Vec<HashShare> = (0..MAX_SOCKETS).map(|_| budget.take(16)).collect();
        assert_eq!(shares[0].megabytes(), 16);
        assert!((MIN_HASH..16).contains(&shares[MAX_SOCKETS - 1].megabytes()));
        let used: usize = shares.iter().map(HashShare::megabytes).sum();
        assert!(used <= 256, "{used} MiB");
        drop(shares);
        assert_eq!(budget.used.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_small_share_grows_when_others_are_returned() {
        let budget = Arc::new(HashBudget {
            all: 64,
            used: AtomicUsize::new(0),
        });
        let mut others: Vec<HashShare> = (0..40).map(|_| budget.take(16)).collect();
        let mut share = budget.take(16);
        let small = share.megabytes();
        assert!(small < 16);
        let first = others[0].megabytes();
        others[0].resize(16);
        share.resize(16);
        // Neither shrinks while the others hold the rest.
        assert_eq!((others[0].megabytes(), share.megabytes()), (first, small));
        drop(others);
        share.resize(16);
        assert!(share.megabytes() > small);
        share.resize(2);
        assert_eq!(share.megabytes(), 2);
    }
}
