//! The features of a position: one generic walk adds all of them to a sink, and nothing is counted anywhere else.
//!
//! To add a term, declare its family in `families.rs` and count it in the file where its facts are computed.

mod counts;
mod info;
mod king;
mod passed;
mod pawns;
mod pieces;
mod shelter;
mod space;
mod threats;

pub(super) use counts::{MaterialFacts, material_features};
pub(super) use pawns::{KingFacts, PawnFacts, king_features, structure_features};

use self::info::{EvalInfo, Lines};
use super::maps::AttackMaps;
use super::side::{Black, White};
use super::sink::FeatureSink;
use crate::chess::{Bitboard, Color, Position};

/// Adds every feature of a position to `sink`.
#[inline]
pub fn features<S: FeatureSink>(position: &Position, sink: &mut S) {
    counts::piece_square_features(position, sink);
    let material = material_features(position, sink);
    let mut pawns = structure_features(position, sink);
    for color in Color::ALL {
        pawns.kings[color as usize] = king_features(position, &pawns, color, sink);
    }
    piece_features(position, material, pawns, sink);
}

/// Adds the features that are neither incremental nor cached, and returns the squares that each colour attacks.
#[inline(always)]
pub(super) fn piece_features<S: FeatureSink>(
    position: &Position,
    material: MaterialFacts,
    pawns: PawnFacts,
    sink: &mut S,
) -> [Bitboard; 2] {
    let mut info = EvalInfo {
        position,
        maps: AttackMaps::of_pawns_and_kings(position),
        pawns,
        material,
        occupied: position.occupied(),
        queens: [Lines::NONE; 2],
    };
    let [by_black, by_white] = pieces::pieces(&mut info, sink);
    let info = &info;
    king::king::<White, S>(info, &by_black, sink);
    king::king::<Black, S>(info, &by_white, sink);
    threats::attacked(info, sink);
    threats::threats::<White, S>(info, sink);
    threats::threats::<Black, S>(info, sink);
    passed::passed::<White, S>(info, sink);
    passed::passed::<Black, S>(info, sink);
    space::space::<White, S>(info, sink);
    space::space::<Black, S>(info, sink);
    space::tempo(info, sink);
    [info.all::<Black>(), info.all::<White>()]
}
