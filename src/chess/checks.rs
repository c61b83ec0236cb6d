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
    /// The squares from which a role gives check.
    #[inline]
    pub(super) const fn squares(&self, role: Role) -> Bitboard {
        self.squares[role as usize - Role::Pawn as usize]
    }

    /// The squares to which a piece moves with check; not for promotions, en passant and castling.
    #[inline]
    pub(crate) fn targets(&self, role: Role, from: Square) -> Bitboard {
        let direct = self.squares(role);
        if self.discoverers.contains(from) {
            direct | !attacks::ray(self.king, from)
        } else {
            direct
        }
    }

    /// The pieces that can discover a check.
    #[inline]
    pub(super) const fn discoverers(&self) -> Bitboard {
        self.discoverers
    }

    /// Whether a legal move of the position gives check.
    #[inline]
    #[must_use]
    pub fn gives_check(&self, position: &Position, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_promotion() || matches!(mv.kind(), MoveKind::Castle | MoveKind::EnPassant) {
            return position.gives_check(mv);
        }
        position
            .piece_on(from)
            .is_some_and(|piece| self.targets(piece.role(), from).contains(to))
    }
}
