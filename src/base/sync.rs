//! What threads share: atomic words, a lock and a way to sleep.
//! Uses: `parking_lot`; loom where it is modelled. Used by: sys, search.
//! Idea: one name for each, so that a build with `--cfg loom` puts models in their place, and loom tries every order in
//! which threads may meet. The table and the counting-out of the pool are proved so.

pub use std::sync::atomic::Ordering;

#[cfg(not(loom))]
pub use parking_lot::{Condvar, Mutex};
#[cfg(not(loom))]
pub use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize};

#[cfg(loom)]
pub use modelled::{AtomicU8, AtomicU64, AtomicUsize, Condvar, Mutex};

/// loom's own, with `parking_lot`'s manners.
#[cfg(loom)]
#[allow(clippy::unwrap_used, missing_docs)]
mod modelled {
    use std::ops::{Deref, DerefMut};
    use std::time::Instant;

    use loom::sync;
    pub use loom::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize};

    #[derive(Debug, Default)]
    pub struct Mutex<T>(sync::Mutex<T>);

    /// Holds nothing only while it waits.
    pub struct MutexGuard<'a, T>(Option<sync::MutexGuard<'a, T>>);

    impl<T> Mutex<T> {
        pub fn lock(&self) -> MutexGuard<'_, T> {
            MutexGuard(Some(self.0.lock().unwrap()))
        }
    }

    impl<T> Deref for MutexGuard<'_, T> {
        type Target = T;
        fn deref(&self) -> &T {
            self.0.as_ref().unwrap()
        }
    }

    impl<T> DerefMut for MutexGuard<'_, T> {
        fn deref_mut(&mut self) -> &mut T {
            self.0.as_mut().unwrap()
        }
    }

    #[derive(Debug)]
    pub struct Condvar(sync::Condvar);

    impl Default for Condvar {
        fn default() -> Self {
            Self(sync::Condvar::new())
        }
    }

    /// No model has a clock: what waits with a deadline waits without.
    pub struct WaitResult;

    impl WaitResult {
        pub fn timed_out(&self) -> bool {
            false
        }
    }

    impl Condvar {
        pub fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
            guard.0 = guard.0.take().map(|held| self.0.wait(held).unwrap());
        }

        pub fn wait_until<T>(&self, guard: &mut MutexGuard<'_, T>, _: Instant) -> WaitResult {
            self.wait(guard);
            WaitResult
        }

        pub fn notify_all(&self) {
            self.0.notify_all();
        }
    }
}
