//! Positions in 28 bytes: the board, side to move, en passant square and clocks of the "marlinformat" of training data.
//!
//! Bytes, little-endian: 0–7 occupied squares; 8–23 a code of four bits for each piece, low nibble first; 24 side to move
//! and en passant square; 25 halfmove clock; 26–27 move number. A rook that may still castle has its own code.

use shakmaty::{Bitboard, CastlingSide, Color, Role, Square};
use thiserror::Error;

use super::board::Position;
use super::piece::Piece;

pub const PACKED_BYTES: usize = 28;
pub type Packed = [u8; PACKED_BYTES];

/// The code of a rook that may still castle.
const CASTLING_ROOK: u8 = 6;
/// The bit of a code that marks a black piece.
const BLACK_CODE: u8 = 8;
/// The bit of byte 24 that marks black to move.
const BLACK_TURN: u8 = 128;
/// Byte 24 without an en passant square.
const NO_SQUARE: u8 = 64;

/// Why bytes are not a position.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum PackedError {
    #[error(
        "packed position: more pieces than promotions allow, an unknown piece code, or a pawn on the first or last rank"
    )]
    Pieces,
    #[error(
        "packed position: a side does not have exactly one king, or the side not to move is in check"
    )]
    Kings,
    #[error("packed position: a rook with a castling right is not on its back rank with the king")]
    Castling,
}

impl Position {
    /// The position in 28 bytes. A halfmove clock above 255 is stored as 255.
    #[must_use]
    #[doc(hidden)]
    pub fn pack(&self) -> Packed {
        self.pack_pieces(self.occupied())
    }

    /// The position without one of its pieces; `None` where that would not be a legal position.
    #[must_use]
    #[doc(hidden)]
    pub fn without(&self, square: Square) -> Option<Self> {
        Self::unpack(&self.pack_pieces(self.occupied() & !Bitboard::from_square(square))).ok()
    }

    fn pack_pieces(&self, pieces: Bitboard) -> Packed {
        let mut packed = [0; PACKED_BYTES];
        packed[..8].copy_from_slice(&pieces.0.to_le_bytes());
        let castling = self.castling_rooks();
        for (index, square) in pieces.into_iter().enumerate() {
            let Some(piece) = self.piece_on(square) else {
                continue;
            };
            let role = if castling.contains(square) {
                CASTLING_ROOK
            } else {
                piece.role() as u8 - 1
            };
            let code = role
                | if piece.color().is_black() {
                    BLACK_CODE
                } else {
                    0
                };
            packed[8 + index / 2] |= code << (index % 2 * 4);
        }
        let turn = if self.turn().is_black() {
            BLACK_TURN
        } else {
            0
        };
        packed[24] = turn | self.ep_square().map_or(NO_SQUARE, |square| square as u8);
        packed[25] = self.halfmove_clock().min(255) as u8;
        packed[26..].copy_from_slice(&self.fullmoves().to_le_bytes());
        packed
    }

    /// Unpacks a position. The bytes may come from anywhere: every position returned can be searched.
    ///
    /// # Errors
    /// [`PackedError`] if the bytes are not a position.
    #[doc(hidden)]
    pub fn unpack(packed: &Packed) -> Result<Self, PackedError> {
        let occupied = Bitboard(
            packed[..8]
                .iter()
                .rev()
                .fold(0, |bits, &byte| bits << 8 | u64::from(byte)),
        );
        if occupied.count() > 32 {
            return Err(PackedError::Pieces);
        }
        let mut position = Self::empty();
        let mut castling = Bitboard::EMPTY;
        for (index, square) in occupied.into_iter().enumerate() {
            let code = packed[8 + index / 2] >> (index % 2 * 4) & 15;
            let color = Color::from_white(code & BLACK_CODE == 0);
            let role = match code & 7 {
                CASTLING_ROOK => {
                    castling.add(square);
                    Role::Rook
                }
                role => *Role::ALL
                    .get(usize::from(role))
                    .ok_or(PackedError::Pieces)?,
            };
            let piece = Piece::new(color, role);
            position.toggle(piece, square);
            position.mailbox[square as usize] = Some(piece);
        }
        let kings = Color::ALL.map(|color| position.pieces(color, Role::King).count());
        if kings != [1, 1] {
            return Err(PackedError::Kings);
        }
        let has_too_many = |color| position.has_too_many_pieces(color);
        if (position.by_role(Role::Pawn) & Bitboard::BACKRANKS).any()
            || Color::ALL.into_iter().any(has_too_many)
        {
            return Err(PackedError::Pieces);
        }
        for rook in castling {
            position.restore_castling(rook)?;
        }
        let turn = Color::from_white(packed[24] & BLACK_TURN == 0);
        position.halfmoves = u16::from(packed[25]);
        position.fullmoves = u16::from_le_bytes([packed[26], packed[27]]);
        position.set_turn(turn);
        let attackers = position.attackers_to(position.king(!turn), position.occupied());
        if (attackers & position.by_color(turn)).any() {
            return Err(PackedError::Kings);
        }
        position.update_checks();
        if let Ok(target) = Square::try_from(u32::from(packed[24] & !BLACK_TURN)) {
            position.restore_en_passant(target);
        }
        Ok(position)
    }

    /// Whether a colour has more pieces than its pawns can have become: no search has room for all moves of thirty queens.
    fn has_too_many_pieces(&self, color: Color) -> bool {
        let bishops = self.pieces(color, Role::Bishop);
        let count = |role| self.pieces(color, role).count();
        let at_start = [
            (count(Role::Knight), 2),
            ((bishops & Bitboard::LIGHT_SQUARES).count(), 1),
            ((bishops & Bitboard::DARK_SQUARES).count(), 1),
            (count(Role::Rook), 2),
            (count(Role::Queen), 1),
        ];
        let promoted = at_start.map(|(count, at_start): (usize, _)| count.saturating_sub(at_start));
        count(Role::Pawn) + promoted.iter().sum::<usize>() > 8
    }

    /// The rooks of both colours with a castling right.
    fn castling_rooks(&self) -> Bitboard {
        if !self.has_castling_rights() {
            return Bitboard::EMPTY;
        }
        let rights = Color::ALL
            .into_iter()
            .flat_map(|color| CastlingSide::ALL.map(|side| (color, side)));
        rights
            .filter_map(|(color, side)| self.castling_rook(color, side))
            .collect()
    }

    fn restore_castling(&mut self, rook: Square) -> Result<(), PackedError> {
        let color = Color::from_white(self.by_color(Color::White).contains(rook));
        let king = self.king(color);
        let side = CastlingSide::from_king_side(rook > king);
        let is_home = |square: Square| square.rank() == color.backrank();
        if !is_home(king) || !is_home(rook) || self.castling_rook(color, side).is_some() {
            return Err(PackedError::Castling);
        }
        self.add_castling_right(color, side, rook.file());
        Ok(())
    }

    /// Sets the en passant square if the last move can have been a double push over it.
    fn restore_en_passant(&mut self, target: Square) {
        let (from, to) = (target.xor(Square::A4), target.xor(Square::A2));
        let path = Bitboard::from_square(target).with(from);
        let victims = self.pieces(!self.turn(), Role::Pawn);
        let is_sixth = target.rank() == self.turn().relative_rank(shakmaty::Rank::Sixth);
        if is_sixth && victims.contains(to) && (path & self.occupied()).is_empty() {
            self.set_en_passant(target);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpacking_restores_the_position() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 31",
            "qnbnrkrb/pppppppp/8/8/8/8/PPPPPPPP/RKBRNNQB b DAge - 7 200",
            "1r2k1r1/8/8/8/8/8/8/RR2K1R1 b BGbg - 99 1",
            "8/8/8/8/8/4k3/8/4K2q w - - 3 70",
        ] {
            let position = Position::from_fen(fen).expect("a position");
            assert_eq!(Position::unpack(&position.pack()), Ok(position), "{fen}");
        }
    }

    #[test]
    fn without_removes_one_piece() {
        let position = Position::startpos();
        let without = |square| position.without(square).map(|position| position.to_fen());
        let fen = |text: &str| Some(text.to_owned());
        let pawn = fen("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1");
        let rook = fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1");
        assert_eq!(without(Square::E2), pawn);
        assert_eq!(without(Square::H1), rook);
        assert_eq!(without(Square::E1), None);
    }

    #[test]
    fn a_double_push_must_have_been_possible() {
        for (board, is_possible) in [
            ("4k3/8/8/3pP3/8/8/8/4K3", true),
            ("4k3/3n4/8/3pP3/8/8/8/4K3", false),
            ("4k3/8/3n4/3pP3/8/8/8/4K3", false),
        ] {
            let position = Position::from_fen(&format!("{board} w - - 0 31")).expect("a position");
            let mut packed = position.pack();
            packed[24] = Square::D6 as u8;
            let unpacked = Position::unpack(&packed).expect("a position");
            assert_eq!(unpacked.ep_square().is_some(), is_possible, "{board}");
            assert_eq!(Position::from_chess(&unpacked.to_chess()), unpacked);
        }
    }

    #[test]
    fn invalid_bytes_are_rejected() {
        let packed = Position::startpos().pack();
        let unpack_with = |index: usize, value: u8| {
            let mut packed = packed;
            packed[index] = value;
            Position::unpack(&packed)
        };
        assert_eq!(unpack_with(3, 1), Err(PackedError::Pieces));
        assert_eq!(unpack_with(8, 0x17), Err(PackedError::Pieces));
        assert_eq!(unpack_with(10, 0x21), Err(PackedError::Kings));
        assert_eq!(unpack_with(12, 0x06), Err(PackedError::Castling));
        // Nine queens can be had from eight pawns, ten cannot.
        let mut queens = packed;
        queens[12..16].fill(0x44);
        assert!(Position::unpack(&queens).is_ok());
        queens[8] = 0x46;
        assert_eq!(Position::unpack(&queens), Err(PackedError::Pieces));
        assert_eq!(
            Position::unpack(&[0; PACKED_BYTES]),
            Err(PackedError::Kings)
        );
    }
}
