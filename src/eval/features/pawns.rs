//! Features of pawns and kings alone: structure, passed pawns and the kings' way to them, shelter.
//! Uses: chess, families, sink, side, cache. Used by: the sinks.
//! Idea: nothing here looks at another piece or at who is to move, so that one key of pawns and kings stands for all.

use std::cmp::Ordering;

use super::super::axes::FoldedFile;
use super::super::cache::PawnFacts;
use super::super::families::{
    Backward, Candidate, Connected, Doubled, Islands, Isolated, KingToPawn, Lever, OneWing,
    PassedEnemyKing, PassedOwnKing, PassedPair, PassedPlace, PawnsAcross, PawnsBeside, PawnsFacing,
    PawnsOnFile, Rammed,
};
use super::super::side::{east, file_of, steps, west};
use super::super::sink::{Black, Side, Sink, White};
use super::shelter;
use crate::chess::{Bitboard, Color, Position, Role, Square, attacks};

/// Tells the features of pawns and kings, and what the rest asks of them.
#[inline(never)]
pub(in crate::eval) fn scratch_pawns<S: Sink>(position: &Position, sink: &mut S) -> PawnFacts {
    let mut facts = PawnFacts::default();
    sink.part(|sink| side::<White, S>(position, &mut facts, sink));
    sink.part(|sink| side::<Black, S>(position, &mut facts, sink));
    let files = files(position.by_role(Role::Pawn));
    if files != 0 && files.ilog2() - files.trailing_zeros() < 4 {
        one_wing::<White, S>(position, sink);
        one_wing::<Black, S>(position, sink);
    }
    facts
}

/// The files of some squares, one bit each.
const fn files(squares: Bitboard) -> u8 {
    let mut folded = squares.0;
    folded |= folded >> 32;
    folded |= folded >> 16;
    folded |= folded >> 8;
    folded as u8
}

fn one_wing<C: Side, S: Sink>(position: &Position, sink: &mut S) {
    let pawns = position.pieces(C::COLOR, Role::Pawn);
    sink.add::<C>(OneWing::at(pawns.count()), 1, pawns);
}

/// The pawns of both sides and what follows from them all at once.
struct Pawns {
    own: Bitboard,
    enemy: Bitboard,
    /// What the own and the enemy's pawns attack.
    attacks: Bitboard,
    enemy_attacks: Bitboard,
    passed: Bitboard,
}

fn side<C: Side, S: Sink>(position: &Position, facts: &mut PawnFacts, sink: &mut S) {
    let own = position.pieces(C::COLOR, Role::Pawn);
    let enemy = position.pieces(<C::Enemy as Side>::COLOR, Role::Pawn);
    let enemy_ahead = C::Enemy::ahead(enemy);
    let behind_own = C::Enemy::ahead(own);
    let enemy_span = C::Enemy::pawn_attacks(enemy | enemy_ahead);
    let pawns = Pawns {
        own,
        enemy,
        attacks: C::pawn_attacks(own),
        enemy_attacks: C::Enemy::pawn_attacks(enemy),
        passed: own & !(enemy_ahead | enemy_span | behind_own),
    };

    facts.passed |= pawns.passed;
    facts.spans[C::COLOR as usize] = C::pawn_attacks(own | C::ahead(own));
    facts.open_files[C::COLOR as usize] = !files(own);
    facts.shelters[C::COLOR as usize] = shelter::shelter::<C, S>(position, own, enemy, sink) as u8;

    let occupied_files = files(own);
    let islands = (occupied_files & !(occupied_files << 1)).count_ones() as usize;
    sink.add::<C>(Islands::at(islands), 1, own);
    let king = position.king(C::COLOR);
    let nearest = (own | enemy)
        .into_iter()
        .map(|pawn| steps(pawn, king))
        .min();
    if let Some(steps) = nearest {
        sink.add::<C>(KingToPawn::at(steps), 1, Bitboard::from_square(king));
    }
    for pawn in own {
        structure::<C, S>(&pawns, pawn, sink);
    }
    for pawn in pawns.passed {
        passed::<C, S>(position, &pawns, pawn, sink);
    }
}

/// How one pawn stands to the others.
#[inline(always)]
fn structure<C: Side, S: Sink>(pawns: &Pawns, pawn: Square, sink: &mut S) {
    let bit = Bitboard::from_square(pawn);
    let rank = C::rank(pawn);
    let file = file_of(pawn);
    let beside = west(file) | east(file);
    let ahead = C::ahead(bit);
    let stop = C::forward(bit);
    let opposed = (ahead & pawns.enemy).any();
    let neighbours = beside & pawns.own;
    let phalanx = ((west(bit) | east(bit)) & pawns.own).any();
    let guards = (attacks::pawn_attacks(!C::COLOR, pawn) & pawns.own).count();
    // Neighbours that stand level or behind, and enemy pawns beside that it would have to pass.
    let helpers = neighbours & !C::ahead(west(bit) | east(bit));
    let sentries = beside & C::ahead(west(bit) | east(bit)) & pawns.enemy;
    let rammed = (stop & pawns.enemy).any();

    if neighbours.is_empty() {
        sink.add::<C>(Isolated::at(opposed, pawn.file()), 1, bit);
    } else if phalanx || guards > 0 {
        let link = match guards {
            0 => 0,
            guards => 2 * guards - 1 + usize::from(phalanx),
        };
        sink.add::<C>(Connected::at(opposed, link, rank), 1, bit);
    } else if helpers.is_empty() && (rammed || (stop & pawns.enemy_attacks).any()) {
        sink.add::<C>(Backward::at(opposed, rank), 1, bit);
    }
    if let Some(next) = C::rearmost(ahead & pawns.own) {
        let gap = (C::rank(next) - rank - 1).min(2);
        sink.add::<C>(Doubled::at(neighbours.is_empty(), gap), 1, bit);
    }
    if (attacks::pawn_attacks(C::COLOR, pawn) & pawns.enemy).any() {
        sink.add::<C>(Lever::at(rank), 1, bit);
    }
    if rammed {
        sink.add::<C>(Rammed::at(rank), 1, bit);
    }
    pairs::<C, S>(pawns, pawn, sink);
    let is_candidate = !opposed && (ahead & pawns.own).is_empty() && !pawns.passed.contains(pawn);
    if is_candidate && sentries.count() <= helpers.count() {
        sink.add::<C>(Candidate::at(rank), 1, bit);
    }
}

/// A pawn with each other one on its file and the files beside; each pair is told once. Of two enemies the more advanced tells: of
/// two equally advanced both would tell the same, to no effect.
#[inline(always)]
fn pairs<C: Side, S: Sink>(pawns: &Pawns, pawn: Square, sink: &mut S) {
    let bit = Bitboard::from_square(pawn);
    let (rank, file) = (C::rank(pawn), pawn.file());
    let own_file = file_of(pawn);
    let beside = west(own_file) | east(own_file);
    for other in own_file & C::ahead(bit) & pawns.own {
        let index = PawnsOnFile::at(file, rank, C::rank(other));
        sink.add::<C>(index, 1, bit | Bitboard::from_square(other));
    }
    for other in beside & pawns.own {
        // In the middle neither is nearer to the edge, and the more advanced one stands for the outer.
        let (own_edge, other_edge) = (FoldedFile::cell(file), FoldedFile::cell(other.file()));
        let is_outer = match own_edge.cmp(&other_edge) {
            Ordering::Less => true,
            Ordering::Equal => (rank, file) > (C::rank(other), other.file()),
            Ordering::Greater => false,
        };
        if is_outer {
            let index = PawnsBeside::at(file, rank, C::rank(other));
            sink.add::<C>(index, 1, bit | Bitboard::from_square(other));
        }
    }
    let enemies = pawns.enemy & C::Enemy::ranks(0, rank as u32 - 1);
    for other in own_file & enemies {
        let index = PawnsFacing::at(file, rank, C::Enemy::rank(other));
        sink.add::<C>(index, 1, bit | Bitboard::from_square(other));
    }
    for other in beside & enemies {
        let from = FoldedFile::cell(file);
        let outwards = FoldedFile::cell(other.file()) < from;
        let step = 2 * from - usize::from(outwards);
        let index = PawnsAcross::at(step, rank, C::Enemy::rank(other));
        sink.add::<C>(index, 1, bit | Bitboard::from_square(other));
    }
}

/// A passed pawn, as far as pawns and kings decide about it.
#[inline(always)]
fn passed<C: Side, S: Sink>(position: &Position, pawns: &Pawns, pawn: Square, sink: &mut S) {
    let bit = Bitboard::from_square(pawn);
    let rank = C::rank(pawn);
    sink.add::<C>(PassedPlace::at(pawn.file(), rank), 1, bit);
    let beside = west(bit) | east(bit);
    if (beside & pawns.own).any() || pawns.attacks.contains(pawn) {
        sink.add::<C>(PassedPair::at(rank), 1, bit);
    }
    let Some(stop) = C::forward(bit).first() else {
        return;
    };
    let from = |color: Color| steps(stop, position.king(color));
    sink.add::<C>(PassedOwnKing::at(rank, from(C::COLOR)), 1, bit);
    sink.add::<C>(PassedEnemyKing::at(rank, from(!C::COLOR)), 1, bit);
}
