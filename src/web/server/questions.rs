//! Routes that answer with one value: a position, an evaluation, an explanation.

use std::sync::Arc;

use hyper::StatusCode;
use serde::Serialize;

use super::answer::{self, Answer};
use super::limits;
use super::routes::{Handler, Parameters};
use super::state::{State, work};
use super::stop_guard::StopGuard;
use crate::engine::level::player::RATINGS;
use crate::web::api::{
    self, About, ApiError, ErrorKind, GameRequest, LevelRequest, Limits, QuestionRequest, Stop,
};

/// Name, version and limits of this server.
pub fn about() -> Answer {
    let limits = Limits {
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
    send(work(move || api::position(&request)).await)
}

pub async fn eval(state: Arc<State>, parameters: &Parameters) -> Answer {
    let request = game(parameters);
    send(work(move || state.evaluator.answer(&request)).await)
}

/// The probabilities of moves at a level of play, which need a short search.
pub async fn level(state: &State, parameters: &Parameters) -> Answer {
    let elo = match parameters.number("elo") {
        Ok(elo) => elo,
        Err(error) => return answer::error(error),
    };
    let GameRequest { fen, moves } = game(parameters);
    let request = LevelRequest { fen, moves, elo };
    let pass = match state.questions.enter().await {
        Ok(pass) => pass,
        Err(busy) => return busy,
    };
    let find = move || {
        let _pass = pass;
        api::level(&request)
    };
    send(work(find).await)
}

/// A question that needs a search.
pub async fn question(state: &State, handler: Handler, parameters: &Parameters) -> Answer {
    let nodes = match parameters.number("nodes") {
        Ok(nodes) => nodes,
        Err(error) => return answer::error(error),
    };
    let GameRequest { fen, moves } = game(parameters);
    let request = QuestionRequest {
        fen,
        moves,
        mv: parameters.text("move"),
        against: parameters.text("against"),
        nodes,
    };
    let pass = match state.questions.enter().await {
        Ok(pass) => pass,
        Err(busy) => return busy,
    };
    let stop = Stop::default();
    let _guard = StopGuard(stop.clone());
    let find = move || {
        let _pass = pass;
        match handler {
            Handler::WhyNot => value(api::why_not(&request, &stop)?),
            Handler::Threats => value(api::threats(&request, &stop)?),
            _ => value(api::explain(&request, &stop)?),
        }
    };
    send(work(find).await)
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

/// An answer or an error.
pub fn send(result: Result<impl Serialize, ApiError>) -> Answer {
    match result {
        Ok(found) => answer::json(StatusCode::OK, &found),
        Err(error) => answer::error(error),
    }
}
