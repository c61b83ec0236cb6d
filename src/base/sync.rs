//! Atomic words, a lock and a condition variable, under names of our own: a build with `--cfg loom` replaces them by loom's
//! models, so that tests run through every interleaving of the threads.

#[cfg(loom)]
use loom::sync;
#[cfg(not(loom))]
use std::sync;

use crate::base::clock::Instant;
use std::sync::{PoisonError, TryLockError};

pub use sync::MutexGuard;
pub use sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};

/// A lock that stays usable after a thread has panicked while it held it.
#[derive(Debug, Default)]
pub struct Mutex<T>(sync::Mutex<T>);

impl<T> Mutex<T> {
    pub fn new(value: T) -> Self {
        Self(sync::Mutex::new(value))
    }

    /// Waits for the lock and takes it.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the lock if no other thread holds it.
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        match self.0.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    pub fn into_inner(self) -> T {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A condition variable for [`Mutex`]. Spurious wake-ups are possible: test the condition again after every wait.
#[derive(Debug)]
pub struct Condvar(sync::Condvar);

impl Condvar {
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        self.0.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the deadline at most. Models have no clock: there it waits without a deadline.
    pub fn wait_until<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        deadline: Instant,
    ) -> MutexGuard<'a, T> {
        let left = deadline.saturating_duration_since(Instant::now());
        let woken = self.0.wait_timeout(guard, left);
        woken.unwrap_or_else(PoisonError::into_inner).0
    }

    pub fn notify_all(&self) {
        self.0.notify_all();
    }
}

impl Default for Condvar {
    // loom's has no `Default`.
    fn default() -> Self {
        Self(sync::Condvar::new())
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_lock_stays_usable_after_a_panic() {
        let lock = std::sync::Arc::new(Mutex::new(1));
        let other = std::sync::Arc::clone(&lock);
        let thread = std::thread::spawn(move || {
            let _guard = other.lock();
            panic!("with the lock held");
        });
        assert!(thread.join().is_err());
        assert_eq!(lock.try_lock().map(|value| *value), Some(1));
        assert_eq!(*lock.lock(), 1);
        let _guard = lock.lock();
        assert!(lock.try_lock().is_none());
    }
}
