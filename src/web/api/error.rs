//! Errors of requests: a message, the invalid field and the place in it.

use std::fmt::Display;
use std::ops::RangeInclusive;

use serde::Serialize;
use thiserror::Error;

/// Why a request has no answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorKind {
    /// The request is at fault.
    #[default]
    Invalid,
    /// The request is valid, but this position has no answer.
    NoAnswer,
    /// This program cannot do it.
    Unsupported,
    /// The program lacks memory or threads.
    Failed,
}

/// An error with the field of the request that it is about.
/// It is printed as `field: message`.
#[derive(Clone, Debug, Error, PartialEq, Eq, Serialize)]
#[error("{}{message}", prefix(field.as_deref(), message))]
pub struct ApiError {
    pub message: String,
    /// The field at fault, as the request names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The line in the field, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The character in the field or the line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    #[serde(skip)]
    pub kind: ErrorKind,
}

impl ApiError {
    pub fn new(kind: ErrorKind, message: impl Display) -> Self {
        Self {
            message: message.to_string(),
            field: None,
            line: None,
            column: None,
            kind,
        }
    }

    /// An invalid field.
    pub fn in_field(field: &str, message: impl Display) -> Self {
        Self {
            field: Some(field.to_owned()),
            ..Self::new(ErrorKind::Invalid, message)
        }
    }

    /// JSON that cannot be read; `path` names the field at fault, and is empty if it is not known.
    #[cfg(any(feature = "web", feature = "wasm"))]
    pub(crate) fn of_json(path: &str, error: &serde_json::Error) -> Self {
        let (line, column) = (error.line() as u64, error.column() as u64);
        let mut message = if error.is_data() {
            plain(&error.to_string())
        } else {
            format!("not JSON: line {line}, column {column}")
        };
        // The path of the whole is a dot.
        let field = Some(path).filter(|path| !matches!(*path, "" | "."));
        if let Some(field) = field {
            message = format!("{field}: {message}");
        }
        Self {
            field: field.map(str::to_owned),
            line: Some(line).filter(|&line| line > 0),
            column: Some(column).filter(|_| line > 0),
            ..Self::new(ErrorKind::Invalid, message)
        }
    }

    /// The same at a character of the field, from 1.
    #[must_use]
    pub fn at_column(self, column: usize) -> Self {
        Self {
            column: Some(column as u64),
            ..self
        }
    }
}

/// The field at fault, as far as the message does not name it.
fn prefix(field: Option<&str>, message: &str) -> String {
    match field {
        Some(field) if !message.starts_with(field) => format!("{field}: "),
        _ => String::new(),
    }
}

/// The number of a field, if it is within bounds.
pub(super) fn in_range(
    field: &str,
    number: u64,
    bounds: RangeInclusive<u64>,
) -> Result<u64, ApiError> {
    if bounds.contains(&number) {
        return Ok(number);
    }
    let (min, max) = bounds.into_inner();
    let message = format!("must be a number from {min} to {max}");
    Err(ApiError::in_field(field, message))
}

/// What is expected in the place of a value, in words that need no knowledge of Rust; `text` is a message of serde.
#[cfg(any(feature = "web", feature = "wasm"))]
fn plain(text: &str) -> String {
    let without_place = |text| str::rsplit_once(text, " at line ").map_or(text, |(text, _)| text);
    let Some((found, expected)) = text.rsplit_once(", expected ") else {
        return without_place(text).replace('`', "");
    };
    let expected = without_place(expected);
    if found.starts_with("unknown field") {
        let names = expected.trim_start_matches("one of ").replace('`', "");
        return format!("there is no such field; there are {names}");
    }
    let expected = match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0",
        "a string" => "text",
        "a boolean" => "true or false",
        structure if structure.starts_with("struct ") => "an object",
        other => other,
    };
    format!("expected {expected}")
}

/// The body of an answer with an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ErrorBody {
    pub error: ApiError,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_is_printed_once() {
        let error = ApiError::in_field("limits.depth", "must be a number");
        assert_eq!(error.to_string(), "limits.depth: must be a number");
        let named = ApiError::in_field("fen", "fen: rank 8 is too long");
        assert_eq!(named.to_string(), "fen: rank 8 is too long");
        let none = ApiError::new(ErrorKind::Failed, "no memory");
        assert_eq!(none.to_string(), "no memory");
    }
}
