//! What all feature walks read of a position.

use super::super::maps::AttackMaps;
use super::super::side::Side;
use super::counts::MaterialFacts;
use super::pawns::PawnFacts;
use crate::chess::{Bitboard, Position, Role, Square, attacks};

/// A position with its attack maps and the facts of the cached walks.
pub(super) struct EvalInfo<'a> {
    pub(super) position: &'a Position,
    /// Complete after the walk over the pieces.
    pub(super) maps: AttackMaps,
    pub(super) pawns: PawnFacts,
    pub(super) material: MaterialFacts,
    pub(super) occupied: Bitboard,
    /// The squares that the last queen of each colour attacks; complete after the walk over the pieces.
    pub(super) queens: [Lines; 2],
}

/// The squares that a queen attacks, by the direction.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    pub(super) diagonal: Bitboard,
    pub(super) orthogonal: Bitboard,
}

impl Lines {
    pub(super) const NONE: Self = Self {
        diagonal: Bitboard::EMPTY,
        orthogonal: Bitboard::EMPTY,
    };

    #[inline(always)]
    pub(super) fn from(square: Square, occupied: Bitboard) -> Self {
        Self {
            diagonal: attacks::bishop_attacks(square, occupied),
            orthogonal: attacks::rook_attacks(square, occupied),
        }
    }
}

impl EvalInfo<'_> {
    /// The pieces of a side and role.
    #[inline(always)]
    pub(super) fn pieces<C: Side>(&self, role: Role) -> Bitboard {
        self.position.pieces(C::COLOR, role)
    }

    /// All pieces of a side.
    #[inline(always)]
    pub(super) fn side<C: Side>(&self) -> Bitboard {
        self.position.by_color(C::COLOR)
    }

    /// The squares that a side attacks with a role.
    #[inline(always)]
    pub(super) fn by<C: Side>(&self, role: Role) -> Bitboard {
        self.maps.by(C::COLOR, role)
    }

    /// The squares that a side attacks.
    #[inline(always)]
    pub(super) fn all<C: Side>(&self) -> Bitboard {
        self.maps.all(C::COLOR)
    }

    /// The squares that a side attacks with two pieces or more.
    #[inline(always)]
    pub(super) fn twice<C: Side>(&self) -> Bitboard {
        self.maps.twice(C::COLOR)
    }

    /// Whether a side is to move.
    #[inline(always)]
    pub(super) fn is_to_move<C: Side>(&self) -> bool {
        self.position.turn() == C::COLOR
    }
}
