//! Opening books in the Polyglot format: reading them, choosing a move, opening names.
//!
//! A book is a sorted list of 16-byte entries, so a look-up is a binary search by position key.
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
