//! The embedded data: opening book, names of openings, tablebases.

use std::sync::LazyLock;

use super::TablebaseAnswer;
use crate::book::{BookMove, BookSet, OpeningName, embedded};
use crate::chess::{Game, Position};
use crate::tablebase::Tablebases;

/// The embedded book; empty if it cannot be read.
static BOOK: LazyLock<BookSet> =
    LazyLock::new(|| embedded::book().map(BookSet::of).unwrap_or_default());

/// The moves of the embedded book for a position with their weights, the heaviest first.
pub fn book_moves(game: &Game) -> Vec<BookMove> {
    BOOK.moves(game)
}

/// The name of the opening: that of the last position with one.
pub fn opening_name(game: &Game) -> Option<OpeningName<'static>> {
    embedded::names().of_game(game)
}

/// The value of a position by the embedded tablebases; `None` if no table has it.
pub fn tablebase(position: &Position) -> Option<TablebaseAnswer> {
    TablebaseAnswer::of(&Tablebases::embedded(), position)
}

/// Sets the book (a Polyglot file) and the tables (`PACK` in `tablebase/embedded.rs`), which a page fetches apart from the
/// program, before anything else.
#[cfg(target_family = "wasm")]
pub fn set(book: Vec<u8>, tables: Vec<u8>) {
    embedded::BYTES.set(book);
    crate::tablebase::embedded::PACK.set(tables);
}
