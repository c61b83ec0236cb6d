//! Everything that makes data: training games and weights, search constants, tablebases, books, reviews.
//!
//! It stands above the engine and below the front ends, and prints nothing. Cargo feature `lab`.

pub mod atomic_file;
pub mod bookmaking;
pub mod levels;
pub mod perft_resume;
pub mod pgn;
pub mod plot;
pub mod review;
pub mod shard;
pub mod spsa;
pub mod suites;
pub mod tablegen;
pub mod timed_games;
pub mod train;
