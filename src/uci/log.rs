//! The debug log: both sides of the dialogue in a file, with the time of each line.
//! Uses: nothing of the house. Used by: print, options.
//! Idea: what was said and when settles whose fault a lost game was. A thread that means to wake every few milliseconds
//! and is woken late shows that the machine had no time for this process; so does what the system tells of each search.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::base::sync::{Mutex, MutexGuard};

/// How often the watch wakes.
const WATCH: Duration = Duration::from_millis(10);
/// Waking later than this is worth a line.
const GAP: Duration = Duration::from_millis(50);
/// So many of the client's lines a closed log remembers. It is opened by an option that waits its turn, and what the client
/// said meanwhile belongs into it.
const REMEMBERED_LINES: usize = 64;

/// Who said a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The client.
    Client,
    /// The engine.
    Engine,
    /// Neither: a remark of the log itself.
    Log,
}

/// A log that is closed until it gets a file.
#[derive(Clone)]
pub struct Log {
    started: Instant,
    open: Arc<AtomicBool>,
    book: Arc<Mutex<Book>>,
}

/// Where lines go.
#[derive(Default)]
struct Book {
    file: Option<File>,
    /// The client's last lines while there is no file, ready to be written.
    remembered: VecDeque<Vec<u8>>,
}

impl Log {
    /// A closed log; times count from here.
    #[must_use]
    pub fn new() -> Self {
        Self {
            started: Instant::now(),
            open: Arc::default(),
            book: Arc::default(),
        }
    }

    /// Goes on at the end of this file, with the client's last lines before this.
    ///
    /// # Errors
    /// Why the file cannot be written; the log is closed then.
    pub fn open(&self, path: &Path) -> io::Result<()> {
        self.close();
        // Opening a pipe would wait for whoever reads from it.
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::other("not a regular file"));
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        let epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let seconds = epoch.unwrap_or_default().as_secs();
        let version = env!("CARGO_PKG_VERSION");
        let text = format!("{seconds} s since 1970, version {version}");
        file.write_all(&self.written(Speaker::Log, text.as_bytes()))?;
        let mut book = self.lock();
        for line in book.remembered.drain(..) {
            file.write_all(&line)?;
        }
        book.file = Some(file);
        let first = !self.open.swap(true, Ordering::SeqCst);
        drop(book);
        if first {
            let log = self.clone();
            thread::Builder::new()
                .name("watch".to_owned())
                .spawn(move || log.watch())?;
        }
        Ok(())
    }

    /// Writes no more.
    pub fn close(&self) {
        self.open.store(false, Ordering::SeqCst);
        self.lock().file = None;
    }

    fn lock(&self) -> MutexGuard<'_, Book> {
        self.book.lock()
    }

    /// Lines as they stand in the file: process, seconds since its start, who spoke, what was said.
    fn written(&self, speaker: Speaker, text: &[u8]) -> Vec<u8> {
        let sign = match speaker {
            Speaker::Client => '>',
            Speaker::Engine => '<',
            Speaker::Log => '!',
        };
        let seconds = self.started.elapsed().as_secs_f64();
        let mut bytes = Vec::with_capacity(text.len() + 32);
        for line in text.trim_ascii_end().split(|&byte| byte == b'\n') {
            bytes.extend_from_slice(format!("{} {seconds:.6} {sign} ", process::id()).as_bytes());
            bytes.extend_from_slice(line);
            bytes.push(b'\n');
        }
        bytes
    }

    /// Notes a line, if the log is open or may be before long.
    pub fn note(&self, speaker: Speaker, text: &[u8]) {
        if speaker != Speaker::Client && !self.open.load(Ordering::Relaxed) {
            return;
        }
        let bytes = self.written(speaker, text);
        let mut book = self.lock();
        if let Some(file) = &mut book.file {
            // A log that cannot be written must not disturb the game.
            if file.write_all(&bytes).is_err() {
                book.file = None;
            }
            return;
        }
        if book.remembered.len() == REMEMBERED_LINES {
            book.remembered.pop_front();
        }
        book.remembered.push_back(bytes);
    }

    /// Begins to measure a search, if the log is open.
    #[must_use]
    pub fn measure(&self) -> Option<Duration> {
        self.open.load(Ordering::Relaxed).then(waited)
    }

    /// Notes how long a search took by this process's own clock, and for how much of it its threads wanted a processor
    /// and had none; `before` is what [`Self::measure`] gave.
    pub fn measured(&self, before: Option<Duration>, took: Duration) {
        let Some(before) = before else { return };
        let waited = waited().saturating_sub(before);
        let sign = if waited > GAP { "gap: " } else { "" };
        let (took, waited) = (took.as_millis(), waited.as_millis());
        let text =
            format!("{sign}search of {took} ms, its threads waited {waited} ms for a processor");
        self.note(Speaker::Log, text.as_bytes());
    }

    /// Notes every gap in which this process got no processor.
    fn watch(&self) {
        while self.open.load(Ordering::Relaxed) {
            let before = Instant::now();
            thread::sleep(WATCH);
            let late = before.elapsed().saturating_sub(WATCH);
            if late > GAP {
                let text = format!("gap: woken {} ms late", late.as_millis());
                self.note(Speaker::Log, text.as_bytes());
            }
        }
    }
}

/// How long the threads of this process have waited for a processor so far, all together; zero where the system does not
/// tell (Linux does, in the second number of `schedstat`).
fn waited() -> Duration {
    let threads = fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
    let nanoseconds = threads.filter_map(|thread| {
        let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split_whitespace().nth(1)?.parse::<u64>().ok()
    });
    Duration::from_nanos(nanoseconds.sum())
}

impl Default for Log {
    fn default() -> Self {
        Self::new()
    }
}
