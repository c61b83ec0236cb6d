//! A position with moves, as a request names it.

use serde::Deserialize;

use super::error::ApiError;
use crate::chess::{FenError, Game, Move, Position, without_number};

/// The most plies of a game.
pub const MAX_PLIES: usize = 2000;
/// Stands for the start position.
const STARTPOS: &str = "startpos";

/// A position: a FEN or `startpos`, and moves from there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GameRequest {
    /// Empty: the start position.
    pub fen: String,
    /// SAN or UCI notation, separated by spaces or commas; move numbers are ignored.
    pub moves: String,
}

/// A game that was read from a request.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    pub start: Position,
    pub moves: Vec<Move>,
    pub game: Game,
}

impl GameRequest {
    /// The game of the request.
    ///
    /// # Errors
    /// [`ApiError`] names the field of the FEN or the move at fault, and its place.
    ///
    /// ```
    /// use lucena::api::GameRequest;
    ///
    /// let request = GameRequest { fen: "startpos".into(), moves: "1. e4 e5 2. Nf6".into() };
    /// let error = request.read().unwrap_err();
    /// assert_eq!(error.field.as_deref(), Some("moves"));
    /// assert_eq!(error.column, Some(13));
    /// ```
    pub fn read(&self) -> Result<PlayedGame, ApiError> {
        read_game(&self.fen, &self.moves)
    }
}

/// The game of these fields of a request; see [`GameRequest`].
pub(super) fn read_game(fen: &str, moves: &str) -> Result<PlayedGame, ApiError> {
    let start = read_fen(fen)?;
    let mut game = Game::new(start);
    let mut played = Vec::new();
    for (place, word) in words(moves) {
        let text = without_number(word);
        if text.is_empty() {
            continue;
        }
        let number = played.len() + 1;
        let fault = |message: String| {
            let message = format!("move {number}: {message}");
            ApiError::in_field("moves", message).at_column(column(moves, place))
        };
        if number > MAX_PLIES {
            return Err(fault(format!("a game has at most {MAX_PLIES} plies")));
        }
        let mv = game.position().find_move(text);
        let mv = mv.map_err(|error| fault(error.to_string()))?;
        game.play(mv);
        played.push(mv);
    }
    Ok(PlayedGame {
        start,
        moves: played,
        game,
    })
}

/// The position of a FEN or of `startpos`; empty text is the start position.
fn read_fen(text: &str) -> Result<Position, ApiError> {
    let text = text.trim();
    if text.is_empty() || text == STARTPOS {
        return Ok(Position::startpos());
    }
    Position::from_fen(text).map_err(|error| {
        let column = column_of_field(text, &error);
        let error = ApiError::in_field("fen", error);
        match column {
            Some(column) => error.at_column(column),
            None => error,
        }
    })
}

/// The character at which the field at fault starts, from 1.
fn column_of_field(fen: &str, error: &FenError) -> Option<usize> {
    let field = error.field()?;
    words(fen)
        .nth(field - 1)
        .map(|(place, _)| column(fen, place))
}

/// The column of a byte of a text, from 1.
fn column(text: &str, place: usize) -> usize {
    text[..place].chars().count() + 1
}

/// The words of a text with the bytes at which they start.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_space = |letter: char| letter.is_whitespace() || letter == ',';
    let mut end = 0;
    text.split(is_space).filter_map(move |word| {
        let place = end;
        end += word.len();
        // The separator, which has more than one byte only outside ASCII.
        end += text[end..].chars().next().map_or(0, char::len_utf8);
        (!word.is_empty()).then_some((place, word))
    })
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn read(fen: &str, moves: &str) -> Result<String, ApiError> {
        let request = GameRequest {
            fen: fen.into(),
            moves: moves.into(),
        };
        request.read().map(|read| read.game.position().to_fen())
    }

    #[test]
    fn moves_are_separated_by_spaces_or_commas() {
        let expected = read("startpos", "e2e4 e7e5 g1f3").expect("a game");
        for moves in [
            "e4,e5,Nf3",
            "1. e4 e5 2. Nf3",
            " 1.e4,  e5 ,Nf3 ",
            "e4\u{2003}e5 Nf3",
        ] {
            assert_eq!(read("", moves).as_ref(), Ok(&expected), "{moves}");
        }
    }

    #[test]
    fn an_error_names_the_field_and_the_place() {
        let place = |fen: &str, moves: &str| {
            let error = read(fen, moves).expect_err("no game");
            (error.field.expect("a field"), error.column)
        };
        assert_eq!(place("", "e4 e5 Ke3"), ("moves".into(), Some(7)));
        assert_eq!(place("", "é, e4"), ("moves".into(), Some(1)));
        assert_eq!(place("", "e4, é"), ("moves".into(), Some(5)));
        assert_eq!(
            place("8/8/8/8/8/8/8/4K3 w - -", ""),
            ("fen".into(), Some(1))
        );
        let fen = "4k3/8/8/8/8/8/8/4K3 x - -";
        assert_eq!(place(fen, ""), ("fen".into(), Some(21)));
        assert_eq!(place("nonsense", ""), ("fen".into(), None));
    }

    #[test]
    fn many_separators_take_little_time() {
        let started = Instant::now();
        assert!(read("", &",".repeat(1_000_000)).is_ok());
        assert!(started.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn long_games_are_refused() {
        let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(MAX_PLIES / 4);
        assert!(read("", &moves).is_ok());
        let error = read("", &format!("{moves} e4")).expect_err("too long");
        assert!(error.message.contains("at most 2000 plies"));
    }
}
