//! Ends all searches of a task early, such as a review or a question, within their next node.

use std::sync::Arc;

use super::signal::{Signal, Ticket};

/// A handle that stops a task; its clones stop the same one.
#[derive(Clone, Debug)]
pub struct Stop {
    signal: Arc<Signal>,
    ticket: Ticket,
}

impl Default for Stop {
    fn default() -> Self {
        let signal = Arc::new(Signal::default());
        let ticket = signal.issue();
        Self { signal, ticket }
    }
}

impl Stop {
    /// The handle of a search with a number.
    #[doc(hidden)]
    pub const fn of(signal: Arc<Signal>, ticket: Ticket) -> Self {
        Self { signal, ticket }
    }

    /// Ends the task. Returns at once.
    pub fn stop(&self) {
        self.signal.stop_ticket(self.ticket);
    }

    /// Whether the task was stopped, or a later one of the same engine.
    pub fn is_stopped(&self) -> bool {
        self.signal.is_stopped(self.ticket)
    }

    /// The signal and the ticket by which a searcher stops with the task.
    #[doc(hidden)]
    pub fn signal(&self) -> (Arc<Signal>, Ticket) {
        (Arc::clone(&self.signal), self.ticket)
    }
}
