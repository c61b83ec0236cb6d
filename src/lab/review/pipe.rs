//! Standard input, read by a thread of its own, so that a stopped review does not wait for a silent writer.

use std::io::{self, Cursor, Read};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};

use crate::search::stop::Stop;

/// Bytes of a chunk, and the number of chunks that may wait.
const PIECE: usize = 64 << 10;
const PIECES: usize = 4;
/// How often a waiting reader checks for a stop.
const PATIENCE: Duration = Duration::from_millis(50);

/// Reads standard input until it ends or the review is stopped.
pub struct Pipe {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Cursor<Vec<u8>>,
    stop: Stop,
}

impl Pipe {
    /// # Errors
    /// The thread cannot start.
    pub fn stdin(stop: Stop) -> io::Result<Self> {
        let (sender, pieces) = bounded(PIECES);
        // The thread ends with its input or with the program; it holds no data of others.
        thread::Builder::new()
            .name("standard input".into())
            .spawn(move || {
                let mut input = io::stdin();
                loop {
                    let mut piece = vec![0; PIECE];
                    let read = input.read(&mut piece).map(|length| {
                        piece.truncate(length);
                        piece
                    });
                    let is_end = read.as_ref().map_or(true, Vec::is_empty);
                    if sender.send(read).is_err() || is_end {
                        break;
                    }
                }
            })?;
        Ok(Self {
            pieces,
            piece: Cursor::default(),
            stop,
        })
    }
}

impl Read for Pipe {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.piece.read(bytes)?;
            if read > 0 || bytes.is_empty() {
                return Ok(read);
            }
            match self.pieces.recv_timeout(PATIENCE) {
                Ok(piece) => {
                    let piece = piece?;
                    if piece.is_empty() {
                        return Ok(0);
                    }
                    self.piece = Cursor::new(piece);
                }
                Err(RecvTimeoutError::Timeout) if !self.stop.is_stopped() => {}
                Err(_) => return Ok(0),
            }
        }
    }
}
