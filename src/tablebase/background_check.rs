//! Checks the checksums of large tables in the background, while they are already in use.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::checksum::{self, CHUNK, SUM_BYTES};
use crate::base::sync::Mutex;

/// Larger tables are not checked: their checksum is of another kind.
pub const MAX_BYTES: u64 = 4 * CHUNK as u64 + SUM_BYTES as u64;
/// The thread pauses after reading this many bytes, and again after hashing as many, so that a search on the same processor
/// loses less than a tenth of it.
pub const PIECE_BYTES: usize = 1 << 20;
const PAUSE: Duration = Duration::from_millis(25);

/// A table to check.
struct Job {
    path: PathBuf,
    is_damaged: Arc<AtomicBool>,
}

#[derive(Default)]
struct Jobs {
    waiting: VecDeque<Job>,
    is_running: bool,
}

/// Checks tables one by one on a thread of its own, which ends when none is left or when this is dropped.
#[derive(Default)]
pub struct BackgroundCheck {
    jobs: Arc<Mutex<Jobs>>,
    is_cancelled: Arc<AtomicBool>,
}

impl BackgroundCheck {
    /// Queues a table. The flag is set if its checksum is wrong.
    pub fn add(&self, path: &Path) -> Arc<AtomicBool> {
        let is_damaged = Arc::new(AtomicBool::new(false));
        let mut jobs = self.jobs.lock();
        jobs.waiting.push_back(Job {
            path: path.to_owned(),
            is_damaged: Arc::clone(&is_damaged),
        });
        if !jobs.is_running {
            let (queue, is_cancelled) = (Arc::clone(&self.jobs), Arc::clone(&self.is_cancelled));
            let named = thread::Builder::new().name("checksums".to_owned());
            // Without a thread the tables are used unchecked.
            jobs.is_running = named.spawn(move || run(&queue, &is_cancelled)).is_ok();
        }
        is_damaged
    }
}

impl Drop for BackgroundCheck {
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }
}

/// The thread: checks tables until none is left.
fn run(jobs: &Mutex<Jobs>, is_cancelled: &AtomicBool) {
    let mut pause = || {
        if is_cancelled.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        thread::sleep(PAUSE);
        Ok(())
    };
    loop {
        let next = {
            let mut jobs = jobs.lock();
            let next = jobs.waiting.pop_front();
            jobs.is_running = next.is_some();
            next
        };
        let Some(job) = next else { return };
        // A file that cannot be read is reported where it is used.
        if is_intact(&job.path, &mut pause).is_ok_and(|intact| !intact) {
            job.is_damaged.store(true, Ordering::Relaxed);
        }
    }
}

/// Whether the checksum of a table of at most [`MAX_BYTES`] is right.
fn is_intact(path: &Path, pause: &mut dyn FnMut() -> io::Result<()>) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let mut left = file.metadata()?.len().min(MAX_BYTES) as usize - SUM_BYTES;
    let mut chunk = vec![0; CHUNK.min(left)];
    let mut hashes = Vec::new();
    while left > 0 {
        chunk.truncate(left);
        for piece in chunk.chunks_mut(PIECE_BYTES) {
            file.read_exact(piece)?;
            pause()?;
        }
        hashes.push(checksum::chunk_hash(&chunk, PIECE_BYTES, &mut || {
            let _ = pause();
        }));
        left -= chunk.len();
    }
    let mut sum = [0; SUM_BYTES];
    file.read_exact(&mut sum)?;
    Ok(checksum::of_hashes(&hashes) == sum)
}
