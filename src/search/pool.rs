//! The threads.
//! Uses: worker, deepen, vote, sync. Used by: engine.
//! Idea: threads are made once and sleep on their channels between searches; a shared goes to each by `Arc`, and whoever
//! counts itself out last wakes the one that waits. A thread that panics counts itself out too.

use std::hint::black_box;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use crossbeam::channel::{Receiver, Sender, unbounded};

use crate::base::sync::{AtomicUsize, Ordering};

use super::deepen::deepen;
use super::shared::SharedSearch;
use super::signal::Signal;
use super::worker::Worker;

/// Bytes of stack for a thread: enough for the deepest search with room to spare; touched only as used.
const STACK_BYTES: usize = 16 * 1024 * 1024;

/// Bytes of addresses that a thread may take beside its stack: its memory, on whole huge pages, and what the system's
/// allocator reserves for a thread that is new to it (128 MiB for a moment with glibc).
const ADDRESS_BYTES: usize = 2 * Worker::BYTES + 128 * 1024 * 1024;

/// Bytes that must be left to all else when a thread is started.
const SPARE_BYTES: usize = 64 * 1024 * 1024;

/// What a thread is told to do; the end of the channel means leave.
enum Order {
    Search(Arc<SharedSearch>, BusyGuard),
    Forget(BusyGuard),
}

/// Counts a thread out when dropped, however that comes about.
struct BusyGuard {
    inside: Arc<AtomicUsize>,
    signal: Arc<Signal>,
}

impl Drop for BusyGuard {
    fn drop(&mut self) {
        if self.inside.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.signal.wake();
        }
    }
}

struct Thread {
    orders: Sender<Order>,
    handle: JoinHandle<()>,
}

/// A pool of search threads.
pub struct Pool {
    threads: Vec<Thread>,
    signal: Arc<Signal>,
    inside: Arc<AtomicUsize>,
}

impl Pool {
    /// A pool without threads yet, woken through this signal.
    #[must_use]
    pub fn new(signal: Arc<Signal>) -> Self {
        Self {
            threads: Vec::new(),
            signal,
            inside: Arc::new(AtomicUsize::new(0)),
        }
    }

    /// How many threads there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.threads.len()
    }

    /// Starts or ends threads until there are this many, replacing any that died, and waits until all have taken their
    /// memory; the number reached, lower only where the system gave no more.
    pub fn resize(&mut self, threads: usize) -> usize {
        self.threads.retain(|thread| !thread.handle.is_finished());
        for thread in self.threads.drain(threads.min(self.threads.len())..) {
            thread.leave();
        }
        while self.threads.len() < threads {
            // Where memory is short each has to take its own before there can be talk of another; the first must be.
            let more = threads - self.threads.len();
            if !self.threads.is_empty() && !has_memory_for(more) {
                self.wait();
                if !has_memory_for(1) {
                    break;
                }
            }
            let id = self.threads.len();
            self.inside.fetch_add(1, Ordering::SeqCst);
            let ready = self.turnstile();
            let (orders, received) = unbounded();
            let named = Builder::new()
                .name(format!("search {id}"))
                .stack_size(STACK_BYTES);
            match named.spawn(move || serve(id, &received, ready)) {
                Ok(handle) => self.threads.push(Thread { orders, handle }),
                Err(_) => break,
            }
        }
        self.wait();
        self.threads.len()
    }

    fn turnstile(&self) -> BusyGuard {
        BusyGuard {
            inside: Arc::clone(&self.inside),
            signal: Arc::clone(&self.signal),
        }
    }

    /// Sleeps until no thread is at work.
    fn wait(&self) {
        while !self.is_idle() {
            self.signal.wait(None, || self.is_idle());
        }
    }

    /// Sends a shared to all threads, or each its own. They are through when [`Self::is_idle`] says so; the searches' signal is
    /// woken then.
    pub fn start(&self, searches: &[Arc<SharedSearch>]) {
        self.order(|index, turnstile| {
            Order::Search(Arc::clone(&searches[index % searches.len()]), turnstile)
        });
    }

    /// Has every thread forget what it learned of moves, and waits for that.
    pub fn forget(&self) {
        self.order(|_, turnstile| Order::Forget(turnstile));
        self.wait();
    }

    /// Whether no thread is at work.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.inside.load(Ordering::SeqCst) == 0
    }

    fn order(&self, order: impl Fn(usize, BusyGuard) -> Order) {
        self.inside.store(self.threads.len(), Ordering::SeqCst);
        for (index, thread) in self.threads.iter().enumerate() {
            // A dead thread's channel hands the order back; dropping it counts the thread out.
            let _ = thread.orders.send(order(index, self.turnstile()));
        }
    }
}

/// Whether so many threads more will find their memory: where it is not to be had, a thread could only take the whole
/// process down.
fn has_memory_for(threads: usize) -> bool {
    let bytes = threads * (ADDRESS_BYTES + STACK_BYTES) + SPARE_BYTES;
    let mut memory = Vec::<u8>::new();
    let found = memory.try_reserve_exact(bytes).is_ok();
    // Seen from outside: memory that nobody looks at, an optimiser takes as granted and never asks for.
    black_box(&memory);
    found
}

impl Thread {
    fn leave(self) {
        drop(self.orders);
        let _ = self.handle.join();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for thread in self.threads.drain(..) {
            thread.leave();
        }
    }
}

/// A thread's life: wait for an order, carry it out, let go of it, count out.
fn serve(id: usize, orders: &Receiver<Order>, ready: BusyGuard) {
    // Made here, so that the memory lies near the processor that uses it.
    let mut worker = Worker::new(id);
    drop(ready);
    while let Ok(order) = orders.recv() {
        match order {
            Order::Search(shared, turnstile) => {
                worker.outcome = shared.outcomes[id].lock().take().unwrap_or_default();
                deepen(&mut worker, &shared);
                *shared.outcomes[id].lock() = Some(std::mem::take(&mut worker.outcome));
                drop(shared);
                drop(turnstile);
            }
            Order::Forget(turnstile) => {
                worker.forget();
                drop(turnstile);
            }
        }
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;

    #[test]
    fn loom_whoever_waits_for_the_threads_is_woken() {
        loom::model(|| {
            let signal = Arc::new(Signal::default());
            let inside = Arc::new(AtomicUsize::new(2));
            let turnstile = || BusyGuard {
                inside: Arc::clone(&inside),
                signal: Arc::clone(&signal),
            };
            let (one, other) = (turnstile(), turnstile());
            let thread = loom::thread::spawn(move || drop(one));
            let another = loom::thread::spawn(move || drop(other));
            // As `Pool::forget` does; loom finds any order in which this would sleep for ever.
            let is_idle = || inside.load(Ordering::SeqCst) == 0;
            while !is_idle() {
                signal.wait(None, is_idle);
            }
            thread.join().unwrap();
            another.join().unwrap();
        });
    }
}
