//! The reader thread. `stop`, `ponderhit`, `quit`, and `isready` or `uci` during a search, are carried out at once; all other
//! commands are queued in order.

use std::io::{self, BufRead};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};

use crate::engine::{Signal, Ticket};

use super::command::{Command, CommandError};
use super::log::LogSource;
use super::options;
use super::print::Output;
use super::queue::QueueSender;
use super::text::excerpt;

/// How long `readyok` waits for the `bestmove` of a search just stopped, so that they come in order.
const STOP_GRACE: Duration = Duration::from_millis(250);

/// The longest line in bytes: a `position` with 200,000 moves fits in.
const MAX_LINE_BYTES: usize = 1 << 20;
/// How often a reader that waits for room in the queue looks again.
const QUEUE_WAIT: Duration = Duration::from_millis(1);
/// The most answers that wait for the client to read; later ones are dropped, so that no input fills the memory.
const MAX_ANSWERS: usize = 1 << 20;

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
    /// A message of `debug on`.
    Note(String),
}

/// What the reader answers during a search. A thread of its own writes it, so that `quit` is read even if the client does
/// not read the output.
#[derive(Debug)]
pub enum Answer {
    Ready,
    Uci,
    Note(String),
}

/// Writes the reader's answers until there are no more.
pub fn write_answers(answers: &Receiver<Answer>, output: &Output) {
    for answer in answers {
        match answer {
            Answer::Ready => output.lines("readyok"),
            Answer::Uci => output.answer_uci(&options::uci_answer()),
            Answer::Note(text) => output.info_string(&text),
        }
    }
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
    queue: QueueSender<Request>,
    answers: Sender<Answer>,
    /// The newest long command, and whether it ends by itself.
    newest: Option<(Ticket, bool)>,
}

impl InputReader {
    pub const fn new(
        signal: Arc<Signal>,
        output: Arc<Output>,
        queue: QueueSender<Request>,
        answers: Sender<Answer>,
    ) -> Self {
        Self {
            signal,
            output,
            queue,
            answers,
            newest: None,
        }
    }

    /// Reads lines until `quit` or the end of the input, and stops the searches that still run.
    pub fn read(mut self, mut input: impl BufRead) -> InputEnd {
        let mut line = Vec::new();
        let end = loop {
            // A read error ends the input.
            match next_line(&mut input, &mut line) {
                Ok(false) | Err(_) => break InputEnd::EndOfFile,
                Ok(true) if self.read_line(&line).is_break() => break InputEnd::Quit,
                Ok(true) => {}
            }
        };
        self.signal.quit();
        end
    }

    /// Carries out lines given in advance, each search to its end.
    pub fn run_lines(mut self, lines: &[Vec<u8>]) {
        self.output.stop_when_closed(Arc::clone(&self.signal));
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
        let bytes = line.len();
        let command = Command::parse(line);
        // A GUI waits for the answer to a `go`, which ignores all but its first words.
        if bytes > MAX_LINE_BYTES && !matches!(command, Ok(Command::Go(_))) {
            self.refuse_long_line(line, &command);
            return ControlFlow::Continue(());
        }
        match command {
            Ok(Command::Nothing) => {}
            Ok(Command::Quit) => return ControlFlow::Break(()),
            Ok(Command::Stop) => self.signal.stop(),
            Ok(Command::PonderHit) => self.signal.ponder_hit(),
            Ok(Command::Debug(on)) => self.output.set_debugging(on),
            Ok(Command::IsReady) if self.is_busy() => self.answer(Answer::Ready),
            Ok(Command::Uci) if self.is_busy() => self.answer(Answer::Uci),
            Ok(
                command @ (Command::Go(_)
                | Command::Bench(_)
                | Command::Genfens(_)
                | Command::Ask(_)),
            ) => {
                self.queue_long(command, started, bytes);
            }
            Ok(command) => self.queue(Request::Quick(command), bytes),
            // GUIs try commands of other protocols.
            Err(error @ CommandError::Unknown(_)) => {
                let is_busy = self.signal.is_busy();
                match self.output.is_debugging() {
                    true if is_busy => self.answer(Answer::Note(error.to_string())),
                    true => self.queue(Request::Note(error.to_string()), 0),
                    false => {}
                }
            }
            Err(error @ CommandError::Misused(..)) => {
                self.queue(Request::Error(error.to_string()), 0);
            }
            Err(error) => self.queue(Request::Warning(error.to_string()), 0),
        }
        ControlFlow::Continue(())
    }

    /// Reports a line beyond [`MAX_LINE_BYTES`], of which only the start was read.
    fn refuse_long_line(&self, line: &[u8], command: &Result<Command, CommandError>) {
        let reason = format!(
            "ignored a line of more than {MAX_LINE_BYTES} bytes: {}",
            excerpt(&line[..line.len().min(256)])
        );
        let request = match command {
            // The old position must not stay.
            Ok(Command::Position(_) | Command::InvalidPosition(_)) => {
                Request::Quick(Command::InvalidPosition(reason))
            }
            _ => Request::Warning(reason),
        };
        self.queue(request, 0);
    }

    fn answer(&self, answer: Answer) {
        if self.answers.len() < MAX_ANSWERS {
            let _ = self.answers.send(answer);
        }
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

    /// Queues a long command. The search before it is stopped if it does not end by itself, but none before that one.
    fn queue_long(&mut self, command: Command, started: Instant, bytes: usize) {
        self.wait_for_room();
        let ends_by_itself = match &command {
            Command::Go(request) => request.ends_by_itself(),
            _ => true,
        };
        let waits = match self.newest {
            Some((newest, ends_by_itself)) if self.signal.is_busy() => {
                ends_by_itself || !self.signal.replace(newest)
            }
            _ => false,
        };
        let ticket = self.signal.issue();
        self.newest = Some((ticket, ends_by_itself));
        let request = Request::Long {
            command,
            ticket,
            started,
            waits,
        };
        self.queue(request, bytes);
    }

    fn queue(&self, request: Request, bytes: usize) {
        self.wait_for_room();
        self.queue.send(request, bytes);
    }

    /// Waits while the queue is full. A search that only a `stop` ends is stopped, since none can be read meanwhile.
    fn wait_for_room(&self) {
        while self.queue.is_full() {
            if self
                .newest
                .is_some_and(|(_, ends_by_itself)| !ends_by_itself)
            {
                self.signal.stop();
            }
            thread::sleep(QUEUE_WAIT);
        }
    }
}

/// Reads a line with its end, in bytes since names and paths come in any encoding. Of a longer line it keeps one byte more
/// than [`MAX_LINE_BYTES`]. Returns false at the end of the input.
fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut is_read = false;
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        if buffer.is_empty() {
            return Ok(is_read);
        }
        is_read = true;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let length = end.map_or(buffer.len(), |at| at + 1);
        let room = (MAX_LINE_BYTES + 1).saturating_sub(line.len());
        line.extend_from_slice(&buffer[..length.min(room)]);
        input.consume(length);
        if end.is_some() {
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_and_the_next_line_is_whole() {
        let long = vec![b'x'; 3 * MAX_LINE_BYTES];
        let text = [&b"uci\n"[..], &long, b"\nisready"].concat();
        let (mut input, mut line) = (&text[..], Vec::new());
        let mut lengths = Vec::new();
        while matches!(next_line(&mut input, &mut line), Ok(true)) {
            lengths.push(line.len());
        }
        assert_eq!(lengths, [4, MAX_LINE_BYTES + 1, 7]);
    }
}
