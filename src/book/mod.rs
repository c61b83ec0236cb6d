//! Openings: books in the Polyglot format, read, written and looked up.
//! Uses: chess, progress, random; search (judge), value. Used by: engine, cli. Prints nothing.
//! Idea: a book is a sorted list of sixteen-byte entries under the key that every position carries anyway, so a look-up
//! is a binary search and nothing is loaded that is not asked for.
//!
//! Reading order: playing from books: `entry`, `reader`, `writer`, `shelf`; books from games: `pgn`, `counts`, `builder`;
//! the embedded book: `lines`, `names`, `judge`, `grow`, `default`; what is in them: `tree`, `verify`.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod book_set;
pub mod embedded;
pub mod entry;
pub mod names;
pub mod polyglot;

pub use book_set::{BookOptions, BookSet, Selection};
pub use entry::{BookEntry, BookMove};
pub use polyglot::{Book, BookError};
