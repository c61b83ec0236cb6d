//! Standard output of commands.

use std::io::{self, ErrorKind, Write};

/// Standard output. Once its reader is gone (as in `lucena … | head`), the rest is discarded: the command still writes
/// its files and keeps its exit status.
pub struct Stdout(io::Stdout);

pub fn stdout() -> Stdout {
    Stdout(io::stdout())
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0.flush() {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            flushed => flushed,
        }
    }
}
