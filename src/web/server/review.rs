//! Reviews of the moves of a request, and of a PGN text as a stream of events, one per line.

use http_body_util::{BodyExt, Either, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::{Request, StatusCode};
use tokio::sync::mpsc;

use super::answer::{self, Answer, Stream};
use super::routes::Parameters;
use super::state::{GatePermit, State, work};
use super::stop_guard::StopGuard;
use super::{limits, questions};
use crate::lab::pgn::RawGame;
use crate::lab::review::ReviewLimit;
use crate::web::api::review::{self, ReviewEvent, ReviewRequest};
use crate::web::api::{ApiError, GameRequest, Stop};

/// Events that wait for a client that reads slowly; then the review waits, too.
const EVENTS_WAITING: usize = 16;

/// Reviews the moves of a request.
pub async fn game(state: &State, parameters: &Parameters) -> Answer {
    let nodes = match parameters.number("nodes") {
        Ok(nodes) => nodes,
        Err(error) => return answer::error(error),
    };
    let GameRequest { fen, moves } = questions::game(parameters);
    let request = ReviewRequest { fen, moves, nodes };
    let pass = match state.reviews.enter().await {
        Ok(pass) => pass,
        Err(busy) => return busy,
    };
    let stop = Stop::default();
    let _guard = StopGuard(stop.clone());
    let find = move || {
        let _pass = pass;
        review::review(&request, &stop)
    };
    questions::send(work(find).await)
}

/// Reviews the games of a PGN text in the body.
pub async fn pgn(state: &State, parameters: &Parameters, request: Request<Incoming>) -> Answer {
    let limit = parameters.number("nodes").and_then(review::limit);
    let limit = match limit {
        Ok(limit) => limit,
        Err(error) => return answer::error(error),
    };
    let text = match body(request.into_body()).await {
        Ok(text) => text,
        Err(refusal) => return *refusal,
    };
    let games = work(move || review::split(&text, limits::MAX_GAMES)).await;
    let games = match games {
        Ok(games) => games,
        Err(error) => return answer::error(error),
    };
    match state.reviews.enter().await {
        Ok(pass) => stream(games, limit, pass),
        Err(busy) => busy,
    }
}

/// Reviews games on a thread, and streams the events. The review ends when the client disconnects.
fn stream(games: Vec<RawGame>, limit: ReviewLimit, pass: GatePermit) -> Answer {
    let (events, waiting) = mpsc::channel::<Bytes>(EVENTS_WAITING);
    let stop = Stop::default();
    let guard = StopGuard(stop.clone());
    drop(tokio::task::spawn_blocking(move || {
        let _pass = pass;
        let mut send = |event: ReviewEvent| {
            let Ok(mut line) = serde_json::to_vec(&event) else {
                return false;
            };
            line.push(b'\n');
            events.blocking_send(line.into()).is_ok()
        };
        review::review_games(&games, limit, &stop, &mut send);
    }));
    let kind = "application/x-ndjson";
    answer::answer(
        StatusCode::OK,
        kind,
        Either::Right(Stream::new(waiting, guard)),
    )
}

/// Reads a body up to the limit.
async fn body(body: Incoming) -> Result<Bytes, Box<Answer>> {
    let too_large = || {
        let message = format!("the body is larger than {} bytes", limits::MAX_BODY_BYTES);
        let error = ApiError::in_field("pgn", message);
        Box::new(answer::error_with(StatusCode::PAYLOAD_TOO_LARGE, error))
    };
    if body.size_hint().lower() > limits::MAX_BODY_BYTES as u64 {
        return Err(too_large());
    }
    let read = Limited::new(body, limits::MAX_BODY_BYTES).collect();
    match tokio::time::timeout(limits::BODY_TIME, read).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) => {
            let message = "the body cannot be read";
            Err(Box::new(answer::refuse(StatusCode::BAD_REQUEST, message)))
        }
        Err(_) => {
            let message = "the body came too slowly";
            Err(Box::new(answer::refuse(
                StatusCode::REQUEST_TIMEOUT,
                message,
            )))
        }
    }
}
