//! Threats: who attacks whom, how it is defended, and who is to move.
//! Uses: chess, families, sink, maps. Used by: features.
//! Idea: the mover's own captures are the quiescence search's affair; the static evaluation must judge the other side's
//! threats too. So every threat says whether its owner is to move.

use super::super::families::{Loose, PushThreat, QueenThreat, Threat};
use super::super::sink::{Side, Sink};
use super::Board;
use crate::chess::{Bitboard, Role, attacks};

/// Tells the threats of a side, and its own loose men.
#[inline(always)]
pub(super) fn threats<C: Side, S: Sink>(board: &Board, sink: &mut S) {
    let moves = board.moves::<C>();
    attacked::<C, S>(board, moves, sink);
    pushes::<C, S>(board, moves, sink);
    queens::<C, S>(board, moves, sink);
    for role in &Role::ALL[..5] {
        let loose = board.men::<C>(*role) & !board.all::<C>();
        if loose.any() {
            sink.add::<C>(Loose::at(moves, *role), loose.count() as i32, loose);
        }
    }
}

/// Every pair of an attacking role and an attacked man.
#[inline(always)]
fn attacked<C: Side, S: Sink>(board: &Board, moves: bool, sink: &mut S) {
    let king = board.men::<C::Enemy>(Role::King);
    let men = board.side::<C::Enemy>() & !king & board.all::<C>();
    // Each of these is part of the one before, so that the guard is how many hold the man.
    let guarded = board.by::<C::Enemy>(Role::Pawn);
    let defended = board.all::<C::Enemy>();
    let held = guarded | defended & (board.twice::<C::Enemy>() | !board.twice::<C>());
    for role in Role::ALL {
        for square in men & board.by::<C>(role) {
            let holds = |set: Bitboard| usize::from(set.contains(square));
            let guard = holds(defended) + holds(held) + holds(guarded);
            if let Some(man) = board.position.piece_on(square) {
                let index = Threat::at(moves, role, man.role(), guard);
                sink.add::<C>(index, 1, Bitboard::from_square(square));
            }
        }
    }
}

/// Officers that a pawn could attack by stepping to a square where it is not simply lost.
#[inline(always)]
fn pushes<C: Side, S: Sink>(board: &Board, moves: bool, sink: &mut S) {
    let free = !board.occupied;
    let step = C::forward(board.men::<C>(Role::Pawn)) & free;
    let steps = step | C::forward(step & C::ranks(2, 2)) & free;
    let is_safe = !board.by::<C::Enemy>(Role::Pawn) & (board.all::<C>() | !board.all::<C::Enemy>());
    let officers = board.side::<C::Enemy>()
        & !(board.position.by_role(Role::Pawn) | board.position.by_role(Role::King));
    let targets = C::pawn_attacks(steps & is_safe) & officers & !board.by::<C>(Role::Pawn);
    for square in targets {
        if let Some(man) = board.position.piece_on(square) {
            let index = PushThreat::at(moves, man.role());
            sink.add::<C>(index, 1, Bitboard::from_square(square));
        }
    }
}

/// Squares from which a lesser piece would attack an enemy queen without being lost there.
#[inline(always)]
fn queens<C: Side, S: Sink>(board: &Board, moves: bool, sink: &mut S) {
    for queen in board.men::<C::Enemy>(Role::Queen) {
        let undefended = !board.all::<C::Enemy>() | board.twice::<C>() & !board.twice::<C::Enemy>();
        let safe = undefended & !board.by::<C::Enemy>(Role::Pawn) & !board.side::<C>();
        let mut add = |role: Role, from: Bitboard| {
            let squares = from & board.by::<C>(role) & safe;
            if squares.any() {
                let index = QueenThreat::at(moves, role);
                sink.add::<C>(index, squares.count() as i32, squares.with(queen));
            }
        };
        add(Role::Knight, attacks::knight_attacks(queen));
        add(Role::Bishop, attacks::bishop_attacks(queen, board.occupied));
        add(Role::Rook, attacks::rook_attacks(queen, board.occupied));
    }
}
