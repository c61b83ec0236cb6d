//! Space, contested squares, the centre and the tempo.
//!
//! Space is worth more with more pieces to use it, so its table is indexed by both.

use super::super::families::{Centre, Restriction, Space, Tempo};
use super::super::side::{Black, MIDDLE_FILES, Side, White};
use super::super::sink::FeatureSink;
use super::info::EvalInfo;
use crate::chess::{Bitboard, Color, Role};

/// d4, e4, d5, e5.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// Adds a side's space, contested squares and hold on the centre.
#[inline(always)]
pub(super) fn space<C: Side, S: FeatureSink>(info: &EvalInfo, sink: &mut S) {
    let pawns = info.pieces::<C>(Role::Pawn);
    let area = MIDDLE_FILES & C::ranks(1, 3) & !pawns & !info.by::<C::Enemy>(Role::Pawn);
    let behind = C::Enemy::ahead(pawns) & area & !info.all::<C::Enemy>();
    let pieces = info.side::<C>() & !pawns & !info.pieces::<C>(Role::King);
    let index = Space::at(pieces.count(), area.count() + behind.count());
    sink.add::<C>(index, 1, area);

    let attacked = info.all::<C>();
    let held = info.by::<C::Enemy>(Role::Pawn) | info.twice::<C::Enemy>() & !info.twice::<C>();
    let contested = info.all::<C::Enemy>() & !held & attacked;
    sink.add::<C>(Restriction::at(contested.count()), 1, contested);
    let centre = attacked & CENTRE;
    sink.add::<C>(Centre::at(centre.count()), 1, centre);
}

/// Adds the tempo of the side to move.
#[inline(always)]
pub(super) fn tempo<S: FeatureSink>(info: &EvalInfo, sink: &mut S) {
    let index = Tempo::at(info.material.phase as usize);
    match info.position.turn() {
        Color::White => sink.add::<White>(index, 1, Bitboard::EMPTY),
        Color::Black => sink.add::<Black>(index, 1, Bitboard::EMPTY),
    }
}
