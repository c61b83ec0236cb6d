//! The queue from the reader to the controller. It is bounded in bytes, so that no input fills the memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crossbeam_channel::{self as channel, Receiver, Sender};

/// The queue is full from this many bytes of input on.
const MAX_BYTES: usize = 64 << 20;
/// Bytes counted for a request besides its line.
const REQUEST_BYTES: usize = 512;

/// The reader's end.
pub struct QueueSender<T> {
    requests: Sender<(T, usize)>,
    bytes: Arc<AtomicUsize>,
}

/// The controller's end.
pub struct QueueReceiver<T> {
    requests: Receiver<(T, usize)>,
    bytes: Arc<AtomicUsize>,
}

/// Both ends of an empty queue.
pub fn bounded_queue<T>() -> (QueueSender<T>, QueueReceiver<T>) {
    let (sender, receiver) = channel::unbounded();
    let bytes = Arc::new(AtomicUsize::new(0));
    let sender = QueueSender {
        requests: sender,
        bytes: Arc::clone(&bytes),
    };
    let requests = receiver;
    (sender, QueueReceiver { requests, bytes })
}

impl<T> QueueSender<T> {
    /// Whether the reader must wait before it sends.
    pub fn is_full(&self) -> bool {
        self.bytes.load(Ordering::Relaxed) >= MAX_BYTES
    }

    /// Queues the request of a line of `line_bytes`.
    pub fn send(&self, request: T, line_bytes: usize) {
        let bytes = line_bytes + REQUEST_BYTES;
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        // Without a controller the program is ending.
        let _ = self.requests.send((request, bytes));
    }
}

impl<T> QueueReceiver<T> {
    /// Waits for the next request; `None` after the last one.
    pub fn receive(&self) -> Option<T> {
        let (request, bytes) = self.requests.recv().ok()?;
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        Some(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_queue_is_full_until_requests_are_received() {
        let (sender, receiver) = bounded_queue();
        assert!(!sender.is_full());
        for _ in 0..64 {
            sender.send((), 1 << 20);
        }
        assert!(sender.is_full());
        assert!(receiver.receive().is_some());
        assert!(!sender.is_full());
        drop(sender);
        assert_eq!(std::iter::from_fn(|| receiver.receive()).count(), 63);
    }
}
