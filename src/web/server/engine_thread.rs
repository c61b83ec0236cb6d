//! The engine of one connection, on a thread of its own: at most one search at a time, and a new one stops the old.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use super::limits;
use super::memory::{HashBudget, HashShare};
use crate::base::sync::{Condvar, Mutex};
use crate::engine::level::GameView;
use crate::engine::{Engine, Limits, Listener, Signal, Ticket};
use crate::web::api::{ApiError, BestMoveReport, EngineReport, ErrorKind, ErrorReport};
use crate::web::api::{LevelPlayer, Reporter};

/// A search that was asked for.
pub struct Job {
    pub id: u64,
    pub view: GameView,
    pub limits: Limits,
    pub lines: usize,
    /// MiB wanted.
    pub hash: usize,
    pub book: bool,
    /// The rating to play at; `None`: full strength.
    pub level: Option<u16>,
}

/// Takes the reports of searches; called on their threads.
pub type Send = Arc<dyn Fn(EngineReport) + core::marker::Send + Sync>;

/// The next search of the thread.
#[derive(Default)]
struct Next {
    job: Option<(Ticket, Job)>,
    is_closed: bool,
}

#[derive(Default)]
struct Slot {
    next: Mutex<Next>,
    changed: Condvar,
}

/// A thread with an engine. Dropping it stops the search and ends the thread.
pub struct EngineThread {
    slot: Arc<Slot>,
    signal: Arc<Signal>,
}

impl EngineThread {
    /// Starts the thread. The engine is ready before the first search; its memory costs nothing until it is used.
    ///
    /// # Errors
    /// If the thread cannot start.
    pub fn start(budget: Arc<HashBudget>, send: Send) -> io::Result<Self> {
        let (slot, signal) = (Arc::<Slot>::default(), Arc::<Signal>::default());
        let (own, stop) = (Arc::clone(&slot), Arc::clone(&signal));
        thread::Builder::new()
            .name("engine".into())
            .stack_size(limits::STACK)
            .spawn(move || run(&own, &stop, &budget, &send))?;
        Ok(Self { slot, signal })
    }

    /// Stops the running search and starts another. Returns the end of a search that was waiting and will never start.
    pub fn search(&self, job: Job) -> Option<EngineReport> {
        self.signal.stop();
        let mut next = self.slot.next.lock();
        let replaced = next.job.replace((self.signal.issue(), job));
        drop(next);
        self.slot.changed.notify_all();
        replaced.map(|(_, job)| {
            EngineReport::BestMove(BestMoveReport {
                id: job.id,
                mv: None,
                san: None,
                ponder: None,
            })
        })
    }

    /// Stops the search; its best move is reported.
    pub fn stop(&self) {
        self.signal.stop();
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        let mut next = self.slot.next.lock();
        next.is_closed = true;
        next.job = None;
        drop(next);
        self.signal.quit();
        self.slot.changed.notify_all();
    }
}

/// Waits for searches and runs them.
fn run(slot: &Slot, signal: &Arc<Signal>, budget: &Arc<HashBudget>, send: &Send) {
    let start = |share: &HashShare| {
        let mut engine = Engine::with_signal(Arc::clone(signal));
        engine.set_hash(share.megabytes());
        // A setting that cannot be applied is tried again by the search.
        let _ = engine.prepare();
        engine
    };
    let mut share = budget.take(limits::HASH);
    let mut engine = start(&share);
    let mut level = LevelPlayer::new(|| RandomState::new().hash_one(0));
    loop {
        let mut next = slot.next.lock();
        let (ticket, job) = loop {
            if next.is_closed {
                return;
            }
            if let Some(job) = next.job.take() {
                break job;
            }
            next = slot.changed.wait(next);
        };
        drop(next);
        // Other connections may have freed memory since the last search.
        share.resize(job.hash);
        let (id, megabytes) = (job.id, share.megabytes());
        let search = || search(&mut engine, &mut level, job, megabytes, ticket, send);
        if catch_unwind(AssertUnwindSafe(search)).is_err() {
            engine = start(&share);
            let error = ApiError::new(ErrorKind::Failed, "an internal error");
            send(EngineReport::Error(ErrorReport {
                id: Some(id),
                error,
            }));
        }
        signal.finish(ticket);
    }
}

fn search(
    engine: &mut Engine,
    level: &mut LevelPlayer,
    job: Job,
    megabytes: usize,
    ticket: Ticket,
    send: &Send,
) {
    engine.set_hash(megabytes);
    engine.set_multi_pv(job.lines);
    engine.own_book().set_on(job.book);
    let send = Arc::clone(send);
    let root = *job.view.game().position();
    let reporter = Reporter::new(job.id, root, move |report| send(report));
    let reporter = Arc::new(reporter);
    let listener: Arc<dyn Listener> = Arc::clone(&reporter) as Arc<dyn Listener>;
    let Job { view, limits, .. } = job;
    let answer = match job.level {
        Some(rating) => level.go(engine, rating, &view, limits, ticket, &listener),
        None => engine.go(view.game(), limits, ticket, &listener),
    };
    reporter.finish(answer);
}
