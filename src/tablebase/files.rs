//! Where the bytes of tables come from: the program, or a disk.
//! Uses: embedded, generate (its reader of files), shakmaty-syzygy (its view of a file system). Used by: catalogue.
//! Idea: a small file is read whole when it is first asked, a large one block by block; what is wrong with a file is
//! noted and told later, by whoever may talk. A disk that answers too slowly is left alone for a while, so that no search
//! waits for it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};
use thiserror::Error;

use super::checksum;
use super::embedded;
use crate::base::sync::Mutex;

/// A path that begins so lies in the program.
pub const EMBEDDED_FOLDER: &str = "(in the program)";
/// A file of at most this many bytes is read whole.
const WHOLE_FILE_BYTES: u64 = 1 << 20;
/// The length of every table leaves this rest when divided by [`LENGTH_STEP`].
const LENGTH_REST: u64 = 16;
const LENGTH_STEP: u64 = 64;

/// A read that takes this long shows a disk on which no search should wait.
const SLOW_READ: Duration = Duration::from_millis(20);
/// After a slow read no file is read for this long, twice as long after each further one in a row.
const FIRST_REST: Duration = Duration::from_secs(1);
/// So often is the rest doubled at most: a minute.
const MOST_DOUBLINGS: u32 = 6;

/// Why a table or a folder of tables is not used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TableFault {
    /// The folder cannot be read.
    #[error("tables: folder {path}: {reason}")]
    Folder {
        /// The folder.
        path: String,
        /// What the system said.
        reason: String,
    },
    /// The folder holds tables of another kind of chess.
    #[error(
        "tables: folder {path}: {count} tables of another kind of chess (such as {example}) are not used"
    )]
    Variant {
        /// The folder.
        path: String,
        /// How many.
        count: usize,
        /// One of them.
        example: String,
    },
    /// The file cannot be used.
    #[error("tables: {path}: {reason}; it is not used")]
    File {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// The program's tables and the disk as one file system.
pub struct Files {
    faults: Mutex<Vec<TableFault>>,
    pace: Arc<Pace>,
}

/// How fast the disk answers.
struct Pace {
    /// Whoever asks has time: the disk never rests.
    patient: bool,
    origin: Instant,
    /// No file is read before this many milliseconds from the origin.
    rests_until: AtomicU64,
    /// Slow reads without a fast one between them.
    slow_reads: AtomicU64,
}

impl Pace {
    fn new(patient: bool) -> Self {
        Self {
            patient,
            origin: Instant::now(),
            rests_until: AtomicU64::new(0),
            slow_reads: AtomicU64::new(0),
        }
    }

    fn is_resting(&self) -> bool {
        let until = self.rests_until.load(Ordering::Relaxed);
        until > 0 && (self.origin.elapsed().as_millis() as u64) < until
    }

    /// Reads, unless the disk was slow a moment ago, and sees how long that took.
    fn timed<T>(&self, read: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        if self.is_resting() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let started = Instant::now();
        let found = read();
        if started.elapsed() < SLOW_READ {
            self.slow_reads.store(0, Ordering::Relaxed);
        } else if !self.patient {
            let before = self.slow_reads.fetch_add(1, Ordering::Relaxed);
            let rest = FIRST_REST * (1 << before.min(u64::from(MOST_DOUBLINGS)));
            let until = (self.origin.elapsed() + rest).as_millis() as u64;
            self.rests_until.fetch_max(until, Ordering::Relaxed);
        }
        found
    }
}

impl Files {
    /// The file system, for those who wait for a slow disk (`patient`) or those who do not.
    pub fn new(patient: bool) -> Self {
        Self {
            faults: Mutex::default(),
            pace: Arc::new(Pace::new(patient)),
        }
    }

    /// Notes that a file is not to be used.
    pub fn note(&self, fault: TableFault) {
        let mut faults = self.faults.lock();
        if !faults.contains(&fault) {
            faults.push(fault);
        }
    }

    /// Notes what is wrong with a file.
    pub fn note_file(&self, path: &Path, reason: String) {
        let path = path.display().to_string();
        self.note(TableFault::File { path, reason });
    }

    /// Whether files on disk are left alone for a while.
    pub fn is_resting(&self) -> bool {
        self.pace.is_resting()
    }

    /// What was noted since this was asked last.
    pub fn take_faults(&self) -> Vec<TableFault> {
        std::mem::take(&mut self.faults.lock())
    }
}

/// The table in the program that a path means.
fn embedded_at(path: &Path) -> Option<&'static [u8]> {
    let name = path.strip_prefix(EMBEDDED_FOLDER).ok()?.to_str()?;
    embedded::find(name).map(|table| table.bytes)
}

/// Checks what can be checked without opening a file: that it is one, and its length.
pub fn check_length(path: &Path) -> Result<u64, String> {
    let length = if let Some(bytes) = embedded_at(path) {
        bytes.len() as u64
    } else {
        let metadata = fs::metadata(path).map_err(|error| error.to_string())?;
        if !metadata.is_file() {
            return Err("not a regular file".to_owned());
        }
        metadata.len()
    };
    if length % LENGTH_STEP == LENGTH_REST {
        Ok(length)
    } else {
        Err(format!(
            "no table has a length of {length} bytes: truncated or not a table"
        ))
    }
}

impl Filesystem for Files {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        check_length(path).map_err(io::Error::other)
    }

    fn read_dir(&self, _path: &Path) -> io::Result<Vec<PathBuf>> {
        // The catalogue lists folders itself, so that one bad file does not hide the others.
        Err(io::ErrorKind::Unsupported.into())
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        if let Some(bytes) = embedded_at(path) {
            return Ok(Box::new(Memory(bytes)));
        }
        let length = check_length(path).map_err(io::Error::other)?;
        if length <= WHOLE_FILE_BYTES {
            let bytes = self.pace.timed(|| fs::read(path))?;
            if checksum::verified(&bytes).is_none() {
                return Err(io::Error::other("its checksum is wrong: it is damaged"));
            }
            return Ok(Box::new(Memory(bytes)));
        }
        Ok(Box::new(Disk {
            file: self.pace.timed(|| File::open(path))?,
            pace: Arc::clone(&self.pace),
        }))
    }
}

/// A file in memory.
struct Memory<T>(T);

impl<T: AsRef<[u8]> + Send + Sync> RandomAccessFile for Memory<T> {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _hint: ReadHint) -> io::Result<usize> {
        let bytes = self.0.as_ref();
        let rest = usize::try_from(offset)
            .ok()
            .and_then(|offset| bytes.get(offset..));
        let rest = rest.ok_or(io::ErrorKind::UnexpectedEof)?;
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}

/// A file on disk. Read by position, not mapped: a disk that fails gives an error then and not the end of the program.
struct Disk {
    file: File,
    pace: Arc<Pace>,
}

impl RandomAccessFile for Disk {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _hint: ReadHint) -> io::Result<usize> {
        self.pace.timed(|| read_at(&self.file, buffer, offset))
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_disk_is_left_alone() {
        let pace = Pace::new(false);
        assert_eq!(pace.timed(|| Ok(1)).ok(), Some(1));
        assert!(!pace.is_resting());
        let slow = pace.timed(|| {
            std::thread::sleep(SLOW_READ);
            Ok(2)
        });
        assert_eq!(slow.ok(), Some(2));
        assert!(pace.is_resting());
        let refused = pace.timed(|| Ok(3)).expect_err("the disk rests");
        assert_eq!(refused.kind(), io::ErrorKind::TimedOut);
    }
}
