//! What is wrong with a request: a message, the field at fault and the place in it.

use std::fmt::Display;

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
    /// The program fails, for want of memory or threads.
    Failed,
}

/// An error with the field of the request that it is about.
#[derive(Clone, Debug, Error, PartialEq, Eq, Serialize)]
#[error("{message}")]
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

    /// The same at a character of the field, from 1.
    #[must_use]
    pub fn at_column(self, column: usize) -> Self {
        Self {
            column: Some(column as u64),
            ..self
        }
    }
}

/// The body of an answer with an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ErrorBody {
    pub error: ApiError,
}
