//! Questions about a move: why it is better or worse than another, and what the opponent threatens.

use std::io;

use serde::Deserialize;

use super::error::{ApiError, ErrorKind, in_range};
use super::game::read_game;
use crate::chess::{Game, Move};
use crate::engine::{EXPLAIN_NODES, ExplainError, Explainer, Explanation, Question, Stop, Threats};

/// The bounds of the nodes of a question.
pub const MIN_NODES: u64 = 1_000;
pub const MAX_NODES: u64 = 10_000_000;

/// A question about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QuestionRequest {
    /// As in [`GameRequest`](super::GameRequest).
    pub fen: String,
    pub moves: String,
    /// The move that is asked about, in SAN or UCI notation.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The move to compare with.
    pub against: Option<String>,
    /// Nodes to search, [`MIN_NODES`] to [`MAX_NODES`].
    pub nodes: Option<u64>,
}

impl QuestionRequest {
    fn game(&self) -> Result<Game, ApiError> {
        Ok(read_game(&self.fen, &self.moves)?.game)
    }

    fn explainer(&self, stop: &Stop) -> Result<Explainer, ApiError> {
        let nodes = self.nodes.unwrap_or(EXPLAIN_NODES);
        let nodes = in_range("nodes", nodes, MIN_NODES..=MAX_NODES)?;
        let explainer = Explainer::new(nodes).map_err(no_memory)?;
        Ok(explainer.with_stop(stop))
    }

    fn explain(&self, is_move_needed: bool, stop: &Stop) -> Result<Explanation, ApiError> {
        let game = self.game()?;
        let find = |field: &str, text: &Option<String>| -> Result<Option<Move>, ApiError> {
            let found = text.as_deref().map(|text| game.position().find_move(text));
            let found = found.transpose();
            found.map_err(|error| ApiError::in_field(field, error))
        };
        let question = Question {
            mv: find("move", &self.mv)?,
            against: find("against", &self.against)?,
            ..Question::default()
        };
        if is_move_needed && question.mv.is_none() {
            return Err(ApiError::in_field("move", "the move is missing"));
        }
        let answer = self.explainer(stop)?.explain(&game, question);
        answer.map_err(explain_error)
    }
}

/// Why the best move, or a given one, is better or worse than the alternative.
///
/// # Errors
/// [`ApiError`] names the field at fault.
pub fn explain(request: &QuestionRequest, stop: &Stop) -> Result<Explanation, ApiError> {
    request.explain(false, stop)
}

/// What is wrong with a move.
///
/// # Errors
/// [`ApiError`] names the field at fault.
pub fn why_not(request: &QuestionRequest, stop: &Stop) -> Result<Explanation, ApiError> {
    request.explain(true, stop)
}

/// What the opponent threatens.
///
/// # Errors
/// [`ApiError`] names the field at fault.
pub fn threats(request: &QuestionRequest, stop: &Stop) -> Result<Threats, ApiError> {
    let game = request.game()?;
    let answer = request.explainer(stop)?.threats(&game);
    answer.map_err(explain_error)
}

pub(super) fn no_memory(error: io::Error) -> ApiError {
    ApiError::new(ErrorKind::Failed, error)
}

fn explain_error(error: ExplainError) -> ApiError {
    match error {
        ExplainError::Same(_) => ApiError::in_field("against", error),
        other => ApiError::new(ErrorKind::NoAnswer, other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_field() {
        let field = |request: QuestionRequest| {
            let error = why_not(&request, &Stop::default()).expect_err("no answer");
            error.field
        };
        let given = |mv: &str, against: Option<&str>, nodes| QuestionRequest {
            mv: Some(mv.into()),
            against: against.map(str::to_owned),
            nodes,
            ..QuestionRequest::default()
        };
        assert_eq!(field(QuestionRequest::default()).as_deref(), Some("move"));
        assert_eq!(field(given("Ke3", None, None)).as_deref(), Some("move"));
        assert_eq!(
            field(given("e4", Some("x"), None)).as_deref(),
            Some("against")
        );
        assert_eq!(
            field(given("e4", Some("e4"), None)).as_deref(),
            Some("against")
        );
        assert_eq!(field(given("e4", None, Some(1))).as_deref(), Some("nodes"));
    }

    #[test]
    fn a_stopped_question_ends_early() {
        let stop = Stop::default();
        stop.stop();
        let request = QuestionRequest {
            nodes: Some(MAX_NODES),
            ..QuestionRequest::default()
        };
        let nodes = explain(&request, &stop).map_or(0, |answer| answer.nodes);
        assert!(nodes < MIN_NODES, "{nodes} nodes");
    }
}
