//! Positions in 28 bytes, for storing very many of them.
//! Uses: board, piece. Used by: learn.
//! Idea: which squares are occupied, then four bits for each man on them; a rook that may still castle has a code of its
//! own, so that castling rights need no room. The layout is the one that chess programs share as "marlinformat":
//! occupancy 8 | codes 16, the lower half of a byte first | turn and en-passant square 1 | half-move clock 1 | move
//! number 2, all little-endian.

use shakmaty::{Bitboard, CastlingSide, Color, Role, Square};
use thiserror::Error;

use super::board::Position;
use super::piece::Piece;

/// Bytes of a packed position.
pub const PACKED_BYTES: usize = 28;
/// A packed position.
pub type Packed = [u8; PACKED_BYTES];

/// The code of a rook that may still castle.
const CASTLING_ROOK: u8 = 6;
/// The bit of a code that says black.
const BLACK_CODE: u8 = 8;
/// The bit that says that black is to move.
const BLACK_TURN: u8 = 128;
/// Stands for no en-passant square.
const NO_SQUARE: u8 = 64;

/// Why bytes are no position.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum PackedError {
    /// More men than a board can have, or a code that means nothing.
    #[error("the men are not those of a chess position")]
    Men,
    /// A side does not have exactly one king, or could take the other's.
    #[error("the kings do not stand as in a chess position")]
    Kings,
    /// A rook that may castle stands where none can.
    #[error("a castling rook is out of place")]
    Castling,
}

impl Position {
    /// The position in 28 bytes. A half-move clock above 255 is stored as that.
    #[must_use]
    pub fn pack(&self) -> Packed {
        self.pack_men(self.occupied())
    }

    /// The position without one of its men; `None` where that would be none.
    #[must_use]
    pub fn without(&self, square: Square) -> Option<Self> {
        Self::unpack(&self.pack_men(self.occupied() & !Bitboard::from_square(square))).ok()
    }

    /// Packs these men only.
    fn pack_men(&self, men: Bitboard) -> Packed {
        let mut packed = [0; PACKED_BYTES];
        packed[..8].copy_from_slice(&men.0.to_le_bytes());
        let castling = self.castling_rooks();
        for (place, square) in men.into_iter().enumerate() {
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
            packed[8 + place / 2] |= code << (place % 2 * 4);
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

    /// The position that was packed so. The bytes may come from anywhere; what is not refused can be searched.
    ///
    /// # Errors
    /// [`PackedError`] if they are no position.
    pub fn unpack(packed: &Packed) -> Result<Self, PackedError> {
        let occupied = Bitboard(
            packed[..8]
                .iter()
                .rev()
                .fold(0, |bits, &byte| bits << 8 | u64::from(byte)),
        );
        if occupied.count() > 32 {
            return Err(PackedError::Men);
        }
        let mut position = Self::empty();
        let mut castling = Bitboard::EMPTY;
        for (place, square) in occupied.into_iter().enumerate() {
            let code = packed[8 + place / 2] >> (place % 2 * 4) & 15;
            let color = Color::from_white(code & BLACK_CODE == 0);
            let role = match code & 7 {
                CASTLING_ROOK => {
                    castling.add(square);
                    Role::Rook
                }
                role => *Role::ALL.get(usize::from(role)).ok_or(PackedError::Men)?,
            };
            let piece = Piece::new(color, role);
            position.toggle(piece, square);
            position.mailbox[square as usize] = Some(piece);
        }
        let kings = Color::ALL.map(|color| position.pieces(color, Role::King).count());
        if kings != [1, 1] {
            return Err(PackedError::Kings);
        }
        if (position.by_role(Role::Pawn) & Bitboard::BACKRANKS).any() {
            return Err(PackedError::Men);
        }
        for rook in castling {
            position.restore_castling(rook)?;
        }
        let turn = Color::from_white(packed[24] & BLACK_TURN == 0);
        position.halfmoves = u16::from(packed[25]);
        position.fullmoves = u16::from_le_bytes([packed[26], packed[27]]);
        position.pass_turn_to(turn);
        let others = position.attackers_to(position.king(!turn), position.occupied());
        if (others & position.by_color(turn)).any() {
            return Err(PackedError::Kings);
        }
        position.update_checks();
        if let Ok(target) = Square::try_from(u32::from(packed[24] & !BLACK_TURN)) {
            position.restore_en_passant(target);
        }
        Ok(position)
    }

    /// The rooks of both colours that may still castle.
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
        self.grant_castling(color, side, rook.file());
        Ok(())
    }

    /// Sets the en-passant square if a pawn can have come past it.
    fn restore_en_passant(&mut self, target: Square) {
        let behind = target.xor(Square::A2);
        let victims = self.pieces(!self.turn(), Role::Pawn);
        let is_sixth = target.rank() == self.turn().relative_rank(shakmaty::Rank::Sixth);
        if is_sixth && victims.contains(behind) && !self.occupied().contains(target) {
            self.set_en_passant(target);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_survive() {
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
    fn a_man_can_be_taken_away() {
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
    fn nonsense_is_refused() {
        let packed = Position::startpos().pack();
        let spoilt = |place: usize, value: u8| {
            let mut packed = packed;
            packed[place] = value;
            Position::unpack(&packed)
        };
        assert_eq!(spoilt(3, 1), Err(PackedError::Men));
        assert_eq!(spoilt(8, 0x17), Err(PackedError::Men));
        assert_eq!(spoilt(10, 0x21), Err(PackedError::Kings));
        assert_eq!(spoilt(12, 0x06), Err(PackedError::Castling));
        assert_eq!(
            Position::unpack(&[0; PACKED_BYTES]),
            Err(PackedError::Kings)
        );
    }
}
