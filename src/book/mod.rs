//! Opening books in the Polyglot format: reading them, choosing a move, opening names.
//!
//! A book is a sorted list of 16-byte entries, so a look-up is a binary search by position key.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

#[doc(hidden)]
pub mod book_set;
#[doc(hidden)]
pub mod embedded;
#[doc(hidden)]
pub mod entry;
#[doc(hidden)]
pub mod names;
#[doc(hidden)]
pub mod polyglot;

pub use book_set::{BookChoice, BookOptions, BookSet, Selection};
#[doc(hidden)]
pub use entry::BookEntry;
pub use entry::BookMove;
pub use names::OpeningName;
pub use polyglot::{Book, BookError};
