//! The state that all connections share: the limits on work, the memory of searches, the token.

use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock};
use std::thread::available_parallelism;

use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::answer::{self, Answer};
use super::guard::Token;
use super::limits;
use super::memory::HashBudget;
use super::stop_guard::StopGuard;
use crate::web::api::{ApiError, ErrorKind, Evaluator, Stop};

/// What all connections share.
pub struct State {
    pub token: Option<Token>,
    pub port: u16,
    /// Places for connections of searches.
    pub sockets: Arc<Semaphore>,
    pub questions: Gate,
    pub reviews: Gate,
    pub hash: Arc<HashBudget>,
    pub evaluator: LazyLock<Evaluator>,
}

/// Lets a number of tasks work at a time, and a number wait.
pub struct Gate {
    working: Arc<Semaphore>,
    present: Arc<Semaphore>,
}

/// A place before a gate, given back when dropped.
pub struct GatePlace {
    working: Arc<Semaphore>,
    present: OwnedSemaphorePermit,
}

/// The right to work behind a gate, given back when dropped.
pub struct GatePermit(#[allow(dead_code, reason = "held")] [OwnedSemaphorePermit; 2]);

impl State {
    pub fn new(token: Option<Token>, port: u16) -> Arc<Self> {
        Arc::new(Self {
            token,
            port,
            sockets: Arc::new(Semaphore::new(limits::MAX_SOCKETS)),
            questions: Gate::new(processors(), limits::MAX_WAITING_QUESTIONS),
            reviews: Gate::new(limits::MAX_REVIEWS, limits::MAX_WAITING_REVIEWS),
            hash: HashBudget::new(),
            evaluator: LazyLock::new(Evaluator::new),
        })
    }

    /// The threads that questions, reviews and short work need.
    pub fn threads() -> usize {
        processors() + limits::MAX_REVIEWS + limits::SHORT_WORK
    }
}

/// The number of processors, at least 2, so that one long question cannot hold up another.
fn processors() -> usize {
    available_parallelism().map_or(1, NonZeroUsize::get).max(2)
}

impl Gate {
    fn new(working: usize, waiting: usize) -> Self {
        Self {
            working: Arc::new(Semaphore::new(working)),
            present: Arc::new(Semaphore::new(working + waiting)),
        }
    }

    /// A place to wait in; `None` if too many wait already.
    pub fn place(&self) -> Option<GatePlace> {
        let present = Arc::clone(&self.present).try_acquire_owned().ok()?;
        let working = Arc::clone(&self.working);
        Some(GatePlace { working, present })
    }
}

impl GatePlace {
    /// Waits for the right to work. A gate never closes.
    pub async fn enter(self) -> Option<GatePermit> {
        let working = self.working.acquire_owned().await.ok()?;
        Some(GatePermit([self.present, working]))
    }
}

/// Too many requests wait.
pub fn busy() -> Answer {
    answer::busy("too many requests are waiting: try again soon")
}

/// Answers by a search that waits at a gate, and that stops when the client disconnects.
pub async fn search<T: Serialize + Send + 'static>(
    gate: &Gate,
    find: impl FnOnce(&Stop) -> Result<T, ApiError> + Send + 'static,
) -> Result<Answer, Answer> {
    let place = gate.place().ok_or_else(busy)?;
    let permit = place.enter().await.ok_or_else(busy)?;
    let stop = Stop::default();
    let _guard = StopGuard(stop.clone());
    let task = move || {
        let _permit = permit;
        find(&stop)
    };
    Ok(answer::send(work(task).await))
}

/// Runs work on a thread for such work. A panic is an error of this request alone.
pub async fn work<T: Send + 'static>(
    task: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let done = tokio::task::spawn_blocking(task).await;
    done.unwrap_or_else(|_| Err(ApiError::new(ErrorKind::Failed, "an internal error")))
}
