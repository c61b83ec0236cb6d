//! The exceptions of `lucena_chess.errors`, and which error becomes which.

use std::fmt::Display;

use lucena::api::{ApiError, ErrorKind};
use pyo3::prelude::*;

pyo3::import_exception!(lucena_chess.errors, LucenaError);
pyo3::import_exception!(lucena_chess.errors, EngineClosedError);
pyo3::import_exception!(lucena_chess.errors, InvalidBoardError);
pyo3::import_exception!(lucena_chess.errors, InvalidMoveError);
pyo3::import_exception!(lucena_chess.errors, NoAnswerError);
pyo3::import_exception!(lucena_chess.errors, OptionError);
pyo3::import_exception!(lucena_chess.errors, PgnError);
pyo3::import_exception!(lucena_chess.errors, StoreError);

/// A failure of the machine or of the engine.
pub fn failed(error: impl Display) -> PyErr {
    LucenaError::new_err(error.to_string())
}

/// An option that is out of range or cannot be applied.
pub fn in_option(name: &str, error: impl Display) -> PyErr {
    OptionError::new_err(format!("{name}: {error}"))
}

/// An error of a request as the exception for the argument at fault.
pub fn of_api(error: ApiError) -> PyErr {
    let message = error.message;
    match (error.kind, error.field.as_deref()) {
        (ErrorKind::NoAnswer, _) => NoAnswerError::new_err(message),
        (ErrorKind::Failed, _) => LucenaError::new_err(message),
        (_, Some("fen" | "moves")) => InvalidBoardError::new_err(format!("board: {message}")),
        (_, Some(field @ ("move" | "against"))) => {
            InvalidMoveError::new_err(format!("{field}: {message}"))
        }
        (_, Some("pgn")) => PgnError::new_err(message),
        (_, Some(field)) => in_option(field.strip_prefix("limits.").unwrap_or(field), message),
        (_, None) => LucenaError::new_err(message),
    }
}
