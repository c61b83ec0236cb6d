//! The reader: the client's lines, taken as soon as they come, whatever the engine is doing.
//! Uses: engine (Signal), command, log, options, print. Used by: controller, on a thread of its own.
//! Idea: what cannot wait (`stop`, `ponderhit`, `quit`, `isready` in mid-search) is done here by ticket; everything else
//! joins one queue, so nothing is lost and nothing overtakes.

use std::io::BufRead;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam::channel::Sender;

use crate::engine::{Signal, Ticket};

use super::command::{Command, CommandError};
use super::log::Speaker;
use super::options;
use super::print::Output;

/// How long `readyok` waits for the move that a `stop` has just asked for: a client that asks for both wants them in order.
const STOP_GRACE: Duration = Duration::from_millis(250);

/// One thing to do, in the order in which it was read.
#[derive(Debug)]
pub enum Order {
    /// A command that is done at once.
    Command(Command),
    /// A command that takes long and has a number: `go`, `bench`.
    Work {
        /// The command.
        command: Command,
        /// The number by which it is stopped.
        ticket: Ticket,
        /// When it was read: time counts from here.
        started: Instant,
        /// Whether it was sent to wait behind other work: then time counts from when that is done.
        waits: bool,
    },
    /// Something to tell the user, where every client bears it.
    Notice(String),
    /// Something to tell a person at once.
    Remark(String),
}

/// How the lines ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By `quit`: the client will not wait.
    Quit,
    /// By the end of the input.
    EndOfInput,
}

/// Takes lines apart and sees that each gets done.
pub struct Reader {
    signal: Arc<Signal>,
    output: Arc<Output>,
    orders: Sender<Order>,
    /// The newest numbered work, and whether it is worth waiting for.
    newest: Option<(Ticket, bool)>,
}

impl Reader {
    /// A reader that commands by `signal` and queues into `orders`.
    #[must_use]
    pub const fn new(signal: Arc<Signal>, output: Arc<Output>, orders: Sender<Order>) -> Self {
        Self {
            signal,
            output,
            orders,
            newest: None,
        }
    }

    /// Reads lines until they end. Searches still running then are stopped.
    pub fn read(mut self, mut input: impl BufRead) -> Ending {
        let mut line = Vec::new();
        let ending = loop {
            line.clear();
            // Bytes, not text: clients send names and paths in any encoding. An error is an end like any other.
            match input.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break Ending::EndOfInput,
                Ok(_) if self.take(&line).is_break() => break Ending::Quit,
                Ok(_) => {}
            }
        };
        self.signal.quit();
        ending
    }

    /// Does lines given in advance, each search to its end.
    pub fn perform(mut self, lines: &[Vec<u8>]) {
        for line in lines {
            if matches!(Command::parse(line), Ok(Command::Quit)) {
                break;
            }
            let _ = self.take(line);
        }
        while !self.signal.wait_until_idle(Duration::from_hours(1)) {}
    }

    /// Takes one line.
    fn take(&mut self, line: &[u8]) -> ControlFlow<()> {
        let started = Instant::now();
        self.output.log().note(Speaker::Client, line);
        match Command::parse(line) {
            Ok(Command::Nothing) => {}
            Ok(Command::Quit) => return ControlFlow::Break(()),
            Ok(Command::Stop) => self.signal.stop(),
            Ok(Command::PonderHit) => self.signal.ponder_hit(),
            Ok(Command::Debug(on)) => self.output.set_debugging(on),
            Ok(Command::IsReady) if self.is_busy() => self.output.lines("readyok"),
            Ok(Command::Greet) if self.is_busy() => self.output.introduce(&options::introduction()),
            Ok(command @ (Command::Go(_) | Command::Bench(_) | Command::GenerateFens(_))) => {
                self.number(command, started);
            }
            Ok(command) => self.queue(Order::Command(command)),
            // Clients try words of other protocols: only a person debugging wants to know.
            Err(error @ CommandError::Unknown(_)) => {
                if self.output.is_debugging() {
                    self.output.info_string(&error.to_string());
                }
            }
            Err(error @ CommandError::Misused(..)) => self.queue(Order::Remark(error.to_string())),
            Err(error) => self.queue(Order::Notice(error.to_string())),
        }
        ControlFlow::Continue(())
    }

    /// Whether some search is unanswered. One that has just been stopped is given a moment to answer first.
    fn is_busy(&self) -> bool {
        let stopping = self
            .newest
            .is_some_and(|(ticket, _)| self.signal.is_stopped(ticket));
        if stopping {
            return !self.signal.wait_until_idle(STOP_GRACE);
        }
        self.signal.is_busy()
    }

    /// Numbers and queues work. A search still running that nothing but a `stop` or its clock would end is stopped.
    fn number(&mut self, command: Command, started: Instant) {
        let patient = match &command {
            Command::Go(request) => request.ends_by_itself(),
            _ => true,
        };
        let waits = match self.newest {
            Some((_, patient)) if self.signal.is_busy() => {
                if !patient {
                    self.signal.stop();
                }
                patient
            }
            _ => false,
        };
        let ticket = self.signal.issue();
        self.newest = Some((ticket, patient));
        self.queue(Order::Work {
            command,
            ticket,
            started,
            waits,
        });
    }

    /// Queues an order. A controller that is gone has ended the program.
    fn queue(&self, order: Order) {
        let _ = self.orders.send(order);
    }
}
