//! The limits of the server, so that no client can exhaust memory, threads or files.

use std::time::Duration;

/// Connections at a time, those of searches among them.
pub const CONNECTIONS: usize = 256;
/// Connections of searches at a time; each has at most one search.
pub const MAX_SOCKETS: usize = 64;
/// Bytes of the buffer for a request's first line and headers; hyper reads up to twice as many.
pub const MAX_HEADER_BYTES: usize = 64 << 10;
/// Bytes of a body.
pub const MAX_BODY_BYTES: usize = 4 << 20;
/// Bytes of a body that is larger, and the time, that are read and discarded before the answer.
pub const DISCARDED_BYTES: usize = 64 << 20;
pub const DISCARD_TIME: Duration = Duration::from_secs(1);
/// Bytes of a message on such a connection.
pub const MAX_MESSAGE_BYTES: usize = 64 << 10;
/// Games of a review.
pub const MAX_GAMES: usize = 500;
/// Reviews at a time, and those that may wait.
pub const MAX_REVIEWS: usize = 2;
pub const MAX_WAITING_REVIEWS: usize = 8;
/// Questions that may wait; as many as there are processors are answered at a time.
pub const MAX_WAITING_QUESTIONS: usize = 64;
/// Threads for short work, such as the legal moves of a position.
pub const SHORT_WORK: usize = 4;
/// Stack of a working thread in bytes.
pub const STACK: usize = 16 << 20;
/// MiB of a search's transposition table: by default, the most, and the least that is granted.
pub const HASH: usize = 16;
pub const MAX_HASH: usize = 256;
pub const MIN_HASH: usize = 1;
/// MiB of all tables, which a quarter of the memory may reduce.
pub const ALL_HASH: usize = 1024;
/// Messages for a client that reads slowly, and how many of these places are kept for best moves and errors.
pub const MESSAGES_WAITING: usize = 64;
pub const MESSAGES_KEPT: usize = 16;
/// How long a client may take to send the headers or the body of a request.
pub const HEADER_TIME: Duration = Duration::from_secs(20);
pub const BODY_TIME: Duration = Duration::from_mins(1);
/// How long a client may read nothing of what is sent.
pub const SEND_TIME: Duration = Duration::from_secs(20);
/// The time between pings, and the time without any message after which a connection is closed.
pub const PING: Duration = Duration::from_secs(20);
pub const SILENCE: Duration = Duration::from_mins(1);
