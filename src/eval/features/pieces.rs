//! Features of knights, bishops, rooks and queens: mobility, outposts, files, and attacks on the enemy king ring.
//!
//! One pass over the pieces of both sides, which makes the attack maps, too.

use super::super::families::{
    BadBishop, BehindPawn, Mobility, Outpost, OutpostReach, QueenExposed, Reach, RookOnSeventh,
    TrappedRook,
};
use super::super::maps::attacks_of;
use super::super::side::{Black, MIDDLE_FILES, Side, White, ahead_of, relative};
use super::super::sink::FeatureSink;
use super::info::{EvalInfo, Lines};
use super::king::{Pressure, ring};
use crate::chess::{Bitboard, CastlingSide, Color, Rank, Role, Square, attacks, rays};

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
    /// The side's pieces and pawns.
    own: Bitboard,
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
    /// Squares without own pieces that no lesser enemy piece attacks.
    safe: Bitboard,
    /// The number of pawns on the files c to f that are blocked.
    blocked: usize,
    pressure: Pressure,
}

impl Camp {
    #[inline(always)]
    fn of<C: Side>(info: &EvalInfo) -> Self {
        let enemy_king = info.position.king(<C::Enemy as Side>::COLOR);
        let outposts = C::ranks(3, 5) & !info.pawns.spans[<C::Enemy as Side>::COLOR as usize];
        let own = info.position.by_color(C::COLOR);
        let pawns = own & info.position.by_role(Role::Pawn);
        let blocked = pawns & MIDDLE_FILES & C::Enemy::forward(info.occupied);
        Self {
            own,
            own_king: info.position.king(C::COLOR),
            files_away: &FILES_AWAY[enemy_king.file() as usize],
            ring: ring(enemy_king),
            outposts,
            supported: outposts & info.maps.by(C::COLOR, Role::Pawn) & !own,
            sheltered: C::Enemy::forward(info.position.by_role(Role::Pawn)),
            safe: !(own | info.maps.by(<C::Enemy as Side>::COLOR, Role::Pawn)),
            blocked: blocked.count(),
            pressure: Pressure::default(),
        }
    }
}

/// Adds the attacks of both sides' pieces to the maps and their features to the sink, and returns their pressure on the enemy
/// kings, by colour.
#[inline(always)]
pub(super) fn pieces<S: FeatureSink>(info: &mut EvalInfo, sink: &mut S) -> [Pressure; 2] {
    let mut camps = [Camp::of::<Black>(info), Camp::of::<White>(info)];
    // The mobility of each role depends on the attacks of the lesser ones.
    each::<S, KNIGHT>(info, &mut camps, sink);
    each::<S, BISHOP>(info, &mut camps, sink);
    exclude(info, &mut camps, &[Role::Knight, Role::Bishop]);
    each::<S, ROOK>(info, &mut camps, sink);
    exclude(info, &mut camps, &[Role::Rook]);
    each::<S, QUEEN>(info, &mut camps, sink);
    let [black, white] = camps;
    [black.pressure, white.pressure]
}

/// The squares that these pieces attack are not safe for greater enemy pieces.
#[inline(always)]
fn exclude(info: &EvalInfo, camps: &mut [Camp; 2], roles: &[Role]) {
    for color in Color::ALL {
        for &role in roles {
            camps[color as usize].safe &= !info.maps.by(!color, role);
        }
    }
}

/// The pieces of one role; the compiler makes a copy for each.
#[inline(always)]
fn each<S: FeatureSink, const ROLE: usize>(
    info: &mut EvalInfo,
    camps: &mut [Camp; 2],
    sink: &mut S,
) {
    let role = Role::ALL[ROLE];
    let mut covers = [Color::Black, Color::White].map(|color| info.maps.cover(color));
    for square in info.position.by_role(role) {
        let color = Color::from_white(info.position.by_color(Color::White).contains(square));
        let attacks = if ROLE == QUEEN {
            let lines = Lines::from(square, info.occupied);
            info.queens[color as usize] = lines;
            lines.diagonal | lines.orthogonal
        } else {
            attacks_of(role, square, info.occupied)
        };
        covers[color as usize].add(attacks);
        let camp = &mut camps[color as usize];
        camp.pressure.add(role, attacks & camp.ring);
        let camp = &*camp;
        let piece = PieceOf {
            color,
            square,
            attacks,
            bit: Bitboard::from_square(square),
        };
        sink.add_group(color, |sink, signed| {
            mobility(camp, role, &piece, signed, sink);
            match ROLE {
                KNIGHT | BISHOP => minor(info, camp, role, &piece, signed, sink),
                ROOK => rook(info, camp, &piece, signed, sink),
                _ => queen(info, &piece, signed, sink),
            }
        });
    }
    for color in Color::ALL {
        info.maps.set(color, role, covers[color as usize]);
    }
}

/// One piece.
struct PieceOf {
    color: Color,
    square: Square,
    attacks: Bitboard,
    bit: Bitboard,
}

/// Mobility and reach.
#[inline(always)]
fn mobility<S: FeatureSink>(camp: &Camp, role: Role, piece: &PieceOf, signed: Color, sink: &mut S) {
    let reach = (piece.attacks & !camp.own).count();
    let safe = (piece.attacks & camp.safe).count();
    sink.add_of(signed, Mobility::at(role, safe), 1, piece.bit);
    sink.add_of(signed, Reach::at(role, reach), 1, piece.bit);
}

#[inline(always)]
fn minor<S: FeatureSink>(
    info: &EvalInfo,
    camp: &Camp,
    role: Role,
    piece: &PieceOf,
    signed: Color,
    sink: &mut S,
) {
    let PieceOf {
        color,
        square,
        attacks,
        bit,
    } = *piece;
    if camp.outposts.contains(square) {
        let is_supported = info.maps.by(color, Role::Pawn).contains(square);
        let index = Outpost::at(role, is_supported, relative(color, square));
        sink.add_of(signed, index, 1, bit);
    } else if (attacks & camp.supported).any() {
        sink.add_of(signed, OutpostReach::at(role), 1, bit);
    }
    let is_sheltered = camp.sheltered.contains(square);
    sink.add_of(signed, BehindPawn::at(role), i32::from(is_sheltered), bit);
    if role == Role::Bishop {
        let of_color = if square.is_light() {
            Bitboard::LIGHT_SQUARES
        } else {
            Bitboard::DARK_SQUARES
        };
        let pawns = camp.own & info.position.by_role(Role::Pawn);
        let index = BadBishop::at(camp.blocked, (pawns & of_color).count());
        sink.add_of(signed, index, 1, bit);
    }
}

#[inline(always)]
fn rook<S: FeatureSink>(
    info: &EvalInfo,
    camp: &Camp,
    piece: &PieceOf,
    signed: Color,
    sink: &mut S,
) {
    let PieceOf {
        color,
        square,
        attacks,
        bit,
    } = *piece;
    let file = square.file();
    let ahead = (attacks & ahead_of(color, square)).count();
    let away = usize::from(camp.files_away[file as usize]);
    let cells = [ahead, info.pawns.owners(file), away];
    sink.add_rook(signed, color, cells, bit);

    let seventh = color.relative_rank(Rank::Seventh);
    if square.rank() == seventh {
        let enemy = info.position.pieces(!color, Role::Pawn);
        let pawns = enemy & Bitboard::from_rank(seventh);
        sink.add_of(signed, RookOnSeventh::at(pawns.count()), 1, bit | pawns);
    }

    if (attacks & !camp.own).count() <= TRAPPED_REACH {
        let (rook, king) = (file as u32, camp.own_king.file() as u32);
        let is_outside = if king < 4 { rook < king } else { rook > king };
        if is_outside {
            let can = |side| info.position.castling_rook(color, side).is_some();
            let may_castle = can(CastlingSide::KingSide) || can(CastlingSide::QueenSide);
            let squares = bit.with(camp.own_king);
            sink.add_of(signed, TrappedRook::at(may_castle), 1, squares);
        }
    }
}

/// A queen with a single piece between it and an enemy bishop or rook.
#[inline(always)]
fn queen<S: FeatureSink>(info: &EvalInfo, piece: &PieceOf, signed: Color, sink: &mut S) {
    let PieceOf {
        color,
        square,
        attacks,
        ..
    } = *piece;
    let mut exposed = |role: Role, lines: Bitboard| {
        for slider in lines & info.position.pieces(!color, role) & !attacks {
            let between = attacks::between(square, slider) & info.occupied;
            if !between.more_than_one() {
                let squares = between.with(square).with(slider);
                sink.add_of(signed, QueenExposed::at(role), 1, squares);
            }
        }
    };
    let rays = rays(square);
    exposed(Role::Bishop, rays.diagonal);
    exposed(Role::Rook, rays.orthogonal);
}
