//! A book in memory or in a file.
//! Uses: entry, chess. Used by: shelf, cli.
//! Idea: a file is read through once when it is opened, since only a sorted book can be searched; small books stay in
//! memory, great ones stay where they are and a look-up reads a score of entries.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use thiserror::Error;

use super::entry::{BookEntry, BookMove, ENTRY_BYTES};
use crate::chess::{Game, Position};

/// Books up to this many bytes are kept in memory.
const IN_MEMORY: u64 = 64 << 20;

/// Why a file is no book.
#[derive(Debug, Error)]
pub enum BookError {
    /// The system would not let it be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// There is not one whole entry in it.
    #[error("{}: no entry in it ({bytes} bytes; an entry has 16)", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        bytes: u64,
    },
    /// The keys do not rise, so this is no book, or a broken one.
    #[error("{}: not a sorted Polyglot book: entry {index} (byte {}) is out of order", path.display(), index * 16)]
    Unsorted {
        /// The file.
        path: PathBuf,
        /// The first entry whose key is below the one before it.
        index: u64,
    },
}

/// Where the entries are.
#[derive(Debug)]
enum Source {
    Memory(Cow<'static, [u8]>),
    File(Mutex<File>),
}

/// A book that can be searched.
#[derive(Debug)]
pub struct Book {
    path: PathBuf,
    source: Source,
    entries: u64,
    /// Bytes behind the last whole entry: the file was cut off.
    trailing_bytes: u64,
}

impl Book {
    /// Opens a file and reads it through: its entries must be in the order of their keys.
    ///
    /// # Errors
    /// [`BookError`] if it cannot be read or is no book. A last entry that is cut off is left out: [`Book::trailing_bytes`].
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let failed = |error| BookError::Io {
            path: path.to_owned(),
            error,
        };
        // Opening a pipe would wait for whoever writes into it.
        let metadata = path.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        if !metadata.is_file() {
            return Err(failed(io::Error::other("not a regular file")));
        }
        let file = File::open(path).map_err(failed)?;
        if metadata.len() > IN_MEMORY {
            let entries = metadata.len() / ENTRY_BYTES as u64;
            let book = Self {
                path: path.to_owned(),
                trailing_bytes: metadata.len() % ENTRY_BYTES as u64,
                entries,
                source: Source::File(Mutex::new(file)),
            };
            return book.checked();
        }
        // Whatever the length was a moment ago, it must not fill the memory.
        let mut bytes = Vec::new();
        file.take(IN_MEMORY + 1)
            .read_to_end(&mut bytes)
            .map_err(failed)?;
        if bytes.len() as u64 > IN_MEMORY {
            return Err(failed(io::ErrorKind::FileTooLarge.into()));
        }
        Self::of_bytes(path, Cow::Owned(bytes))
    }

    /// The book in these bytes; `path` is what errors call it.
    ///
    /// # Errors
    /// [`BookError`] if they are no book.
    pub fn of_bytes(path: &Path, bytes: Cow<'static, [u8]>) -> Result<Self, BookError> {
        let length = bytes.len();
        let book = Self {
            path: path.to_owned(),
            entries: (length / ENTRY_BYTES) as u64,
            trailing_bytes: (length % ENTRY_BYTES) as u64,
            source: Source::Memory(bytes),
        };
        book.checked()
    }

    /// The book, if it has entries and they rise.
    fn checked(self) -> Result<Self, BookError> {
        if self.entries == 0 {
            return Err(BookError::Empty {
                path: self.path,
                bytes: self.trailing_bytes,
            });
        }
        let mut last = 0;
        let mut fault = None;
        self.for_each(|index, entry| {
            let rises = entry.key >= last;
            if !rises {
                fault = Some(index);
            }
            last = entry.key;
            rises
        })
        .map_err(|error| BookError::Io {
            path: self.path.clone(),
            error,
        })?;
        match fault {
            Some(index) => Err(BookError::Unsorted {
                path: self.path,
                index,
            }),
            None => Ok(self),
        }
    }

    /// What errors call it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many entries it has.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.entries
    }

    /// Whether it has none, which no opened book has.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// How many bytes behind the last whole entry were left out.
    #[must_use]
    pub const fn trailing_bytes(&self) -> u64 {
        self.trailing_bytes
    }

    /// Shows every entry with its number, in order, until `see` says no.
    ///
    /// # Errors
    /// What the system said when the file could not be read.
    pub fn for_each(&self, mut see: impl FnMut(u64, BookEntry) -> bool) -> io::Result<()> {
        match &self.source {
            Source::Memory(bytes) => {
                let (entries, _) = bytes.as_chunks::<ENTRY_BYTES>();
                for (index, bytes) in entries.iter().enumerate() {
                    if !see(index as u64, BookEntry::from_bytes(bytes)) {
                        break;
                    }
                }
            }
            Source::File(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(0))?;
                let mut reader = BufReader::with_capacity(1 << 16, &mut *file);
                let mut bytes = [0; ENTRY_BYTES];
                for index in 0..self.entries {
                    reader.read_exact(&mut bytes)?;
                    if !see(index, BookEntry::from_bytes(&bytes)) {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// The entry with this number.
    fn entry(&self, index: u64) -> io::Result<BookEntry> {
        let mut bytes = [0; ENTRY_BYTES];
        let start = index * ENTRY_BYTES as u64;
        match &self.source {
            Source::Memory(all) => {
                let start = start as usize;
                let slice = all.get(start..start + ENTRY_BYTES);
                bytes.copy_from_slice(slice.ok_or(io::ErrorKind::UnexpectedEof)?);
            }
            Source::File(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(start))?;
                file.read_exact(&mut bytes)?;
            }
        }
        Ok(BookEntry::from_bytes(&bytes))
    }

    /// All entries under a key, in the order of the file.
    ///
    /// # Errors
    /// What the system said when the file could not be read.
    pub fn find(&self, key: u64) -> io::Result<Vec<BookEntry>> {
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.entry(middle)?.key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut found = Vec::new();
        while low < self.entries {
            let entry = self.entry(low)?;
            if entry.key != key {
                break;
            }
            found.push(entry);
            low += 1;
        }
        Ok(found)
    }

    /// The moves of the position on the board, best first, and the entries whose move is not legal there. A move that
    /// stands twice counts once, with its first weight.
    ///
    /// # Errors
    /// What the system said when the file could not be read.
    pub fn moves(&self, game: &Game) -> io::Result<(Vec<BookMove>, Vec<BookEntry>)> {
        Ok(split_legal(game.position(), self.find(game.book_key())?))
    }
}

/// Entries of one position as moves, and those that are none.
#[must_use]
pub fn split_legal(
    position: &Position,
    entries: Vec<BookEntry>,
) -> (Vec<BookMove>, Vec<BookEntry>) {
    let (mut moves, mut illegal): (Vec<BookMove>, _) = (Vec::new(), Vec::new());
    for entry in entries {
        match entry.to_move(position) {
            Some(mv) if moves.iter().any(|known| known.mv == mv) => {}
            Some(mv) => moves.push(BookMove {
                mv,
                weight: entry.weight,
                learn: entry.learn,
            }),
            None => illegal.push(entry),
        }
    }
    moves.sort_by_key(|known| std::cmp::Reverse(known.weight));
    (moves, illegal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::entry;

    fn book_of(bytes: Vec<u8>) -> Result<Book, BookError> {
        Book::of_bytes(Path::new("test.bin"), Cow::Owned(bytes))
    }

    fn entries(count: u64) -> Vec<BookEntry> {
        let entry = |index: u64| BookEntry {
            key: (index / 3) << 40,
            raw_move: index as u16,
            weight: 100 - (index % 3) as u16,
            learn: 7,
        };
        (0..count).map(entry).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let wanted = entries(1000);
        let mut bytes = Vec::new();
        let mut shuffled = wanted.clone();
        crate::base::random::Random::new(1, 1).shuffle(&mut shuffled);
        assert!(entry::write(&mut shuffled, &mut bytes).is_ok());
        let book = book_of(bytes).unwrap_or_else(|error| panic!("{error}"));
        let mut read = Vec::new();
        let done = book.for_each(|_, entry| {
            read.push(entry);
            true
        });
        assert!(done.is_ok());
        assert_eq!(read, wanted);
        for index in 0..334 {
            let found = book.find(index << 40).unwrap_or_default();
            let (first, last) = (3 * index as usize, (3 * index as usize + 3).min(1000));
            assert_eq!(found, wanted[first..last], "{index}");
        }
        assert!(book.find(1).is_ok_and(|found| found.is_empty()));
        assert!(book.find(u64::MAX).is_ok_and(|found| found.is_empty()));
    }

    #[test]
    fn what_is_no_book_is_refused() {
        assert!(matches!(
            book_of(Vec::new()),
            Err(BookError::Empty { bytes: 0, .. })
        ));
        assert!(matches!(
            book_of(vec![1; 15]),
            Err(BookError::Empty { bytes: 15, .. })
        ));
        let text = "This is no book, but some words that go on and on.";
        assert!(matches!(
            book_of(text.into()),
            Err(BookError::Unsorted { .. })
        ));
        let mut bytes: Vec<u8> = entries(9).iter().flat_map(|e| e.to_bytes()).collect();
        bytes.truncate(9 * 16 - 5);
        let book = book_of(bytes.clone()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((book.len(), book.trailing_bytes()), (8, 11));
        bytes.truncate(8 * ENTRY_BYTES);
        bytes.rotate_left(3 * ENTRY_BYTES);
        assert!(matches!(
            book_of(bytes),
            Err(BookError::Unsorted { index: 5, .. })
        ));
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = Book::open(Path::new("/no/such/book.bin"));
        assert!(error.is_err_and(|error| error.to_string().starts_with("/no/such/book.bin: ")));
        assert!(Book::open(Path::new("/")).is_err());
    }
}
