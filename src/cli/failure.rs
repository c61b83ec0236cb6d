//! Errors of commands: printed as `error: …` on standard error, with exit status 2 for invalid arguments (as clap) and 1 for
//! everything else.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::base::text::plain_message;
use crate::chess::{Game, Move, Position};
use crate::engine::ExplainError;
use crate::lab::train::store::StoreError;

/// The exit status for invalid arguments.
const USAGE: u8 = 2;

/// Why a command fails.
#[derive(Debug)]
pub enum Failure {
    /// An invalid argument.
    Usage(String),
    Message(String),
    /// Standard output could not be written.
    Output(io::Error),
    /// The faults found are already printed, as the output of the command.
    Printed,
}

/// For standard output only: an error with a file needs its name, see [`in_file`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        failed(error)
    }
}

/// A failure by an error that names its own file or field.
pub fn failed(error: impl Display) -> Failure {
    Failure::Message(error.to_string())
}

/// A failure by an invalid argument.
pub fn usage_error(error: impl Display) -> Failure {
    Failure::Usage(error.to_string())
}

/// A failure with a file or folder.
pub fn in_file<E: Display>(path: &Path) -> impl Fn(E) -> Failure {
    move |error| Failure::Message(format!("{}: {error}", path.display()))
}

/// Prints the error, if any, and returns the exit status.
pub fn exit_code(result: Result<(), Failure>) -> ExitCode {
    let (reason, code) = match result {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Printed) => return ExitCode::FAILURE,
        Err(Failure::Output(error)) => (format!("standard output: {error}"), ExitCode::FAILURE),
        Err(Failure::Message(reason)) => (reason, ExitCode::FAILURE),
        Err(Failure::Usage(reason)) => (reason, ExitCode::from(USAGE)),
    };
    let _ = writeln!(io::stderr(), "error: {}", plain_message(&reason));
    code
}

/// The position given as words: `startpos` or a FEN, and moves, quoted or not.
///
/// # Errors
/// A usage error for an invalid FEN or an illegal move.
pub fn position(words: &[String]) -> Result<Position, Failure> {
    game(words).map(|game| *game.position())
}

/// The game given as words: `startpos` or a FEN, and moves.
///
/// # Errors
/// A usage error for an invalid FEN or an illegal move.
pub fn game(words: &[String]) -> Result<Game, Failure> {
    Game::from_words(&words.join(" ")).map_err(usage_error)
}

/// The game given as words, and the move after it: the last word, if the words before it are a position without moves. A
/// quoted position is only the first argument, and may contain moves after the position.
///
/// # Errors
/// A usage error for an invalid FEN or an illegal move; a failure if a move follows a game that is over.
pub fn game_and_move(words: &[String]) -> Result<(Game, Option<Move>), Failure> {
    let is_quoted = |word: &&String| word.contains(' ') || word.as_str() == "startpos";
    let (position, rest) = if words.first().as_ref().is_some_and(is_quoted) {
        words.split_at(1)
    } else {
        // Four fields and two numbers, which may be left out.
        let is_number = |word: &&String| word.bytes().all(|byte| byte.is_ascii_digit());
        let numbers = words.iter().skip(4).take(2).take_while(is_number).count();
        words.split_at(words.len().min(4 + numbers))
    };
    let game = game(position)?;
    match rest {
        [] => Ok((game, None)),
        [_] if let Some(end) = game.end() => Err(failed(ExplainError::Over(end))),
        [text] => {
            let mv = game.position().find_move(text).map_err(usage_error)?;
            Ok((game, Some(mv)))
        }
        [_, more, ..] => Err(usage_error(format!(
            "expected one move after the position, found also {more:?}; put a position and its moves in quotes together"
        ))),
    }
}
