//! Many positions: suites of them, searched one on each processor.
//! Uses: engine, chess, value, progress. Used by: cli. Prints nothing.
//! Idea: what a file asks is read whole and checked before anything is searched; then each position has an engine that
//! knows nothing of the others, so results depend neither on the order nor on the number of threads.
//!
//! Reading order: `epd`, `suite`.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod epd;
pub mod suite;

pub use epd::{Epd, EpdError};
pub use suite::{Budget, Verdict};
