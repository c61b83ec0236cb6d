//! Tests for checking moves, prepared once for all moves of a position; a move then costs two set lookups.

use shakmaty::{Bitboard, Role, Square, attacks};

use super::board::Position;
use super::moves::{Move, MoveKind};

/// The squares from which each role gives check, and the pieces that can discover a check.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    king: Square,
    /// The checking squares by role, pawn first.
    squares: [Bitboard; 6],
    /// The pieces of the side to move that alone block one of its sliders from the enemy king.
    discoverers: Bitboard,
}

impl Position {
    #[must_use]
    #[doc(hidden)]
    pub fn checks(&self) -> Checks {
        let us = self.turn;
        let king = self.king(!us);
        let occupied = self.occupied();
        let diagonal = attacks::bishop_attacks(king, occupied);
        let orthogonal = attacks::rook_attacks(king, occupied);
        Checks {
            king,
            squares: [
                attacks::pawn_attacks(!us, king),
                attacks::knight_attacks(king),
                diagonal,
                orthogonal,
                diagonal | orthogonal,
                Bitboard::EMPTY,
            ],
            discoverers: self.slider_blockers(!us) & self.by_color(us),
        }
    }
}

impl Checks {
    /// Whether a legal move of the position gives check.
    #[inline]
    #[must_use]
    pub fn gives_check(&self, position: &Position, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_promotion() || matches!(mv.kind(), MoveKind::Castle | MoveKind::EnPassant) {
            return position.gives_check(mv);
        }
        let direct = position.piece_on(from).is_some_and(|piece| {
            self.squares[piece.role() as usize - Role::Pawn as usize].contains(to)
        });
        direct || self.discoverers.contains(from) && !attacks::ray(self.king, from).contains(to)
    }
}
