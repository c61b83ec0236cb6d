//! A position with its history: the keys of earlier positions, for repetitions.

use std::fmt;

use shakmaty::{Bitboard, File, Role, attacks};
use thiserror::Error;

use super::board::Position;
use super::draw;
use super::key;
use super::moves::{Move, MoveKind};

/// Why a text is not a legal move.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MoveError {
    /// The text is not two squares and an optional promotion letter.
    #[error("`{0}` is not a move in long algebraic notation")]
    Notation(String),
    /// The move, and the FEN of the position where it is not legal.
    #[error("`{0}` is not legal in {1}")]
    Illegal(String, String),
}

impl Position {
    /// A legal move in UCI notation without the option `UCI_Chess960`: castling is the king's move, unless that is another
    /// move or none. [`Position::parse_move`] reads it back.
    ///
    /// ```
    /// use lucena::chess::Position;
    /// let position = Position::from_fen("1k6/8/8/8/8/8/8/6KR w H - 0 1")?;
    /// let castling = position.parse_move("g1h1")?;
    /// assert_eq!(position.uci(castling), "g1h1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn uci(&self, mv: Move) -> String {
        let text = mv.uci(false).to_string();
        let is_unclear = mv.is_castling()
            && (mv.castling_king_to() == mv.from() || self.parse_move(&text) != Ok(mv));
        if is_unclear {
            mv.uci(true).to_string()
        } else {
            text
        }
    }

    /// Parses a move in UCI notation: `e2e4`, `e7e8q`, in either case. Castling may be the king's move (`e1g1`) or king
    /// takes rook (`e1h1`).
    ///
    /// # Errors
    /// [`MoveError`] if the text is not a legal move.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let lower = text.to_ascii_lowercase();
        let is_well_formed = matches!(
            lower.as_bytes(),
            [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8']
                | [
                    b'a'..=b'h',
                    b'1'..=b'8',
                    b'a'..=b'h',
                    b'1'..=b'8',
                    b'n' | b'b' | b'r' | b'q'
                ]
        );
        if !is_well_formed {
            return Err(MoveError::Notation(text.chars().take(16).collect()));
        }
        let moves = self.legal_moves();
        let find = |chess960: bool| {
            moves
                .iter()
                .find(|mv| mv.uci(chess960).to_string() == lower)
                .copied()
        };
        // An ordinary king move takes precedence over castling with the same text.
        let plain = moves
            .iter()
            .find(|mv| !mv.is_castling() && mv.uci(false).to_string() == lower)
            .copied();
        plain
            .or_else(|| find(true))
            .or_else(|| find(false))
            .ok_or_else(|| MoveError::Illegal(text.to_owned(), self.to_fen()))
    }
}

/// How a game has ended by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd {
    Checkmate,
    Stalemate,
    FiftyMoveRule,
    InsufficientMaterial,
    ThreefoldRepetition,
}

impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::FiftyMoveRule => "draw by the fifty-move rule",
            Self::InsufficientMaterial => "draw by insufficient material",
            Self::ThreefoldRepetition => "draw by threefold repetition",
        })
    }
}

/// A position and the keys of the positions before it.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    earlier: Vec<u64>,
    /// The number of earlier positions that a null move excludes from repetitions.
    repetition_start: usize,
    /// The file of the last move if it was a double push, whether or not the pawn can be captured.
    double_push: Option<File>,
    /// The last move and the position before it.
    last: Option<(Position, Move)>,
}

impl Game {
    /// A game that starts from this position.
    #[must_use]
    pub fn new(position: Position) -> Self {
        let double_push = position.ep_square().map(shakmaty::Square::file);
        Self {
            position,
            earlier: Vec::new(),
            repetition_start: 0,
            double_push,
            last: None,
        }
    }

    /// The current position.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The last move and the position before it; `None` at the start and after a null move.
    #[must_use]
    pub const fn last_move(&self) -> Option<(&Position, Move)> {
        match &self.last {
            Some((position, mv)) => Some((position, *mv)),
            None => None,
        }
    }

    /// The keys of the positions before the current one, newest last.
    #[must_use]
    #[doc(hidden)]
    pub fn keys(&self) -> &[u64] {
        &self.earlier
    }

    /// The number of earlier positions that can still be repeated.
    #[must_use]
    #[doc(hidden)]
    pub fn reversible(&self) -> usize {
        (self.position.halfmove_clock() as usize).min(self.earlier.len() - self.repetition_start)
    }

    /// Plays a legal move, as [`Position::play`]; a move that may be illegal is tested with [`Position::is_legal`] first.
    pub fn play(&mut self, mv: Move) {
        self.earlier.push(self.position.key());
        self.double_push = (mv.kind() == MoveKind::DoublePush).then(|| mv.to().file());
        self.last = Some((self.position, mv));
        self.position = self.position.play(mv);
    }

    /// Plays a move in UCI notation; `0000` is the null move, unless the side to move is in check.
    ///
    /// # Errors
    /// [`MoveError`] if the move is not legal; the game is unchanged then.
    pub fn play_uci(&mut self, text: &str) -> Result<(), MoveError> {
        if text == "0000" && self.position.in_check() {
            return Err(MoveError::Illegal(text.to_owned(), self.position.to_fen()));
        }
        if text == "0000" {
            self.earlier.push(self.position.key());
            self.repetition_start = self.earlier.len();
            self.double_push = None;
            self.last = None;
            self.position = self.position.play_null();
            return Ok(());
        }
        let mv = self.position.parse_move(text)?;
        self.play(mv);
        Ok(())
    }

    /// Whether the current position has occurred three times.
    #[must_use]
    pub fn is_threefold(&self) -> bool {
        draw::is_repetition(&self.earlier, self.position.key(), self.reversible(), 0)
    }

    /// How the game has ended, if it has. Draws that a player must claim count, too.
    #[must_use]
    pub fn end(&self) -> Option<GameEnd> {
        let position = &self.position;
        if !position.has_legal_move() {
            return Some(if position.in_check() {
                GameEnd::Checkmate
            } else {
                GameEnd::Stalemate
            });
        }
        if position.halfmove_clock() >= 100 {
            Some(GameEnd::FiftyMoveRule)
        } else if position.is_insufficient_material() {
            Some(GameEnd::InsufficientMaterial)
        } else {
            self.is_threefold().then_some(GameEnd::ThreefoldRepetition)
        }
    }

    /// The key that a Polyglot book uses: the en passant file counts wherever an enemy pawn is beside the pawn that has just
    /// moved two squares, even if the capture is not legal.
    #[must_use]
    pub fn book_key(&self) -> u64 {
        let Some(file) = self
            .double_push
            .filter(|_| self.position.ep_square().is_none())
        else {
            return self.position.key();
        };
        let us = self.position.turn();
        let target = shakmaty::Square::from_coords(file, us.relative_rank(shakmaty::Rank::Sixth));
        let beside: Bitboard =
            attacks::pawn_attacks(!us, target) & self.position.pieces(us, Role::Pawn);
        self.position.key()
            ^ if beside.any() {
                key::of_en_passant(file)
            } else {
                0
            }
    }
}
