//! The pool where there are no threads, as in a browser: a search runs on the thread of the caller.

use std::sync::Arc;

use crate::base::sync::Mutex;

use super::deepen::deepen;
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
    pub fn start(&self, searches: &[Arc<SharedSearch>]) {
        let mut worker = self.0.lock();
        let (Some(worker), Some(shared)) = (worker.as_mut(), searches.first()) else {
            return;
        };
        worker.outcome = shared.outcomes[0].lock().take().unwrap_or_default();
        deepen(worker, shared);
        *shared.outcomes[0].lock() = Some(std::mem::take(&mut worker.outcome));
    }

    pub fn clear_histories(&self) {
        if let Some(worker) = self.0.lock().as_mut() {
            worker.clear();
        }
    }

    pub fn is_idle(&self) -> bool {
        true
    }
}
