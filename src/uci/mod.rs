//! The protocol: what a client says, and what it hears.
//! Uses: engine, explain, bench, learn (random), chess, value. Used by: cli. Prints.
//! Idea: a reader thread takes lines at any time, a controller does them in order; only the controller gives moves.
//!
//! Reading order: `command` and `go` (lines to commands), `options` and `kinds` (one table), `reader` (what cannot wait),
//! `controller` (everything else), `listener` and `print` (lines out), `log`, `prompt` (for people), `genfens`.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod command;
mod controller;
mod genfens;
mod go;
mod kinds;
mod listener;
mod log;
mod options;
pub mod print;
mod prompt;
mod reader;

use std::io::{self, BufReader, IsTerminal};
use std::process::{self, ExitCode};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam::channel::{self, Receiver};

use crate::base::value::Depth;
use crate::engine::bench;
use crate::engine::{Engine, Model, SearchStats, Signal, Ticket};

use controller::Controller;
use print::Output;
use reader::{Ending, Order, Reader};

/// How long the process may tidy up after `quit`. Some clients kill after two seconds; none should have to wait.
const QUIT_GRACE: Duration = Duration::from_millis(300);
/// Long lines of moves come in one piece.
const INPUT_BUFFER: usize = 1 << 16;

/// Speaks the protocol on standard input and output until `quit` or the end of the input, and plays by these weights or by
/// those that are compiled in.
#[must_use]
pub fn run(model: Option<Arc<Model>>) -> ExitCode {
    let output = Arc::new(Output::standard());
    if io::stdin().is_terminal() {
        output.lines(prompt::BANNER);
        // A person wants to know at once what was mistyped.
        output.set_debugging(true);
    }
    let served = serve(&output, model, |reader, done| {
        if reader.read(BufReader::with_capacity(INPUT_BUFFER, io::stdin())) == Ending::Quit {
            // A large allocation cannot be interrupted, but nobody needs it any more.
            if done.recv_timeout(QUIT_GRACE) == Err(channel::RecvTimeoutError::Timeout) {
                process::exit(0);
            }
        }
    });
    // A client that is refused something is told so; the protocol knows no other way.
    if served.is_some() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Does the lines given, each search to its end, and reads nothing from standard input. It is a failure where a line is
/// refused, in whole or in part.
#[must_use]
pub fn run_lines(lines: Vec<Vec<u8>>, model: Option<Arc<Model>>) -> ExitCode {
    let output = Arc::new(Output::standard());
    output.set_debugging(true);
    let done = serve(&output, model, move |reader, _| reader.perform(&lines));
    done.map_or(ExitCode::FAILURE, |has_refused| {
        ExitCode::from(u8::from(has_refused))
    })
}

/// Runs `read` on a thread of its own and the controller on this one, until the orders end; whether any was refused, or
/// `None` where nothing could be read.
fn serve(
    output: &Arc<Output>,
    model: Option<Arc<Model>>,
    read: impl FnOnce(Reader, Receiver<()>) + Send + 'static,
) -> Option<bool> {
    let engine = Engine::new();
    let (orders, queue) = channel::unbounded::<Order>();
    // Nothing is ever sent here: the channel closes when the controller is done.
    let (working, done) = channel::bounded::<()>(0);
    let reader = Reader::new(engine.signal(), Arc::clone(output), orders);
    let started = thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || read(reader, done));
    match started {
        Ok(_) => {
            let mut controller = Controller::new(engine, model, Arc::clone(output));
            controller.obey(&queue);
            drop(working);
            Some(controller.has_refused())
        }
        Err(error) => {
            output.info_string(&format!(
                "no thread can be started to read commands: {error}"
            ));
            None
        }
    }
}

/// Searches the fixed positions by these weights; a line for each, and last `<nodes> nodes <nps> nps` with nothing after it,
/// unless `ticket` is stopped.
pub fn show_bench(
    output: &Output,
    depth: Depth,
    model: Option<&Arc<Model>>,
    signal: &Arc<Signal>,
    ticket: Ticket,
) {
    let total = bench::run_until_stopped(depth, model, signal, ticket, &mut |line| {
        let best = line
            .best
            .map_or_else(|| "-".to_owned(), |best| best.uci(true).to_string());
        let time = line.elapsed.as_millis();
        output.lines(&format!(
            "{:2}  {:>9} nodes {time:>6} ms  {best:5}  {}",
            line.number, line.nodes, line.fen
        ));
    });
    let Some(total) = total else {
        return output.info_string("bench: stopped");
    };
    let stats = SearchStats {
        nodes: total.nodes,
        elapsed: total.elapsed,
        ..SearchStats::default()
    };
    output.lines(&format!(
        "{} nodes {} nps",
        total.nodes,
        stats.nodes_per_second()
    ));
}
