//! Endings: at most two non-pawn pieces on either side.
//!
//! Piece values mislead here: rook and bishop do not beat a rook, nor does an extra pawn win with opposite-coloured bishops. A
//! table by all pieces of both sides corrects the sum with one weight for each position.

use std::cmp::Ordering;

use super::axes::Axis;
use super::material::has_opposite_bishops;
use crate::chess::{Color, Position, Role};

/// The non-pawn pieces that a side may have in an ending: letters, and the numbers of knights, bishops, rooks and queens.
/// From weak to strong.
const FORCES: [(&str, [usize; 4]); 15] = [
    ("K", [0, 0, 0, 0]),
    ("KN", [1, 0, 0, 0]),
    ("KB", [0, 1, 0, 0]),
    ("KR", [0, 0, 1, 0]),
    ("KNN", [2, 0, 0, 0]),
    ("KNB", [1, 1, 0, 0]),
    ("KBB", [0, 2, 0, 0]),
    ("KNR", [1, 0, 1, 0]),
    ("KBR", [0, 1, 1, 0]),
    ("KQ", [0, 0, 0, 1]),
    ("KRR", [0, 0, 2, 0]),
    ("KNQ", [1, 0, 0, 1]),
    ("KBQ", [0, 1, 0, 1]),
    ("KRQ", [0, 0, 1, 1]),
    ("KQQ", [0, 0, 0, 2]),
];
/// The same forces on both sides, with a bishop each.
const WITH_A_BISHOP: [usize; 4] = [2, 5, 8, 12];
/// Unordered pairs of forces.
const PAIRS: usize = first_pair(FORCES.len());
/// Cells for the pawns of one side: none, one, two, and more.
pub const PAWNS: usize = 4;

/// The cell of the first pair whose stronger force is this one.
const fn first_pair(more: usize) -> usize {
    more * (more + 1) / 2
}

/// An ending: the side with more, and what both sides have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndingOf {
    /// The side with the stronger force, or with equal forces and more pawns.
    pub leader: Color,
    /// The cell of the [`Forces`] axis.
    pub forces: usize,
    /// The numbers of pawns of the leader and of the other side.
    pub pawns: [usize; 2],
}

impl EndingOf {
    /// The ending of a position; `None` if a side has more than two non-pawn pieces, or both sides have the same pieces.
    pub fn of(position: &Position) -> Option<Self> {
        let [white, black] =
            [Color::White, Color::Black].map(|color| Strength::of(position, color));
        let (white, black) = (white?, black?);
        let (leader, more, less) = match white.cmp(&black) {
            Ordering::Greater => (Color::White, white, black),
            Ordering::Less => (Color::Black, black, white),
            Ordering::Equal => return None,
        };
        let opposite = (more.force == less.force && has_opposite_bishops(position))
            .then(|| WITH_A_BISHOP.iter().position(|&force| force == more.force));
        let forces = match opposite.flatten() {
            Some(place) => PAIRS + place,
            None => first_pair(more.force) + less.force,
        };
        Some(Self {
            leader,
            forces,
            pawns: [more.pawns, less.pawns],
        })
    }
}

/// What one side has, in the order that decides who leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Strength {
    force: usize,
    pawns: usize,
}

impl Strength {
    fn of(position: &Position, color: Color) -> Option<Self> {
        let count = |role| position.pieces(color, role).count();
        let pieces = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(count);
        let force = FORCES.iter().position(|&(_, force)| force == pieces)?;
        let pawns = count(Role::Pawn);
        Some(Self { force, pawns })
    }
}

/// The forces of both sides, as an axis.
#[derive(Clone, Copy, Debug)]
pub struct Forces;

impl Forces {
    #[inline]
    pub const fn cell(forces: usize) -> usize {
        forces
    }

    /// The cells of equal forces.
    pub fn equal() -> impl Iterator<Item = usize> {
        let same = (0..FORCES.len()).map(|force| first_pair(force) + force);
        same.chain(PAIRS..Self::SIZE)
    }
}

impl Axis for Forces {
    type Value = usize;
    const SIZE: usize = PAIRS + WITH_A_BISHOP.len();

    fn label(cell: usize) -> String {
        if let Some(opposite) = cell.checked_sub(PAIRS) {
            let name = FORCES[WITH_A_BISHOP[opposite]].0;
            return format!("{name} against {name}, opposite-coloured bishops");
        }
        let more = (0..FORCES.len()).rfind(|&more| first_pair(more) <= cell);
        let more = more.unwrap_or_default();
        let less = cell - first_pair(more);
        format!("{} against {}", FORCES[more].0, FORCES[less].0)
    }
}

#[cfg(test)]
mod tests {
    use super::Color::{Black, White};
    use super::*;

    #[test]
    fn the_side_with_more_leads() {
        let ending_of = |board: &str| {
            let position = Position::from_fen(&format!("{board} w - - 0 1")).expect("a position");
            let flipped = EndingOf::of(&position.flip());
            let ending = EndingOf::of(&position);
            assert_eq!(
                flipped.map(|ending| (!ending.leader, ending.forces, ending.pawns)),
                ending.map(|ending| (ending.leader, ending.forces, ending.pawns)),
            );
            ending.map(|ending| (ending.leader, Forces::label(ending.forces), ending.pawns))
        };
        let some = |leader, words: &str, pawns| Some((leader, words.to_owned(), pawns));
        assert_eq!(ending_of("4k3/pppp4/8/8/8/8/PPPP4/4K3"), None);
        assert_eq!(
            ending_of("4k3/pppp4/8/8/8/8/PPP5/4K3"),
            some(Black, "K against K", [4, 3])
        );
        assert_eq!(
            ending_of("r3k3/pppp4/8/8/8/8/8/RB2K3"),
            some(White, "KBR against KR", [0, 4])
        );
        assert_eq!(
            ending_of("2b1k3/p7/8/8/8/8/PP6/2B1K3"),
            some(White, "KB against KB, opposite-coloured bishops", [2, 1])
        );
        assert_eq!(
            ending_of("2b1k3/p7/8/8/8/8/PP6/3BK3"),
            some(White, "KB against KB", [2, 1])
        );
        assert_eq!(
            ending_of("qq2k3/8/8/8/8/8/8/4K2R"),
            some(Black, "KQQ against KR", [0, 0])
        );
        assert_eq!(ending_of("qqr1k3/8/8/8/8/8/8/4K2R"), None);
    }

    #[test]
    fn every_pair_has_its_own_words() {
        let words: std::collections::BTreeSet<_> = (0..Forces::SIZE).map(Forces::label).collect();
        assert_eq!(words.len(), Forces::SIZE);
        assert_eq!(Forces::equal().count(), FORCES.len() + WITH_A_BISHOP.len());
        let bishop = (0..FORCES.len()).filter(|&force| FORCES[force].1[1] == 1);
        assert!(bishop.eq(WITH_A_BISHOP));
    }
}
