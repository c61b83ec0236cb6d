//! What a sentence is about, and the numbers of its features.

use super::super::concepts::FeatureValue;
use super::super::words::{counted, number};
use crate::chess::{Bitboard, Color, Position, Role, Square};
use crate::eval::{Family, Index};

/// What a fact is about.
pub(super) struct Subject<'a> {
    pub position: &'a Position,
    pub side: Color,
    pub us: &'static str,
    pub them: &'static str,
    /// The piece, pawn or king with its square: "White's knight on e5".
    pub piece: String,
    pub square: Option<Square>,
    pub features: &'a [FeatureValue],
    pub squares: Bitboard,
}

impl Subject<'_> {
    /// The first feature of a family.
    pub fn find(&self, family: Family) -> Option<Index> {
        let mut indices = self.features.iter().map(|feature| feature.index);
        indices.find(|index| index.family() == family)
    }

    pub fn has(&self, family: Family) -> bool {
        self.find(family).is_some()
    }

    /// The number on an axis of a family, as a figure and whether it stands for more.
    pub fn count(&self, family: Family, axis: &str) -> Option<(usize, bool)> {
        let text = label(self.find(family)?, axis);
        let figure = text.trim_end_matches('+');
        Some((figure.parse().ok()?, figure.len() < text.len()))
    }

    /// The same as a noun with its number: "two squares", "five or more squares".
    pub fn counted(&self, family: Family, axis: &str, noun: &str) -> String {
        match self.count(family, axis) {
            Some((1, true)) => format!("one {noun} at least"),
            Some((count, true)) => format!("{} or more {noun}s", number(count)),
            Some((count, false)) => counted(count, noun),
            None => format!("no {noun}s"),
        }
    }

    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.position.pieces(color, role)
    }

    pub fn enemy(&self) -> Color {
        !self.side
    }
}

/// A cell of an index in words.
pub(super) fn label(index: Index, axis: &str) -> String {
    let axes = index.family().declaration().axes.iter();
    let mut cells = axes.zip(index.cells());
    cells
        .find(|(declared, _)| declared.name == axis)
        .map_or_else(String::new, |(declared, cell)| (declared.label)(cell))
}

pub(super) const fn adjective(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
