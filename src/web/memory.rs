//! The memory of all transposition tables together: every search gets a share, so that many searches stay within a limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::limits::{ALL_HASH, MIN_HASH};
use crate::base::sys;

/// A search may take this part of what is left.
const PART: usize = 8;

/// The MiB that are in use.
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
            all: ALL_HASH.min(quarter),
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
    /// Gives the share back, and takes another one.
    pub fn resize(&mut self, wanted: usize) {
        let used = &self.budget.used;
        used.fetch_sub(self.megabytes, Ordering::Relaxed);
        let left = (self.budget.all).saturating_sub(used.load(Ordering::Relaxed));
        self.megabytes = wanted.min((left / PART).max(MIN_HASH));
        used.fetch_add(self.megabytes, Ordering::Relaxed);
    }

    pub const fn megabytes(&self) -> usize {
        self.megabytes
    }
}

impl Drop for HashShare {
    fn drop(&mut self) {
        let used = &self.budget.used;
        used.fetch_sub(self.megabytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_shrink_before_the_memory_is_used_up() {
        let budget = Arc::new(HashBudget {
            all: 256,
            used: AtomicUsize::new(0),
        });
        let shares: Vec<HashShare> = (0..64).map(|_| budget.take(16)).collect();
        assert_eq!(shares[0].megabytes(), 16);
        assert!(shares[63].megabytes() >= MIN_HASH && shares[63].megabytes() < 16);
        let used: usize = shares.iter().map(HashShare::megabytes).sum();
        assert!(used <= 256, "{used} MiB");
        drop(shares);
        assert_eq!(budget.used.load(Ordering::Relaxed), 0);
    }
}
