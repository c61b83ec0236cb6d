//! Space, restriction, the centre, and being to move.
//! Uses: chess, families, sink, maps. Used by: features.
//! Idea: room is worth what there is to put there, so it is a table over the room and the officers.

use super::super::families::{Centre, Restriction, Space, Tempo};
use super::super::sink::{Black, Side, Sink, White};
use super::Board;
use crate::chess::{Bitboard, Color, Role};

/// The files c to f.
const MIDDLE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
/// d4, e4, d5, e5.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// Tells a side's space, what it contests and its hold on the centre.
#[inline(always)]
pub(super) fn space<C: Side, S: Sink>(board: &Board, sink: &mut S) {
    let pawns = board.men::<C>(Role::Pawn);
    let area = MIDDLE_FILES & C::ranks(1, 3) & !pawns & !board.by::<C::Enemy>(Role::Pawn);
    let behind = C::Enemy::ahead(pawns) & area & !board.all::<C::Enemy>();
    let officers = board.side::<C>() & !pawns & !board.men::<C>(Role::King);
    let index = Space::at(officers.count(), area.count() + behind.count());
    sink.add::<C>(index, 1, area);

    let attacked = board.all::<C>();
    let held = board.by::<C::Enemy>(Role::Pawn) | board.twice::<C::Enemy>() & !board.twice::<C>();
    let contested = board.all::<C::Enemy>() & !held & attacked;
    sink.add::<C>(Restriction::at(contested.count()), 1, contested);
    let centre = attacked & CENTRE;
    sink.add::<C>(Centre::at(centre.count()), 1, centre);
}

/// Tells whose move it is.
#[inline(always)]
pub(super) fn tempo<S: Sink>(board: &Board, sink: &mut S) {
    let index = Tempo::at(board.material.phase as usize);
    match board.position.turn() {
        Color::White => sink.add::<White>(index, 1, Bitboard::EMPTY),
        Color::Black => sink.add::<Black>(index, 1, Bitboard::EMPTY),
    }
}
