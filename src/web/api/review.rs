//! Reviews of games as data: a game of a request, or the games of a PGN text, one event after the other.

use std::io;

use serde::{Deserialize, Serialize};

use super::error::{ApiError, ErrorKind, in_range};
use super::game::read_game;
use super::position::standing;
use crate::engine::Stop;
pub use crate::lab::pgn::RawGame;
use crate::lab::pgn::Splitter;
pub use crate::lab::pgn::text::GameError;
pub use crate::lab::review::record::Record;
pub use crate::lab::review::report::{
    GameReport, JudgedMove, MoveReport, OpeningReport, SideReport, WhiteScore,
};
pub use crate::lab::review::{Cause, Judgement, Mark, ReviewLimit, Scale, Verdict};
use crate::lab::review::{ReviewError, annotate, html, review_game};

/// Nodes for each move: by default, and the bounds.
pub const DEFAULT_NODES: u64 = 20_000;
pub const MIN_NODES: u64 = 100;
pub const MAX_NODES: u64 = 1_000_000;
/// Stands for the name of a file.
const SOURCE: &str = "request";

/// A game to review.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReviewRequest {
    /// As in [`GameRequest`](super::GameRequest).
    pub fen: String,
    pub moves: String,
    /// Nodes for each move, [`MIN_NODES`] to [`MAX_NODES`].
    pub nodes: Option<u64>,
}

/// What happens while games are reviewed.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ReviewEvent {
    /// A move was judged.
    Progress {
        /// The number of the game, from 1, and the number of games.
        game: usize,
        games: usize,
        ply: usize,
        plies: usize,
        #[serde(rename = "move")]
        mv: Box<MoveReport>,
    },
    Game {
        number: u64,
        review: Box<GameReport>,
        /// The annotated game.
        pgn: String,
        /// The page of the game.
        html: String,
    },
    /// A game was skipped.
    Error {
        number: u64,
        line: u64,
        message: String,
    },
    Done {
        games: usize,
        failed: usize,
    },
}

/// The effort for each move.
///
/// # Errors
/// [`ApiError`] if the number is out of range.
pub fn limit(nodes: Option<u64>) -> Result<ReviewLimit, ApiError> {
    let nodes = nodes.unwrap_or(DEFAULT_NODES);
    in_range("nodes", nodes, MIN_NODES..=MAX_NODES).map(ReviewLimit::Nodes)
}

/// Reviews the game of a request.
///
/// # Errors
/// [`ApiError`] names the field at fault.
pub fn review(request: &ReviewRequest, stop: &Stop) -> Result<GameReport, ApiError> {
    let limit = limit(request.nodes)?;
    let read = read_game(&request.fen, &request.moves)?;
    if read.moves.is_empty() {
        return Err(ApiError::in_field("moves", "there is no move to review"));
    }
    let (_, _, result) = standing(&read.game);
    let record = Record::of_moves(read.start, &read.moves, result.unwrap_or("*"));
    let reviewed = review_game(SOURCE, record, limit, None, stop, &mut |_, _| true);
    let reviewed = reviewed.map_err(|error| failed(&error))?;
    reviewed.ok_or_else(|| ApiError::new(ErrorKind::NoAnswer, "the review was stopped"))
}

/// Cuts a PGN text into games.
///
/// # Errors
/// [`ApiError`] if the text has no game or too many, or is not valid text.
pub fn split(pgn: &[u8], max_games: usize) -> Result<Vec<RawGame>, ApiError> {
    let mut splitter = Splitter::new(pgn);
    let mut games = Vec::new();
    let fault = |message: String| ApiError::in_field("pgn", message);
    while let Some(game) = splitter
        .next_game()
        .map_err(|error: io::Error| fault(error.to_string()))?
    {
        if games.len() == max_games {
            return Err(fault(format!("more than {max_games} games")));
        }
        games.push(game);
    }
    if games.is_empty() {
        return Err(fault("there is no game".into()));
    }
    Ok(games)
}

/// Reviews games one after the other, on the thread of the caller. Ends early if `send` returns false or the stop is set.
pub fn review_games(
    games: &[RawGame],
    limit: ReviewLimit,
    stop: &Stop,
    send: &mut dyn FnMut(ReviewEvent) -> bool,
) {
    let mut failed = 0;
    for (index, raw) in games.iter().enumerate() {
        let mut goes_on = true;
        let event = match event_of(raw, limit, stop, &mut |plies, mv| {
            goes_on = send(ReviewEvent::Progress {
                game: index + 1,
                games: games.len(),
                ply: mv.ply,
                plies,
                mv: Box::new(mv),
            });
            goes_on
        }) {
            Ok(Some(game)) => game,
            Ok(None) => return,
            Err(error) => {
                failed += 1;
                error
            }
        };
        if !goes_on || !send(event) {
            return;
        }
    }
    send(ReviewEvent::Done {
        games: games.len() - failed,
        failed,
    });
}

/// The review of one game, or why it was skipped; `None` if it was stopped.
fn event_of(
    raw: &RawGame,
    limit: ReviewLimit,
    stop: &Stop,
    watch: &mut dyn FnMut(usize, MoveReport) -> bool,
) -> Result<Option<ReviewEvent>, ReviewEvent> {
    let error = |line: u64, message: String| ReviewEvent::Error {
        number: raw.number,
        line,
        message,
    };
    let record = Record::parse(raw).map_err(|fault| error(fault.line, fault.message))?;
    let reviewed = review_game(SOURCE, record, limit, None, stop, watch);
    let Some(review) = reviewed.map_err(|fault| error(raw.line, fault.to_string()))? else {
        return Ok(None);
    };
    let mut pgn = Vec::new();
    annotate::write(&review, &mut pgn).map_err(|fault| error(raw.line, fault.to_string()))?;
    Ok(Some(ReviewEvent::Game {
        number: raw.number,
        pgn: String::from_utf8_lossy(&pgn).into_owned(),
        html: html::single_page(&review),
        review: Box::new(review),
    }))
}

fn failed(error: &ReviewError) -> ApiError {
    ApiError::new(ErrorKind::Failed, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(pgn: &str, stop_after: usize) -> Vec<ReviewEvent> {
        let games = split(pgn.as_bytes(), 9).unwrap_or_else(|error| panic!("{error}"));
        let mut events = Vec::new();
        let limit = ReviewLimit::Nodes(200);
        review_games(&games, limit, &Stop::default(), &mut |event| {
            events.push(event);
            events.len() < stop_after
        });
        events
    }

    #[test]
    fn every_move_and_every_game_has_an_event() {
        let pgn = "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e4 e9 *\n";
        let found = events(pgn, usize::MAX);
        let [
            ReviewEvent::Progress {
                ply: 1,
                plies: 2,
                games: 2,
                ..
            },
            ReviewEvent::Progress { ply: 2, mv, .. },
            ReviewEvent::Game {
                number: 1,
                review,
                pgn,
                html,
            },
            ReviewEvent::Error {
                number: 2, line: 7, ..
            },
            ReviewEvent::Done {
                games: 1,
                failed: 1,
            },
        ] = &found[..]
        else {
            panic!("{found:?}");
        };
        assert_eq!(**mv, review.moves[1]);
        assert!(pgn.contains("[White \"A\"]") && html.starts_with("<!"));
        assert_eq!(events(pgn, 1).len(), 1);
    }

    #[test]
    fn bad_texts_are_refused() {
        for text in ["", "\n \n", "\u{feff}"] {
            assert!(split(text.as_bytes(), 9).is_err(), "{text:?}");
        }
        assert!(split(&[0xff, 0xfe, 0], 9).is_err());
        assert!(split("1. e4 *\n\n1. d4 *\n".as_bytes(), 1).is_err());
    }

    #[test]
    fn a_game_of_a_request_is_reviewed() {
        let request = ReviewRequest {
            moves: "f3 e5 g4 Qh4".into(),
            nodes: Some(500),
            ..ReviewRequest::default()
        };
        let report = review(&request, &Stop::default()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((report.moves.len(), report.result.as_str()), (4, "0-1"));
        let stop = Stop::default();
        stop.stop();
        assert!(review(&request, &stop).is_err());
        assert!(review(&ReviewRequest::default(), &Stop::default()).is_err());
    }
}
