//! EPD test suites: positions with known best moves, searched in parallel.
//!
//! Each position gets a cleared engine of one thread, so results depend neither on order nor on the number of threads.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod epd;
pub mod suite;

pub use epd::{Epd, EpdError};
pub use suite::{Answer, SuiteLimits};
