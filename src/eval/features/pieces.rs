//! Features of knights, bishops, rooks and queens: mobility, outposts, files, and attacks on the enemy king ring.
//!
//! One pass over each side's pieces, in the order in which the attack maps number them.

use super::super::families::{
    BadBishop, BehindPawn, Outpost, OutpostReach, QueenExposed, RookFile, RookForward,
    RookOnSeventh, TrappedRook,
};
use super::super::side::{MIDDLE_FILES, Side, file_of};
use super::super::sink::FeatureSink;
use super::info::EvalInfo;
use super::king::{Pressure, ring};
use crate::chess::{Bitboard, CastlingSide, Role, Square, attacks, rays};

/// A rook with more reachable squares than this is not trapped.
const TRAPPED_REACH: usize = 3;

// Indices into `Role::ALL`, as const parameters.
const KNIGHT: usize = 1;
const BISHOP: usize = 2;
const ROOK: usize = 3;
const QUEEN: usize = 4;

/// Squares that all pieces of one side share.
struct Camp {
    own_king: Square,
    enemy_king: Square,
    /// The enemy king ring.
    ring: Bitboard,
    /// Squares of the fourth to sixth rank that no enemy pawn can ever attack.
    outposts: Bitboard,
    /// Outposts defended by an own pawn.
    supported: Bitboard,
    /// Squares directly behind a pawn of either side.
    sheltered: Bitboard,
}

/// Adds the features of a side's pieces, and returns their pressure on the enemy king.
#[inline(always)]
pub(super) fn pieces<C: Side, S: FeatureSink>(info: &EvalInfo, sink: &mut S) -> Pressure {
    let enemy_king = info.position.king(<C::Enemy as Side>::COLOR);
    let outposts = C::ranks(3, 5) & !info.pawns.spans[<C::Enemy as Side>::COLOR as usize];
    let camp = Camp {
        own_king: info.position.king(C::COLOR),
        enemy_king,
        ring: ring(enemy_king),
        outposts,
        supported: outposts & info.by::<C>(Role::Pawn),
        sheltered: C::Enemy::forward(info.position.by_role(Role::Pawn)),
    };

    let by_pawns = info.by::<C::Enemy>(Role::Pawn);
    let by_minors = info.by::<C::Enemy>(Role::Knight) | info.by::<C::Enemy>(Role::Bishop);
    let safe = !(info.side::<C>() | by_pawns);
    let safe_of_minors = safe & !by_minors;
    let safe_of_rooks = safe_of_minors & !info.by::<C::Enemy>(Role::Rook);

    let mut walk = PieceWalk {
        info,
        camp: &camp,
        number: 0,
        pressure: Pressure::default(),
        sink,
    };
    walk.each::<C, KNIGHT>(safe);
    walk.each::<C, BISHOP>(safe);
    walk.each::<C, ROOK>(safe_of_minors);
    walk.each::<C, QUEEN>(safe_of_rooks);
    walk.pressure
}

/// A walk over one side's pieces.
struct PieceWalk<'a, S> {
    info: &'a EvalInfo<'a>,
    camp: &'a Camp,
    /// Number of the next piece in the attack maps.
    number: usize,
    pressure: Pressure,
    sink: &'a mut S,
}

impl<S: FeatureSink> PieceWalk<'_, S> {
    /// The pieces of one role; the compiler makes a copy for each.
    #[inline(always)]
    fn each<C: Side, const ROLE: usize>(&mut self, safe: Bitboard) {
        let (info, camp) = (self.info, self.camp);
        let role = Role::ALL[ROLE];
        for square in info.pieces::<C>(role) {
            let attacks = info.maps.piece(C::COLOR, self.number);
            self.number += 1;
            self.pressure.add(role, attacks & camp.ring);
            mobility::<C, S>(info, role, square, attacks, safe, self.sink);
            match ROLE {
                KNIGHT | BISHOP => minor::<C, S>(info, camp, role, square, attacks, self.sink),
                ROOK => rook::<C, S>(info, camp, square, attacks, self.sink),
                _ => queen::<C, S>(info, square, attacks, self.sink),
            }
        }
    }
}

/// Mobility and reach.
#[inline(always)]
fn mobility<C: Side, S: FeatureSink>(
    info: &EvalInfo,
    role: Role,
    square: Square,
    attacks: Bitboard,
    safe: Bitboard,
    sink: &mut S,
) {
    let reach = (attacks & !info.side::<C>()).count();
    let safe = (attacks & safe).count();
    sink.add_mobility::<C>(role, safe, reach, Bitboard::from_square(square));
}

#[inline(always)]
fn minor<C: Side, S: FeatureSink>(
    info: &EvalInfo,
    camp: &Camp,
    role: Role,
    square: Square,
    attacks: Bitboard,
    sink: &mut S,
) {
    let bit = Bitboard::from_square(square);
    if camp.outposts.contains(square) {
        let is_supported = camp.supported.contains(square);
        let index = Outpost::at(role, is_supported, C::relative(square));
        sink.add::<C>(index, 1, bit);
    } else if (attacks & camp.supported & !info.side::<C>()).any() {
        sink.add::<C>(OutpostReach::at(role), 1, bit);
    }
    if camp.sheltered.contains(square) {
        sink.add::<C>(BehindPawn::at(role), 1, bit);
    }
    if role == Role::Bishop {
        let color = if square.is_light() {
            Bitboard::LIGHT_SQUARES
        } else {
            Bitboard::DARK_SQUARES
        };
        let pawns = info.pieces::<C>(Role::Pawn);
        let blocked = pawns & MIDDLE_FILES & C::Enemy::forward(info.occupied);
        let index = BadBishop::at(blocked.count(), (pawns & color).count());
        sink.add::<C>(index, 1, bit);
    }
}

#[inline(always)]
fn rook<C: Side, S: FeatureSink>(
    info: &EvalInfo,
    camp: &Camp,
    square: Square,
    attacks: Bitboard,
    sink: &mut S,
) {
    let bit = Bitboard::from_square(square);
    let ahead = attacks & file_of(square) & C::ahead(bit);
    sink.add::<C>(RookForward::at(ahead.count()), 1, bit);

    let file = square.file();
    let is_own_open = info.pawns.is_open(C::COLOR, file);
    let is_enemy_open = info.pawns.is_open(<C::Enemy as Side>::COLOR, file);
    let state = if is_own_open {
        usize::from(!is_enemy_open)
    } else {
        2
    };
    let away = file.distance(camp.enemy_king.file()).min(3) as usize;
    sink.add::<C>(RookFile::at(state, away), 1, bit);

    if C::rank(square) == 6 {
        let pawns = info.pieces::<C::Enemy>(Role::Pawn) & C::ranks(6, 6);
        sink.add::<C>(RookOnSeventh::at(pawns.count()), 1, bit | pawns);
    }

    if (attacks & !info.side::<C>()).count() <= TRAPPED_REACH {
        let (rook, king) = (file as u32, camp.own_king.file() as u32);
        let is_outside = if king < 4 { rook < king } else { rook > king };
        if is_outside {
            let can = |side| info.position.castling_rook(C::COLOR, side).is_some();
            let may_castle = can(CastlingSide::KingSide) || can(CastlingSide::QueenSide);
            sink.add::<C>(TrappedRook::at(may_castle), 1, bit.with(camp.own_king));
        }
    }
}

/// A queen with a single piece between it and an enemy bishop or rook.
#[inline(always)]
fn queen<C: Side, S: FeatureSink>(
    info: &EvalInfo,
    square: Square,
    attacks: Bitboard,
    sink: &mut S,
) {
    let mut exposed = |role: Role, lines: Bitboard| {
        for slider in lines & info.pieces::<C::Enemy>(role) & !attacks {
            let between = attacks::between(square, slider) & info.occupied;
            if !between.more_than_one() {
                let squares = between.with(square).with(slider);
                sink.add::<C>(QueenExposed::at(role), 1, squares);
            }
        }
    };
    let rays = rays(square);
    exposed(Role::Bishop, rays.diagonal);
    exposed(Role::Rook, rays.orthogonal);
}
