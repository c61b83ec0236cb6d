//! The book and the names that the program carries.
//! Uses: reader, names. Used by: engine, cli.
//! Idea: both are files in `books/`, made by commands of this program that stand there in the README.

use std::path::Path;
use std::sync::LazyLock;

use super::names::OpeningNames;
use super::polyglot::{Book, BookError};

/// The bytes of the embedded book.
pub const BYTES: &[u8] = include_bytes!("../../books/lucena.bin");
/// What messages call the embedded book.
pub const PATH: &str = "<embedded>";

/// The embedded book.
///
/// # Errors
/// [`BookError`] if the program was built with a file that is no book.
pub fn book() -> Result<Book, BookError> {
    Book::of_bytes(Path::new(PATH), BYTES.into())
}

/// The names of openings.
pub fn names() -> &'static OpeningNames<'static> {
    static NAMES: LazyLock<OpeningNames<'static>> =
        LazyLock::new(|| OpeningNames::new(include_str!("../../books/names.tsv")));
    &NAMES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Game, Position};

    #[test]
    fn the_first_position_is_in_the_book() {
        let book = book().expect("a book");
        let (moves, illegal) = book
            .moves(&Game::new(Position::startpos()))
            .expect("memory");
        assert!(moves.len() >= 4 && illegal.is_empty());
        assert_eq!(book.trailing_bytes(), 0);
    }
}
