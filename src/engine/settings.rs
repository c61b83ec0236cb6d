//! The settings of an engine that front ends need to read.

use std::fmt;
use std::time::Duration;

use super::{Engine, Limits, time};

impl Engine {
    /// The number of search threads set.
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// The number of principal variations set.
    pub const fn multi_pv(&self) -> usize {
        self.multi_pv
    }

    /// Limits the threads of a search, at least 1, whatever [`Engine::set_threads`] has set: levels use one.
    pub fn set_most_threads(&mut self, threads: usize) {
        self.most_threads = threads.max(1);
    }

    /// When a search with these limits would end: the soft and the hard limit from its start; `None` without a limit of
    /// time.
    pub fn time_limits(&self, limits: &Limits) -> Option<(Option<Duration>, Duration)> {
        let budget = time::budget(limits, self.move_overhead)?;
        Some((budget.soft, budget.hard))
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("hash", &self.hash)
            .field("mode", &self.mode)
            .field("threads", &self.threads)
            .field("multi_pv", &self.multi_pv)
            .field("move_overhead", &self.move_overhead)
            .field("deterministic", &self.deterministic)
            .field("contempt", &self.contempt)
            .field("style", &self.style)
            .finish_non_exhaustive()
    }
}
