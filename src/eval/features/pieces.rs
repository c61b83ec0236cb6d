//! Features of officers: where they can go, what they are for, and how they press on the enemy's king.
//! Uses: chess, families, sink, maps. Used by: features.
//! Idea: one pass over each side's officers, in the order in which the maps number them; what belongs to the king is
//! summed on the way.

use super::super::families::{
    BadBishop, BehindPawn, Mobility, Outpost, OutpostReach, QueenExposed, Reach, RookFile,
    RookForward, TrappedRook,
};
use super::super::side::file_of;
use super::super::sink::{Side, Sink};
use super::Board;
use super::king::{Pressure, ring};
use crate::chess::{Bitboard, CastlingSide, Role, Square, attacks, rays};

/// The files c to f.
const MIDDLE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
/// A rook that reaches no more squares than this may be shut in.
const SHUT_IN: usize = 3;

// The officers' roles, as parameters of compiled code: their numbers among all roles.
const KNIGHT: usize = 1;
const BISHOP: usize = 2;
const ROOK: usize = 3;
const QUEEN: usize = 4;

/// What one side's officers share.
struct Camp {
    own_king: Square,
    enemy_king: Square,
    /// The squares around the enemy's king.
    ring: Bitboard,
    /// Squares where no enemy pawn will ever attack, of the ranks where an outpost counts.
    outposts: Bitboard,
    /// The outposts that an own pawn guards.
    supported: Bitboard,
    /// Squares right behind a pawn.
    sheltered: Bitboard,
}

/// Tells the features of a side's officers, and returns how they press on the enemy's king.
#[inline(always)]
pub(super) fn officers<C: Side, S: Sink>(board: &Board, sink: &mut S) -> Pressure {
    let enemy_king = board.position.king(<C::Enemy as Side>::COLOR);
    let outposts = C::ranks(3, 5) & !board.pawns.spans[<C::Enemy as Side>::COLOR as usize];
    let camp = Camp {
        own_king: board.position.king(C::COLOR),
        enemy_king,
        ring: ring(enemy_king),
        outposts,
        supported: outposts & board.by::<C>(Role::Pawn),
        sheltered: C::Enemy::forward(board.position.by_role(Role::Pawn)),
    };

    let by_pawns = board.by::<C::Enemy>(Role::Pawn);
    let by_minors = board.by::<C::Enemy>(Role::Knight) | board.by::<C::Enemy>(Role::Bishop);
    let safe = !(board.side::<C>() | by_pawns);
    let safe_of_minors = safe & !by_minors;
    let safe_of_rooks = safe_of_minors & !board.by::<C::Enemy>(Role::Rook);

    let mut walk = Walk {
        board,
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

/// A walk over one side's officers.
struct Walk<'a, S> {
    board: &'a Board<'a>,
    camp: &'a Camp,
    /// How many officers are behind us.
    number: usize,
    pressure: Pressure,
    sink: &'a mut S,
}

impl<S: Sink> Walk<'_, S> {
    /// The officers of one role, known at compile time.
    #[inline(always)]
    fn each<C: Side, const ROLE: usize>(&mut self, safe: Bitboard) {
        let (board, camp) = (self.board, self.camp);
        let role = Role::ALL[ROLE];
        for square in board.men::<C>(role) {
            let attacks = board.maps.officer(C::COLOR, self.number);
            self.number += 1;
            self.pressure.add(role, attacks & camp.ring);
            common::<C, S>(board, role, square, attacks, safe, self.sink);
            match ROLE {
                KNIGHT | BISHOP => minor::<C, S>(board, camp, role, square, attacks, self.sink),
                ROOK => rook::<C, S>(board, camp, square, attacks, self.sink),
                _ => queen::<C, S>(board, square, attacks, self.sink),
            }
        }
    }
}

/// What every officer has: room.
#[inline(always)]
fn common<C: Side, S: Sink>(
    board: &Board,
    role: Role,
    square: Square,
    attacks: Bitboard,
    safe: Bitboard,
    sink: &mut S,
) {
    let bit = Bitboard::from_square(square);
    let reach = (attacks & !board.side::<C>()).count();
    sink.add::<C>(Mobility::at(role, (attacks & safe).count()), 1, bit);
    sink.add::<C>(Reach::at(role, reach), 1, bit);
}

#[inline(always)]
fn minor<C: Side, S: Sink>(
    board: &Board,
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
    } else if (attacks & camp.supported & !board.side::<C>()).any() {
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
        let pawns = board.men::<C>(Role::Pawn);
        let blocked = pawns & MIDDLE_FILES & C::Enemy::forward(board.occupied);
        let index = BadBishop::at(blocked.count(), (pawns & color).count());
        sink.add::<C>(index, 1, bit);
    }
}

#[inline(always)]
fn rook<C: Side, S: Sink>(
    board: &Board,
    camp: &Camp,
    square: Square,
    attacks: Bitboard,
    sink: &mut S,
) {
    let bit = Bitboard::from_square(square);
    let ahead = attacks & file_of(square) & C::ahead(bit);
    sink.add::<C>(RookForward::at(ahead.count()), 1, bit);

    let file = square.file();
    let is_own_open = board.pawns.is_open(C::COLOR, file);
    let is_enemy_open = board.pawns.is_open(<C::Enemy as Side>::COLOR, file);
    let state = if is_own_open {
        usize::from(!is_enemy_open)
    } else {
        2
    };
    let away = file.distance(camp.enemy_king.file()).min(3) as usize;
    sink.add::<C>(RookFile::at(state, away), 1, bit);

    if (attacks & !board.side::<C>()).count() <= SHUT_IN {
        let (rook, king) = (file as u32, camp.own_king.file() as u32);
        let is_outside = if king < 4 { rook < king } else { rook > king };
        if is_outside {
            let can = |side| board.position.castling_rook(C::COLOR, side).is_some();
            let may_castle = can(CastlingSide::KingSide) || can(CastlingSide::QueenSide);
            sink.add::<C>(TrappedRook::at(may_castle), 1, bit.with(camp.own_king));
        }
    }
}

/// A queen behind one man from an enemy bishop or rook.
#[inline(always)]
fn queen<C: Side, S: Sink>(board: &Board, square: Square, attacks: Bitboard, sink: &mut S) {
    let mut exposed = |role: Role, lines: Bitboard| {
        for slider in lines & board.men::<C::Enemy>(role) & !attacks {
            let between = attacks::between(square, slider) & board.occupied;
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
