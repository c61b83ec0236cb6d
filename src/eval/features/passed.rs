//! Passed pawns and the pieces: what stops them and what drives them.
//! Uses: chess, families, sink. Used by: features.
//! Idea: the pawn entry knows which pawns are passed; only what the pieces do about them is worked out here.

use super::super::families::{ClassMaterial, PassedBehind, PassedPath, PassedStop, Runner};
use super::super::side::{file_of, steps};
use super::super::sink::{Side, Sink};
use super::Board;
use crate::chess::{Bitboard, Role, Square, attacks};

/// The cell of passed pawns among what is counted by kind of material.
const PASSER: usize = 5;

/// Tells the features of a side's passed pawns.
#[inline(always)]
pub(super) fn passed<C: Side, S: Sink>(board: &Board, sink: &mut S) {
    let pawns = board.pawns.passed & board.side::<C>();
    if pawns.is_empty() {
        return;
    }
    let count = pawns.count() as i32;
    sink.add::<C>(
        ClassMaterial::at(board.material.class, PASSER),
        count,
        pawns,
    );
    let enemy_has_pieces = board
        .position
        .has_non_pawn_material(<C::Enemy as Side>::COLOR);
    for pawn in pawns {
        advance::<C, S>(board, pawn, sink);
        if !enemy_has_pieces && runs::<C>(board, pawn) {
            let bit = Bitboard::from_square(pawn);
            sink.add::<C>(Runner::at(C::rank(pawn)), 1, bit);
        }
    }
}

/// The pawn's next step, its whole path, and rooks behind it.
#[inline(always)]
fn advance<C: Side, S: Sink>(board: &Board, pawn: Square, sink: &mut S) {
    let bit = Bitboard::from_square(pawn);
    let rank = C::rank(pawn);
    let attacked = board.all::<C::Enemy>();
    let ahead = C::forward(bit);
    let stop = if (ahead & board.side::<C::Enemy>()).any() {
        0
    } else if (ahead & board.occupied).any() {
        1
    } else if (ahead & attacked).is_empty() {
        4
    } else {
        2 + usize::from((ahead & board.all::<C>()).any())
    };
    let is_supported = board.by::<C>(Role::Pawn).contains(pawn);
    sink.add::<C>(PassedStop::at(is_supported, stop, rank), 1, bit);

    let way = C::ahead(bit);
    let path = if (way & board.occupied).any() {
        0
    } else {
        1 + usize::from((way & attacked).is_empty())
    };
    sink.add::<C>(PassedPath::at(board.moves::<C>(), path, rank), 1, bit);

    let behind = C::Enemy::ahead(bit);
    let heavy = board.position.orthogonal() & file_of(pawn) & behind;
    if heavy.any() {
        let heavy = heavy & attacks::rook_attacks(pawn, board.occupied);
        for rook in heavy {
            let owner = usize::from(!board.side::<C>().contains(rook));
            sink.add::<C>(PassedBehind::at(owner), 1, bit.with(rook));
        }
    }
}

/// Whether the enemy's king is too far away. Only asked where it stands alone with its pawns.
#[inline(never)]
fn runs<C: Side>(board: &Board, pawn: Square) -> bool {
    let bit = Bitboard::from_square(pawn);
    let rank = C::rank(pawn);
    let way = C::ahead(bit);
    let Some(goal) = (way & C::ranks(7, 7)).first() else {
        return false;
    };
    // The first step may be a double one.
    let moves = (7 - rank).min(5);
    let king = board.position.king(<C::Enemy as Side>::COLOR);
    let catches = steps(goal, king) <= moves + usize::from(!board.moves::<C>());
    (way & board.occupied).is_empty() && !catches
}
