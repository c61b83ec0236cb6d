//! Books as whole files, for the tools on them.

use std::io::{self, Write};
use std::path::Path;

#[cfg(not(target_family = "wasm"))]
pub use crate::book::embedded::BYTES as BUILT_IN;
pub use crate::book::{Book, BookEntry, BookError};
use crate::book::{embedded, entry};

/// Opens a book, or the built-in one, and checks that its entries are sorted.
///
/// # Errors
/// [`BookError`] names the file and the fault.
pub fn open(path: Option<&Path>) -> Result<Book, BookError> {
    let book = path.map_or_else(embedded::book, Book::open)?;
    book.check_order()?;
    Ok(book)
}

/// Sorts entries and writes them as a book.
///
/// # Errors
/// If the entries cannot be written.
pub fn write(entries: &mut [BookEntry], out: &mut impl Write) -> io::Result<()> {
    entry::write(entries, out)
}
