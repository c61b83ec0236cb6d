//! The debug log: both sides of the dialogue with timestamps, and the times at which this process got no processor, so that
//! one can see whether engine, GUI or machine lost the time of a game.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::base::sync::Mutex;

/// The interval at which the watch thread checks that the process gets processor time.
const WATCH: Duration = Duration::from_millis(10);
/// A delay beyond this is noted as a gap.
const GAP: Duration = Duration::from_millis(50);
/// Client lines kept while the log is closed: they are written when the option that opens it is carried out.
const REMEMBERED_LINES: usize = 64;
/// The most bytes of these lines; older lines make room.
const REMEMBERED_BYTES: usize = 2 << 20;

/// The source of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogSource {
    Client,
    Engine,
    Log,
}

/// A log, closed until it gets a file.
#[derive(Clone)]
pub struct Log {
    started: Instant,
    open: Arc<AtomicBool>,
    file: Arc<Mutex<LogFile>>,
}

#[derive(Default)]
struct LogFile {
    file: Option<File>,
    /// The client's last lines while there is no file, formatted.
    remembered: VecDeque<Vec<u8>>,
    /// Whether the watch thread runs.
    is_watched: bool,
}

impl LogFile {
    /// Keeps a formatted line of the client for a file opened later.
    fn remember(&mut self, line: Vec<u8>) {
        let mut bytes: usize = self.remembered.iter().map(Vec::len).sum();
        while self.remembered.len() == REMEMBERED_LINES || bytes + line.len() > REMEMBERED_BYTES {
            let Some(oldest) = self.remembered.pop_front() else {
                break;
            };
            bytes -= oldest.len();
        }
        self.remembered.push_back(line);
    }
}

impl Log {
    /// A closed log; timestamps count from now.
    pub fn new() -> Self {
        Self {
            started: Instant::now(),
            open: Arc::default(),
            file: Arc::default(),
        }
    }

    /// Appends to a file, beginning with the client's last lines.
    ///
    /// # Errors
    /// A file that cannot be written, or no thread; the log is closed then.
    pub fn open(&self, path: &Path) -> io::Result<()> {
        self.open_with(path, |log| {
            let named = thread::Builder::new().name("watch".to_owned());
            named.spawn(move || log.watch()).map(drop)
        })
    }

    /// [`Self::open`], with what starts the watch thread.
    fn open_with(
        &self,
        path: &Path,
        start_watch: impl FnOnce(Self) -> io::Result<()>,
    ) -> io::Result<()> {
        self.close();
        // Opening a pipe would wait for a reader.
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::other("not a regular file"));
        }
        let folder = path.parent().filter(|at| !at.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.exists()) {
            let message = format!("the folder {} does not exist", folder.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, message));
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        let epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let seconds = epoch.unwrap_or_default().as_secs();
        let version = env!("CARGO_PKG_VERSION");
        let text = format!("{seconds} s since 1970, version {version}");
        file.write_all(&self.format(LogSource::Log, text.as_bytes()))?;
        let mut log = self.file.lock();
        for line in log.remembered.drain(..) {
            file.write_all(&line)?;
        }
        // The thread of an earlier file goes on if it has not ended yet.
        if !log.is_watched {
            start_watch(self.clone())?;
            log.is_watched = true;
        }
        log.file = Some(file);
        self.open.store(true, Ordering::SeqCst);
        Ok(())
    }

    pub fn close(&self) {
        self.open.store(false, Ordering::SeqCst);
        self.file.lock().file = None;
    }

    /// Formats lines as `process seconds sign text`.
    fn format(&self, source: LogSource, text: &[u8]) -> Vec<u8> {
        let sign = match source {
            LogSource::Client => '>',
            LogSource::Engine => '<',
            LogSource::Log => '!',
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

    /// Writes a line, or remembers it while the log is closed.
    pub fn note(&self, source: LogSource, text: &[u8]) {
        if source != LogSource::Client && !self.open.load(Ordering::Relaxed) {
            return;
        }
        let bytes = self.format(source, text);
        let mut log = self.file.lock();
        if let Some(file) = &mut log.file {
            // A write error must not affect the game.
            if file.write_all(&bytes).is_err() {
                log.file = None;
            }
            return;
        }
        if source == LogSource::Client {
            log.remember(bytes);
        }
    }

    /// The waiting time so far, for [`Self::note_search`]; `None` if the log is closed.
    pub fn waiting_time(&self) -> Option<Duration> {
        self.open.load(Ordering::Relaxed).then(waiting_time)
    }

    /// Notes how long a search took and how long its threads waited for a processor since `before`.
    pub fn note_search(&self, before: Option<Duration>, took: Duration) {
        let Some(before) = before else { return };
        let waited = waiting_time().saturating_sub(before);
        let sign = if waited > GAP { "gap: " } else { "" };
        let (took, waited) = (took.as_millis(), waited.as_millis());
        let text =
            format!("{sign}search of {took} ms, its threads waited {waited} ms for a processor");
        self.note(LogSource::Log, text.as_bytes());
    }

    /// Notes every gap: a thread that sleeps for a few milliseconds and wakes late had no processor.
    fn watch(&self) {
        loop {
            {
                let mut log = self.file.lock();
                if log.file.is_none() {
                    log.is_watched = false;
                    return;
                }
            }
            let before = Instant::now();
            thread::sleep(WATCH);
            let late = before.elapsed().saturating_sub(WATCH);
            if late > GAP {
                let text = format!("gap: woken {} ms late", late.as_millis());
                self.note(LogSource::Log, text.as_bytes());
            }
        }
    }
}

/// How long all threads of this process have waited for a processor: the second number of Linux's `schedstat`; elsewhere 0.
fn waiting_time() -> Duration {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembered_lines_are_bounded() {
        let mut log = LogFile::default();
        for _ in 0..100 {
            log.remember(vec![b'x'; 1000]);
        }
        assert_eq!(log.remembered.len(), REMEMBERED_LINES);
        for _ in 0..100 {
            log.remember(vec![b'x'; REMEMBERED_BYTES / 4]);
        }
        assert_eq!(log.remembered.len(), 4);
    }

    #[test]
    fn a_log_without_its_watch_thread_stays_closed() {
        let path = std::env::temp_dir().join(format!("lucena-watch-{}.log", process::id()));
        let log = Log::new();
        let refused = log.open_with(&path, |_| Err(io::Error::other("no thread")));
        assert!(refused.is_err_and(|error| error.to_string() == "no thread"));
        log.note(LogSource::Engine, b"after the failure");
        assert!(log.waiting_time().is_none());
        let text = fs::read_to_string(&path).unwrap_or_default();
        assert!(!text.contains("after the failure"), "{text}");
        // A later attempt starts the thread.
        assert!(log.open_with(&path, |_| Ok(())).is_ok());
        log.note(LogSource::Engine, b"open");
        let text = fs::read_to_string(&path).unwrap_or_default();
        assert!(text.ends_with(" < open\n"), "{text}");
        assert!(fs::remove_file(&path).is_ok());
    }
}
