//! Passed pawns and the pieces that stop or support them. Which pawns are passed comes from the pawn cache.

use super::super::families::{ClassMaterial, PassedBehind, PassedPath, PassedStop, Runner};
use super::super::side::{Side, steps};
use super::super::sink::FeatureSink;
use super::info::EvalInfo;
use crate::chess::{Bitboard, Role, Square, attacks};

/// The cell of passed pawns on the axis [`MaterialItem`](super::super::axes::MaterialItem).
const PASSED: usize = 5;

/// Adds the features of a side's passed pawns.
#[inline(always)]
pub(super) fn passed<C: Side, S: FeatureSink>(info: &EvalInfo, sink: &mut S) {
    let pawns = info.pawns.passed & info.side::<C>();
    if pawns.is_empty() {
        return;
    }
    let count = pawns.count() as i32;
    sink.add::<C>(ClassMaterial::at(info.material.class, PASSED), count, pawns);
    let enemy_has_pieces = info
        .position
        .has_non_pawn_material(<C::Enemy as Side>::COLOR);
    for pawn in pawns {
        advance::<C, S>(info, pawn, sink);
        if !enemy_has_pieces && is_unstoppable::<C>(info, pawn) {
            let bit = Bitboard::from_square(pawn);
            sink.add::<C>(Runner::at(C::rank(pawn)), 1, bit);
        }
    }
}

/// The pawn's next step, its path to promotion, and rooks behind it.
#[inline(always)]
fn advance<C: Side, S: FeatureSink>(info: &EvalInfo, pawn: Square, sink: &mut S) {
    let bit = Bitboard::from_square(pawn);
    let rank = C::rank(pawn);
    let attacked = info.all::<C::Enemy>();
    let ahead = C::forward(bit);
    let stop = if (ahead & info.side::<C::Enemy>()).any() {
        0
    } else if (ahead & info.occupied).any() {
        1
    } else if (ahead & attacked).is_empty() {
        4
    } else {
        2 + usize::from((ahead & info.all::<C>()).any())
    };
    let is_supported = info.by::<C>(Role::Pawn).contains(pawn);
    sink.add::<C>(PassedStop::at(is_supported, stop, rank), 1, bit);

    let path = C::ahead_of(pawn);
    let cell = if (path & info.occupied).any() {
        0
    } else {
        1 + usize::from((path & attacked).is_empty())
    };
    sink.add::<C>(PassedPath::at(info.is_to_move::<C>(), cell, rank), 1, bit);

    let heavy = info.position.orthogonal() & C::Enemy::ahead_of(pawn);
    if heavy.any() {
        let heavy = heavy & attacks::rook_attacks(pawn, info.occupied);
        for rook in heavy {
            let owner = usize::from(!info.side::<C>().contains(rook));
            sink.add::<C>(PassedBehind::at(owner), 1, bit.with(rook));
        }
    }
}

/// Whether the enemy king is too far away to stop the pawn; the enemy must have no other pieces than pawns.
#[inline(never)]
fn is_unstoppable<C: Side>(info: &EvalInfo, pawn: Square) -> bool {
    let rank = C::rank(pawn);
    let path = C::ahead_of(pawn);
    let Some(promotion) = (path & C::ranks(7, 7)).first() else {
        return false;
    };
    // The first step may be a double step.
    let moves = (7 - rank).min(5);
    let king = info.position.king(<C::Enemy as Side>::COLOR);
    let catches = steps(promotion, king) <= moves + usize::from(!info.is_to_move::<C>());
    (path & info.occupied).is_empty() && !catches
}
