//! Where the bytes of tables come from: the program, or a disk.
//! Uses: embedded, shakmaty-syzygy (its view of a file system). Used by: catalogue.
//! Idea: a small file is read whole when it is first asked, a large one block by block; what is wrong with a file is
//! noted and told later, by whoever may talk.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};
use thiserror::Error;

use super::embedded;

/// A path that begins so lies in the program.
pub const EMBEDDED_FOLDER: &str = "(in the program)";
/// A file of at most this many bytes is read whole.
const WHOLE_FILE_BYTES: u64 = 1 << 20;
/// The length of every table leaves this rest when divided by [`LENGTH_STEP`].
const LENGTH_REST: u64 = 16;
const LENGTH_STEP: u64 = 64;

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
#[derive(Default)]
pub struct Files {
    faults: Mutex<Vec<TableFault>>,
}

impl Files {
    /// Notes that a file is not to be used.
    pub fn note(&self, fault: TableFault) {
        let mut faults = self.faults.lock();
        if !faults.contains(&fault) {
            faults.push(fault);
        }
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
            return Ok(Box::new(Memory(fs::read(path)?)));
        }
        Ok(Box::new(Disk(File::open(path)?)))
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
struct Disk(File);

impl RandomAccessFile for Disk {
    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], offset: u64, _hint: ReadHint) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.0, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, buffer: &mut [u8], offset: u64, _hint: ReadHint) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(&self.0, buffer, offset)
    }
}
