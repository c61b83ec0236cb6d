//! Reviews of the moves of a request, and of a PGN text as a stream of events, one per line.

use http_body_util::{BodyExt, Either, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::{Request, StatusCode};
use tokio::sync::mpsc;

use super::answer::{self, Answer, Stream};
use super::routes::Parameters;
use super::state::{GatePermit, State, busy, search, work};
use super::stop_guard::StopGuard;
use super::{limits, questions};
use crate::lab::pgn::RawGame;
use crate::lab::review::ReviewLimit;
use crate::web::api::review::{self, ReviewEvent, ReviewRequest};
use crate::web::api::{ApiError, GameRequest, Stop};

/// Events that wait for a client that reads slowly; then the review waits, too.
const EVENTS_WAITING: usize = 16;

/// Reviews the moves of a request.
pub async fn game(state: &State, parameters: &Parameters) -> Result<Answer, Answer> {
    let nodes = parameters.number("nodes").map_err(answer::error)?;
    let GameRequest { fen, moves } = questions::game(parameters);
    let request = ReviewRequest { fen, moves, nodes };
    let find = move |stop: &Stop| review::review(&request, stop);
    search(&state.reviews, find).await
}

/// Reviews the games of a PGN text in the body.
pub async fn pgn(
    state: &State,
    parameters: &Parameters,
    request: Request<Incoming>,
) -> Result<Answer, Answer> {
    let limit = parameters.number("nodes").and_then(review::limit);
    let limit = limit.map_err(answer::error)?;
    // First, so that waiting bodies do not fill the memory.
    let place = state.reviews.place().ok_or_else(busy)?;
    let text = body(request.into_body()).await?;
    let games = work(move || review::split(&text, limits::MAX_GAMES)).await;
    let games = games.map_err(answer::error)?;
    let permit = place.enter().await.ok_or_else(busy)?;
    Ok(stream(games, limit, permit))
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
async fn body(body: Incoming) -> Result<Bytes, Answer> {
    let too_large = || {
        let message = format!("the body is larger than {} bytes", limits::MAX_BODY_BYTES);
        let error = ApiError::in_field("pgn", message);
        answer::error_with(StatusCode::PAYLOAD_TOO_LARGE, error)
    };
    if body.size_hint().lower() > limits::MAX_BODY_BYTES as u64 {
        discard(body).await;
        return Err(too_large());
    }
    let read = Limited::new(body, limits::MAX_BODY_BYTES).collect();
    let (status, message) = match tokio::time::timeout(limits::BODY_TIME, read).await {
        Ok(Ok(collected)) => return Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => return Err(too_large()),
        Ok(Err(_)) => (StatusCode::BAD_REQUEST, "the body cannot be read"),
        Err(_) => (StatusCode::REQUEST_TIMEOUT, "the body came too slowly"),
    };
    Err(answer::refuse(status, message))
}

/// Reads a body that is too large for a while: many clients read no answer while they send.
async fn discard(body: Incoming) {
    let mut rest = Limited::new(body, limits::DISCARDED_BYTES);
    let read = async { while let Some(Ok(_)) = rest.frame().await {} };
    let _ = tokio::time::timeout(limits::DISCARD_TIME, read).await;
}
