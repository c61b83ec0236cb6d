//! Features of a king in danger: who attacks around it, who guards, what could check, and where it may go.
//! Uses: chess, families, sink, maps, side. Used by: features, pieces.
//! Idea: danger grows faster than the number of attackers. Tables over pairs of counts say so, and the sum stays plain.

use super::super::families::{
    CampAttacks, CampAttacksTwice, CampDefence, Castling, Discovered, KingAttackers, KingExposure,
    KingGuards, KingLines, KingMoves, KingPressure, KingStorm, Pinned, SafeChecks, UnsafeChecks,
};
use super::super::side::files_around;
use super::super::sink::{Side, Sink};
use super::{Board, counts, shelter};
use crate::chess::{Bitboard, CastlingSide, File, Role, Square, attacks, rays};

/// The squares around each king: nine of them, on the edge too, where those one step farther in count.
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

/// A coordinate moved off the edge.
const fn inner(coordinate: u32) -> u32 {
    match coordinate {
        0 => 1,
        7 => 6,
        inside => inside,
    }
}

/// The squares around a king.
#[inline(always)]
pub(super) fn ring(king: Square) -> Bitboard {
    RINGS[king as usize]
}

/// How the enemy's officers press on a king.
#[derive(Clone, Copy, Default)]
pub(super) struct Pressure {
    minors: usize,
    rooks: usize,
    queens: usize,
    attacks: usize,
}

impl Pressure {
    /// Counts one officer and what it attacks around the king.
    #[inline(always)]
    pub(super) fn add(&mut self, role: Role, attacks: Bitboard) {
        let joins = usize::from(attacks.any());
        match role {
            Role::Rook => self.rooks += joins,
            Role::Queen => self.queens += joins,
            _ => self.minors += joins,
        }
        self.attacks += attacks.count();
    }
}

/// Tells the features of one side's king, on which the enemy's officers press.
#[inline(always)]
pub(super) fn king<C: Side, S: Sink>(board: &Board, pressure: &Pressure, sink: &mut S) {
    let king = board.position.king(C::COLOR);
    let bit = Bitboard::from_square(king);
    let ring = ring(king);
    let attackers = pressure.minors + pressure.rooks + pressure.queens;
    let has_queen = board.men::<C::Enemy>(Role::Queen).any();
    let shelter = board.pawns.shelters[C::COLOR as usize] as usize;

    let defended = board.all::<C>();
    let attacked = board.all::<C::Enemy>();
    let by_officers = board.by::<C>(Role::Knight)
        | board.by::<C>(Role::Bishop)
        | board.by::<C>(Role::Rook)
        | board.by::<C>(Role::Queen);
    // Attacked, defended not twice, and by the king or queen alone if at all.
    let barely = board.by::<C>(Role::King) | board.by::<C>(Role::Queen) | !defended;
    let weak = attacked & !board.twice::<C>() & barely;
    let Pressure {
        minors,
        rooks,
        queens,
        attacks: hits,
    } = *pressure;
    let index = KingAttackers::at(minors, rooks, queens, (weak & ring).count());
    sink.add::<C>(index, 1, bit);
    sink.add::<C>(KingPressure::at(has_queen, attackers, hits), 1, bit);
    sink.add::<C>(KingExposure::at(has_queen, shelter, attackers), 1, bit);
    let guards = (ring & by_officers).count();
    sink.add::<C>(KingGuards::at(attackers, guards), 1, bit);
    let by_pawns = ring & board.by::<C::Enemy>(Role::Pawn);
    sink.add::<C>(KingStorm::at(by_pawns.count()), 1, bit);

    let camp = files_around(king) & C::ranks(0, 4);
    let index = CampAttacks::at(has_queen, (camp & attacked).count());
    sink.add::<C>(index, 1, bit);
    let twice = camp & board.twice::<C::Enemy>();
    sink.add::<C>(CampAttacksTwice::at(twice.count()), 1, bit);
    sink.add::<C>(CampDefence::at((camp & defended).count()), 1, bit);
    let steps = attacks::king_attacks(king) & !board.side::<C>() & !attacked;
    sink.add::<C>(KingMoves::at(steps.count()), 1, bit);

    checks::<C, S>(board, king, weak, attackers, sink);
    lines::<C, S>(board, king, sink);
    castling::<C, S>(board, sink);
    if !board.side::<C>().more_than_one()
        && board
            .position
            .has_non_pawn_material(<C::Enemy as Side>::COLOR)
    {
        sink.add::<C::Enemy>(counts::bare_king::<C::Enemy>(board.position), 1, bit);
    }
}

/// Checks that the enemy's officers could give, safe ones and others, and the open lines to the king.
#[inline(always)]
fn checks<C: Side, S: Sink>(
    board: &Board,
    king: Square,
    weak: Bitboard,
    attackers: usize,
    sink: &mut S,
) {
    let free = !board.side::<C::Enemy>();
    let safe = !board.all::<C>() | weak & board.twice::<C::Enemy>();
    let diagonals = attacks::bishop_attacks(king, board.occupied);
    let straights = attacks::rook_attacks(king, board.occupied);
    let checks = [
        attacks::knight_attacks(king) & board.by::<C::Enemy>(Role::Knight) & free,
        diagonals & board.by::<C::Enemy>(Role::Bishop) & free,
        straights & board.by::<C::Enemy>(Role::Rook) & free,
        (diagonals | straights) & board.by::<C::Enemy>(Role::Queen) & free,
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
    let open = (diagonals | straights) & !board.side::<C>();
    sink.add::<C>(KingLines::at(open.count()), 1, bit);
}

/// Men that shield the king from an enemy slider: the own are pinned, the enemy's may step aside with check.
#[inline(always)]
fn lines<C: Side, S: Sink>(board: &Board, king: Square, sink: &mut S) {
    let position = board.position;
    let rays = rays(king);
    let snipers = rays.orthogonal & position.orthogonal() | rays.diagonal & position.diagonal();
    for sniper in snipers & board.side::<C::Enemy>() {
        let shield = attacks::between(king, sniper) & board.occupied;
        let Some(square) = shield.single_square() else {
            continue;
        };
        let line = Bitboard::from_square(king).with(square).with(sniper);
        if !board.side::<C>().contains(square) {
            let moves = board.moves::<C::Enemy>();
            sink.add::<C::Enemy>(Discovered::at(moves), 1, line);
        } else if let Some(pinned) = position.piece_on(square) {
            sink.add::<C>(Pinned::at(board.moves::<C>(), pinned.role()), 1, line);
        }
    }
}

/// What castling would find.
#[inline(always)]
fn castling<C: Side, S: Sink>(board: &Board, sink: &mut S) {
    if !board.position.has_castling_rights() {
        return;
    }
    for (side, file) in [
        (CastlingSide::KingSide, File::G),
        (CastlingSide::QueenSide, File::C),
    ] {
        if let Some(rook) = board.position.castling_rook(C::COLOR, side) {
            let home = Square::from_coords(file, C::COLOR.backrank());
            let pawns = shelter::castled_shelter::<C>(home, board.men::<C>(Role::Pawn));
            let is_king_side = side == CastlingSide::KingSide;
            let squares = Bitboard::from_square(rook);
            sink.add::<C>(Castling::at(is_king_side, pawns), 1, squares);
        }
    }
}
