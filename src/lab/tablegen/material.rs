//! The pieces of a table as the generator numbers them, and the tables that it needs.
//! Slots are numbered in a fixed order, kings first and pawns last.

use crate::base::text::shortened;
use crate::chess::{Color, Piece, Role};
use crate::tablebase::material::{Material, ROLES};

/// The most pieces of a table that can be generated.
pub const MAX_PIECES: usize = 5;

/// The code of a piece in the files: pawn 1 to king 6, plus 8 for black.
pub fn code(piece: Piece) -> u8 {
    piece.role() as u8 + if piece.color() == Color::Black { 8 } else { 0 }
}

/// The same piece of the other side.
pub fn swapped(piece: Piece) -> Piece {
    Piece::new(!piece.color(), piece.role())
}

/// The most letters of a wrong name in an error.
const MAX_NAME: usize = 32;

/// A text is not the name of a table that can be generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    #[error("{0:?} is not a table name: expected a name such as KQvKR")]
    Form(String),
    /// The name and its number of pieces.
    #[error("{0:?} has {1} pieces: tables with 3 to {MAX_PIECES} pieces can be generated")]
    PieceCount(String, usize),
}

impl Material {
    /// The normalized material of these pieces, and whether colours were exchanged for it.
    #[must_use]
    pub fn from_pieces(pieces: &[Piece]) -> (Self, bool) {
        let add = |material: Self, piece: &Piece| material.with(piece.color(), piece.role());
        let material = pieces
            .iter()
            .try_fold(Self::EMPTY, add)
            .unwrap_or(Self::EMPTY);
        let normal = material.normalized();
        (normal, normal != material)
    }

    /// The number of pawns: `[white, black]`.
    #[must_use]
    pub fn pawns(self) -> [usize; 2] {
        Color::ALL.map(|color| self.count(color, Role::Pawn) as usize)
    }

    /// The side with the leading pawns: the one with fewer pawns but at least one; white if equally many.
    #[must_use]
    pub fn lead(self) -> Color {
        match self.pawns() {
            [0, _] => Color::Black,
            [_, 0] => Color::White,
            [white, black] if black < white => Color::Black,
            _ => Color::White,
        }
    }

    /// The pieces by slots: white king, black king, white's and black's other pieces, leading pawns, other pawns.
    #[must_use]
    pub fn slots(self) -> Vec<Piece> {
        let mut pieces = Vec::with_capacity(MAX_PIECES);
        let mut add = |color: Color, role: Role| {
            let count = self.count(color, role) as usize;
            pieces.extend(std::iter::repeat_n(Piece::new(color, role), count));
        };
        for color in Color::ALL {
            add(color, Role::King);
        }
        for color in Color::ALL {
            for (role, _) in &ROLES[1..5] {
                add(color, *role);
            }
        }
        add(self.lead(), Role::Pawn);
        add(!self.lead(), Role::Pawn);
        pieces
    }

    /// The tables that captures and promotions lead to, without `KvK`.
    #[must_use]
    pub fn needs(self) -> Vec<Self> {
        let successors = self.successors(true).into_iter();
        let mut found: Vec<Self> = successors.map(Self::normalized).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// All materials with 3 to 5 pieces, fewest pawns first, so that none needs a later one of the same piece count.
    #[must_use]
    pub fn all(pieces: usize) -> Vec<Self> {
        let mut sides: Vec<Vec<Vec<Role>>> = vec![vec![vec![]]];
        for extra in 1..=pieces - 2 {
            let mut longer = Vec::new();
            for side in &sides[extra - 1] {
                let first = side.last().map_or(1, |last| {
                    ROLES.iter().position(|(role, _)| role == last).unwrap_or(1)
                });
                longer.extend(ROLES[first..].iter().map(|(role, _)| {
                    let mut side = side.clone();
                    side.push(*role);
                    side
                }));
            }
            sides.push(longer);
        }
        let mut found = Vec::new();
        for black in 0..=(pieces - 2) / 2 {
            for (white, other) in sides[pieces - 2 - black]
                .iter()
                .flat_map(|white| sides[black].iter().map(move |other| (white, other)))
            {
                let side = |color, roles: &[Role]| {
                    let roles = std::iter::once(Role::King).chain(roles.iter().copied());
                    roles
                        .map(|role| Piece::new(color, role))
                        .collect::<Vec<_>>()
                };
                let pieces = [side(Color::White, white), side(Color::Black, other)].concat();
                let material = Self::from_pieces(&pieces).0;
                if !found.contains(&material) {
                    found.push(material);
                }
            }
        }
        found.sort_by_key(|material| material.pawns().iter().sum::<usize>());
        found
    }
}

/// Reads the name of a table that can be generated, in upper or lower case and with either side first.
///
/// # Errors
/// The text is not such a name.
pub fn parse_name(text: &str) -> Result<Material, NameError> {
    let form = || NameError::Form(shortened(text, MAX_NAME));
    let upper = text.to_ascii_uppercase();
    let (white, black) = upper.split_once('V').ok_or_else(form)?;
    let mut pieces = Vec::new();
    for (color, letters) in [(Color::White, white), (Color::Black, black)] {
        for (at, letter) in letters.chars().enumerate() {
            let found = ROLES.iter().find(|(_, known)| *known == letter);
            let (role, _) = *found.ok_or_else(form)?;
            if (role == Role::King) != (at == 0) {
                return Err(form());
            }
            pieces.push(Piece::new(color, role));
        }
        if letters.is_empty() {
            return Err(form());
        }
    }
    if (3..=MAX_PIECES).contains(&pieces.len()) {
        Ok(Material::from_pieces(&pieces).0)
    } else {
        Err(NameError::PieceCount(
            shortened(text, MAX_NAME),
            pieces.len(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lists_every_table() {
        assert_eq!(
            [3, 4, 5].map(|pieces| Material::all(pieces).len()),
            [5, 30, 110]
        );
    }

    #[test]
    fn names_are_read_in_any_form() {
        for (text, name) in [("KQvKR", "KQvKR"), ("krvkq", "KQvKR"), ("KvKNBP", "KBNPvK")] {
            assert_eq!(parse_name(text).map(|m| m.to_string()), Ok(name.to_owned()));
        }
        for text in [
            "", "KQ", "QvK", "KvK", "KQRBvKQ", "KQvKX", "KKvK", "vK", "KQvRK",
        ] {
            assert!(parse_name(text).is_err(), "{text}");
        }
    }

    #[test]
    fn needed_tables_are_captures_and_promotions() {
        let names = |text: &str| {
            let material: Material = text.parse().expect("a name");
            let mut names: Vec<String> = material.needs().iter().map(Material::to_string).collect();
            names.sort();
            names.join(" ")
        };
        assert_eq!(names("KQvKR"), "KQvK KRvK");
        assert_eq!(names("KPvK"), "KBvK KNvK KQvK KRvK");
        assert_eq!(
            names("KRvKP"),
            "KBvK KNvK KPvK KQvK KQvKR KRvK KRvKB KRvKN KRvKR"
        );
    }
}
