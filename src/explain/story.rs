//! One line of a comparison, as the claims see and name it.

use super::account::LineAccount;
use super::explainer::MoveComparison;
use super::notation::{numbered, shown_line};
use crate::chess::Position;

/// A line as the claims see it.
pub struct Story<'a> {
    pub line: &'a LineAccount,
    /// Whether it is the better one.
    pub is_better: bool,
    /// `14.Rd1`.
    pub name: String,
    /// ` instead`, if the question is about the other line.
    pub instead: &'static str,
}

impl<'a> Story<'a> {
    pub fn of(comparison: &MoveComparison, line: &'a LineAccount, is_better: bool) -> Self {
        let is_asked = line.first() == comparison.asked;
        Self {
            line,
            is_better,
            name: numbered(comparison.root(), line.first()),
            instead: if is_asked { "" } else { " instead" },
        }
    }

    /// The moves up to one with this index in a sentence; of a longer line the first moves and the last one.
    pub fn up_to(&self, ply: usize) -> String {
        shown_line(&self.line.positions[0], &self.line.moves[..=ply])
    }

    /// The position after the move with this index.
    pub fn after(&self, ply: usize) -> &Position {
        &self.line.positions[ply + 1]
    }
}
