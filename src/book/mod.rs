//! Openings: books in the Polyglot format, read, written and looked up.
//! Uses: chess, progress, random. Used by: engine, cli. Prints nothing.
//! Idea: a book is a sorted list of sixteen-byte entries under the key that every position carries anyway, so a look-up
//! is a binary search and nothing is loaded that is not asked for.
//!
//! Reading order: `entry`, `reader`, `writer`, `shelf`.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod entry;
pub mod reader;
pub mod shelf;
pub mod writer;

pub use entry::{BookMove, Entry};
pub use reader::{Book, BookError};
pub use shelf::{Selection, Shelf, Taste};
