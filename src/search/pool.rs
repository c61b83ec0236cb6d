//! The pool of search threads.
//!
//! Threads are started once and wait at their channels between searches. The last one to become idle wakes the threads that
//! wait for the pool. If a search panics in a thread, it counts as finished there, and the thread starts the next one with
//! new histories.

use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::base::sync::{AtomicUsize, Ordering};

use super::algorithm::Algorithm;
use super::shared::SharedSearch;
use super::signal::Signal;
use super::worker::Worker;

/// Stack of a thread in bytes: more than the deepest search needs; pages are touched only as used.
const STACK_BYTES: usize = 16 * 1024 * 1024;

/// Bytes of address space that a thread may take besides its stack: its worker, on whole huge pages, and what the
/// allocator reserves for a new thread (128 MiB for a moment with glibc).
const ADDRESS_BYTES: usize = 2 * Worker::BYTES + 128 * 1024 * 1024;

/// Bytes that must stay free when a thread is started.
const SPARE_BYTES: usize = 64 * 1024 * 1024;

/// A command to a thread, which ends when the channel is closed.
enum Command {
    Search(Arc<SharedSearch>, Arc<dyn Algorithm>, BusyGuard),
    ClearHistories(BusyGuard),
}

/// Counts a busy thread until it is dropped, by a panic, too.
struct BusyGuard {
    busy: Arc<AtomicUsize>,
    signal: Arc<Signal>,
}

impl Drop for BusyGuard {
    fn drop(&mut self) {
        if self.busy.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.signal.wake();
        }
    }
}

struct Thread {
    commands: Sender<Command>,
    handle: JoinHandle<()>,
}

pub struct Pool {
    threads: Vec<Thread>,
    signal: Arc<Signal>,
    busy: Arc<AtomicUsize>,
}

impl Pool {
    /// A pool without threads; the signal is woken when the last busy thread becomes idle.
    pub fn new(signal: Arc<Signal>) -> Self {
        Self {
            threads: Vec::new(),
            signal,
            busy: Arc::new(AtomicUsize::new(0)),
        }
    }

    pub fn len(&self) -> usize {
        self.threads.len()
    }

    /// Starts or ends threads until there are this many, replaces dead ones, and waits until all have allocated their
    /// memory. Returns the number reached, which is lower if the system gave no more.
    pub fn resize(&mut self, threads: usize) -> usize {
        // A thread's id is its index and never changes, so the threads after a dead one are replaced, too.
        let is_dead = |thread: &Thread| thread.handle.is_finished();
        let alive = self.threads.iter().position(is_dead);
        let alive = alive.unwrap_or(self.threads.len());
        for thread in self.threads.drain(threads.min(alive)..) {
            thread.join();
        }
        while self.threads.len() < threads {
            let id = self.threads.len();
            // The first thread is needed in any case. It must have allocated its memory before the others are tried, since
            // an attempt that fails takes address space (64 MiB for an arena with glibc).
            if id == 1 {
                self.wait();
            }
            // If memory is short, each thread must have allocated its own before the next is tried.
            if id > 0 && !has_memory_for(threads - id) {
                self.wait();
                if !has_memory_for(1) {
                    break;
                }
            }
            self.busy.fetch_add(1, Ordering::SeqCst);
            let ready = self.busy_guard();
            let (commands, received) = unbounded();
            let named = Builder::new()
                .name(format!("search {id}"))
                .stack_size(STACK_BYTES);
            match named.spawn(move || serve(id, &received, ready)) {
                Ok(handle) => self.threads.push(Thread { commands, handle }),
                Err(_) => break,
            }
        }
        self.wait();
        self.threads.len()
    }

    fn busy_guard(&self) -> BusyGuard {
        BusyGuard {
            busy: Arc::clone(&self.busy),
            signal: Arc::clone(&self.signal),
        }
    }

    /// Sleeps until all threads are idle.
    fn wait(&self) {
        while !self.is_idle() {
            self.signal.wait(None, || self.is_idle());
        }
    }

    /// Starts the threads on one search, or each on its own, and likewise with one algorithm or several. The signal is
    /// woken when all are idle again.
    pub fn start(&self, searches: &[Arc<SharedSearch>], algorithms: &[Arc<dyn Algorithm>]) {
        self.send(|index, guard| {
            let shared = Arc::clone(&searches[index % searches.len()]);
            let algorithm = Arc::clone(&algorithms[index % algorithms.len()]);
            Command::Search(shared, algorithm, guard)
        });
    }

    /// Clears the histories of all threads.
    pub fn clear_histories(&self) {
        self.send(|_, guard| Command::ClearHistories(guard));
        self.wait();
    }

    /// Whether all threads are idle.
    pub fn is_idle(&self) -> bool {
        self.busy.load(Ordering::SeqCst) == 0
    }

    fn send(&self, command: impl Fn(usize, BusyGuard) -> Command) {
        self.busy.store(self.threads.len(), Ordering::SeqCst);
        for (index, thread) in self.threads.iter().enumerate() {
            // If the thread is dead, the command is dropped, and its guard counts the thread as idle.
            let _ = thread.commands.send(command(index, self.busy_guard()));
        }
    }
}

/// Whether this many more threads can allocate their memory; a thread that cannot would abort the process.
fn has_memory_for(threads: usize) -> bool {
    let bytes = threads * (ADDRESS_BYTES + STACK_BYTES) + SPARE_BYTES;
    let mut memory = Vec::<u8>::new();
    let found = memory.try_reserve_exact(bytes).is_ok();
    // An optimiser removes allocations that are not used.
    black_box(&memory);
    found
}

impl Thread {
    fn join(self) {
        drop(self.commands);
        let _ = self.handle.join();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for thread in self.threads.drain(..) {
            thread.join();
        }
    }
}

/// The loop of a thread: wait for a command and execute it.
fn serve(id: usize, commands: &Receiver<Command>, ready: BusyGuard) {
    // Allocated on this thread, so that the memory is local to its processor.
    let mut worker = Worker::new(id);
    drop(ready);
    while let Ok(command) = commands.recv() {
        match command {
            Command::Search(shared, algorithm, guard) => {
                worker.outcome = shared.outcomes[id].lock().take().unwrap_or_default();
                let search = || algorithm.search(&mut worker, &shared);
                let searched = catch_unwind(AssertUnwindSafe(search));
                if searched.is_ok() {
                    *shared.outcomes[id].lock() = Some(std::mem::take(&mut worker.outcome));
                } else {
                    // Its state may be inconsistent. Without the main thread the others would search on.
                    worker = Worker::new(id);
                    shared.done.store(true, Ordering::Relaxed);
                }
                drop(shared);
                drop(guard);
            }
            Command::ClearHistories(guard) => {
                worker.clear();
                drop(guard);
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn dead_threads_are_replaced_and_ids_stay_unique() {
        let mut pool = Pool::new(Arc::default());
        assert_eq!(pool.resize(3), 3);
        // A thread whose channel is closed ends.
        pool.threads[1].commands = unbounded().0;
        while !pool.threads[1].handle.is_finished() {
            std::thread::yield_now();
        }
        assert_eq!(pool.resize(3), 3);
        for (id, thread) in pool.threads.iter().enumerate() {
            assert!(!thread.handle.is_finished());
            let name = thread.handle.thread().name();
            assert_eq!(name, Some(&*format!("search {id}")));
        }
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;

    #[test]
    fn loom_waiting_for_the_threads_ends() {
        loom::model(|| {
            let signal = Arc::new(Signal::default());
            let busy = Arc::new(AtomicUsize::new(2));
            let guard = || BusyGuard {
                busy: Arc::clone(&busy),
                signal: Arc::clone(&signal),
            };
            let (one, other) = (guard(), guard());
            let thread = loom::thread::spawn(move || drop(one));
            let another = loom::thread::spawn(move || drop(other));
            // As in `Pool::wait`; loom finds any interleaving in which this sleeps forever.
            let is_idle = || busy.load(Ordering::SeqCst) == 0;
            while !is_idle() {
                signal.wait(None, is_idle);
            }
            thread.join().unwrap();
            another.join().unwrap();
        });
    }
}
