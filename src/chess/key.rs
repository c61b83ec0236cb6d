//! Zobrist numbers: Polyglot's, so that one key serves the TT, repetitions and opening books.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{CastlingSide, Color, File, Square};

use super::piece::Piece;

#[inline]
pub(super) fn of_piece(piece: Piece, square: Square) -> u64 {
    let piece = shakmaty::Piece {
        color: piece.color(),
        role: piece.role(),
    };
    Zobrist64::zobrist_for_piece(square, piece).0
}

/// Part of the key if white is to move.
#[inline]
pub(super) fn of_turn() -> u64 {
    Zobrist64::zobrist_for_white_turn().0
}

/// Part of the key if an en passant capture on this file is legal.
#[inline]
pub(super) fn of_en_passant(file: File) -> u64 {
    Zobrist64::zobrist_for_en_passant_file(file).0
}

#[inline]
pub(super) fn of_castling(color: Color, side: CastlingSide) -> u64 {
    Zobrist64::zobrist_for_castling_right(color, side).0
}
