//! Stop and ponder hit, by ticket.
//! Uses: sync. Used by: search, engine, uci.
//! Idea: every search has a number, and a stop names the highest number it ends. Nothing is ever reset, so a stop sent
//! right behind its `go` cannot be lost and a late one cannot end the next search.

use std::time::{Duration, Instant};

use crossbeam::utils::CachePadded;

use crate::base::sync::{AtomicU64, Condvar, Mutex, Ordering};

/// The number of a search, from 1 in the order in which they were asked for.
pub type Ticket = u64;

/// The shared word between whoever commands and whoever searches.
#[derive(Debug, Default)]
pub struct Signal {
    issued: AtomicU64,
    finished_through: AtomicU64,
    stop_through: CachePadded<AtomicU64>,
    ponder_hit: Mutex<Option<(Ticket, Instant)>>,
    /// Held only to wait and to wake, so that whoever waits may ask all the above.
    gate: Mutex<()>,
    changed: Condvar,
}

impl Signal {
    /// Numbers a new search.
    pub fn issue(&self) -> Ticket {
        self.issued.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Stops every search issued so far, begun or not.
    pub fn stop(&self) {
        self.stop_ticket(self.issued.load(Ordering::SeqCst));
    }

    /// Stops the searches up to and including `ticket`.
    pub fn stop_ticket(&self, ticket: Ticket) {
        self.stop_through.fetch_max(ticket, Ordering::SeqCst);
        self.wake();
    }

    /// Stops every search, now and in future: the program ends.
    pub fn quit(&self) {
        self.stop_ticket(Ticket::MAX);
    }

    /// The opponent played the expected move: the newest search issued goes on in its own time.
    pub fn ponder_hit(&self) {
        let ticket = self.issued.load(Ordering::SeqCst);
        let mut hit = self.ponder_hit.lock();
        if hit.is_none_or(|(known, _)| known < ticket) {
            *hit = Some((ticket, Instant::now()));
        }
        drop(hit);
        self.wake();
    }

    /// When the ponder hit for this search came, if it came.
    pub fn ponder_hit_at(&self, ticket: Ticket) -> Option<Instant> {
        self.ponder_hit
            .lock()
            .filter(|&(hit, _)| hit >= ticket)
            .map(|(_, at)| at)
    }

    /// Whether this search is to end. One relaxed load: asked at every node.
    #[inline]
    pub fn is_stopped(&self, ticket: Ticket) -> bool {
        self.stop_through.load(Ordering::Relaxed) >= ticket
    }

    /// Notes that the answer to this search is about to be given.
    pub fn finish(&self, ticket: Ticket) {
        self.finished_through.fetch_max(ticket, Ordering::SeqCst);
        self.wake();
    }

    /// Whether any search issued has not been answered yet.
    pub fn is_busy(&self) -> bool {
        self.finished_through.load(Ordering::SeqCst) < self.issued.load(Ordering::SeqCst)
    }

    /// Waits until every search issued so far has been answered, at most this long; whether they all have.
    pub fn wait_until_idle(&self, at_most: Duration) -> bool {
        let deadline = Instant::now() + at_most;
        let mut guard = self.gate.lock();
        while self.is_busy() {
            if Instant::now() >= deadline {
                return false;
            }
            guard = self.changed.wait_until(guard, deadline);
        }
        true
    }

    /// Sleeps until something changes (a stop, a ponder hit, a finish, a [`Signal::wake`]), `done` holds or the
    /// deadline passes. `done` is asked behind the gate, so no change is missed; it may ask this signal anything but to wait.
    pub fn wait(&self, deadline: Option<Instant>, done: impl Fn() -> bool) {
        let guard = self.gate.lock();
        if done() {
            return;
        }
        drop(match deadline {
            Some(deadline) => self.changed.wait_until(guard, deadline),
            None => self.changed.wait(guard),
        });
    }

    /// Sleeps until this search is stopped or, where `ponder_hit_ends`, its ponder hit has come. For answers that are
    /// known but may not be given yet.
    pub fn hold(&self, ticket: Ticket, ponder_hit_ends: bool) {
        let mut guard = self.gate.lock();
        let free =
            || self.is_stopped(ticket) || (ponder_hit_ends && self.ponder_hit_at(ticket).is_some());
        while !free() {
            guard = self.changed.wait(guard);
        }
    }

    /// Wakes everyone who waits. Taking the lock first closes the gap between their test and their sleep.
    pub fn wake(&self) {
        drop(self.gate.lock());
        self.changed.notify_all();
    }
}
