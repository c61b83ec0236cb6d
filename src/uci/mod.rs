//! The UCI protocol. A reader thread parses lines at any time, a controller carries them out in order and alone answers
//! `bestmove`.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod command;
mod controller;
mod genfens;
mod go;
mod info_printer;
pub mod inquiry;
mod level;
mod log;
mod options;
pub mod print;
mod prompt;
mod queue;
mod reader;
mod speech;
mod text;
mod tree_text;
mod uci_option;

use std::io::{self, BufReader, IsTerminal};
use std::process::{self, ExitCode};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{self as channel, Receiver};

use crate::base::sys::share_heap;
use crate::base::value::Depth;
use crate::chess::{File, Move};
use crate::engine::bench;
use crate::engine::{Engine, Model, SearchStats, Signal, Ticket};

use controller::Controller;
use print::Output;
use queue::bounded_queue;
use reader::{InputEnd, InputReader, write_answers};
pub use text::did_you_mean;

/// How long the process may take to exit after `quit`; some GUIs kill it after two seconds.
const QUIT_GRACE: Duration = Duration::from_millis(300);
/// If a client reads nothing for this long after the end of the input, it has ended or hangs.
const OUTPUT_GRACE: Duration = Duration::from_secs(5);
/// Bytes; lines with long lists of moves fit in.
const INPUT_BUFFER: usize = 1 << 16;

/// Speaks UCI on standard input and output until `quit` or the end of the input; `model` `None`: the built-in weights.
pub fn run(model: Option<Arc<Model>>) -> ExitCode {
    let output = Arc::new(Output::standard());
    if io::stdin().is_terminal() {
        output.lines(prompt::BANNER);
        // Report typing errors at once.
        output.set_debugging(true);
    }
    let written = Arc::clone(&output);
    let result = serve(&output, model, move |reader, done| {
        let end = reader.read(BufReader::with_capacity(INPUT_BUFFER, io::stdin()));
        // Neither a large allocation nor a write that the client does not read can be interrupted.
        while done.recv_timeout(QUIT_GRACE) == Err(channel::RecvTimeoutError::Timeout) {
            if end == InputEnd::Quit {
                process::exit(0);
            }
            if written.blocked_for() > OUTPUT_GRACE {
                process::exit(1);
            }
        }
    });
    // Invalid lines are not failures here: GUIs read the messages.
    if result.is_some() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Carries out these lines, each search to its end, without standard input. An invalid line is a failure.
pub fn run_lines(lines: Vec<Vec<u8>>, model: Option<Arc<Model>>) -> ExitCode {
    let output = Arc::new(Output::standard());
    output.set_debugging(true);
    let result = serve(&output, model, move |reader, _| reader.run_lines(&lines));
    result.map_or(ExitCode::FAILURE, |has_errors| {
        ExitCode::from(u8::from(has_errors))
    })
}

/// Runs `read` on a new thread and the controller on this one. Returns whether any line was invalid, or `None` if the
/// thread could not be started.
fn serve(
    output: &Arc<Output>,
    model: Option<Arc<Model>>,
    read: impl FnOnce(InputReader, Receiver<()>) + Send + 'static,
) -> Option<bool> {
    // Searches allocate nothing, so one heap is enough.
    share_heap();
    let engine = Engine::new();
    let (sender, requests) = bounded_queue();
    let (answer_sender, answers) = channel::unbounded();
    // Closes when everything is written; nothing is sent.
    let (working, done) = channel::bounded::<()>(0);
    let reader = InputReader::new(engine.signal(), Arc::clone(output), sender, answer_sender);
    let answer_output = Arc::clone(output);
    let threads = thread::Builder::new()
        .name("answers".to_owned())
        .spawn(move || write_answers(&answers, &answer_output))
        .and_then(|answerer| {
            let reader_thread = thread::Builder::new().name("reader".to_owned());
            reader_thread.spawn(move || read(reader, done))?;
            Ok(answerer)
        });
    match threads {
        Ok(answerer) => {
            let mut controller = Controller::new(engine, model, Arc::clone(output));
            controller.run(&requests);
            // A panic there is printed already.
            let _ = answerer.join();
            drop(working);
            Some(controller.has_errors())
        }
        Err(error) => {
            output.info_string(&format!("cannot start the threads of the input: {error}"));
            None
        }
    }
}

/// Castling as in Chess960 only where it is not standard castling.
fn bench_move(mv: Move) -> impl std::fmt::Display {
    let is_standard = mv.from().file() == File::E && matches!(mv.to().file(), File::A | File::H);
    mv.uci(!is_standard)
}

/// Runs the bench and prints a line per position; the last line is `<nodes> nodes <nps> nps`, unless `ticket` is stopped.
pub fn show_bench(
    output: &Output,
    depth: Depth,
    model: Option<&Arc<Model>>,
    signal: &Arc<Signal>,
    ticket: Ticket,
) {
    let total = bench::run_until_stopped(depth, model, signal, ticket, &mut |result| {
        let best = result
            .best
            .map_or_else(|| "-".to_owned(), |best| bench_move(best).to_string());
        let time = result.elapsed.as_millis();
        output.lines(&format!(
            "{:2}  {:>9} nodes {time:>6} ms  {best:5}  {}",
            result.number, result.nodes, result.fen
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
