//! Endings: at most two officers on either side.
//! Uses: axes, material, chess. Used by: families, features.
//! Idea: what the men count together is often not what they are worth: rook and bishop do not beat a rook, nor one pawn
//! more with bishops of opposite colours. A table by all the men on both sides says what is missing or too much, and it
//! is one weight to each position.

use std::cmp::Ordering;

use super::axes::Axis;
use super::material::has_opposite_bishops;
use crate::chess::{Color, Position, Role};

/// The officers that a side may have in an ending: their letters, and how many knights, bishops, rooks and queens. From
/// little to much.
const FORCES: [(&str, [usize; 4]); 15] = [
    ("no officer", [0, 0, 0, 0]),
    ("N", [1, 0, 0, 0]),
    ("B", [0, 1, 0, 0]),
    ("R", [0, 0, 1, 0]),
    ("NN", [2, 0, 0, 0]),
    ("NB", [1, 1, 0, 0]),
    ("BB", [0, 2, 0, 0]),
    ("NR", [1, 0, 1, 0]),
    ("BR", [0, 1, 1, 0]),
    ("Q", [0, 0, 0, 1]),
    ("RR", [0, 0, 2, 0]),
    ("NQ", [1, 0, 0, 1]),
    ("BQ", [0, 1, 0, 1]),
    ("RQ", [0, 0, 1, 1]),
    ("QQ", [0, 0, 0, 2]),
];
/// The same forces on both sides, with a bishop each.
const WITH_A_BISHOP: [usize; 4] = [2, 5, 8, 12];
/// Pairs of forces, the order of the two aside.
const PAIRS: usize = first_pair(FORCES.len());
/// Numbers of pawns of one side that are told apart: none, one, two, and more.
pub const PAWNS: usize = 4;

/// The cell of the first pair whose greater force is this one.
const fn first_pair(more: usize) -> usize {
    more * (more + 1) / 2
}

/// An ending: the side that has more, and what both have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndingOf {
    /// The side with more officers, or with as many and more pawns.
    pub leader: Color,
    /// The cell of the [`Forces`] axis.
    pub forces: usize,
    /// The pawns of the leader and of the other side.
    pub pawns: [usize; 2],
}

impl EndingOf {
    /// The ending of a position; `None` where a side has more than two officers, and where both have the same men.
    #[must_use]
    pub fn of(position: &Position) -> Option<Self> {
        let [white, black] = [Color::White, Color::Black].map(|color| Men::of(position, color));
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

/// What a side has, in the order that decides who leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Men {
    force: usize,
    pawns: usize,
}

impl Men {
    fn of(position: &Position, color: Color) -> Option<Self> {
        let count = |role| position.pieces(color, role).count();
        let officers = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(count);
        let force = FORCES.iter().position(|&(_, force)| force == officers)?;
        let pawns = count(Role::Pawn);
        Some(Self { force, pawns })
    }
}

/// What both sides have, as an axis.
#[derive(Clone, Copy, Debug)]
pub struct Forces;

impl Forces {
    /// The cell.
    #[inline]
    #[must_use]
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
            return format!("{name} against {name} of the other colour");
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
    fn who_leads_with_what() {
        let told = |board: &str| {
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
        assert_eq!(told("4k3/pppp4/8/8/8/8/PPPP4/4K3"), None);
        assert_eq!(
            told("4k3/pppp4/8/8/8/8/PPP5/4K3"),
            some(Black, "no officer against no officer", [4, 3])
        );
        assert_eq!(
            told("r3k3/pppp4/8/8/8/8/8/RB2K3"),
            some(White, "BR against R", [0, 4])
        );
        assert_eq!(
            told("2b1k3/p7/8/8/8/8/PP6/2B1K3"),
            some(White, "B against B of the other colour", [2, 1])
        );
        assert_eq!(
            told("2b1k3/p7/8/8/8/8/PP6/3BK3"),
            some(White, "B against B", [2, 1])
        );
        assert_eq!(
            told("qq2k3/8/8/8/8/8/8/4K2R"),
            some(Black, "QQ against R", [0, 0])
        );
        assert_eq!(told("qqr1k3/8/8/8/8/8/8/4K2R"), None);
    }

    #[test]
    fn every_pair_has_words_of_its_own() {
        let words: std::collections::BTreeSet<_> = (0..Forces::SIZE).map(Forces::label).collect();
        assert_eq!(words.len(), Forces::SIZE);
        assert_eq!(Forces::equal().count(), FORCES.len() + WITH_A_BISHOP.len());
        let bishop = (0..FORCES.len()).filter(|&force| FORCES[force].1[1] == 1);
        assert!(bishop.eq(WITH_A_BISHOP));
    }
}
