//! One entry of a Polyglot book: key, move, weight and learn field in 16 big-endian bytes.
//!
//! The format is Fabien Letouzey's, as described by Michel Van den Bergh (<http://hgm.nubati.net/book_format.html>).
//! A move is decoded only with its position, so entries keep the raw 16 bits.

use std::cmp::Reverse;
use std::io::{self, Write};

use crate::chess::{Move, Position};

/// Bytes of an entry in a file.
pub const ENTRY_BYTES: usize = 16;

/// One move of one position, as stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BookEntry {
    /// Polyglot key of the position ([`Game::book_key`](crate::chess::Game::book_key)).
    pub key: u64,
    /// The move in Polyglot's encoding; 0 is no move.
    pub raw_move: u16,
    /// Relative to the other moves of the position; 0: never played.
    pub weight: u16,
    /// The learn field: not used here, but kept when books are merged.
    pub learn: u32,
}

impl BookEntry {
    pub fn from_bytes(bytes: &[u8; ENTRY_BYTES]) -> Self {
        let number = |from: usize, to: usize| {
            bytes[from..to]
                .iter()
                .fold(0_u64, |number, &byte| number << 8 | u64::from(byte))
        };
        Self {
            key: number(0, 8),
            raw_move: number(8, 10) as u16,
            weight: number(10, 12) as u16,
            learn: number(12, 16) as u32,
        }
    }

    pub fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.raw_move.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes[12..].copy_from_slice(&self.learn.to_be_bytes());
        bytes
    }

    /// The move, if it is legal in `position`. Castling is accepted both as the king taking its rook (the standard form)
    /// and as the king's two steps.
    pub fn to_move(&self, position: &Position) -> Option<Move> {
        let moves = position.legal_moves();
        let exact = moves.iter().find(|&&mv| encode_move(mv) == self.raw_move);
        exact
            .or_else(|| {
                moves
                    .iter()
                    .find(|mv| mv.is_castling() && encode_king_steps(**mv) == self.raw_move)
            })
            .copied()
    }

    /// The move as text for messages: `e2e4`, `e7e8q`. It need not be legal anywhere.
    pub fn move_text(&self) -> String {
        let raw = self.raw_move;
        let square = |bits: u16| {
            let file = char::from(b'a' + (bits & 7) as u8);
            let rank = char::from(b'1' + (bits >> 3 & 7) as u8);
            format!("{file}{rank}")
        };
        let promotion = match raw >> 12 & 7 {
            0 => String::new(),
            code => Move::PROMOTIONS
                .get(usize::from(code) - 1)
                .map_or_else(|| "?".to_owned(), |role| role.char().to_string()),
        };
        format!("{}{}{promotion}", square(raw >> 6), square(raw))
    }
}

/// A legal move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    pub mv: Move,
    pub weight: u16,
    pub learn: u32,
}

/// A move in Polyglot's encoding: bits 0–5 to, 6–11 from, 12–14 promotion (1 + its index in `PROMOTIONS`); castling is the king taking its rook.
pub fn encode_move(mv: Move) -> u16 {
    let promotion = mv
        .promotion()
        .and_then(|role| Move::PROMOTIONS.iter().position(|&known| known == role))
        .map_or(0, |index| index as u16 + 1);
    mv.to() as u16 | (mv.from() as u16) << 6 | promotion << 12
}

/// Castling encoded by the squares of the king, as some books have it.
fn encode_king_steps(mv: Move) -> u16 {
    mv.castling_king_to() as u16 | (mv.from() as u16) << 6
}

/// Sorts entries (by key, then by weight from the greatest) and writes them as a book.
///
/// # Errors
/// If `out` cannot be written.
pub fn write(entries: &mut [BookEntry], out: &mut impl Write) -> io::Result<()> {
    entries.sort_unstable_by_key(|entry| (entry.key, Reverse(entry.weight), entry.raw_move));
    for entry in entries {
        out.write_all(&entry.to_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(fen: &str, uci: &str) -> (Position, Move) {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let mv = position.parse_move(uci);
        (position, mv.unwrap_or_else(|error| panic!("{error}")))
    }

    fn entry_of(raw_move: u16) -> BookEntry {
        BookEntry {
            raw_move,
            ..BookEntry::default()
        }
    }

    #[test]
    fn an_entry_survives_a_round_trip() {
        let entry = BookEntry {
            key: 0x0123_4567_89ab_cdef,
            raw_move: 0x1234,
            weight: 0xfedc,
            learn: 0x89ab_cdef,
        };
        let bytes = entry.to_bytes();
        assert_eq!(bytes[..3], [0x01, 0x23, 0x45]);
        assert_eq!(BookEntry::from_bytes(&bytes), entry);
    }

    #[test]
    fn castling_is_read_as_king_takes_rook_and_as_king_steps() {
        let (position, mv) = parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1");
        assert_eq!(entry_of(encode_move(mv)).move_text(), "e1h1");
        for raw in [encode_move(mv), 6 | 4 << 6] {
            assert_eq!(entry_of(raw).to_move(&position), Some(mv));
        }
    }

    #[test]
    fn promotions_round_trip() {
        for (text, code) in [("a7a8n", 1), ("a7a8b", 2), ("a7a8r", 3), ("a7a8q", 4)] {
            let (position, mv) = parse("8/P6k/8/8/8/8/8/K7 w - - 0 1", text);
            let raw = encode_move(mv);
            assert_eq!(raw >> 12, code);
            assert_eq!(entry_of(raw).move_text(), text);
            assert_eq!(entry_of(raw).to_move(&position), Some(mv));
        }
    }

    #[test]
    fn illegal_moves_are_not_decoded() {
        let start = Position::startpos();
        for raw_move in [0, 0xffff, 4 | 4 << 6, 0x831c] {
            assert_eq!(entry_of(raw_move).to_move(&start), None, "{raw_move:x}");
        }
    }
}
