//! Opening books and opening names from games: read, counted, grown, judged by search and checked.
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
