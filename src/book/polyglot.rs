//! A Polyglot book, in memory or in a file.
//!
//! Opening a book checks that its keys are sorted, since look-ups are binary searches. Books up to 64 MiB are read into
//! memory; larger ones are searched on disk, and opening them checks only a sample of their keys.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::entry::{BookEntry, BookMove, ENTRY_BYTES};
use crate::base::sync::Mutex;
use crate::chess::{Game, Position};

/// Books up to this many bytes are read into memory.
const IN_MEMORY: u64 = 64 << 20;
/// Entries of a larger book whose order is checked when it is opened.
const SAMPLE: u64 = 1024;
/// The most entries returned for one position; no position has more than 218 moves.
const MAX_FOUND: usize = 4096;

/// Why a file is not a usable book.
#[derive(Debug, Error)]
pub enum BookError {
    #[error("{}: {error}", path.display())]
    Io {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    /// The file is shorter than one entry.
    #[error("{}: no entry in it ({bytes} bytes; an entry has 16)", path.display())]
    Empty { path: PathBuf, bytes: u64 },
    /// The keys are not in ascending order.
    #[error("{}: not a sorted Polyglot book: entry {index} (byte {}) is out of order", path.display(), index * 16)]
    Unsorted {
        path: PathBuf,
        /// An entry whose key is below one before it.
        index: u64,
    },
}

#[derive(Debug)]
enum Storage {
    Memory(Cow<'static, [u8]>),
    File(Mutex<File>),
}

/// A sorted Polyglot book.
#[derive(Debug)]
pub struct Book {
    path: PathBuf,
    storage: Storage,
    entries: u64,
    trailing_bytes: u64,
}

impl Book {
    /// Opens a book and checks the order of its entries, of a book on disk only that of a sample: reading it all could take
    /// minutes ([`Book::check_order`] does). A truncated last entry is ignored and counted by [`Book::trailing_bytes`].
    ///
    /// # Errors
    /// [`BookError`] if the file cannot be read, has no entry or is not sorted.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let failed = |error| BookError::Io {
            path: path.to_owned(),
            error,
        };
        // Opening a pipe would block until another process writes.
        let metadata = path.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        if !metadata.is_file() {
            return Err(failed(io::Error::other("not a regular file")));
        }
        // Reading some files without a length, such as `/proc/kmsg`, would block.
        if metadata.len() == 0 {
            let path = path.to_owned();
            return Err(BookError::Empty { path, bytes: 0 });
        }
        let file = File::open(path).map_err(failed)?;
        if metadata.len() > IN_MEMORY {
            let entries = metadata.len() / ENTRY_BYTES as u64;
            let book = Self {
                path: path.to_owned(),
                trailing_bytes: metadata.len() % ENTRY_BYTES as u64,
                entries,
                storage: Storage::File(Mutex::new(file)),
            };
            book.check_sample()?;
            return Ok(book);
        }
        // The file may have grown since `metadata`.
        let mut bytes = Vec::new();
        file.take(IN_MEMORY + 1)
            .read_to_end(&mut bytes)
            .map_err(failed)?;
        if bytes.len() as u64 > IN_MEMORY {
            return Err(failed(io::ErrorKind::FileTooLarge.into()));
        }
        Self::from_bytes(path, Cow::Owned(bytes))
    }

    /// A book in memory; `path` is for messages only.
    ///
    /// # Errors
    /// [`BookError`] if there is no entry or the entries are not sorted.
    pub fn from_bytes(path: &Path, bytes: Cow<'static, [u8]>) -> Result<Self, BookError> {
        let length = bytes.len();
        let book = Self {
            path: path.to_owned(),
            entries: (length / ENTRY_BYTES) as u64,
            trailing_bytes: (length % ENTRY_BYTES) as u64,
            storage: Storage::Memory(bytes),
        };
        if book.entries == 0 {
            return Err(BookError::Empty {
                path: book.path,
                bytes: book.trailing_bytes,
            });
        }
        book.check_order()?;
        Ok(book)
    }

    /// Checks that evenly spaced entries are in order.
    fn check_sample(&self) -> Result<(), BookError> {
        let mut last = 0;
        for number in 0..SAMPLE.min(self.entries) {
            let index = (u128::from(number) * u128::from(self.entries) / u128::from(SAMPLE)) as u64;
            let entry = self.entry(index).map_err(|error| BookError::Io {
                path: self.path.clone(),
                error,
            })?;
            if entry.key < last {
                let path = self.path.clone();
                return Err(BookError::Unsorted { path, index });
            }
            last = entry.key;
        }
        Ok(())
    }

    /// Reads the whole book to check that its entries are in order.
    ///
    /// # Errors
    /// [`BookError`] if it cannot be read or is not sorted.
    pub fn check_order(&self) -> Result<(), BookError> {
        let mut last = 0;
        let mut unsorted = None;
        self.for_each(|index, entry| {
            if entry.key < last {
                unsorted = Some(index);
            }
            last = entry.key;
            unsorted.is_none()
        })
        .map_err(|error| BookError::Io {
            path: self.path.clone(),
            error,
        })?;
        match unsorted {
            Some(index) => Err(BookError::Unsorted {
                path: self.path.clone(),
                index,
            }),
            None => Ok(()),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Number of entries, at least 1.
    #[expect(clippy::len_without_is_empty, reason = "a book is never empty")]
    pub const fn len(&self) -> u64 {
        self.entries
    }

    /// Bytes after the last whole entry, which are ignored.
    pub const fn trailing_bytes(&self) -> u64 {
        self.trailing_bytes
    }

    /// Calls `visit` with the index and value of each entry in order, until it returns false.
    ///
    /// # Errors
    /// If the file cannot be read.
    #[doc(hidden)]
    pub fn for_each(&self, mut visit: impl FnMut(u64, BookEntry) -> bool) -> io::Result<()> {
        match &self.storage {
            Storage::Memory(bytes) => {
                let (entries, _) = bytes.as_chunks::<ENTRY_BYTES>();
                for (index, bytes) in entries.iter().enumerate() {
                    if !visit(index as u64, BookEntry::from_bytes(bytes)) {
                        break;
                    }
                }
            }
            Storage::File(file) => {
                let mut file = file.lock();
                file.seek(SeekFrom::Start(0))?;
                let mut reader = BufReader::with_capacity(1 << 16, &mut *file);
                let mut bytes = [0; ENTRY_BYTES];
                for index in 0..self.entries {
                    reader.read_exact(&mut bytes)?;
                    if !visit(index, BookEntry::from_bytes(&bytes)) {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    fn entry(&self, index: u64) -> io::Result<BookEntry> {
        let mut bytes = [0; ENTRY_BYTES];
        let start = index * ENTRY_BYTES as u64;
        match &self.storage {
            Storage::Memory(all) => {
                let start = start as usize;
                let slice = all.get(start..start + ENTRY_BYTES);
                bytes.copy_from_slice(slice.ok_or(io::ErrorKind::UnexpectedEof)?);
            }
            Storage::File(file) => {
                let mut file = file.lock();
                file.seek(SeekFrom::Start(start))?;
                file.read_exact(&mut bytes)?;
            }
        }
        Ok(BookEntry::from_bytes(&bytes))
    }

    /// All entries with this key, in the order of the file.
    ///
    /// # Errors
    /// If the file cannot be read.
    #[doc(hidden)]
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
        while low < self.entries && found.len() < MAX_FOUND {
            let entry = self.entry(low)?;
            if entry.key != key {
                break;
            }
            found.push(entry);
            low += 1;
        }
        Ok(found)
    }

    /// The moves of the current position by falling weight, and the entries whose move is illegal there. Of duplicate
    /// moves the first counts.
    ///
    /// # Errors
    /// If the file cannot be read.
    #[doc(hidden)]
    pub fn moves(&self, game: &Game) -> io::Result<(Vec<BookMove>, Vec<BookEntry>)> {
        Ok(split_legal(game.position(), self.find(game.book_key())?))
    }
}

/// Splits the entries of one position into legal moves, by falling weight, and entries with illegal moves.
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
        Book::from_bytes(Path::new("test.bin"), Cow::Owned(bytes))
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
    fn a_written_book_is_read_back() {
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
    fn empty_and_unsorted_files_are_rejected() {
        assert!(matches!(
            book_of(Vec::new()),
            Err(BookError::Empty { bytes: 0, .. })
        ));
        assert!(matches!(
            book_of(vec![1; 15]),
            Err(BookError::Empty { bytes: 15, .. })
        ));
        let text = "Some text that is not a book and not sorted at all.";
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

    /// A file with a hole takes no space on disk.
    #[test]
    #[cfg(unix)]
    fn a_book_of_10_gigabytes_is_opened_at_once() {
        let path = std::env::temp_dir().join(format!("lucena-hole-{}.bin", std::process::id()));
        let file = std::fs::File::create(&path).unwrap_or_else(|error| panic!("{error}"));
        assert!(file.set_len(10 << 30).is_ok());
        let started = std::time::Instant::now();
        assert!(Book::open(&path).is_ok_and(|book| book.len() == 10 << 26));
        assert!(started.elapsed().as_secs() < 2);
        // The first key is above all others.
        assert!(std::os::unix::fs::FileExt::write_all_at(&file, &[1], 0).is_ok());
        let opened = Book::open(&path);
        assert!(std::fs::remove_file(&path).is_ok());
        assert!(matches!(opened, Err(BookError::Unsorted { .. })));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_special_file_is_not_read() {
        let opened = Book::open(Path::new("/proc/kmsg"));
        assert!(matches!(
            opened,
            Err(BookError::Empty { .. } | BookError::Io { .. })
        ));
    }

    #[test]
    fn the_error_names_a_missing_file() {
        let error = Book::open(Path::new("/no/such/book.bin"));
        assert!(error.is_err_and(|error| error.to_string().starts_with("/no/such/book.bin: ")));
        assert!(Book::open(Path::new("/")).is_err());
    }
}
