//! What the engine is set to, for front ends that decide by it.

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

    /// When a search with these limits would end: the soft and the hard limit from its start; `None` without a limit of
    /// time.
    pub fn time_limits(&self, limits: &Limits) -> Option<(Option<Duration>, Duration)> {
        let budget = time::budget(limits, self.move_overhead)?;
        Some((budget.soft, budget.hard))
    }
}
