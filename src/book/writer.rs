//! Entries into a file.
//! Uses: entry. Used by: cli, the makers of books.
//! Idea: sorted by key, then by weight from the greatest on, then by move, so that equal books are equal bytes.

use std::cmp::Reverse;
use std::io::{self, Write};

use super::entry::Entry;

/// Puts entries into the order of a book.
pub fn sort(entries: &mut [Entry]) {
    entries.sort_unstable_by_key(|entry| (entry.key, Reverse(entry.weight), entry.raw_move));
}

/// Sorts entries and writes them as a book.
///
/// # Errors
/// What the system said when they could not be written.
pub fn write(entries: &mut [Entry], out: &mut impl Write) -> io::Result<()> {
    sort(entries);
    for entry in entries {
        out.write_all(&entry.to_bytes())?;
    }
    Ok(())
}
