//! Why a command fails, and how that is told.
//! Uses: chess, learn (its errors). Used by: every command.
//! Idea: one type for all commands, so that each says `error: ` on standard error and ends as the others do: with 2 where
//! its arguments make no sense, as the parser of arguments does, and with 1 where what they ask has failed.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::chess::Position;
use crate::lab::train::store::StoreError;

/// The exit status where what was asked makes no sense.
const USAGE: u8 = 2;

/// Why a command fails.
#[derive(Debug)]
pub enum Failure {
    /// An argument makes no sense.
    Usage(String),
    /// What was asked failed.
    Message(String),
    /// Standard output could not be written.
    Output(io::Error),
    /// What is wrong has been written to standard output: it is what was asked for.
    Told,
}

/// Only standard output fails without a word on what it is: files are told by [`in_file`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Names its file by itself.
impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        told(error)
    }
}

/// A failure told by any error that names its own place.
pub fn told(error: impl Display) -> Failure {
    Failure::Message(error.to_string())
}

/// An argument that makes no sense, told by what is wrong with it.
pub fn misused(error: impl Display) -> Failure {
    Failure::Usage(error.to_string())
}

/// A failure with a file or folder.
pub fn in_file<E: Display>(path: &Path) -> impl Fn(E) -> Failure {
    move |error| Failure::Message(format!("{}: {error}", path.display()))
}

/// Says on standard error what failed; the exit status.
#[must_use]
pub fn end(done: Result<(), Failure>) -> ExitCode {
    let (reason, status) = match done {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Told) => return ExitCode::FAILURE,
        // Whoever reads has read enough, as `head` does.
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => {
            return ExitCode::SUCCESS;
        }
        Err(Failure::Output(error)) => (format!("standard output: {error}"), ExitCode::FAILURE),
        Err(Failure::Message(reason)) => (reason, ExitCode::FAILURE),
        Err(Failure::Usage(reason)) => (reason, ExitCode::from(USAGE)),
    };
    let _ = writeln!(io::stderr(), "error: {reason}");
    status
}

/// The position that words describe: a FEN, quoted or not, or `startpos`.
///
/// # Errors
/// What is wrong with it: an argument that makes no sense.
pub fn position(words: &[String]) -> Result<Position, Failure> {
    match words.join(" ").trim() {
        "startpos" => Ok(Position::startpos()),
        fen => Position::from_fen(fen).map_err(misused),
    }
}
