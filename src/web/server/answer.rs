//! Responses: JSON, errors, files, streams; all with the same headers for safety.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body_util::{Either, Full};
use hyper::body::{Body, Bytes, Frame};
use hyper::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Response, StatusCode};
use serde::Serialize;
use tokio::sync::mpsc::Receiver;

use super::stop_guard::StopGuard;
use crate::web::api::{ApiError, ErrorBody, ErrorKind};

/// What the page may load: its own files, and nothing inline.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A response of the server.
pub type Answer = Response<Either<Full<Bytes>, Stream>>;

/// A body that another thread writes piece by piece, and whose searches stop when the client disconnects.
pub struct Stream {
    pieces: Receiver<Bytes>,
    _guard: StopGuard,
}

impl Stream {
    pub fn new(pieces: Receiver<Bytes>, guard: StopGuard) -> Self {
        Self {
            pieces,
            _guard: guard,
        }
    }
}

impl Body for Stream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = self.pieces.poll_recv(context);
        next.map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}

/// A response with the headers that all have.
pub fn answer(status: StatusCode, kind: &'static str, body: Either<Full<Bytes>, Stream>) -> Answer {
    const HEADERS: [(HeaderName, &str); 6] = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (CACHE_CONTROL, "no-store"),
    ];
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// A response with these bytes.
pub fn bytes(status: StatusCode, kind: &'static str, bytes: impl Into<Bytes>) -> Answer {
    answer(status, kind, Either::Left(Full::new(bytes.into())))
}

/// A value as JSON.
pub fn json(status: StatusCode, value: &impl Serialize) -> Answer {
    const KIND: &str = "application/json";
    match serde_json::to_vec(value) {
        Ok(text) => bytes(status, KIND, text),
        Err(_) => bytes(
            StatusCode::INTERNAL_SERVER_ERROR,
            KIND,
            &b"{\"error\":{\"message\":\"the answer cannot be written as JSON\"}}"[..],
        ),
    }
}

/// A value or an error.
pub fn send(result: Result<impl Serialize, ApiError>) -> Answer {
    match result {
        Ok(found) => json(StatusCode::OK, &found),
        Err(fault) => error(fault),
    }
}

/// An error, with the status of its kind.
pub fn error(error: ApiError) -> Answer {
    let status = match error.kind {
        ErrorKind::Invalid => StatusCode::BAD_REQUEST,
        ErrorKind::NoAnswer => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorKind::Unsupported => StatusCode::NOT_IMPLEMENTED,
        ErrorKind::Failed => StatusCode::INTERNAL_SERVER_ERROR,
    };
    error_with(status, error)
}

/// An error with another status.
pub fn error_with(status: StatusCode, error: ApiError) -> Answer {
    json(status, &ErrorBody { error })
}

/// A refusal with a message.
pub fn refuse(status: StatusCode, message: &str) -> Answer {
    error_with(status, ApiError::new(ErrorKind::Invalid, message))
}

/// The server is busy: the client may try again in a second.
pub fn busy(message: &str) -> Answer {
    let mut answer = refuse(StatusCode::SERVICE_UNAVAILABLE, message);
    let second = HeaderValue::from_static("1");
    answer
        .headers_mut()
        .insert(hyper::header::RETRY_AFTER, second);
    answer
}
