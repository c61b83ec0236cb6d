//! Which moves of a position give check, asked of many moves at once.
//! Uses: board, moves, masks. Used by: search (the order of moves).
//! Idea: the lines to the enemy's king are looked up once; after that a move costs two questions to a set of squares.

use shakmaty::{Bitboard, Role, Square, attacks};

use super::board::Position;
use super::moves::{Move, MoveKind};

/// From where the mover's men would look at the enemy's king, and which of them stand in each other's way.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    king: Square,
    /// From where each role checks, pawn first.
    squares: [Bitboard; 6],
    /// Men of the mover that alone keep one of its sliders from the king.
    discoverers: Bitboard,
}

impl Position {
    /// What every move of the side to move is asked for.
    #[must_use]
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
            discoverers: self.lone_blockers(!us) & self.by_color(us),
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
