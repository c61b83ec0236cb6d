//! The file system of the Syzygy reader: built-in tables and files on disk.
//! Small files are read whole on first use and their checksum is verified; large ones are read block by block, and their
//! checksum is verified in the background. After a slow read the disk is not used for a while, so that no search waits for
//! it.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};
use thiserror::Error;

use super::background_check::{BackgroundCheck, MAX_BYTES};
use super::checksum;
use super::embedded;
use crate::base::clock::Instant;
use crate::base::sync::Mutex;

/// The folder of the built-in tables, in paths.
pub const EMBEDDED_FOLDER: &str = "(in the program)";
/// Files up to this length are read whole.
const WHOLE_FILE_BYTES: u64 = 1 << 20;
/// A table is a number of 64-byte blocks and a 16-byte checksum.
const BLOCK_BYTES: u64 = 64;
const CHECKSUM_BYTES: u64 = checksum::SUM_BYTES as u64;

const WRONG_CHECKSUM: &str = "wrong checksum: damaged";

/// A read that takes longer is slow.
const SLOW_READ: Duration = Duration::from_millis(20);
/// The pause after a slow read, doubled with each further slow read in a row up to 64 seconds.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const MAX_DOUBLINGS: u32 = 6;

/// Why a table or a folder of tables is not used.
#[derive(Clone, Debug, Error, PartialEq, Eq, Hash)]
pub enum TableFault {
    /// The folder cannot be read.
    #[error("tablebases: folder {path}: {reason}")]
    Folder { path: String, reason: String },
    /// The folder holds tables of other chess variants.
    #[error(
        "tablebases: folder {path}: {count} tables of other chess variants (such as {example}) are not used"
    )]
    Variant {
        path: String,
        count: usize,
        /// The name of one of the files.
        example: String,
    },
    /// The file cannot be used.
    #[error("tablebases: {path}: {reason}; the file is not used")]
    File { path: String, reason: String },
}

/// The faults found, in order and as a set.
#[derive(Default)]
struct Faults {
    list: Vec<TableFault>,
    known: HashSet<TableFault>,
}

/// Built-in tables and the disk as one file system.
pub struct Files {
    faults: Mutex<Faults>,
    disk: Arc<DiskSpeed>,
    check: BackgroundCheck,
}

/// Measures reads, and pauses reading after a slow one.
struct DiskSpeed {
    /// Never pauses.
    wait_for_disk: bool,
    start: Instant,
    /// End of the pause, in milliseconds from `start`.
    paused_until: AtomicU64,
    /// Slow reads in a row.
    slow_reads: AtomicU64,
}

impl DiskSpeed {
    fn new(wait_for_disk: bool) -> Self {
        Self {
            wait_for_disk,
            start: Instant::now(),
            paused_until: AtomicU64::new(0),
            slow_reads: AtomicU64::new(0),
        }
    }

    fn is_paused(&self) -> bool {
        let until = self.paused_until.load(Ordering::Relaxed);
        until > 0 && (self.start.elapsed().as_millis() as u64) < until
    }

    /// Reads, and measures the time; fails with `TimedOut` during a pause.
    fn timed<T>(&self, read: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        if self.is_paused() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let started = Instant::now();
        let found = read();
        if started.elapsed() < SLOW_READ {
            self.slow_reads.store(0, Ordering::Relaxed);
        } else if !self.wait_for_disk {
            let before = self.slow_reads.fetch_add(1, Ordering::Relaxed);
            let pause = FIRST_PAUSE * (1 << before.min(u64::from(MAX_DOUBLINGS)));
            let until = (self.start.elapsed() + pause).as_millis() as u64;
            self.paused_until.fetch_max(until, Ordering::Relaxed);
        }
        found
    }
}

impl Files {
    pub fn new(wait_for_disk: bool) -> Self {
        Self {
            faults: Mutex::default(),
            disk: Arc::new(DiskSpeed::new(wait_for_disk)),
            check: BackgroundCheck::default(),
        }
    }

    /// Keeps a fault for [`Self::take_faults`], once.
    pub fn report(&self, fault: TableFault) {
        let mut faults = self.faults.lock();
        if faults.known.insert(fault.clone()) {
            faults.list.push(fault);
        }
    }

    pub fn report_file(&self, path: &Path, reason: String) {
        let path = path.display().to_string();
        self.report(TableFault::File { path, reason });
    }

    /// Whether the disk is not used for now, since it was slow.
    pub fn is_paused(&self) -> bool {
        self.disk.is_paused()
    }

    /// Faults since the last call.
    pub fn take_faults(&self) -> Vec<TableFault> {
        std::mem::take(&mut self.faults.lock().list)
    }
}

/// The built-in table at a path.
fn embedded_at(path: &Path) -> Option<&'static [u8]> {
    let name = path.strip_prefix(EMBEDDED_FOLDER).ok()?.to_str()?;
    embedded::find(name).map(|table| table.bytes)
}

/// The length of a regular file, if a table can have it.
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
    if length % BLOCK_BYTES == CHECKSUM_BYTES {
        Ok(length)
    } else {
        Err(format!(
            "truncated or not a table: {length} bytes, expected a multiple of {BLOCK_BYTES} and {CHECKSUM_BYTES}"
        ))
    }
}

impl Filesystem for Files {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        check_length(path).map_err(io::Error::other)
    }

    fn read_dir(&self, _path: &Path) -> io::Result<Vec<PathBuf>> {
        // The catalogue lists folders itself, so that one bad file does not exclude the others.
        Err(io::ErrorKind::Unsupported.into())
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        if let Some(bytes) = embedded_at(path) {
            return Ok(Box::new(Memory(bytes)));
        }
        let length = check_length(path).map_err(io::Error::other)?;
        if length <= WHOLE_FILE_BYTES {
            let bytes = self.disk.timed(|| fs::read(path))?;
            if checksum::verified(&bytes).is_none() {
                return Err(io::Error::other(WRONG_CHECKSUM));
            }
            return Ok(Box::new(Memory(bytes)));
        }
        let file = self.disk.timed(|| File::open(path))?;
        let is_damaged = if length <= MAX_BYTES {
            self.check.add(path)
        } else {
            Arc::default()
        };
        Ok(Box::new(Disk {
            file,
            speed: Arc::clone(&self.disk),
            is_damaged,
        }))
    }
}

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

/// A file on disk, read by position and not mapped, so that a failing disk gives an error and not a crash.
struct Disk {
    file: File,
    speed: Arc<DiskSpeed>,
    /// Set once its checksum turns out to be wrong.
    is_damaged: Arc<AtomicBool>,
}

impl RandomAccessFile for Disk {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _hint: ReadHint) -> io::Result<usize> {
        if self.is_damaged.load(Ordering::Relaxed) {
            return Err(io::Error::other(WRONG_CHECKSUM));
        }
        self.speed.timed(|| read_at(&self.file, buffer, offset))
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

/// There are no files.
#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_read_pauses_the_disk() {
        let disk = DiskSpeed::new(false);
        assert_eq!(disk.timed(|| Ok(1)).ok(), Some(1));
        assert!(!disk.is_paused());
        let slow = disk.timed(|| {
            std::thread::sleep(SLOW_READ);
            Ok(2)
        });
        assert_eq!(slow.ok(), Some(2));
        assert!(disk.is_paused());
        let refused = disk.timed(|| Ok(3)).expect_err("the disk is paused");
        assert_eq!(refused.kind(), io::ErrorKind::TimedOut);
    }

    #[test]
    fn a_fault_is_reported_once() {
        let files = Files::new(false);
        for expected in [1, 0] {
            files.report_file(Path::new("KQvK.rtbw"), WRONG_CHECKSUM.to_owned());
            assert_eq!(files.take_faults().len(), expected);
        }
    }

    #[test]
    fn a_damaged_large_file_fails_soon_after_its_first_use() {
        const LENGTH: usize = 3 << 20;
        let folder = std::env::temp_dir().join(format!("lucena-large-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let body: Vec<u8> = (0..LENGTH).map(|at| (at * at >> 7) as u8).collect();
        let good = [&body[..], &checksum::checksum(&body)].concat();
        let mut damaged = good.clone();
        damaged[LENGTH / 2] ^= 1;
        let files = Files::new(true);
        let open = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            fs::write(&path, bytes).expect("a file");
            files.open(&path).expect("a table")
        };
        let (damaged, good) = (open("damaged", &damaged), open("good", &good));
        let read = |file: &dyn RandomAccessFile| {
            file.read_at(&mut [0; 64], 64, ReadHint::Data)
                .map_err(|error| error.to_string())
        };
        // The first read does not wait for the check.
        assert_eq!(read(&*good), Ok(64));
        let deadline = Instant::now() + Duration::from_mins(1);
        while read(&*damaged).is_ok() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(read(&*damaged), Err(WRONG_CHECKSUM.to_owned()));
        // Checked in order.
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(read(&*good), Ok(64));
        fs::remove_dir_all(&folder).expect("removed");
    }
}
