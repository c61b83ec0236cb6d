//! A position with the moves that led to it.
//! Uses: board, moves, draw. Used by: search, engine, uci, cli.
//! Idea: only what rules ask of the past is kept: the keys of earlier positions.

use shakmaty::{Bitboard, File, Role, attacks};
use thiserror::Error;

use super::board::Position;
use super::draw;
use super::key;
use super::moves::{Move, MoveKind};

/// Why a text is no move here.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MoveError {
    /// The text is not two squares and at most a promotion letter.
    #[error("`{0}` is not a move in long algebraic notation")]
    Notation(String),
    /// The move is not legal in the position.
    #[error("`{0}` is not legal in {1}")]
    Illegal(String, String),
}

impl Position {
    /// Reads a legal move: `e2e4`, `e7e8q` (upper case too), castling as the king's way or as king takes rook.
    ///
    /// # Errors
    /// [`MoveError`] if the text names no legal move.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let lower = text.to_ascii_lowercase();
        let shape_is_right = matches!(
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
        if !shape_is_right {
            return Err(MoveError::Notation(text.chars().take(16).collect()));
        }
        let moves = self.legal_moves();
        let written = |chess960: bool| {
            moves
                .iter()
                .find(|mv| mv.uci(chess960).to_string() == lower)
                .copied()
        };
        // A king's step beats a castling move written the same way.
        let plain = moves
            .iter()
            .find(|mv| !mv.is_castling() && mv.uci(false).to_string() == lower)
            .copied();
        plain
            .or_else(|| written(true))
            .or_else(|| written(false))
            .ok_or_else(|| MoveError::Illegal(text.to_owned(), self.to_fen()))
    }
}

/// A position and what the rules ask of its past.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    earlier: Vec<u64>,
    /// How many of the earlier positions a null move cuts off from repetition.
    cut_off: usize,
    /// The file of the pawn that has just moved two squares, whether or not it can be taken.
    double_push: Option<File>,
}

impl Game {
    /// A game that begins here.
    #[must_use]
    pub fn new(position: Position) -> Self {
        let double_push = position.ep_square().map(shakmaty::Square::file);
        Self {
            position,
            earlier: Vec::new(),
            cut_off: 0,
            double_push,
        }
    }

    /// The position on the board.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The keys of the positions before it, newest last.
    #[must_use]
    pub fn keys(&self) -> &[u64] {
        &self.earlier
    }

    /// How many earlier positions can still be repeated.
    #[must_use]
    pub fn reversible(&self) -> usize {
        (self.position.halfmove_clock() as usize).min(self.earlier.len() - self.cut_off)
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.earlier.push(self.position.key());
        self.double_push = (mv.kind() == MoveKind::DoublePush).then(|| mv.to().file());
        self.position = self.position.play(mv);
    }

    /// Plays a move given as text; `0000` passes, where no check forbids it.
    ///
    /// # Errors
    /// [`MoveError`] if it is no legal move; nothing is played then.
    pub fn play_text(&mut self, text: &str) -> Result<(), MoveError> {
        if text == "0000" && !self.position.in_check() {
            self.earlier.push(self.position.key());
            self.cut_off = self.earlier.len();
            self.double_push = None;
            self.position = self.position.play_null();
            return Ok(());
        }
        let mv = self.position.parse_move(text)?;
        self.play(mv);
        Ok(())
    }

    /// Whether the position stands on the board for the third time.
    #[must_use]
    pub fn is_threefold(&self) -> bool {
        draw::is_repetition(&self.earlier, self.position.key(), self.reversible(), 0)
    }

    /// The key that a Polyglot opening book uses: the en-passant file counts wherever a pawn stands beside the one that
    /// has just moved two squares, even if it may not take.
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
