//! A position as data: legal moves, the moves that led to it, the status of the game, opening, book and tablebase.

use serde::Serialize;

use super::error::ApiError;
use super::game::GameRequest;
use crate::chess::{Game, GameEnd, Move, Position};
use crate::engine::{EvalAnswer, Evaluator, TablebaseAnswer, embedded};

/// A position with all that needs no search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PositionAnswer {
    pub fen: String,
    /// `white` or `black`.
    pub turn: &'static str,
    pub check: bool,
    pub legal: Vec<MoveName>,
    /// The moves of the request.
    pub moves: Vec<MoveMade>,
    /// `playing`, `checkmate`, `stalemate` or `draw`.
    pub status: &'static str,
    /// Why it is a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<OpeningAnswer>,
    /// The moves of the opening book, by falling weight.
    pub book: Vec<BookAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tablebase: Option<TablebaseAnswer>,
}

/// A move in UCI notation and in SAN.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveName {
    pub uci: String,
    pub san: String,
}

/// A move and the position after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveMade {
    #[serde(flatten)]
    pub name: MoveName,
    pub fen: String,
}

/// The opening of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OpeningAnswer {
    pub eco: &'static str,
    pub name: &'static str,
}

/// A move of the book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BookAnswer {
    #[serde(flatten)]
    pub name: MoveName,
    pub weight: u16,
}

impl MoveName {
    /// The names of a legal move. Castling is the king's move, or the king taking the rook where that would be another move.
    pub fn of(position: &Position, mv: Move) -> Self {
        Self {
            uci: position.uci(mv),
            san: position.san(mv).to_string(),
        }
    }
}

/// Describes the position of a request.
///
/// # Errors
/// [`ApiError`] names the field at fault.
///
/// ```
/// use lucena::api::{GameRequest, position};
///
/// let request = GameRequest { moves: "f3 e5 g4 Qh4#".into(), ..GameRequest::default() };
/// let answer = position(&request)?;
/// assert_eq!((answer.status, answer.result), ("checkmate", Some("0-1")));
/// # Ok::<(), lucena::api::ApiError>(())
/// ```
pub fn position(request: &GameRequest) -> Result<PositionAnswer, ApiError> {
    let read = request.read()?;
    let game = &read.game;
    let position = game.position();
    let name = |mv: Move| MoveName::of(position, mv);
    let (status, reason, result) = standing(game);
    let mut before = read.start;
    let moves = read.moves.iter().map(|&mv| {
        let name = MoveName::of(&before, mv);
        before = before.play(mv);
        MoveMade {
            name,
            fen: before.to_fen(),
        }
    });
    Ok(PositionAnswer {
        fen: position.to_fen(),
        turn: if position.turn().is_white() {
            "white"
        } else {
            "black"
        },
        check: position.in_check(),
        legal: position.legal_moves().iter().copied().map(name).collect(),
        moves: moves.collect(),
        status,
        reason,
        result,
        opening: opening(game),
        book: embedded::book_moves(game)
            .into_iter()
            .map(|entry| BookAnswer {
                name: name(entry.mv),
                weight: entry.weight,
            })
            .collect(),
        tablebase: embedded::tablebase(position),
    })
}

impl Evaluator {
    /// The evaluation of a requested position.
    ///
    /// # Errors
    /// [`ApiError`] names the field at fault.
    pub fn answer(&self, request: &GameRequest) -> Result<EvalAnswer, ApiError> {
        Ok(self.evaluate(&request.read()?.game))
    }
}

/// The status of a game, the reason of a draw, and the result.
pub(super) fn standing(game: &Game) -> (&'static str, Option<&'static str>, Option<&'static str>) {
    const DRAW: Option<&str> = Some("1/2-1/2");
    match game.end() {
        None => ("playing", None, None),
        Some(GameEnd::Checkmate) => {
            let is_won_by_white = game.position().turn().is_black();
            let result = if is_won_by_white { "1-0" } else { "0-1" };
            ("checkmate", None, Some(result))
        }
        Some(GameEnd::Stalemate) => ("stalemate", None, DRAW),
        Some(GameEnd::FiftyMoveRule) => ("draw", Some("50 moves"), DRAW),
        Some(GameEnd::InsufficientMaterial) => ("draw", Some("insufficient material"), DRAW),
        Some(GameEnd::ThreefoldRepetition) => ("draw", Some("repetition"), DRAW),
    }
}

/// The last named position of a game.
fn opening(game: &Game) -> Option<OpeningAnswer> {
    let found = embedded::opening_name(game)?;
    Some(OpeningAnswer {
        eco: found.eco,
        name: found.name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fen: &str, moves: &str) -> PositionAnswer {
        let request = GameRequest {
            fen: fen.into(),
            moves: moves.into(),
        };
        position(&request).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn the_start_position_has_book_moves_and_no_tablebase() {
        let answer = of("", "");
        assert_eq!(answer.legal.len(), 20);
        assert!(answer.book.len() >= 4 && answer.tablebase.is_none());
        let after = of("", "e4 c5");
        assert_eq!(after.opening.map(|found| found.eco), Some("B20"));
        assert_eq!(after.moves[1].name.san, "c5");
        assert_eq!(after.moves[1].fen, after.fen);
    }

    #[test]
    fn every_end_has_its_name() {
        let end = |fen: &str, moves: &str| {
            let answer = of(fen, moves);
            (answer.status, answer.reason, answer.result)
        };
        let draw = Some("1/2-1/2");
        assert_eq!(
            end("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ""),
            ("stalemate", None, draw)
        );
        assert_eq!(
            end("7k/8/6K1/8/8/8/8/8 b - - 0 1", ""),
            ("draw", Some("insufficient material"), draw)
        );
        assert_eq!(
            end("7k/8/6K1/8/8/8/8/R7 b - - 100 80", ""),
            ("draw", Some("50 moves"), draw)
        );
        assert_eq!(
            end("", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8"),
            ("draw", Some("repetition"), draw)
        );
    }

    #[test]
    fn few_pieces_have_a_tablebase_value() {
        let answer = of("8/8/8/8/8/2k5/8/K2q4 w - - 0 1", "");
        let found = answer.tablebase.expect("a value");
        assert_eq!(
            (found.wdl, found.text.starts_with("loss, DTZ -")),
            (-2, true)
        );
    }

    #[test]
    fn a_name_is_read_back_as_its_move() {
        for fen in [
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
            "4k3/8/8/8/8/8/8/6KR w H - 0 1",
            "4k3/8/8/8/8/8/8/2RK4 w C - 0 1",
        ] {
            let position = Position::from_fen(fen).expect("a position");
            for &mv in &position.legal_moves() {
                let name = MoveName::of(&position, mv);
                assert_eq!(position.parse_move(&name.uci), Ok(mv), "{fen} {name:?}");
            }
        }
    }
}
