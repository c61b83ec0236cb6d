//! One entry of a Polyglot book: sixteen bytes, and the move in two of them.
//! Uses: chess. Used by: book, cli.
//! Idea: numbers stand with their highest byte first; a move is from and to in files and ranks and a promotion, castling
//! the king taking its own rook. What the two bytes mean is known only on a board, so they stay raw until asked there.
//! The format is Fabien Letouzey's, as Michel Van den Bergh describes it
//! (<http://hgm.nubati.net/book_format.html>).

use std::cmp::Reverse;
use std::io::{self, Write};

use crate::chess::{Move, Position, Role};

/// Bytes of an entry in a file.
pub const ENTRY_BYTES: usize = 16;

/// An entry: one move of one position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BookEntry {
    /// The position, by its book key.
    pub key: u64,
    /// The move in Polyglot's bits; 0 is none.
    pub raw_move: u16,
    /// How much the move is worth beside the others of its position; 0: not to be played.
    pub weight: u16,
    /// Room for what a program learned; written as it was read.
    pub learn: u32,
}

impl BookEntry {
    /// The entry in these bytes.
    #[must_use]
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

    /// The bytes of the entry.
    #[must_use]
    pub fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.raw_move.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes[12..].copy_from_slice(&self.learn.to_be_bytes());
        bytes
    }

    /// The move of the entry, if it is legal in `position`. Castling written as the king's two steps is understood too.
    #[must_use]
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
}

/// A move of a book that is legal where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Its weight; more is better.
    pub weight: u16,
    /// What a program learned of it.
    pub learn: u32,
}

/// The promotions in the order of their codes, from 1.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Polyglot's bits of a move: to in the lowest six, then from, then the promotion.
#[must_use]
pub fn encode_move(mv: Move) -> u16 {
    let promotion = mv
        .promotion()
        .and_then(|role| PROMOTIONS.iter().position(|&known| known == role))
        .map_or(0, |index| index as u16 + 1);
    mv.to() as u16 | (mv.from() as u16) << 6 | promotion << 12
}

/// The bits of castling written as the king's own way.
fn encode_king_steps(mv: Move) -> u16 {
    mv.castling_king_to() as u16 | (mv.from() as u16) << 6
}

/// Polyglot's bits as squares, for messages: `e2e4`, `e7e8q`. They need not be a move anywhere.
#[must_use]
pub fn raw_move_text(raw: u16) -> String {
    let square = |bits: u16| {
        let file = char::from(b'a' + (bits & 7) as u8);
        let rank = char::from(b'1' + (bits >> 3 & 7) as u8);
        format!("{file}{rank}")
    };
    let promotion = match raw >> 12 & 7 {
        0 => String::new(),
        code => PROMOTIONS
            .get(usize::from(code) - 1)
            .map_or_else(|| "?".to_owned(), |role| role.char().to_string()),
    };
    format!("{}{}{promotion}", square(raw >> 6), square(raw))
}

/// Puts entries into the order of a book.
pub fn sort(entries: &mut [BookEntry]) {
    entries.sort_unstable_by_key(|entry| (entry.key, Reverse(entry.weight), entry.raw_move));
}

/// Sorts entries and writes them as a book.
///
/// # Errors
/// What the system said when they could not be written.
pub fn write(entries: &mut [BookEntry], out: &mut impl Write) -> io::Result<()> {
    sort(entries);
    for entry in entries {
        out.write_all(&entry.to_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_fen(fen: &str, uci: &str) -> (Position, Move) {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let mv = position.parse_move(uci);
        (position, mv.unwrap_or_else(|error| panic!("{error}")))
    }

    #[test]
    fn bytes_come_back() {
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
    fn castling_is_read_in_both_forms_and_written_in_one() {
        let (position, mv) = in_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1");
        assert_eq!(raw_move_text(encode_move(mv)), "e1h1");
        for raw in [encode_move(mv), 6 | 4 << 6] {
            let entry = BookEntry {
                raw_move: raw,
                ..BookEntry::default()
            };
            assert_eq!(entry.to_move(&position), Some(mv));
        }
    }

    #[test]
    fn promotions_have_codes() {
        for (text, code) in [("a7a8n", 1), ("a7a8b", 2), ("a7a8r", 3), ("a7a8q", 4)] {
            let (position, mv) = in_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1", text);
            let raw = encode_move(mv);
            assert_eq!(raw >> 12, code);
            assert_eq!(raw_move_text(raw), text);
            let entry = BookEntry {
                raw_move: raw,
                ..BookEntry::default()
            };
            assert_eq!(entry.to_move(&position), Some(mv));
        }
    }

    #[test]
    fn what_is_not_legal_is_no_move() {
        let start = Position::startpos();
        for raw_move in [0, 0xffff, 4 | 4 << 6, 0x831c] {
            let entry = BookEntry {
                raw_move,
                ..BookEntry::default()
            };
            assert_eq!(entry.to_move(&start), None, "{}", raw_move_text(raw_move));
        }
    }
}
