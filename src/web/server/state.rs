//! The state that all connections share: the limits on work, the memory of searches, the token.

use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock};
use std::thread::available_parallelism;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::answer::{self, Answer};
use super::guard::Token;
use super::limits;
use super::memory::HashBudget;
use crate::web::api::{ApiError, ErrorKind, Evaluator};

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

    /// Waits for a place to work; an answer if too many wait already.
    pub async fn enter(&self) -> Result<GatePermit, Answer> {
        let busy = |_| answer::busy("too many requests are waiting: try again soon");
        let present = Arc::clone(&self.present).try_acquire_owned();
        let present =
            present.map_err(|_| answer::busy("too many requests are waiting: try again soon"))?;
        let working = Arc::clone(&self.working).acquire_owned();
        Ok(GatePermit([present, working.await.map_err(busy)?]))
    }
}

/// Runs work on a thread for such work. A panic is an error of this request alone.
pub async fn work<T: Send + 'static>(
    task: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let done = tokio::task::spawn_blocking(task).await;
    done.unwrap_or_else(|_| Err(ApiError::new(ErrorKind::Failed, "an internal error")))
}
