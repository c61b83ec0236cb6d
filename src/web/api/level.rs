//! Levels of play: the probabilities of the moves, as a person of a rating would choose them.

use serde::{Deserialize, Serialize};

use super::error::{ApiError, in_range};
use super::game::read_game;
use super::position::MoveName;
use super::question::no_memory;
use crate::engine::level::player::RATINGS;
use crate::engine::level::{GameView, LevelSettings, move_probabilities};

/// A position and a level.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LevelRequest {
    /// As in [`GameRequest`](super::GameRequest).
    pub fen: String,
    pub moves: String,
    /// The rating, in [`RATINGS`].
    pub elo: Option<u32>,
}

/// The moves of a level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelAnswer {
    pub elo: u16,
    /// All legal moves, the most probable first.
    pub moves: Vec<LevelMove>,
}

/// A move and its probability, 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelMove {
    #[serde(flatten)]
    pub name: MoveName,
    pub probability: f32,
}

/// A rating within bounds.
pub(super) fn rating(elo: u32) -> Result<u16, ApiError> {
    let [low, high] = RATINGS.map(u64::from);
    Ok(in_range("elo", elo.into(), low..=high)? as u16)
}

/// The probabilities of the legal moves at a level.
///
/// # Errors
/// [`ApiError`] names the field at fault.
pub fn level(request: &LevelRequest) -> Result<LevelAnswer, ApiError> {
    let missing = || ApiError::in_field("elo", "the rating is missing");
    let elo = rating(request.elo.ok_or_else(missing)?)?;
    let read = read_game(&request.fen, &request.moves)?;
    let position = *read.game.position();
    let view = GameView::with_moves(read.game, &read.moves);
    let likely = move_probabilities(&view, &LevelSettings::of(elo)).map_err(no_memory)?;
    let moves = likely.into_iter().map(|likely| LevelMove {
        name: MoveName::of(&position, likely.mv),
        probability: likely.probability,
    });
    let mut moves: Vec<LevelMove> = moves.collect();
    moves.sort_by(|one, other| other.probability.total_cmp(&one.probability));
    Ok(LevelAnswer { elo, moves })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_add_up_to_one() {
        let request = |elo| LevelRequest {
            elo,
            ..LevelRequest::default()
        };
        let answer = level(&request(Some(1500))).unwrap_or_else(|error| panic!("{error}"));
        let sum: f32 = answer.moves.iter().map(|mv| mv.probability).sum();
        assert!(answer.moves.len() == 20 && (sum - 1.0).abs() < 1e-3);
        for elo in [None, Some(1), Some(100_000)] {
            let error = level(&request(elo)).expect_err("out of range");
            assert_eq!(error.field.as_deref(), Some("elo"));
        }
    }
}
