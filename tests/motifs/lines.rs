//! Lines, their motifs, and their claims for the checker.

use lucena::chess::{Color, Move, Position, Square};
use lucena::explain::motifs::{Line, Motif, find, sentence};
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position as _};

use super::checker::{Claim, Record, prove};

/// A line as a position and moves, the first of which may belong to the opponent.
#[derive(Clone, Debug)]
pub struct Moves {
    pub start: Position,
    pub moves: Vec<Move>,
    /// 1 if the first move is the opponent's, 0 otherwise.
    pub skipped: usize,
}

impl Moves {
    /// Moves in UCI notation; the first `skipped` belong to the opponent.
    pub fn parse(fen: &str, text: &str, skipped: usize) -> Self {
        let start = Position::from_fen(fen).unwrap_or_else(|fault| panic!("{fen}: {fault}"));
        let (mut moves, mut position) = (Vec::new(), start);
        for word in text.split_whitespace() {
            let mv = position.parse_move(word);
            let mv = mv.unwrap_or_else(|fault| panic!("{fen}: {fault}"));
            position = position.play(mv);
            moves.push(mv);
        }
        Self {
            start,
            moves,
            skipped,
        }
    }

    pub fn line(&self) -> Line {
        match self.skipped {
            0 => Line::new(&self.start, &self.moves),
            _ => Line::after_reply(&self.start, &self.moves),
        }
    }

    pub fn motifs(&self) -> Vec<Motif> {
        find(&self.line())
    }

    /// Why a motif is not proved, with the line; `None` if all are.
    pub fn unproved(&self) -> Option<String> {
        let uci: Vec<String> = self
            .moves
            .iter()
            .map(|mv| mv.uci(false).to_string())
            .collect();
        let fen = self.start.to_fen();
        let record = match Record::new(&fen, &uci, self.skipped) {
            Ok(record) => record,
            Err(fault) => return Some(format!("{fen}: {fault}")),
        };
        let line = self.line();
        self.motifs().iter().find_map(|motif| {
            let fault = prove(&record, &claim(motif)).err()?;
            let text = sentence(&line, motif);
            Some(format!(
                "{fen} {}: {motif:?}: {text} {fault}",
                uci.join(" ")
            ))
        })
    }

    /// Where the piece that stands on `square` in the position after `plies` moves stood at the start.
    pub fn origin(&self, plies: usize, square: Square) -> Square {
        let mut square = square;
        for mv in self.moves[..plies].iter().rev() {
            let to = if mv.is_castling() {
                mv.castling_king_to()
            } else {
                mv.to()
            };
            if to == square {
                square = mv.from();
            } else if mv.is_castling() && mv.castling_rook_to() == square {
                square = mv.to();
            }
        }
        square
    }
}

/// A position without the piece on a square, if it is legal.
pub fn without(position: &Position, square: Square) -> Option<Position> {
    let mut setup = position.to_chess().to_setup(EnPassantMode::Legal);
    setup.board.remove_piece_at(square)?;
    setup.ep_square = None;
    setup.castling_rights.discard(square);
    let chess = Chess::from_setup(setup, CastlingMode::Chess960).ok()?;
    Some(Position::from_chess(&chess))
}

/// A motif as the checker reads it.
pub fn claim(motif: &Motif) -> Claim {
    Claim {
        kind: motif.kind.name().to_owned(),
        ply: motif.ply,
        white: motif.side == Color::White,
        squares: motif.squares.clone(),
        pieces: motif.pieces.iter().map(|piece| piece.to_char()).collect(),
        numbers: motif.numbers.clone(),
    }
}
