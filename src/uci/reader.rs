//! The reader thread. `stop`, `ponderhit`, `quit`, and `isready` or `uci` during a search, are carried out at once; all other
//! commands are queued in order.

use std::io::BufRead;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use crate::engine::{Signal, Ticket};

use super::command::{Command, CommandError};
use super::log::LogSource;
use super::options;
use super::print::Output;

/// How long `readyok` waits for the `bestmove` of a search just stopped, so that they come in order.
const STOP_GRACE: Duration = Duration::from_millis(250);

/// One thing for the controller to do.
#[derive(Debug)]
pub enum Request {
    /// A quick command.
    Quick(Command),
    /// A command that takes long and can be stopped: `go`, `bench`, `genfens`.
    Long {
        command: Command,
        ticket: Ticket,
        /// When the line was read: time counts from here.
        started: Instant,
        /// Whether it was queued behind other long work: time counts from the end of that.
        waits: bool,
    },
    /// An invalid line of a GUI, reported with the next `go`.
    Warning(String),
    /// An invalid line of a person, reported at once.
    Error(String),
}

/// How the input ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputEnd {
    Quit,
    EndOfFile,
}

/// Parses lines and carries them out or queues them.
pub struct InputReader {
    signal: Arc<Signal>,
    output: Arc<Output>,
    queue: Sender<Request>,
    /// The newest long command, and whether it ends by itself.
    newest: Option<(Ticket, bool)>,
}

impl InputReader {
    pub const fn new(signal: Arc<Signal>, output: Arc<Output>, queue: Sender<Request>) -> Self {
        Self {
            signal,
            output,
            queue,
            newest: None,
        }
    }

    /// Reads lines until `quit` or the end of the input, and stops the searches that still run.
    pub fn read(mut self, mut input: impl BufRead) -> InputEnd {
        let mut line = Vec::new();
        let end = loop {
            line.clear();
            // Bytes: names and paths come in any encoding. A read error ends the input.
            match input.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break InputEnd::EndOfFile,
                Ok(_) if self.read_line(&line).is_break() => break InputEnd::Quit,
                Ok(_) => {}
            }
        };
        self.signal.quit();
        end
    }

    /// Carries out lines given in advance, each search to its end.
    pub fn run_lines(mut self, lines: &[Vec<u8>]) {
        for line in lines {
            if matches!(Command::parse(line), Ok(Command::Quit)) {
                break;
            }
            let _ = self.read_line(line);
        }
        while !self.signal.wait_until_idle(Duration::from_hours(1)) {}
    }

    fn read_line(&mut self, line: &[u8]) -> ControlFlow<()> {
        let started = Instant::now();
        self.output.log().note(LogSource::Client, line);
        match Command::parse(line) {
            Ok(Command::Nothing) => {}
            Ok(Command::Quit) => return ControlFlow::Break(()),
            Ok(Command::Stop) => self.signal.stop(),
            Ok(Command::PonderHit) => self.signal.ponder_hit(),
            Ok(Command::Debug(on)) => self.output.set_debugging(on),
            Ok(Command::IsReady) if self.is_busy() => self.output.lines("readyok"),
            Ok(Command::Uci) if self.is_busy() => self.output.answer_uci(&options::uci_answer()),
            Ok(command @ (Command::Go(_) | Command::Bench(_) | Command::Genfens(_))) => {
                self.queue_long(command, started);
            }
            Ok(command) => self.queue(Request::Quick(command)),
            // GUIs try commands of other protocols.
            Err(error @ CommandError::Unknown(_)) => {
                if self.output.is_debugging() {
                    self.output.info_string(&error.to_string());
                }
            }
            Err(error @ CommandError::Misused(..)) => self.queue(Request::Error(error.to_string())),
            Err(error) => self.queue(Request::Warning(error.to_string())),
        }
        ControlFlow::Continue(())
    }

    /// Whether a search has no answer yet. Waits a moment for one that has just been stopped.
    fn is_busy(&self) -> bool {
        let stopping = self
            .newest
            .is_some_and(|(ticket, _)| self.signal.is_stopped(ticket));
        if stopping {
            return !self.signal.wait_until_idle(STOP_GRACE);
        }
        self.signal.is_busy()
    }

    /// Queues a long command. A running search that does not end by itself is stopped.
    fn queue_long(&mut self, command: Command, started: Instant) {
        let ends_by_itself = match &command {
            Command::Go(request) => request.ends_by_itself(),
            _ => true,
        };
        let waits = match self.newest {
            Some((_, ends_by_itself)) if self.signal.is_busy() => {
                if !ends_by_itself {
                    self.signal.stop();
                }
                ends_by_itself
            }
            _ => false,
        };
        let ticket = self.signal.issue();
        self.newest = Some((ticket, ends_by_itself));
        self.queue(Request::Long {
            command,
            ticket,
            started,
            waits,
        });
    }

    fn queue(&self, request: Request) {
        // Without a controller the program is ending.
        let _ = self.queue.send(request);
    }
}
