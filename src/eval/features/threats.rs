//! Threats: which piece attacks which, how the target is defended, and who is to move.
//!
//! The quiescence search resolves the captures of the side to move, but not the threats of the other side; so every threat
//! is indexed by whether its owner is to move.

use super::super::families::{Loose, PushThreat, QueenThreat};
use super::super::side::{Black, Side, White};
use super::super::sink::FeatureSink;
use super::super::sums::AttackedSquares;
use super::info::{EvalInfo, Lines};
use crate::chess::{Bitboard, Role, Square, attacks};

/// Adds what a side threatens to attack, and its own undefended pieces.
#[inline(always)]
pub(super) fn threats<C: Side, S: FeatureSink>(info: &EvalInfo, sink: &mut S) {
    let is_to_move = info.is_to_move::<C>();
    pushes::<C, S>(info, is_to_move, sink);
    queens::<C, S>(info, is_to_move, sink);
    for role in &Role::ALL[..5] {
        let loose = info.pieces::<C>(*role) & !info.all::<C>();
        sink.add::<C>(Loose::at(is_to_move, *role), loose.count() as i32, loose);
    }
}

/// Every attacked piece of both sides, by the roles of its attackers.
#[inline(always)]
pub(super) fn attacked<S: FeatureSink>(info: &EvalInfo, sink: &mut S) {
    let (white, black) = (info.side::<White>(), info.side::<Black>());
    let of_enemy = |by_white, by_black| white & by_black | black & by_white;
    let of_own = |by_white, by_black| white & by_white | black & by_black;
    let by = Role::ALL.map(|role| of_enemy(info.by::<White>(role), info.by::<Black>(role)));
    let attacked = of_enemy(info.all::<White>(), info.all::<Black>());
    let attacked_twice = of_enemy(info.twice::<White>(), info.twice::<Black>());
    let by_pawn = of_own(info.by::<White>(Role::Pawn), info.by::<Black>(Role::Pawn));
    let defended = of_own(info.all::<White>(), info.all::<Black>());
    let defended_twice = of_own(info.twice::<White>(), info.twice::<Black>());
    let held = by_pawn | defended & (defended_twice | !attacked_twice);
    let squares = AttackedSquares::new(by, [defended, held, by_pawn]);
    for square in attacked & !info.position.by_role(Role::King) {
        if let Some(target) = info.position.piece_on(square) {
            let owner = !target.color();
            let is_to_move = info.position.turn() == owner;
            let bit = Bitboard::from_square(square);
            sink.add_threats(owner, is_to_move, target.role(), squares.on(square), bit);
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
    let queens = info.pieces::<C::Enemy>(Role::Queen);
    if queens.is_empty() {
        return;
    }
    let undefended = !info.all::<C::Enemy>() | info.twice::<C>() & !info.twice::<C::Enemy>();
    let safe = undefended & !info.by::<C::Enemy>(Role::Pawn) & !info.side::<C>();
    let mut add_all = |queen: Square, lines: Lines| {
        let mut add = |role: Role, from: Bitboard| {
            let squares = from & info.by::<C>(role) & safe;
            let index = QueenThreat::at(is_to_move, role);
            sink.add::<C>(index, squares.count() as i32, squares.with(queen));
        };
        add(Role::Knight, attacks::knight_attacks(queen));
        add(Role::Bishop, lines.diagonal);
        add(Role::Rook, lines.orthogonal);
    };
    if let Some(queen) = queens.single_square() {
        add_all(queen, info.queens[<C::Enemy as Side>::COLOR as usize]);
    } else {
        for queen in queens {
            add_all(queen, Lines::from(queen, info.occupied));
        }
    }
}
