//! PGN, as reviews and books read it: one thread splits a stream into the texts of its games, and each text is parsed on
//! any thread. Nothing is ignored: what cannot be read is an error with its line, so that no move is left out or made up.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod source;
mod splitter;
pub mod tags;
pub mod text;
pub mod token;

pub use splitter::{MAX_GAME, RawGame, Splitter, is_utf_16};
