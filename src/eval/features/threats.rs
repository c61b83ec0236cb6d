//! Threats: which piece attacks which, how the target is defended, and who is to move.
//!
//! The quiescence search resolves the captures of the side to move, but not the threats of the other side; so every threat
//! is indexed by whether its owner is to move.

use super::super::families::{Loose, PushThreat, QueenThreat};
use super::super::side::Side;
use super::super::sink::FeatureSink;
use super::super::sums::RoleSet;
use super::info::EvalInfo;
use crate::chess::{Bitboard, Role, attacks};

/// Adds the threats of a side, and its own undefended pieces.
#[inline(always)]
pub(super) fn threats<C: Side, S: FeatureSink>(info: &EvalInfo, sink: &mut S) {
    let is_to_move = info.is_to_move::<C>();
    attacked::<C, S>(info, is_to_move, sink);
    pushes::<C, S>(info, is_to_move, sink);
    queens::<C, S>(info, is_to_move, sink);
    for role in &Role::ALL[..5] {
        let loose = info.pieces::<C>(*role) & !info.all::<C>();
        if loose.any() {
            sink.add::<C>(Loose::at(is_to_move, *role), loose.count() as i32, loose);
        }
    }
}

/// Every attacked piece, by the roles of its attackers.
#[inline(always)]
fn attacked<C: Side, S: FeatureSink>(info: &EvalInfo, is_to_move: bool, sink: &mut S) {
    let king = info.pieces::<C::Enemy>(Role::King);
    let targets = info.side::<C::Enemy>() & !king & info.all::<C>();
    // Each set includes the ones below it, so the cell of the defence is the number of sets that have the square.
    let by_pawn = info.by::<C::Enemy>(Role::Pawn);
    let defended = info.all::<C::Enemy>();
    let held = by_pawn | defended & (info.twice::<C::Enemy>() | !info.twice::<C>());
    for square in targets {
        let is_in = |set: Bitboard| usize::from(set.contains(square));
        let defence = is_in(defended) + is_in(held) + is_in(by_pawn);
        let attackers = RoleSet::of(|role| info.by::<C>(role).contains(square));
        if let Some(target) = info.position.piece_on(square) {
            let bit = Bitboard::from_square(square);
            sink.add_threats::<C>(is_to_move, attackers, target.role(), defence, bit);
        }
    }
}

/// Non-pawn pieces that a pawn could attack by a safe push.
#[inline(always)]
fn pushes<C: Side, S: FeatureSink>(info: &EvalInfo, is_to_move: bool, sink: &mut S) {
    let free = !info.occupied;
    let step = C::forward(info.pieces::<C>(Role::Pawn)) & free;
    let steps = step | C::forward(step & C::ranks(2, 2)) & free;
    let is_safe = !info.by::<C::Enemy>(Role::Pawn) & (info.all::<C>() | !info.all::<C::Enemy>());
    let pieces = info.side::<C::Enemy>()
        & !(info.position.by_role(Role::Pawn) | info.position.by_role(Role::King));
    let targets = C::pawn_attacks(steps & is_safe) & pieces & !info.by::<C>(Role::Pawn);
    for square in targets {
        if let Some(target) = info.position.piece_on(square) {
            let index = PushThreat::at(is_to_move, target.role());
            sink.add::<C>(index, 1, Bitboard::from_square(square));
        }
    }
}

/// Safe squares from which a lesser piece would attack an enemy queen.
#[inline(always)]
fn queens<C: Side, S: FeatureSink>(info: &EvalInfo, is_to_move: bool, sink: &mut S) {
    for queen in info.pieces::<C::Enemy>(Role::Queen) {
        let undefended = !info.all::<C::Enemy>() | info.twice::<C>() & !info.twice::<C::Enemy>();
        let safe = undefended & !info.by::<C::Enemy>(Role::Pawn) & !info.side::<C>();
        let mut add = |role: Role, from: Bitboard| {
            let squares = from & info.by::<C>(role) & safe;
            if squares.any() {
                let index = QueenThreat::at(is_to_move, role);
                sink.add::<C>(index, squares.count() as i32, squares.with(queen));
            }
        };
        add(Role::Knight, attacks::knight_attacks(queen));
        add(Role::Bishop, attacks::bishop_attacks(queen, info.occupied));
        add(Role::Rook, attacks::rook_attacks(queen, info.occupied));
    }
}
