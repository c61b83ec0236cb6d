//! PGN, as reviews and books read it: a stream is cut into the texts of its games on one thread, and each text is read on
//! any thread. Nothing is ignored: what cannot be read is an error with its line, so no move is left out or made up.
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
