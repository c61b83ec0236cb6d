//! What the searches of a level may use.

use std::sync::Arc;
use std::time::Duration;

use crate::chess::Move;
use crate::eval::Model;
use crate::search::signal::{Signal, Ticket};

/// The searches of one choice.
pub struct Means {
    #[doc(hidden)]
    pub signal: Arc<Signal>,
    #[doc(hidden)]
    pub ticket: Ticket,
    pub model: Option<Arc<Model>>,
    pub time: Option<Duration>,
    /// Only these moves; empty: all.
    pub only: Vec<Move>,
}

impl Default for Means {
    /// No limit of time, all moves, the built-in weights, and nothing that stops the searches.
    fn default() -> Self {
        let signal = Arc::new(Signal::default());
        Self {
            ticket: signal.issue(),
            signal,
            model: None,
            time: None,
            only: Vec::new(),
        }
    }
}
