//! Features of knights, bishops, rooks and queens: mobility, outposts, files, and attacks on the enemy king ring.
//!
//! One pass over the pieces of both sides, which makes the attack maps, too.

use super::super::families::{
    BadBishop, BehindPawn, Mobility, Outpost, OutpostReach, QueenExposed, Reach, RookOnSeventh,
    TrappedRook,
};
use super::super::maps::attacks_of;
use super::super::side::{Black, MIDDLE_FILES, Side, White};
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

/// The distance of two files, three at most.
static FILES_AWAY: [[u8; 8]; 8] = {
    let mut away = [[0; 8]; 8];
    let mut pair = 0;
    while pair < 64 {
        let distance = (pair / 8_usize).abs_diff(pair % 8);
        away[pair / 8][pair % 8] = if distance < 3 { distance as u8 } else { 3 };
        pair += 1;
    }
    away
};

/// Squares that all pieces of one side share.
struct Camp {
    own_king: Square,
    /// The cell of each file on the axis [`FilesAway`](super::super::axes::FilesAway) from the enemy king.
    files_away: &'static [u8; 8],
    /// The enemy king ring.
    ring: Bitboard,
    /// Squares of the fourth to sixth rank that no enemy pawn can ever attack.
    outposts: Bitboard,
    /// Outposts defended by an own pawn.
    supported: Bitboard,
    /// Squares directly behind a pawn of either side.
    sheltered: Bitboard,
}

impl Camp {
    #[inline(always)]
    fn of<C: Side>(info: &EvalInfo) -> Self {
        let enemy_king = info.position.king(<C::Enemy as Side>::COLOR);
        let outposts = C::ranks(3, 5) & !info.pawns.spans[<C::Enemy as Side>::COLOR as usize];
        Self {
            own_king: info.position.king(C::COLOR),
            files_away: &FILES_AWAY[enemy_king.file() as usize],
            ring: ring(enemy_king),
            outposts,
            supported: outposts & info.by::<C>(Role::Pawn),
            sheltered: C::Enemy::forward(info.position.by_role(Role::Pawn)),
        }
    }
}

/// Adds the attacks of both sides' pieces to the maps and their features to the sink, and returns their pressure on the enemy
/// kings, white's first.
#[inline(always)]
pub(super) fn pieces<S: FeatureSink>(info: &mut EvalInfo, sink: &mut S) -> [Pressure; 2] {
    let mut white = PieceWalk::of::<White>(info);
    let mut black = PieceWalk::of::<Black>(info);
    // The mobility of each role depends on the attacks of the lesser ones.
    white.each::<White, S, KNIGHT>(info, sink);
    white.each::<White, S, BISHOP>(info, sink);
    black.each::<Black, S, KNIGHT>(info, sink);
    black.each::<Black, S, BISHOP>(info, sink);
    white.exclude::<White>(info, &[Role::Knight, Role::Bishop]);
    black.exclude::<Black>(info, &[Role::Knight, Role::Bishop]);
    white.each::<White, S, ROOK>(info, sink);
    black.each::<Black, S, ROOK>(info, sink);
    white.exclude::<White>(info, &[Role::Rook]);
    black.exclude::<Black>(info, &[Role::Rook]);
    white.each::<White, S, QUEEN>(info, sink);
    black.each::<Black, S, QUEEN>(info, sink);
    [white.pressure, black.pressure]
}

/// A walk over one side's pieces.
struct PieceWalk {
    camp: Camp,
    /// Squares without own pieces that no lesser enemy piece attacks.
    safe: Bitboard,
    pressure: Pressure,
}

impl PieceWalk {
    #[inline(always)]
    fn of<C: Side>(info: &EvalInfo) -> Self {
        Self {
            camp: Camp::of::<C>(info),
            safe: !(info.side::<C>() | info.by::<C::Enemy>(Role::Pawn)),
            pressure: Pressure::default(),
        }
    }

    /// The squares that these enemy pieces attack are not safe for greater ones.
    #[inline(always)]
    fn exclude<C: Side>(&mut self, info: &EvalInfo, roles: &[Role]) {
        for &role in roles {
            self.safe &= !info.by::<C::Enemy>(role);
        }
    }

    /// The pieces of one role; the compiler makes a copy for each.
    #[inline(always)]
    fn each<C: Side, S: FeatureSink, const ROLE: usize>(
        &mut self,
        info: &mut EvalInfo,
        sink: &mut S,
    ) {
        let role = Role::ALL[ROLE];
        let mut cover = info.maps.cover(C::COLOR);
        for square in info.pieces::<C>(role) {
            let attacks = attacks_of(role, square, info.occupied);
            cover.add(attacks);
            self.pressure.add(role, attacks & self.camp.ring);
            mobility::<C, S>(info, role, square, attacks, self.safe, sink);
            match ROLE {
                KNIGHT | BISHOP => minor::<C, S>(info, &self.camp, role, square, attacks, sink),
                ROOK => rook::<C, S>(info, &self.camp, square, attacks, sink),
                _ => queen::<C, S>(info, square, attacks, sink),
            }
        }
        info.maps.set(C::COLOR, role, cover);
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
    let bit = Bitboard::from_square(square);
    sink.add::<C>(Mobility::at(role, safe), 1, bit);
    sink.add::<C>(Reach::at(role, reach), 1, bit);
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
    let is_sheltered = camp.sheltered.contains(square);
    sink.add::<C>(BehindPawn::at(role), i32::from(is_sheltered), bit);
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
    let file = square.file();
    let ahead = (attacks & C::ahead_of(square)).count();
    let away = usize::from(camp.files_away[file as usize]);
    sink.add_rook::<C>(ahead, info.pawns.owners(file), away, bit);

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
