//! Routes that answer with one value: a position, an evaluation, an explanation.

use std::sync::Arc;

use hyper::StatusCode;
use serde::Serialize;

use super::answer::{self, Answer};
use super::limits;
use super::routes::{Handler, Parameters};
use super::state::{State, search, work};
use crate::engine::level::player::RATINGS;
use crate::web::api::{
    self, About, ApiError, ApiLimits, ErrorKind, GameRequest, LevelRequest, QuestionRequest, Stop,
};

/// Name, version and limits of this server.
pub fn about() -> Answer {
    let limits = ApiLimits {
        max_body: limits::MAX_BODY_BYTES,
        max_nodes: api::MAX_NODES,
        max_review_nodes: api::review::MAX_NODES,
        max_games: limits::MAX_GAMES,
        max_hash: limits::MAX_HASH,
        max_multipv: api::MAX_MULTI_PV,
        min_elo: Some(RATINGS[0]),
        max_elo: Some(RATINGS[1]),
    };
    answer::json(StatusCode::OK, &About::new(limits))
}

pub async fn position(parameters: &Parameters) -> Answer {
    let request = game(parameters);
    answer::send(work(move || api::position(&request)).await)
}

pub async fn eval(state: Arc<State>, parameters: &Parameters) -> Answer {
    let request = game(parameters);
    answer::send(work(move || state.evaluator.answer(&request)).await)
}

/// The probabilities of moves at a level of play, which need a short search.
pub async fn level(state: &State, parameters: &Parameters) -> Result<Answer, Answer> {
    let elo = parameters.number("elo").map_err(answer::error)?;
    let GameRequest { fen, moves } = game(parameters);
    let request = LevelRequest { fen, moves, elo };
    search(&state.questions, move |_| api::level(&request)).await
}

/// A question that needs a search.
pub async fn question(
    state: &State,
    handler: Handler,
    parameters: &Parameters,
) -> Result<Answer, Answer> {
    let nodes = parameters.number("nodes").map_err(answer::error)?;
    let GameRequest { fen, moves } = game(parameters);
    let request = QuestionRequest {
        fen,
        moves,
        mv: parameters.text("move"),
        against: parameters.text("against"),
        nodes,
    };
    let find = move |stop: &Stop| match handler {
        Handler::WhyNot => value(api::why_not(&request, stop)?),
        Handler::Threats => value(api::threats(&request, stop)?),
        _ => value(api::explain(&request, stop)?),
    };
    search(&state.questions, find).await
}

/// An answer as JSON text, made on the thread that found it.
fn value(found: impl Serialize) -> Result<Box<serde_json::value::RawValue>, ApiError> {
    serde_json::value::to_raw_value(&found).map_err(|error| ApiError::new(ErrorKind::Failed, error))
}

/// The game of a request.
pub fn game(parameters: &Parameters) -> GameRequest {
    GameRequest {
        fen: parameters.text("fen").unwrap_or_default(),
        moves: parameters.text("moves").unwrap_or_default(),
    }
}
