//! Stop and ponder hit for searches that are numbered by tickets.
//!
//! A stop names the highest ticket it ends. Nothing is ever reset, so that a stop right after `go` is not lost and a late one
//! does not end the next search.

use std::time::Duration;

use crossbeam_utils::CachePadded;

use crate::base::clock::Instant;
use crate::base::sync::{AtomicU64, Condvar, Mutex, Ordering};

/// A wait longer than any search.
const FOR_EVER: Duration = Duration::from_hours(365 * 24);

/// The number of a search, from 1 in the order of the requests.
pub type Ticket = u64;

/// The signal between front end and search threads.
#[derive(Debug, Default)]
pub struct Signal {
    issued: AtomicU64,
    finished_through: AtomicU64,
    stop_through: CachePadded<AtomicU64>,
    /// The newest search that a later one replaces.
    replaced: AtomicU64,
    ponder_hit: Mutex<Option<(Ticket, Instant)>>,
    /// Held only to wait and to wake; never while the fields above change.
    gate: Mutex<()>,
    changed: Condvar,
}

impl Signal {
    /// Numbers a new search.
    pub fn issue(&self) -> Ticket {
        self.issued.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Stops every search issued so far, started or not.
    pub fn stop(&self) {
        self.stop_ticket(self.issued.load(Ordering::SeqCst));
    }

    /// Stops the searches up to and including `ticket`.
    pub fn stop_ticket(&self, ticket: Ticket) {
        self.stop_through.fetch_max(ticket, Ordering::SeqCst);
        self.wake();
    }

    /// Stops a search that a later one replaces: now, if all before it are answered, otherwise when [`Self::start`] is
    /// called for it. Whether now.
    pub fn replace(&self, ticket: Ticket) -> bool {
        self.replaced.fetch_max(ticket, Ordering::SeqCst);
        let is_next = self.finished_through.load(Ordering::SeqCst) + 1 >= ticket;
        if is_next {
            self.stop_ticket(ticket);
        }
        is_next
    }

    /// Called when a search that may be replaced starts, after all before it are answered: stops it if a later one has
    /// replaced it.
    pub fn start(&self, ticket: Ticket) {
        if self.replaced.load(Ordering::SeqCst) >= ticket {
            self.stop_ticket(ticket);
        }
    }

    /// Stops every search, present and future.
    pub fn quit(&self) {
        self.stop_ticket(Ticket::MAX);
    }

    /// The opponent played the expected move: the newest search continues on its own time.
    pub fn ponder_hit(&self) {
        let ticket = self.issued.load(Ordering::SeqCst);
        let mut hit = self.ponder_hit.lock();
        if hit.is_none_or(|(known, _)| known < ticket) {
            *hit = Some((ticket, Instant::now()));
        }
        drop(hit);
        self.wake();
    }

    /// When the ponder hit for this search came, if it has.
    pub fn ponder_hit_at(&self, ticket: Ticket) -> Option<Instant> {
        self.ponder_hit
            .lock()
            .filter(|&(hit, _)| hit >= ticket)
            .map(|(_, at)| at)
    }

    /// Whether this search is to end. One relaxed load, at every node.
    #[inline]
    pub fn is_stopped(&self, ticket: Ticket) -> bool {
        self.stop_through.load(Ordering::Relaxed) >= ticket
    }

    /// Marks this search as answered; called right before the answer is sent.
    pub fn finish(&self, ticket: Ticket) {
        self.finished_through.fetch_max(ticket, Ordering::SeqCst);
        self.wake();
    }

    /// Whether a search is issued but not answered.
    pub fn is_busy(&self) -> bool {
        self.finished_through.load(Ordering::SeqCst) < self.issued.load(Ordering::SeqCst)
    }

    /// Waits until every search issued so far is answered, at most this long; whether they all are.
    pub fn wait_until_idle(&self, at_most: Duration) -> bool {
        let now = Instant::now();
        let deadline = now.checked_add(at_most).unwrap_or(now + FOR_EVER);
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
    /// deadline passes. `done` is called with the lock held, so that no change is missed; it must not wait on this signal.
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

    /// Sleeps until this search is stopped or, with `ponder_hit_ends`, its ponder hit has come. For answers that are known
    /// but must be held back.
    pub fn hold(&self, ticket: Ticket, ponder_hit_ends: bool) {
        let mut guard = self.gate.lock();
        let free =
            || self.is_stopped(ticket) || (ponder_hit_ends && self.ponder_hit_at(ticket).is_some());
        while !free() {
            guard = self.changed.wait(guard);
        }
    }

    /// Wakes all waiting threads. Taking the lock first closes the gap between their test and their sleep.
    pub fn wake(&self) {
        drop(self.gate.lock());
        self.changed.notify_all();
    }
}
