//! The keys of a position.
//! Uses: piece. Used by: board, play, draw.
//! Idea: the low 64 bits of shakmaty's Zobrist numbers are Polyglot's, so one incremental key serves the table, the
//! repetitions and the opening book. The en-passant file counts only where a legal capture exists; Polyglot counts it
//! wherever an enemy pawn stands beside, and `Game::book_key` settles that corner.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{CastlingSide, Color, File, Square};

use super::piece::Piece;

/// The number of a piece on a square.
#[inline]
pub(super) fn of_piece(piece: Piece, square: Square) -> u64 {
    let piece = shakmaty::Piece {
        color: piece.color(),
        role: piece.role(),
    };
    Zobrist64::zobrist_for_piece(square, piece).0
}

/// The number that says white is to move.
#[inline]
pub(super) fn of_turn() -> u64 {
    Zobrist64::zobrist_for_white_turn().0
}

/// The number of an en-passant capture on a file.
#[inline]
pub(super) fn of_en_passant(file: File) -> u64 {
    Zobrist64::zobrist_for_en_passant_file(file).0
}

/// The number of one castling right.
#[inline]
pub(super) fn of_castling(color: Color, side: CastlingSide) -> u64 {
    Zobrist64::zobrist_for_castling_right(color, side).0
}
