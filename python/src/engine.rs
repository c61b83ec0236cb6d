//! The engine object: one search at a time, asked by any number of Python threads.

use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use lucena::api::{EngineReport, InfoReport, Reporter, SearchRequest};
use lucena::chess::Move;
use lucena::engine::{Engine, EngineError, Limits, Listener, Signal};
use pyo3::prelude::*;
use serde::Serialize;

use crate::errors::{
    EngineClosedError, InvalidMoveError, LucenaError, OptionError, failed, in_option, of_api,
};
use crate::questions::{json, read};
use crate::wait;

/// How often a search that waits for another one looks whether it was given up.
const POLL: Duration = Duration::from_millis(20);

/// The engine between searches.
enum State {
    Idle(Box<Engine>),
    Searching,
    /// Closed; a running search is the last one.
    Closed,
}

/// An engine.
#[pyclass(frozen)]
pub struct NativeEngine {
    state: Mutex<State>,
    changed: Condvar,
    signal: Arc<Signal>,
    /// Threads do not survive a fork, so a child forgets the engine: its end would wait for them for ever.
    process: u32,
}

impl Drop for NativeEngine {
    fn drop(&mut self) {
        if self.process != process::id() {
            let state = self.state.get_mut();
            let state = state.unwrap_or_else(PoisonError::into_inner);
            std::mem::forget(std::mem::replace(state, State::Closed));
        }
    }
}

/// The engine during a search; it goes back when this is dropped.
struct Lease<'a> {
    owner: &'a NativeEngine,
    engine: Option<Box<Engine>>,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut state = self.owner.lock();
        if let (State::Searching, Some(engine)) = (&*state, self.engine.take()) {
            *state = if thread::panicking() {
                State::Closed
            } else {
                State::Idle(engine)
            };
        }
        drop(state);
        self.owner.changed.notify_all();
    }
}

/// Why a search has no result.
enum Refusal {
    Closed,
    /// It was stopped while it waited for another one.
    GivenUp,
    Settings(Vec<EngineError>),
}

impl From<Refusal> for PyErr {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Closed => closed(),
            Refusal::GivenUp => failed("the search was stopped before it started"),
            Refusal::Settings(errors) => of_settings(&errors),
        }
    }
}

/// The result of a search.
#[derive(Serialize)]
struct Answer {
    /// `None` if there is no legal move. Castling is the king's move to its rook.
    best: Option<String>,
    ponder: Option<String>,
    /// The last line of each rank.
    lines: Vec<InfoReport>,
}

/// A search that can be stopped before and after it starts.
#[derive(Default)]
struct Stopper {
    is_stopped: AtomicBool,
    /// The ticket of the search; 0 before it starts.
    ticket: AtomicU64,
}

impl Stopper {
    fn stop(&self, signal: &Signal) {
        self.is_stopped.store(true, Ordering::SeqCst);
        let ticket = self.ticket.load(Ordering::SeqCst);
        if ticket > 0 {
            signal.stop_ticket(ticket);
        }
    }
}

/// A search to do.
struct Job {
    request: SearchRequest,
    limits: Limits,
    lines: usize,
}

#[pymethods]
impl NativeEngine {
    #[new]
    fn new() -> Self {
        let engine = Engine::new();
        Self {
            signal: engine.signal(),
            state: Mutex::new(State::Idle(Box::new(engine))),
            changed: Condvar::new(),
            process: process::id(),
        }
    }

    /// Changes settings and applies them; `None` keeps a setting.
    #[pyo3(signature = (*, hash=None, threads=None, book=None, book_files=None, syzygy=None, contempt=None, deterministic=None, move_overhead=None))]
    #[allow(clippy::too_many_arguments)] // they are keywords
    fn configure(
        &self,
        py: Python<'_>,
        hash: Option<usize>,
        threads: Option<usize>,
        book: Option<bool>,
        book_files: Option<PathBuf>,
        syzygy: Option<PathBuf>,
        contempt: Option<i32>,
        deterministic: Option<bool>,
        move_overhead: Option<u64>,
    ) -> PyResult<()> {
        self.with_engine(py, |engine| {
            hash.into_iter().for_each(|size| engine.set_hash(size));
            threads
                .into_iter()
                .for_each(|count| engine.set_threads(count));
            if let Some(on) = book {
                engine.own_book().set_on(on);
            }
            if let Some(files) = book_files {
                engine.own_book().set_files(files.into_os_string());
            }
            if let Some(folders) = syzygy {
                engine.tablebases().set_path(folders.as_os_str());
            }
            contempt
                .into_iter()
                .for_each(|score| engine.set_contempt(score));
            deterministic
                .into_iter()
                .for_each(|on| engine.set_deterministic(on));
            if let Some(time) = move_overhead {
                engine.set_move_overhead(Duration::from_millis(time));
            }
            engine.prepare().map_err(Refusal::Settings)
        })
    }

    /// Starts a new game: clears the TT and the histories.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        self.with_engine(py, |engine| {
            engine.new_game();
            engine.prepare().map_err(Refusal::Settings)
        })
    }

    /// Searches as a JSON request of the web server's kind says, with a few limits more, and returns an answer as JSON.
    /// `listener` gets each new variation as JSON.
    #[pyo3(signature = (request, root_moves, mate, moves_to_go, listener))]
    fn search(
        &self,
        py: Python<'_>,
        request: &str,
        root_moves: Vec<String>,
        mate: Option<u32>,
        moves_to_go: Option<u32>,
        listener: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let request: SearchRequest =
            serde_json::from_str(request).map_err(|error| in_option("limit", error))?;
        let position = *read(&request.fen, &request.moves)?.game.position();
        let mut limits = request.limits.limits(position.turn()).map_err(of_api)?;
        limits.mate = mate;
        if let Some(clock) = &mut limits.clock {
            clock.moves_to_go = moves_to_go.filter(|&moves| moves > 0);
        }
        for text in &root_moves {
            let mv = position.find_move(text);
            let mv =
                mv.map_err(|error| InvalidMoveError::new_err(format!("root_moves: {error}")))?;
            limits.search_moves.push(mv);
        }
        let lines = request.lines().map_err(of_api)?;
        let (is_streamed, stopper) = (listener.is_some(), Stopper::default());
        let job = Job {
            request,
            limits,
            lines,
        };
        let stop = || stopper.stop(&self.signal);
        let work = |reports| self.answer(job, &stopper, is_streamed.then_some(reports));
        json(&wait::run(py, &stop, listener.as_ref(), work)??)
    }

    /// Stops the running search; its result is what it has found.
    fn stop(&self) {
        self.signal.stop();
    }

    /// Stops the running search and frees the memory. Closing twice does nothing.
    fn close(&self, py: Python<'_>) {
        py.detach(|| {
            let state = std::mem::replace(&mut *self.lock(), State::Closed);
            if self.process != process::id() {
                std::mem::forget(state);
                return;
            }
            self.signal.stop();
            self.changed.notify_all();
            drop(state);
        });
    }

    #[getter]
    fn is_closed(&self) -> bool {
        matches!(*self.lock(), State::Closed)
    }
}

impl NativeEngine {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the engine is free, and takes it.
    fn lease(&self, stopper: &Stopper) -> Result<Lease<'_>, Refusal> {
        let mut state = self.lock();
        loop {
            if stopper.is_stopped.load(Ordering::SeqCst) {
                return Err(Refusal::GivenUp);
            }
            match std::mem::replace(&mut *state, State::Searching) {
                State::Idle(engine) => {
                    return Ok(Lease {
                        owner: self,
                        engine: Some(engine),
                    });
                }
                State::Searching => {}
                State::Closed => {
                    *state = State::Closed;
                    return Err(Refusal::Closed);
                }
            }
            let waited = self.changed.wait_timeout(state, POLL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn check_process(&self) -> PyResult<()> {
        if self.process == process::id() {
            return Ok(());
        }
        Err(LucenaError::new_err(
            "the engine was opened before a fork: open one in each process",
        ))
    }

    /// Does something with the engine between searches.
    fn with_engine(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut Engine) -> Result<(), Refusal> + Send,
    ) -> PyResult<()> {
        self.check_process()?;
        let stopper = Stopper::default();
        let work = |_| {
            let mut lease = self.lease(&stopper)?;
            lease.engine.as_deref_mut().map_or(Ok(()), act)
        };
        Ok(wait::run(py, &|| stopper.stop(&self.signal), None, work)??)
    }

    /// Searches, on the thread of the caller.
    fn answer(
        &self,
        job: Job,
        stopper: &Stopper,
        reports: Option<wait::Reports>,
    ) -> PyResult<Answer> {
        self.check_process()?;
        let Job {
            request,
            mut limits,
            lines,
        } = job;
        let game = read(&request.fen, &request.moves)?.game;
        let root = *game.position();
        let mut lease = self.lease(stopper)?;
        let Some(engine) = lease.engine.as_deref_mut() else {
            return Err(closed());
        };
        engine.set_multi_pv(lines);
        // Waiting for another search does not count.
        limits.started = lucena::base::clock::Instant::now();
        let ticket = self.signal.issue();
        stopper.ticket.store(ticket, Ordering::SeqCst);
        if stopper.is_stopped.load(Ordering::SeqCst) {
            self.signal.stop_ticket(ticket);
        }
        let found: Arc<Mutex<Vec<InfoReport>>> = Arc::default();
        let sink = Arc::clone(&found);
        let reporter = Arc::new(Reporter::new(request.id, root, move |report| {
            if let EngineReport::Info(info) = report {
                if let (Some(reports), Ok(text)) = (&reports, serde_json::to_string(&info)) {
                    reports.send(text);
                }
                let mut found = sink.lock().unwrap_or_else(PoisonError::into_inner);
                if info.multipv == 1 {
                    found.clear();
                }
                found.push(info);
            }
        }));
        let listener: Arc<dyn Listener> = Arc::clone(&reporter) as Arc<dyn Listener>;
        let best = engine.go(&game, limits, ticket, &listener);
        self.signal.finish(ticket);
        reporter.finish(best);
        let lines = std::mem::take(&mut *found.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(Answer {
            best: best.best.map(uci),
            ponder: best.ponder.map(uci),
            lines,
        })
    }
}

/// A move in UCI notation; castling is the king's move to its rook.
fn uci(mv: Move) -> String {
    mv.uci(true).to_string()
}

fn closed() -> PyErr {
    EngineClosedError::new_err("the engine is closed: open another one with Engine()")
}

/// Settings that could not be applied, as an exception.
fn of_settings(errors: &[EngineError]) -> PyErr {
    // The arguments have other names than the UCI options.
    let named = |error: &EngineError| match error {
        EngineError::Book(fault) => format!("book_files: {fault}"),
        EngineError::Hash { .. } => error.to_string().replacen("Hash", "hash", 1),
        EngineError::Threads { .. } => error.to_string().replacen("Threads", "threads", 1),
        _ => error.to_string(),
    };
    let messages: Vec<String> = errors.iter().map(named).collect();
    OptionError::new_err(messages.join("; "))
}
