//! Questions about a position: its evaluation, its features, and why a move is good or bad. The answers are the JSON of the
//! command line.

use std::sync::LazyLock;

use lucena::api::{self, Evaluator, GameRequest, LevelRequest, PlayedGame, QuestionRequest, Stop};
use lucena::eval::Index;
use lucena::eval::weights::WEIGHTS;
use lucena::eval::{COUNT, QUARTERS_PER_CENTIPAWN};
use lucena::lab::train::linear::{FeatureCounts, RealWeight};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;

use crate::errors::{failed, of_api};
use crate::wait;

static EVALUATOR: LazyLock<Evaluator> = LazyLock::new(Evaluator::new);

/// An answer as JSON.
pub fn json(answer: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(answer).map_err(failed)
}

/// The game of a board: the FEN of an earlier position and the moves since then.
pub fn read(fen: &str, moves: &str) -> PyResult<PlayedGame> {
    let request = GameRequest {
        fen: fen.into(),
        moves: moves.into(),
    };
    request.read().map_err(of_api)
}

/// The version of the engine.
#[pyfunction]
pub const fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The evaluation, as `lucena eval --json` prints it.
#[pyfunction]
pub fn evaluate(fen: &str, moves: &str) -> PyResult<String> {
    json(&EVALUATOR.evaluate(&read(fen, moves)?.game))
}

/// A question to the explainer, answered on another thread.
fn ask<T: Send>(
    py: Python<'_>,
    request: &QuestionRequest,
    answer: fn(&QuestionRequest, &Stop) -> Result<T, api::ApiError>,
) -> PyResult<T> {
    let stop = Stop::default();
    let answer = wait::run(py, &|| stop.stop(), None, |_| answer(request, &stop))?;
    answer.map_err(of_api)
}

/// Why a move, or the best one, is better or worse than another: the JSON of `lucena explain --json`, and the text.
#[pyfunction]
#[pyo3(signature = (fen, moves, mv, against, nodes))]
pub fn explain(
    py: Python<'_>,
    fen: String,
    moves: String,
    mv: Option<String>,
    against: Option<String>,
    nodes: Option<u64>,
) -> PyResult<(String, String, String)> {
    let request = QuestionRequest {
        fen,
        moves,
        mv,
        against,
        nodes,
    };
    let answer = ask(py, &request, api::explain)?;
    Ok((
        json(&answer)?,
        answer.to_string(),
        answer.short().to_owned(),
    ))
}

/// What the opponent threatens: the JSON of `lucena threats --json`, and the text.
#[pyfunction]
#[pyo3(signature = (fen, moves, nodes))]
pub fn threats(
    py: Python<'_>,
    fen: String,
    moves: String,
    nodes: Option<u64>,
) -> PyResult<(String, String)> {
    let request = QuestionRequest {
        fen,
        moves,
        nodes,
        ..QuestionRequest::default()
    };
    let answer = ask(py, &request, api::threats)?;
    Ok((json(&answer)?, answer.to_string()))
}

/// The probabilities of the moves at a level, as JSON.
#[pyfunction]
pub fn level(py: Python<'_>, fen: String, moves: String, elo: u32) -> PyResult<String> {
    let request = LevelRequest {
        fen,
        moves,
        elo: Some(elo),
    };
    let answer = wait::run(py, &|| {}, None, |_| api::level(&request))?;
    json(&answer.map_err(of_api)?)
}

/// The names of the features, in the order of the weights.
#[pyfunction]
pub fn feature_names() -> Vec<String> {
    Index::all().map(|index| index.to_string()).collect()
}

/// The counts of a position's features, White's minus Black's, as native 32-bit integers, and the share of each part
/// of the weights.
#[pyfunction]
pub fn feature_counts<'py>(
    py: Python<'py>,
    fen: &str,
    moves: &str,
) -> PyResult<(Bound<'py, PyBytes>, RealWeight)> {
    let mut features = FeatureCounts::default();
    features.read(read(fen, moves)?.game.position());
    let mut counts = vec![0_i32; COUNT];
    for (index, count) in features.hits() {
        counts[index] += count as i32;
    }
    let bytes: Vec<u8> = counts.into_iter().flat_map(i32::to_ne_bytes).collect();
    Ok((PyBytes::new(py, &bytes), features.shares()))
}

/// The four parts of the weight of each feature in centipawns, as native 32-bit floating-point numbers.
#[pyfunction]
pub fn weights(py: Python<'_>) -> Bound<'_, PyBytes> {
    let parts = WEIGHTS.0.iter().flat_map(|weight| weight.0);
    let centipawns = parts.map(|quarters| f32::from(quarters) / QUARTERS_PER_CENTIPAWN as f32);
    let bytes: Vec<u8> = centipawns.flat_map(f32::to_ne_bytes).collect();
    PyBytes::new(py, &bytes)
}
