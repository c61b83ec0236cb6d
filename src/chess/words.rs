//! Moves and games as people type them: SAN or UCI notation, a FEN or `startpos` followed by moves.

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
    /// The legal move that a text describes, in SAN (`Nf3`, `O-O`, `e8=Q`) or UCI notation (`g1f3`), also as people write them:
    /// `Ng1-f3`, `0-0`, `e8Q`, `e7xd8(Q)`. Its number may come before it (`1.Nf3`, `5…Bxd1`), signs of check and annotation
    /// may follow.
    ///
    /// # Errors
    /// [`MoveTextError`] names the legal moves of the same piece, or those that an ambiguous text describes.
    ///
    /// ```
    /// use lucena::chess::Position;
    /// let start = Position::startpos();
    /// assert_eq!(start.find_move("Nf3"), start.find_move("g1f3"));
    /// assert_eq!(start.find_move("1.Nf3"), start.find_move("Ng1-f3"));
    /// assert_eq!(start.find_move("e5").unwrap_err().to_string(), "`e5` is not legal; pawn moves to this file: e3 e4");
    /// ```
    pub fn find_move(&self, text: &str) -> Result<Move, MoveTextError> {
        let find = |text: &str| {
            let SanPlus { san, .. } = SanPlus::from_ascii(text.as_bytes()).ok()?;
            Some((san, self.find_san(san)))
        };
        // Games are read through this: nothing is copied for a move in SAN.
        if let Some((_, Some(mv))) = find(text) {
            return Ok(mv);
        }
        let text = bare(text);
        let shown: String = text.chars().take(16).collect();
        let plain = without_signs(text);
        if let Some(from) = uci_origin(&plain) {
            if let Ok(mv) = self.parse_move(&plain) {
                return Ok(mv);
            }
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
        let (san, found) =
            find(&with_promotion(plain)).ok_or_else(|| MoveTextError::Notation(shown.clone()))?;
        if let Some(mv) = found {
            return Ok(mv);
        }
        let (role, to, promotes) = match san {
            San::Normal {
                role,
                to,
                promotion,
                ..
            } => (role, Some(to), promotion.is_some()),
            San::Castle(_) => (Role::King, None, false),
            // A null move or a drop.
            _ => return Err(MoveTextError::Notation(shown)),
        };
        let has_role = |mv: Move| {
            self.piece_on(mv.from())
                .is_some_and(|piece| piece.role() == role)
        };
        let matching = self.list(|mv| has_role(mv) && Some(mv.to()) == to);
        // With a promotion, the text names one move at most.
        if matching.contains(' ') && !promotes {
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

/// A move without signs of annotation, check and capture; `O-O` also for `0-0`.
fn without_signs(text: &str) -> String {
    let text = text.trim_end_matches(['!', '?']);
    let text = text.strip_suffix("e.p.").unwrap_or(text);
    let text = text.trim_end_matches(['+', '#']);
    if text.starts_with(['O', '0', 'o']) {
        let letters = text.chars().map(|letter| match letter {
            '0' | 'o' => 'O',
            '–' => '-',
            letter => letter,
        });
        return letters.collect();
    }
    let is_sign = |letter: &char| matches!(letter, '-' | '–' | 'x' | ':' | '=' | '/' | '(' | ')');
    text.chars().filter(|letter| !is_sign(letter)).collect()
}

/// SAN with the sign before the piece that a pawn becomes.
fn with_promotion(mut text: String) -> String {
    if let [
        ..,
        b'1' | b'8',
        b'Q' | b'R' | b'B' | b'N' | b'K' | b'q' | b'r' | b'b' | b'n',
    ] = text.as_bytes()
        && let Some(piece) = text.pop()
    {
        text.extend(['=', piece.to_ascii_uppercase()]);
    }
    text
}

/// The origin square of a text in UCI notation, legal or not.
fn uci_origin(text: &str) -> Option<Square> {
    let bytes = text.as_bytes();
    if !(4..=5).contains(&bytes.len()) {
        return None;
    }
    // `B1d2` is a move of a bishop.
    if bytes[0].is_ascii_uppercase() && bytes[2].is_ascii_lowercase() {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    Square::from_ascii(&lower.as_bytes()[2..4]).ok()?;
    Square::from_ascii(&lower.as_bytes()[..2]).ok()
}

impl Game {
    /// The game that a text describes: `startpos` or a FEN, then moves in SAN or UCI notation, if any. The word `moves` may
    /// stand before them, move numbers among them, and a result after them; the word `fen` may stand before a FEN.
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
        let (mut game, moves) = Self::start_and_moves(text)?;
        for mv in moves {
            game.play(mv);
        }
        Ok(game)
    }

    /// The game at its start and the moves after it, read in the same way.
    ///
    /// # Errors
    /// The same.
    #[doc(hidden)]
    pub fn start_and_moves(text: &str) -> Result<(Self, Vec<Move>), WordsError> {
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
        let (start, mut position) = (Self::new(position), position);
        let mut found = Vec::new();
        let moves = rest.iter().filter(|&&word| word != "moves");
        let moves = moves.map(|word| without_number(word));
        for (number, word) in (1..).zip(moves.filter(|word| !word.is_empty())) {
            let mv = position.find_move(word);
            let mv = mv.map_err(|error| WordsError::Move(number, error))?;
            position = position.play(mv);
            found.push(mv);
        }
        Ok((start, found))
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
        assert_eq!(after, fen("startpos e2-e4 e7-e5 Ng1-f3"));
        assert!(fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 0-0 O-O-O").is_ok());
        assert!(fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - Kd2+").is_ok());
    }

    #[test]
    fn moves_are_read_as_people_write_them() {
        let find = |fen: &str, text: &str| {
            let position = Position::from_fen(fen).expect("a position");
            position.find_move(text).map(|mv| mv.uci(false).to_string())
        };
        let promoting = "3r2k1/P3P3/8/8/8/8/8/4K2R w K - 0 1";
        for (text, uci) in [
            ("a8Q", "a7a8q"),
            ("a8(Q)", "a7a8q"),
            ("a8=n+", "a7a8n"),
            ("a7-a8=Q", "a7a8q"),
            ("a7a8q", "a7a8q"),
            ("A7A8Q", "a7a8q"),
            ("e7xd8=Q", "e7d8q"),
            ("e7xd8Q+!", "e7d8q"),
            ("e7:d8/R", "e7d8r"),
            ("0-0", "e1g1"),
            ("o–o", "e1g1"),
            ("Rh1-h8++", "h1h8"),
            ("h1-h8+", "h1h8"),
        ] {
            assert_eq!(find(promoting, text).as_deref(), Ok(uci), "{text}");
        }
        for text in [
            "a8", "e7xd8", "a8=K", "0-0-0", "Sf3", "e7e8", "", "-", "x", "(Q)", "ü",
        ] {
            assert!(find(promoting, text).is_err(), "{text}");
        }
        let bishops = "4k3/8/8/8/8/8/8/1NB1K3 w - - 0 1";
        assert_eq!(find(bishops, "B1d2").as_deref(), Ok("c1d2"));
        assert_eq!(find(bishops, "b1d2").as_deref(), Ok("b1d2"));
        assert!(find("4k3/8/8/8/8/8/1P6/1NB1K3 w - - 0 1", "B1a3").is_err());
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
