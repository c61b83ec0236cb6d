//! The board as each king sees it.
//! Uses: chess, families, model, score, side. Used by: model, psqt, features.
//! Idea: what a man is worth on a square depends on where the kings stand. Each king looks from its own side, and through a
//! mirror if it stands on the king's wing, so that a shelter is learned once for both wings and both colours. How far an officer
//! is from a king follows from the same places, so the table holds that too.

use super::axes::FoldedSquare;
use super::families::{EnemyKing, Index, KingPlace, OwnKing};
use super::model::Weights;
use super::score::Score;
use super::side::steps;
use crate::chess::{Color, File, Piece, Role, Square};

/// Where a king may stand as it sees that itself.
const PLACES: usize = 32;
/// Kinds of men of each side that a king sees, its own king apart.
const KINDS: usize = 5;
/// All kinds of men that it sees.
const SEEN: usize = 2 * KINDS + 1;

/// How a king sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    viewer: Color,
    /// Where the king stands, as it sees that itself.
    king: Square,
    /// What turns a square into one as the king sees it.
    turn: Square,
}

impl View {
    /// How the king of a side sees the board from a square.
    #[inline]
    #[must_use]
    pub const fn of(viewer: Color, king: Square) -> Self {
        let turn = match (viewer, (king.file() as usize) < File::E as usize) {
            (Color::White, true) => Square::A1,
            (Color::White, false) => Square::H1,
            (Color::Black, true) => Square::A8,
            (Color::Black, false) => Square::H8,
        };
        Self {
            viewer,
            king: king.xor(turn),
            turn,
        }
    }

    /// The feature of a man on a square. The king does not see itself: what is told of it is of no use.
    #[inline]
    #[must_use]
    pub const fn index(self, piece: Piece, square: Square) -> Index {
        KingPlace::at(self.king, self.kind(piece), square.xor(self.turn))
    }

    /// Which of the kinds of men a piece is to the king.
    #[inline]
    const fn kind(self, piece: Piece) -> usize {
        let theirs = piece.color() as usize != self.viewer as usize;
        piece.role() as usize - Role::Pawn as usize + KINDS * theirs as usize
    }
}

/// What each man on each square adds to the score because of where a king stands, from the king's own view.
#[derive(Clone, Debug)]
pub struct ViewTable([[[Score; 64]; SEEN]; PLACES]); // [king][kind][square]

impl ViewTable {
    /// The table that follows from these weights.
    #[must_use]
    pub const fn of(weights: &Weights) -> Self {
        let mut table = [[[Score::ZERO; 64]; SEEN]; PLACES];
        let mut cell = 0;
        while cell < PLACES * SEEN * 64 {
            let (place, kind, index) = (cell / 64 / SEEN, cell / 64 % SEEN, cell % 64);
            let king = Square::new((place / 4 * 8 + place % 4) as u32);
            debug_assert!(FoldedSquare::cell(king) == place);
            let square = Square::new(index as u32);
            let seen = weights.0[KingPlace::at(king, kind, square).get()].score();
            table[place][kind][index] = seen.plus(distance(weights, king, kind, square));
            cell += 1;
        }
        Self(table)
    }

    /// What a man on a square adds to the score of the viewer.
    #[inline]
    #[must_use]
    pub const fn get(&self, view: View, piece: Piece, square: Square) -> Score {
        let place = FoldedSquare::cell(view.king);
        self.0[place][view.kind(piece)][square.xor(view.turn) as usize]
    }
}

/// What it is worth to a king that a man is so far away.
const fn distance(weights: &Weights, king: Square, kind: usize, square: Square) -> Score {
    let role = Role::ALL[kind % KINDS];
    let steps = steps(king, square);
    if kind == SEEN - 1 || matches!(role, Role::Pawn) || steps == 0 {
        Score::ZERO
    } else if kind < KINDS {
        weights.0[OwnKing::at(role, steps).get()].score()
    } else {
        weights.0[EnemyKing::at(role, steps).get()]
            .score()
            .negated()
    }
}
