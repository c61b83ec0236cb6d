//! Shelter and storm: the own and enemy pawns in front of a king.
//!
//! On each of three files, the ranks of the rearmost own pawn and of the nearest enemy pawn are one cell of a table. The
//! wings are folded: the outer file is the one nearer to the edge.

use super::super::families::Shelter;
use super::super::side::{Side, files_around, middle_file};
use super::super::sink::FeatureSink;
use crate::chess::{Bitboard, File, Position, Square};

/// An own pawn shelters the king up to this many ranks ahead.
const NEAR: usize = 2;
/// An enemy pawn storms the king from this many ranks ahead or fewer.
const STORM: usize = 3;

/// Adds the features of a king's shelter, and returns the cell of the axis [`Shelter`](super::super::axes::Shelter).
pub(super) fn shelter<C: Side, S: FeatureSink>(
    position: &Position,
    own: Bitboard,
    enemy: Bitboard,
    sink: &mut S,
) -> usize {
    let king = position.king(C::COLOR);
    let rank = C::rank(king);
    let not_behind = C::ranks(rank as u32, 7);
    let middle = middle_file(king) as u32;
    let (mut bare, mut stormed) = (0, false);
    for outward in 0..3 {
        // From the edge to the middle of the board, on either wing.
        let file = if king.file() < File::E {
            middle - 1 + outward
        } else {
            middle + 1 - outward
        };
        let on_file = Bitboard::from_file(File::new(file)) & not_behind;
        let rank_of = |pawn: Option<Square>| pawn.map_or(0, C::rank);
        let shield = rank_of(C::rearmost(own & on_file));
        let storm = rank_of(C::rearmost(enemy & on_file));
        let cell = Shelter::at(king.file(), outward as usize, storm, shield);
        sink.add::<C>(cell, 1, (own | enemy) & on_file);
        bare += usize::from(shield == 0 || shield > rank + NEAR);
        stormed |= storm != 0 && storm <= rank + STORM;
    }
    2 * bare + usize::from(stormed)
}

/// How many of the three files around a king on this square have an own pawn on the second or third rank.
pub(super) fn castled_shelter<C: Side>(king: Square, own: Bitboard) -> usize {
    let shield = own & files_around(king) & C::ranks(1, 2);
    (0..3)
        .filter(|offset| {
            let file = File::new(middle_file(king) as u32 - 1 + offset);
            (shield & Bitboard::from_file(file)).any()
        })
        .count()
}
