//! Ends the searches of a request whose answer nobody waits for any more.

use std::sync::Arc;

use crate::search::signal::{Signal, Ticket};

/// Ends the searches of one request, from any thread. Clones end the same request.
#[derive(Clone, Debug)]
pub struct Stop {
    pub(super) signal: Arc<Signal>,
    pub(super) ticket: Ticket,
}

impl Stop {
    pub fn new() -> Self {
        let signal = Arc::new(Signal::default());
        let ticket = signal.issue();
        Self { signal, ticket }
    }

    /// Ends the searches.
    pub fn set(&self) {
        self.signal.quit();
    }

    pub fn is_set(&self) -> bool {
        self.signal.is_stopped(self.ticket)
    }
}

impl Default for Stop {
    fn default() -> Self {
        Self::new()
    }
}
