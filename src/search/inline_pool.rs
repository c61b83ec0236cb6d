//! The pool on platforms without threads, such as a browser: a search runs on the thread of the caller.

use std::sync::Arc;

use crate::base::sync::Mutex;

use super::algorithm::Algorithm;
use super::shared::SharedSearch;
use super::signal::Signal;
use super::worker::Worker;

/// One worker without a thread.
pub struct Pool(Mutex<Option<Worker>>);

impl Pool {
    pub fn new(_: Arc<Signal>) -> Self {
        Self(Mutex::new(None))
    }

    pub fn len(&self) -> usize {
        usize::from(self.0.lock().is_some())
    }

    /// Always one worker.
    pub fn resize(&mut self, _: usize) -> usize {
        self.0.lock().get_or_insert_with(|| Worker::new(0));
        1
    }

    /// Searches, and returns when the search is over.
    pub fn start(&self, searches: &[Arc<SharedSearch>], algorithms: &[Arc<dyn Algorithm>]) {
        let mut worker = self.0.lock();
        let (Some(worker), Some(shared), Some(algorithm)) =
            (worker.as_mut(), searches.first(), algorithms.first())
        else {
            return;
        };
        worker.outcome = shared.outcomes[0].lock().take().unwrap_or_default();
        algorithm.search(worker, shared);
        *shared.outcomes[0].lock() = Some(std::mem::take(&mut worker.outcome));
    }

    pub fn clear_histories(&self) {
        if let Some(worker) = self.0.lock().as_mut() {
            worker.clear();
        }
    }

    /// A search is over when [`Pool::start`] returns, so the lock is free.
    pub fn is_idle(&self) -> bool {
        self.0.try_lock().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! check_functions {
        ($pool:ty) => {
            let _: fn(Arc<Signal>) -> $pool = <$pool>::new;
            let _: fn(&$pool) -> usize = <$pool>::len;
            let _: fn(&mut $pool, usize) -> usize = <$pool>::resize;
            let _: fn(&$pool, &[Arc<SharedSearch>], &[Arc<dyn Algorithm>]) = <$pool>::start;
            let _: fn(&$pool) = <$pool>::clear_histories;
            let _: fn(&$pool) -> bool = <$pool>::is_idle;
        };
    }

    /// The engine calls either pool.
    #[test]
    fn both_pools_have_the_same_functions() {
        check_functions!(Pool);
        check_functions!(crate::search::pool::Pool);
    }
}
