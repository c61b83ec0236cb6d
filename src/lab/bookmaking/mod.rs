//! Opening books and opening names: reading games, counting moves, growing a book by search, scoring and checking moves.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod builder;
pub mod counts;
pub mod file;
pub mod grow;
pub mod lines;
pub mod merge;
pub mod names;
pub mod pgn;
pub mod score_log;
pub mod scorer;
pub mod tree;
pub mod verify;
