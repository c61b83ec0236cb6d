//! Features that depend only on pawns and kings: structure, passed pawns and the kings' distance to them, shelter.
//!
//! No other piece and not the side to move counts here, so the result is cached: the structure by the pawns, and what depends
//! on a king by the pawns and the king's square.

use super::super::axes::FoldedFile;
use super::super::families::{
    Backward, Candidate, Connected, Doubled, Islands, Isolated, KingToPawn, Lever, OneWing,
    PassedEnemyKing, PassedOwnKing, PassedPair, PassedPlace, PawnsAcross, PawnsBeside, PawnsFacing,
    PawnsOnFile, Rammed,
};
use super::super::side::{Black, Side, White, file_of, steps};
use super::super::sink::FeatureSink;
use super::shelter;
use crate::chess::masks::{east, west};
use crate::chess::{Bitboard, Color, File, Position, Role, Square, attacks};

/// What the piece walks read of pawns and kings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PawnFacts {
    /// The passed pawns of both sides.
    pub(super) passed: Bitboard,
    /// The squares that a side's pawns attack or could attack after pushes.
    pub(super) spans: [Bitboard; 2],
    /// Two bits for each file: whether white and black have pawns on it.
    closed_files: u16,
    /// By colour.
    pub(in crate::eval) kings: [KingFacts; 2],
}

/// What depends on one king and the pawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KingFacts {
    pub(in crate::eval) square: Square,
    /// The cell on the axis [`Shelter`](super::super::axes::Shelter).
    pub(super) shelter: u8,
}

impl Default for KingFacts {
    fn default() -> Self {
        Self {
            square: Square::A1,
            shelter: 0,
        }
    }
}

impl PawnFacts {
    /// Who has pawns on a file: 1 for white, plus 2 for black.
    #[inline(always)]
    pub(super) const fn owners(&self, file: File) -> usize {
        (self.closed_files >> (2 * file as u32) & 3) as usize
    }
}

/// Adds the features that depend only on the pawns; the facts of the kings are not set.
#[inline]
pub(in crate::eval) fn structure_features<S: FeatureSink>(
    position: &Position,
    sink: &mut S,
) -> PawnFacts {
    let mut facts = PawnFacts::default();
    side::<White, S>(position, &mut facts, sink);
    side::<Black, S>(position, &mut facts, sink);
    let files = files(position.by_role(Role::Pawn));
    if files != 0 && files.ilog2() - files.trailing_zeros() < 4 {
        one_wing::<White, S>(position, sink);
        one_wing::<Black, S>(position, sink);
    }
    facts
}

/// Adds the features of one king and the pawns. `facts` must belong to the pawns of the position.
#[inline]
pub(in crate::eval) fn king_features<S: FeatureSink>(
    position: &Position,
    facts: &PawnFacts,
    color: Color,
    sink: &mut S,
) -> KingFacts {
    let shelter = match color {
        Color::White => king::<White, S>(position, facts, sink),
        Color::Black => king::<Black, S>(position, facts, sink),
    };
    KingFacts {
        square: position.king(color),
        shelter: shelter as u8,
    }
}

/// The files of some squares, one bit each.
const fn files(squares: Bitboard) -> u8 {
    let mut folded = squares.0;
    folded |= folded >> 32;
    folded |= folded >> 16;
    folded |= folded >> 8;
    folded as u8
}

fn one_wing<C: Side, S: FeatureSink>(position: &Position, sink: &mut S) {
    let pawns = position.pieces(C::COLOR, Role::Pawn);
    sink.add::<C>(OneWing::at(pawns.count()), 1, pawns);
}

/// Pawn bitboards from one side's view.
struct Pawns {
    own: Bitboard,
    enemy: Bitboard,
    attacks: Bitboard,
    enemy_attacks: Bitboard,
    passed: Bitboard,
}

fn side<C: Side, S: FeatureSink>(position: &Position, facts: &mut PawnFacts, sink: &mut S) {
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

    let occupied_files = files(own);
    for file in 0..8 {
        let has_pawn = u16::from(occupied_files >> file & 1);
        facts.closed_files |= has_pawn << (2 * file) << (C::Enemy::COLOR as u32);
    }
    let islands = (occupied_files & !(occupied_files << 1)).count_ones() as usize;
    sink.add::<C>(Islands::at(islands), 1, own);
    for pawn in own {
        structure::<C, S>(&pawns, pawn, sink);
    }
    for pawn in pawns.passed {
        passed::<C, S>(&pawns, pawn, sink);
    }
}

/// The distance of a square from the nearest of some other squares, in king's steps.
fn steps_to_nearest(square: Square, others: Bitboard) -> Option<usize> {
    let mut near = Bitboard::from_square(square);
    (1..8).find(|_| {
        let row = near | west(near) | east(near);
        near = row | Bitboard(row.0 << 8) | Bitboard(row.0 >> 8);
        (near & others).any()
    })
}

/// The features of a king and the pawns, and the cell of its shelter.
fn king<C: Side, S: FeatureSink>(position: &Position, facts: &PawnFacts, sink: &mut S) -> usize {
    let king = position.king(C::COLOR);
    let pawns = position.by_role(Role::Pawn);
    let own = pawns & position.by_color(C::COLOR);
    if let Some(steps) = steps_to_nearest(king, pawns) {
        sink.add::<C>(KingToPawn::at(steps), 1, Bitboard::from_square(king));
    }
    for stop in C::forward(facts.passed & own) {
        let index = PassedOwnKing::at(C::rank(stop) - 1, steps(king, stop));
        sink.add::<C>(index, 1, C::Enemy::forward(Bitboard::from_square(stop)));
    }
    for stop in C::Enemy::forward(facts.passed & !own) {
        let index = PassedEnemyKing::at(C::Enemy::rank(stop) - 1, steps(king, stop));
        sink.add::<C::Enemy>(index, 1, C::forward(Bitboard::from_square(stop)));
    }
    shelter::shelter::<C, S>(position, own, pawns ^ own, sink)
}

/// The features of one pawn among the others.
#[inline(always)]
fn structure<C: Side, S: FeatureSink>(pawns: &Pawns, pawn: Square, sink: &mut S) {
    let bit = Bitboard::from_square(pawn);
    let rank = C::rank(pawn);
    let file = file_of(pawn);
    let neighbour_files = west(file) | east(file);
    let ahead = C::ahead_of(pawn);
    let ahead_beside = west(ahead) | east(ahead);
    let stop = C::forward(bit);
    let opposed = (ahead & pawns.enemy).any();
    let neighbours = neighbour_files & pawns.own;
    let phalanx = ((west(bit) | east(bit)) & pawns.own).any();
    let guards = (attacks::pawn_attacks(!C::COLOR, pawn) & pawns.own).count();
    // Neighbours level with the pawn or behind it, and enemy pawns on neighbouring files ahead.
    let helpers = neighbours & !ahead_beside;
    let sentries = ahead_beside & pawns.enemy;
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

/// Pairs with each other pawn on the same or a neighbouring file; each pair counts once. A pair of opposing pawns belongs to
/// the more advanced one; for two equally advanced ones the two sides' features would cancel out.
#[inline(always)]
fn pairs<C: Side, S: FeatureSink>(pawns: &Pawns, pawn: Square, sink: &mut S) {
    let bit = Bitboard::from_square(pawn);
    let (rank, file) = (C::rank(pawn), pawn.file());
    let own_file = file_of(pawn);
    let neighbour_files = west(own_file) | east(own_file);
    for other in C::ahead_of(pawn) & pawns.own {
        let index = PawnsOnFile::at(file, rank, C::rank(other));
        sink.add::<C>(index, 1, bit | Bitboard::from_square(other));
    }
    let inner_file = if file < File::E {
        east(own_file)
    } else {
        west(own_file)
    };
    for other in inner_file & pawns.own {
        // On the files d and e neither is nearer to the edge, and the more advanced one counts as the outer.
        let is_middle = FoldedFile::cell(file) == FoldedFile::cell(other.file());
        if !is_middle || (rank, file) > (C::rank(other), other.file()) {
            let index = PawnsBeside::at(file, rank, C::rank(other));
            sink.add::<C>(index, 1, bit | Bitboard::from_square(other));
        }
    }
    let enemies = pawns.enemy & C::Enemy::ranks(0, rank as u32 - 1);
    for other in own_file & enemies {
        let index = PawnsFacing::at(file, rank, C::Enemy::rank(other));
        sink.add::<C>(index, 1, bit | Bitboard::from_square(other));
    }
    for other in neighbour_files & enemies {
        let from = FoldedFile::cell(file);
        let outwards = FoldedFile::cell(other.file()) < from;
        let step = 2 * from - usize::from(outwards);
        let index = PawnsAcross::at(step, rank, C::Enemy::rank(other));
        sink.add::<C>(index, 1, bit | Bitboard::from_square(other));
    }
}

/// The features of a passed pawn among the others.
#[inline(always)]
fn passed<C: Side, S: FeatureSink>(pawns: &Pawns, pawn: Square, sink: &mut S) {
    let bit = Bitboard::from_square(pawn);
    let rank = C::rank(pawn);
    sink.add::<C>(PassedPlace::at(pawn.file(), rank), 1, bit);
    let neighbours = west(bit) | east(bit);
    if (neighbours & pawns.own).any() || pawns.attacks.contains(pawn) {
        sink.add::<C>(PassedPair::at(rank), 1, bit);
    }
}
