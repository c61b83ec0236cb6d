//! The built-in book and opening names, from `books/`.

use std::path::Path;
use std::sync::LazyLock;

use super::names::OpeningNames;
use super::polyglot::{Book, BookError};

#[cfg(not(target_family = "wasm"))]
pub const BYTES: &[u8] = include_bytes!("../../books/lucena.bin");
/// A web page loads the book separately from the program, and sets it before anything else.
#[cfg(target_family = "wasm")]
pub static BYTES: crate::base::set_once::SetOnceBytes = crate::base::set_once::SetOnceBytes::new();
/// Stands for a path in messages about the built-in book.
pub const PATH: &str = "<embedded>";

/// The built-in book.
///
/// # Errors
/// [`BookError`] if the program was built with an invalid `books/lucena.bin`.
pub fn book() -> Result<Book, BookError> {
    Book::from_bytes(Path::new(PATH), BYTES[..].into())
}

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
    fn the_built_in_book_has_the_start_position() {
        let book = book().expect("a valid book");
        let (moves, illegal) = book
            .moves(&Game::new(Position::startpos()))
            .expect("memory");
        assert!(moves.len() >= 4 && illegal.is_empty());
        assert_eq!(book.trailing_bytes(), 0);
    }
}
