//! Runs work without the GIL, so that other Python threads go on, and ends it early when a signal such as Ctrl-C comes.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, Builder};
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors::failed;

/// How often Python's signals are checked.
const POLL: Duration = Duration::from_millis(20);
/// The stack of a searching thread.
const STACK_BYTES: usize = 16 << 20;

/// What the working thread sends.
enum Message {
    Report(String),
    Done,
}

/// Where the work sends its reports.
#[derive(Clone)]
pub struct Reports(Sender<Message>);

impl Reports {
    pub fn send(&self, report: String) {
        // Nobody listens after an exception.
        let _ = self.0.send(Message::Report(report));
    }
}

/// Sends the end even if the work panics.
struct DoneOnDrop(Sender<Message>);

impl Drop for DoneOnDrop {
    fn drop(&mut self) {
        let _ = self.0.send(Message::Done);
    }
}

/// Runs `work` on a thread of its own, without the GIL, and calls `listener` with each of its reports. `stop` must make the
/// work end soon; it is called when a signal raises an exception, which is then raised here, or when `listener` raises one.
///
/// # Errors
/// The exception of the signal or the listener, or that the thread failed.
pub fn run<T: Send>(
    py: Python<'_>,
    stop: &(dyn Fn() + Sync),
    listener: Option<&Py<PyAny>>,
    work: impl FnOnce(Reports) -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, messages) = mpsc::channel();
            let worker = Builder::new()
                .name("lucena".into())
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || {
                    let done = DoneOnDrop(sender);
                    work(Reports(done.0.clone()))
                })
                .map_err(|error| failed(format_args!("no thread for the work: {error}")))?;
            let mut exception = None;
            loop {
                let outcome = match messages.recv_timeout(POLL) {
                    Ok(Message::Done) | Err(RecvTimeoutError::Disconnected) => break,
                    _ if exception.is_some() => continue,
                    Ok(Message::Report(report)) => call(listener, &report),
                    Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals()),
                };
                if let Err(error) = outcome {
                    stop();
                    exception = Some(error);
                }
            }
            let result = worker.join();
            if let Some(exception) = exception {
                return Err(exception);
            }
            result.map_err(|_| failed("an internal error; the message is on standard error"))
        })
    })
}

/// Calls a listener with a report, and checks Python's signals.
fn call(listener: Option<&Py<PyAny>>, report: &str) -> PyResult<()> {
    Python::attach(|py| {
        if let Some(listener) = listener {
            listener.call1(py, (report,))?;
        }
        py.check_signals()
    })
}
