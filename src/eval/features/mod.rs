//! The features: what is true of a position, said once.
//! Uses: chess, families, sink, maps, cache. Used by: the sinks.
//! Idea: one generic walk tells every fact to a sink; nothing is counted anywhere else. What pawns, kings and counts
//! alone decide is asked of the sink, which may remember it.
//!
//! Reading order: `counts`, `pawns`, `shelter`, `passed`, `pieces`, `king`, `threats`, `space`.

mod counts;
mod king;
mod passed;
mod pawns;
mod pieces;
mod shelter;
mod space;
mod threats;

pub(super) use counts::{compute_material, scratch_piece_square};
pub(super) use pawns::scratch_pawns;

use super::cache::{MaterialFacts, PawnFacts};
use super::maps::AttackMaps;
use super::sink::{Black, Side, Sink, White};
use crate::chess::{Bitboard, Position, Role};

/// All that the walkers ask.
#[derive(Clone, Copy)]
struct Board<'a> {
    position: &'a Position,
    maps: &'a AttackMaps,
    pawns: PawnFacts,
    material: MaterialFacts,
    occupied: Bitboard,
}

impl Board<'_> {
    /// The men of a side and role.
    #[inline(always)]
    fn men<C: Side>(&self, role: Role) -> Bitboard {
        self.position.pieces(C::COLOR, role)
    }

    /// All men of a side.
    #[inline(always)]
    fn side<C: Side>(&self) -> Bitboard {
        self.position.by_color(C::COLOR)
    }

    /// What a side's men of a role attack.
    #[inline(always)]
    fn by<C: Side>(&self, role: Role) -> Bitboard {
        self.maps.by(C::COLOR, role)
    }

    /// What a side attacks.
    #[inline(always)]
    fn all<C: Side>(&self) -> Bitboard {
        self.maps.all(C::COLOR)
    }

    /// What a side attacks with two men or more.
    #[inline(always)]
    fn twice<C: Side>(&self) -> Bitboard {
        self.maps.twice(C::COLOR)
    }

    /// Whether a side is to move.
    #[inline(always)]
    fn moves<C: Side>(&self) -> bool {
        self.position.turn() == C::COLOR
    }
}

/// Tells `sink` everything the evaluation knows of a position, whose attack maps `maps` must be.
#[inline]
pub fn features<S: Sink>(position: &Position, maps: &AttackMaps, sink: &mut S) {
    sink.piece_square(position);
    let board = &Board {
        position,
        maps,
        material: sink.material(position),
        pawns: sink.pawns(position),
        occupied: position.occupied(),
    };
    let by_white = sink.part(|sink| pieces::officers::<White, S>(board, sink));
    let by_black = sink.part(|sink| pieces::officers::<Black, S>(board, sink));
    sink.part(|sink| king::king::<White, S>(board, &by_black, sink));
    sink.part(|sink| king::king::<Black, S>(board, &by_white, sink));
    sink.part(|sink| threats::threats::<White, S>(board, sink));
    sink.part(|sink| threats::threats::<Black, S>(board, sink));
    sink.part(|sink| passed::passed::<White, S>(board, sink));
    sink.part(|sink| passed::passed::<Black, S>(board, sink));
    sink.part(|sink| space::space::<White, S>(board, sink));
    sink.part(|sink| space::space::<Black, S>(board, sink));
    space::tempo(board, sink);
}
