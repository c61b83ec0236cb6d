//! Limits and settings of the searches of a level.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::shallow::ShallowSearcher;
use crate::chess::Move;
use crate::eval::Model;
use crate::search::signal::{Signal, Ticket};

/// The searches of one choice.
#[derive(Debug)]
pub struct SearchSetup {
    #[doc(hidden)]
    pub signal: Arc<Signal>,
    #[doc(hidden)]
    pub ticket: Ticket,
    pub model: Option<Arc<Model>>,
    /// The time that the searches may take, from their start, or with `ponder` from the ponder hit.
    pub time: Option<Duration>,
    pub ponder: bool,
    /// Only these moves; empty: all.
    pub only: Vec<Move>,
}

impl SearchSetup {
    /// A searcher with these settings.
    pub(super) fn searcher(&self) -> io::Result<ShallowSearcher> {
        let signal = Arc::clone(&self.signal);
        let mut searcher = ShallowSearcher::new()?.with_signal(signal, self.ticket);
        searcher.set_model(self.model.clone());
        searcher.set_ponder(self.ponder);
        Ok(searcher)
    }
}

impl Default for SearchSetup {
    /// No limit of time, all moves, the built-in weights, and nothing that stops the searches.
    fn default() -> Self {
        let signal = Arc::new(Signal::default());
        Self {
            ticket: signal.issue(),
            signal,
            model: None,
            time: None,
            ponder: false,
            only: Vec::new(),
        }
    }
}
