//! Moves and games as people type them: SAN or UCI notation, a FEN or `startpos` with moves behind it.

use std::fmt::Write as _;

use shakmaty::san::{San, SanPlus};
use shakmaty::{Role, Square};
use thiserror::Error;

use super::board::Position;
use super::fen::FenError;
use super::game::Game;
use super::moves::Move;

/// The fields of a FEN that must be there; two numbers may follow.
const FEN_FIELDS: usize = 4;

/// Why a text is not a legal move in SAN or UCI notation.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MoveTextError {
    #[error("`{0}` is not a move: expected SAN (Nf3) or UCI notation (g1f3)")]
    Notation(String),
    /// The text and the legal moves that it might mean.
    #[error("`{0}` is not legal{1}")]
    Illegal(String, String),
    #[error("`{0}` is ambiguous: {1}")]
    Ambiguous(String, String),
}

/// Why words are not a game.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum WordsError {
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The number of the move in the list, from 1, and what is wrong with it.
    #[error("move {0}: {1}")]
    Move(usize, MoveTextError),
}

/// A move without its number.
fn bare(text: &str) -> &str {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let mv = rest.trim_start_matches(['.', '…']);
    // `0-0` begins with a digit, too.
    if rest.len() < text.len() && mv.len() < rest.len() {
        mv
    } else {
        text
    }
}

impl Position {
    /// The legal move that a text describes, in SAN (`Nf3`, `O-O`, `e8=Q`) or UCI notation (`g1f3`, also `g1-f3`). Its number
    /// may come before it (`1.Nf3`, `5…Bxd1`), signs of check and annotation may follow.
    ///
    /// # Errors
    /// [`MoveTextError`] names the legal moves of the same piece, or those that an ambiguous text describes.
    ///
    /// ```
    /// use lucena::chess::Position;
    /// let start = Position::startpos();
    /// assert_eq!(start.find_move("Nf3"), start.find_move("g1f3"));
    /// assert_eq!(start.find_move("1.Nf3"), start.find_move("g1-f3"));
    /// assert_eq!(start.find_move("e5").unwrap_err().to_string(), "`e5` is not legal; pawn moves to this file: e3 e4");
    /// ```
    pub fn find_move(&self, text: &str) -> Result<Move, MoveTextError> {
        let text = bare(text);
        if let Ok(mv) = self.parse_move(&text.replace('-', "")) {
            return Ok(mv);
        }
        let shown: String = text.chars().take(16).collect();
        if let Some(from) = uci_origin(text) {
            let legal = self.list(|mv| mv.from() == from);
            let reason = match self.piece_on(from) {
                _ if !legal.is_empty() => format!("; moves from {from}: {legal}"),
                None => format!("; {from} is empty"),
                Some(piece) if piece.color() != self.turn() => {
                    format!("; the piece on {from} is not the mover's")
                }
                Some(_) => format!("; the piece on {from} has no legal move"),
            };
            return Err(MoveTextError::Illegal(shown, reason));
        }
        let san = text.trim_end_matches(['!', '?']).replace("0-0", "O-O");
        let san = san.replace("O-0", "O-O");
        let Ok(SanPlus { san, .. }) = SanPlus::from_ascii(san.as_bytes()) else {
            return Err(MoveTextError::Notation(shown));
        };
        if let Some(mv) = self.find_san(san) {
            return Ok(mv);
        }
        let (role, to) = match san {
            San::Normal { role, to, .. } => (role, Some(to)),
            San::Castle(_) => (Role::King, None),
            // A null move or a drop.
            _ => return Err(MoveTextError::Notation(shown)),
        };
        let has_role = |mv: Move| {
            self.piece_on(mv.from())
                .is_some_and(|piece| piece.role() == role)
        };
        let matching = self.list(|mv| has_role(mv) && Some(mv.to()) == to);
        // With a promotion, the text names one move at most.
        if matching.contains(' ') && !shown.contains('=') {
            return Err(MoveTextError::Ambiguous(shown, matching));
        }
        let is_near =
            |mv: Move| role != Role::Pawn || to.is_some_and(|to| to.file() == mv.to().file());
        let legal = self.list(|mv| has_role(mv) && is_near(mv));
        let whose = match role {
            Role::Pawn => "pawn moves to this file",
            Role::Knight => "knight moves",
            Role::Bishop => "bishop moves",
            Role::Rook => "rook moves",
            Role::Queen => "queen moves",
            Role::King => "king moves",
        };
        let reason = if legal.is_empty() {
            format!("; there are no {whose}")
        } else {
            format!("; {whose}: {legal}")
        };
        Err(MoveTextError::Illegal(shown, reason))
    }

    /// Some legal moves in SAN.
    fn list(&self, is_wanted: impl Fn(Move) -> bool) -> String {
        let mut list = String::new();
        for &mv in self.legal_moves().iter().filter(|&&mv| is_wanted(mv)) {
            let space = if list.is_empty() { "" } else { " " };
            let _ = write!(list, "{space}{}", self.san(mv));
        }
        list
    }
}

/// The results of PGN, which may end a list of moves.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The origin square of a text in UCI notation, legal or not.
fn uci_origin(text: &str) -> Option<Square> {
    let bytes = text.as_bytes();
    if !(4..=5).contains(&bytes.len()) {
        return None;
    }
    Square::from_ascii(&bytes[2..4]).ok()?;
    Square::from_ascii(&bytes[..2]).ok()
}

impl Game {
    /// The game that a text describes: `startpos` or a FEN, then moves in SAN or UCI notation, if any. The word `moves` may
    /// stand before them, move numbers among them, and a result behind them; the word `fen` may stand before a FEN.
    ///
    /// # Errors
    /// [`WordsError`] names the field of the FEN or the move at fault.
    ///
    /// ```
    /// use lucena::chess::Game;
    /// let game = Game::from_words("startpos 1. e4 e5 2. Nf3").unwrap();
    /// assert_eq!(game.position().to_fen().split(' ').nth(1), Some("b"));
    /// assert!(Game::from_words("4k3/8/8/8/8/8/8/4K2R w K - moves O-O").is_ok());
    /// ```
    pub fn from_words(text: &str) -> Result<Self, WordsError> {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        if words.first() == Some(&"fen") {
            words.remove(0);
        }
        if words.last().is_some_and(|last| RESULTS.contains(last)) {
            words.pop();
        }
        let (position, rest) = if words.first() == Some(&"startpos") {
            (Position::startpos(), &words[1..])
        } else {
            let is_number = |word: &&&str| word.bytes().all(|byte| byte.is_ascii_digit());
            let numbers = words.iter().skip(FEN_FIELDS).take(2);
            let mut fields = FEN_FIELDS + numbers.take_while(is_number).count();
            if let Some(moves) = words.iter().position(|&word| word == "moves") {
                fields = moves;
            } else if words.len() <= FEN_FIELDS + 2
                && !words.iter().skip(fields).any(|word| looks_like_move(word))
            {
                fields = words.len();
            }
            let (fen, rest) = words.split_at(fields.min(words.len()));
            (Position::from_fen(&fen.join(" "))?, rest)
        };
        let mut game = Self::new(position);
        let moves = rest.iter().filter(|&&word| word != "moves");
        let moves = moves.map(|word| without_number(word));
        for (number, word) in (1..).zip(moves.filter(|word| !word.is_empty())) {
            let mv = game.position().find_move(word);
            game.play(mv.map_err(|error| WordsError::Move(number, error))?);
        }
        Ok(game)
    }
}

/// Whether a word has the letter or castling signs of a move.
fn looks_like_move(word: &str) -> bool {
    without_number(word)
        .bytes()
        .any(|byte| byte.is_ascii_alphabetic())
}

/// A word of a move list without the number of the move (`1.`, `12...`).
pub fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fen(text: &str) -> Result<String, String> {
        let game = Game::from_words(text).map_err(|error| error.to_string())?;
        Ok(game.position().to_fen())
    }

    #[test]
    fn moves_are_read_in_either_notation() {
        let after = fen("startpos moves e2e4 e7e5 g1f3");
        assert_eq!(after, fen("startpos e4 e5 Nf3"));
        assert_eq!(after, fen("startpos 1.e4 e5 2. Nf3!?"));
        assert_eq!(after, fen("startpos 1.e4 e5 2. Nf3 *"));
        assert!(fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 0-0 O-O-O").is_ok());
        assert!(fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - Kd2+").is_ok());
    }

    #[test]
    fn a_fen_alone_is_read_as_before() {
        for text in [
            "4k3/8/8/8/8/8/8/4K2R w K -",
            "4k3/8/8/8/8/8/8/4K2R w K - 3",
            "4k3/8/8/8/8/8/8/4K2R w K - 3 9",
        ] {
            let position = Position::from_fen(text).map(|position| position.to_fen());
            assert_eq!(fen(text).ok(), position.clone().ok());
            assert_eq!(fen(&format!("fen {text}")).ok(), position.ok());
        }
        for text in ["", "nonsense", "8/8/8/8/8/8/8/4K3 w - - 0 1", "4k3 w - - x"] {
            let error = Position::from_fen(text).expect_err("not a position");
            assert_eq!(fen(text), Err(error.to_string()));
        }
    }

    #[test]
    fn a_wrong_move_names_the_legal_ones() {
        let error = |text: &str| fen(text).expect_err("no game");
        assert_eq!(
            error("startpos e4 e5 Ke3"),
            "move 3: `Ke3` is not legal; king moves: Ke2"
        );
        assert_eq!(
            error("startpos e2e5"),
            "move 1: `e2e5` is not legal; moves from e2: e3 e4"
        );
        assert_eq!(
            error("startpos e4 e2e4"),
            "move 2: `e2e4` is not legal; e2 is empty"
        );
        for text in ["R", "--", "N@f6"] {
            assert_eq!(
                error(&format!("startpos e4 {text}")),
                format!(
                    "move 2: `{text}` is not a move: expected SAN (Nf3) or UCI notation (g1f3)"
                )
            );
        }
        assert_eq!(
            error("4k3/8/8/8/8/8/3K4/R6R w - - Rd1"),
            "move 1: `Rd1` is ambiguous: Rad1 Rhd1"
        );
        assert_eq!(
            error("4k3/P7/8/8/8/8/8/4K3 w - - a8=K"),
            "move 1: `a8=K` is not legal; pawn moves to this file: a8=Q+ a8=N a8=R+ a8=B"
        );
        assert!(error("startpos O-O").contains("there are no king moves"));
    }
}
