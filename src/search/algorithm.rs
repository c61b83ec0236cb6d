//! What the threads of a pool run: alpha-beta, or another search of a higher layer.

use super::deepen::deepen;
use super::shared::SharedSearch;
use super::worker::Worker;

/// A search as every thread of the pool runs it.
pub trait Algorithm: Send + Sync {
    /// Searches on this thread until the search ends; the result is left in `worker.outcome`.
    fn search(&self, worker: &mut Worker, shared: &SharedSearch);
}

/// Alpha-beta with iterative deepening.
pub struct AlphaBeta;

impl Algorithm for AlphaBeta {
    fn search(&self, worker: &mut Worker, shared: &SharedSearch) {
        deepen(worker, shared);
    }
}
