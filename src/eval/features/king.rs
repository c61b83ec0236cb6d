//! King safety: attackers and defenders around the king, possible checks, pins, open lines and squares to go to.
//!
//! Danger grows faster than the number of attackers, so the tables are indexed by pairs of counts; the sum stays linear.

use super::super::families::{
    CampAttacks, CampAttacksTwice, CampDefence, Castling, Discovered, KingAttackers, KingExposure,
    KingGuards, KingLines, KingMoves, KingPressure, KingStorm, Pinned, SafeChecks, UnsafeChecks,
};
use super::super::side::{Side, files_around};
use super::super::sink::FeatureSink;
use super::info::EvalInfo;
use super::{counts, shelter};
use crate::chess::{Bitboard, CastlingSide, File, Role, Square, attacks, rays};

/// The nine squares around each king; at the edge of the board those around the next inner square.
const RINGS: [Bitboard; 64] = {
    let mut rings = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let (file, rank) = (index % 8, index / 8);
        let middle = Square::new(inner(rank) * 8 + inner(file));
        rings[index as usize] =
            attacks::king_attacks(middle).with_const(Bitboard::from_square(middle));
        index += 1;
    }
    rings
};

/// A coordinate moved off the edge of the board.
const fn inner(coordinate: u32) -> u32 {
    match coordinate {
        0 => 1,
        7 => 6,
        inside => inside,
    }
}

/// The king ring.
#[inline(always)]
pub(super) fn ring(king: Square) -> Bitboard {
    RINGS[king as usize]
}

/// The attacks of one side's non-pawn pieces on the enemy king ring.
#[derive(Clone, Copy, Default)]
pub(super) struct Pressure {
    /// Numbers of pieces that attack the ring.
    minors: usize,
    rooks: usize,
    queens: usize,
    /// Attacked squares of the ring, summed over the pieces.
    attacks: usize,
}

impl Pressure {
    /// Adds one piece and the squares of the ring that it attacks.
    #[inline(always)]
    pub(super) fn add(&mut self, role: Role, attacks: Bitboard) {
        let attacker = usize::from(attacks.any());
        match role {
            Role::Rook => self.rooks += attacker,
            Role::Queen => self.queens += attacker,
            _ => self.minors += attacker,
        }
        self.attacks += attacks.count();
    }
}

/// Adds the features of one side's king; `pressure` is the enemy's.
#[inline(always)]
pub(super) fn king<C: Side, S: FeatureSink>(info: &EvalInfo, pressure: &Pressure, sink: &mut S) {
    let king = info.position.king(C::COLOR);
    let bit = Bitboard::from_square(king);
    let ring = ring(king);
    let attackers = pressure.minors + pressure.rooks + pressure.queens;
    let has_queen = info.pieces::<C::Enemy>(Role::Queen).any();
    let shelter = info.pawns.kings[C::COLOR as usize].shelter as usize;

    let defended = info.all::<C>();
    let attacked = info.all::<C::Enemy>();
    let by_pieces = info.by::<C>(Role::Knight)
        | info.by::<C>(Role::Bishop)
        | info.by::<C>(Role::Rook)
        | info.by::<C>(Role::Queen);
    // Weak squares are attacked, not defended twice, and defended at most by the king or queen.
    let barely = info.by::<C>(Role::King) | info.by::<C>(Role::Queen) | !defended;
    let weak = attacked & !info.twice::<C>() & barely;
    let Pressure {
        minors,
        rooks,
        queens,
        attacks,
    } = *pressure;
    let index = KingAttackers::at(minors, rooks, queens, (weak & ring).count());
    sink.add::<C>(index, 1, bit);
    sink.add::<C>(KingPressure::at(has_queen, attackers, attacks), 1, bit);
    sink.add::<C>(KingExposure::at(has_queen, shelter, attackers), 1, bit);
    let guards = (ring & by_pieces).count();
    sink.add::<C>(KingGuards::at(attackers, guards), 1, bit);
    let by_pawns = ring & info.by::<C::Enemy>(Role::Pawn);
    sink.add::<C>(KingStorm::at(by_pawns.count()), 1, bit);

    let camp = files_around(king) & C::ranks(0, 4);
    let index = CampAttacks::at(has_queen, (camp & attacked).count());
    sink.add::<C>(index, 1, bit);
    let twice = camp & info.twice::<C::Enemy>();
    sink.add::<C>(CampAttacksTwice::at(twice.count()), 1, bit);
    sink.add::<C>(CampDefence::at((camp & defended).count()), 1, bit);
    let steps = attacks::king_attacks(king) & !info.side::<C>() & !attacked;
    sink.add::<C>(KingMoves::at(steps.count()), 1, bit);

    checks::<C, S>(info, king, weak, attackers, sink);
    lines::<C, S>(info, king, sink);
    castling::<C, S>(info, sink);
    if !info.side::<C>().more_than_one()
        && info
            .position
            .has_non_pawn_material(<C::Enemy as Side>::COLOR)
    {
        sink.add::<C::Enemy>(counts::bare_king::<C::Enemy>(info.position), 1, bit);
    }
}

/// Checks that the enemy pieces could give, and the open lines to the king.
#[inline(always)]
fn checks<C: Side, S: FeatureSink>(
    info: &EvalInfo,
    king: Square,
    weak: Bitboard,
    attackers: usize,
    sink: &mut S,
) {
    let free = !info.side::<C::Enemy>();
    let safe = !info.all::<C>() | weak & info.twice::<C::Enemy>();
    let diagonals = attacks::bishop_attacks(king, info.occupied);
    let straights = attacks::rook_attacks(king, info.occupied);
    let checks = [
        attacks::knight_attacks(king) & info.by::<C::Enemy>(Role::Knight) & free,
        diagonals & info.by::<C::Enemy>(Role::Bishop) & free,
        straights & info.by::<C::Enemy>(Role::Rook) & free,
        (diagonals | straights) & info.by::<C::Enemy>(Role::Queen) & free,
    ];
    let (mut mask, mut all) = (0, Bitboard::EMPTY);
    for (number, check) in checks.into_iter().enumerate() {
        mask |= usize::from((check & safe).any()) << number;
        all |= check;
    }
    let bit = Bitboard::from_square(king);
    sink.add::<C>(SafeChecks::at(attackers, mask), 1, bit | all & safe);
    let unsafe_checks = all & !safe;
    sink.add::<C>(
        UnsafeChecks::at(unsafe_checks.count()),
        1,
        bit | unsafe_checks,
    );
    let open = (diagonals | straights) & !info.side::<C>();
    sink.add::<C>(KingLines::at(open.count()), 1, bit);
}

/// Pieces between the king and an enemy slider: own ones are pinned, enemy ones can discover a check.
#[inline(always)]
fn lines<C: Side, S: FeatureSink>(info: &EvalInfo, king: Square, sink: &mut S) {
    let position = info.position;
    let rays = rays(king);
    let snipers = rays.orthogonal & position.orthogonal() | rays.diagonal & position.diagonal();
    for sniper in snipers & info.side::<C::Enemy>() {
        let blockers = attacks::between(king, sniper) & info.occupied;
        let Some(square) = blockers.single_square() else {
            continue;
        };
        let line = Bitboard::from_square(king).with(square).with(sniper);
        if !info.side::<C>().contains(square) {
            let is_to_move = info.is_to_move::<C::Enemy>();
            sink.add::<C::Enemy>(Discovered::at(is_to_move), 1, line);
        } else if let Some(pinned) = position.piece_on(square) {
            sink.add::<C>(Pinned::at(info.is_to_move::<C>(), pinned.role()), 1, line);
        }
    }
}

/// Castling rights, by the pawns that would shelter the king.
#[inline(always)]
fn castling<C: Side, S: FeatureSink>(info: &EvalInfo, sink: &mut S) {
    if !info.position.has_castling_rights() {
        return;
    }
    for (side, file) in [
        (CastlingSide::KingSide, File::G),
        (CastlingSide::QueenSide, File::C),
    ] {
        if let Some(rook) = info.position.castling_rook(C::COLOR, side) {
            let target = Square::from_coords(file, C::COLOR.backrank());
            let pawns = shelter::castled_shelter::<C>(target, info.pieces::<C>(Role::Pawn));
            let is_king_side = side == CastlingSide::KingSide;
            let squares = Bitboard::from_square(rook);
            sink.add::<C>(Castling::at(is_king_side, pawns), 1, squares);
        }
    }
}
