//! The material of a position, and the names of tables.
//! A material is one number with four bits for each kind of piece. Here and in the names of tables, pieces include kings
//! and pawns.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::base::text::shortened;
use crate::chess::{Color, Move, Position, Role};

/// The most pieces of any Syzygy table.
pub const MAX_PIECES: u32 = 7;

/// Roles and their letters, in the order of table names.
pub const ROLES: [(Role, char); 6] = [
    (Role::King, 'K'),
    (Role::Queen, 'Q'),
    (Role::Rook, 'R'),
    (Role::Bishop, 'B'),
    (Role::Knight, 'N'),
    (Role::Pawn, 'P'),
];

/// Bits of the count of one kind of piece.
const COUNT_BITS: u32 = 4;
const COUNT_MASK: u64 = (1 << COUNT_BITS) - 1;
/// Bits of one side.
const SIDE_BITS: u32 = 6 * COUNT_BITS;
const SIDE_MASK: u64 = (1 << SIDE_BITS) - 1;

/// The number of pieces of each colour and role, at most 15 each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material(u64);

/// A text is not the name of a table.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "{0:?} is not a table name: expected a name such as KQvKR with 3 to 7 pieces and a king on each side"
)]
pub struct MaterialError(String);

/// The bit offset of a count. Stronger pieces have higher bits, so that comparing two sides finds the stronger one.
const fn shift(color: Color, role: Role) -> u32 {
    (role as u32 - 1) * COUNT_BITS
        + match color {
            Color::White => SIDE_BITS,
            Color::Black => 0,
        }
}

impl Material {
    #[inline]
    #[must_use]
    pub fn of(position: &Position) -> Self {
        let mut counts = 0;
        for color in Color::ALL {
            for (role, _) in ROLES {
                counts |= (position.pieces(color, role).count() as u64 & COUNT_MASK)
                    << shift(color, role);
            }
        }
        Self(counts)
    }

    pub(crate) const EMPTY: Self = Self(0);

    /// The number of pieces of this colour and role.
    #[must_use]
    pub const fn count(self, color: Color, role: Role) -> u32 {
        (self.0 >> shift(color, role) & COUNT_MASK) as u32
    }

    /// The number of pieces, kings and pawns included.
    #[must_use]
    pub fn piece_count(self) -> u32 {
        let of = |color| ROLES.iter().map(move |&(role, _)| self.count(color, role));
        Color::ALL.into_iter().flat_map(of).sum()
    }

    #[must_use]
    pub const fn has_pawns(self) -> bool {
        self.count(Color::White, Role::Pawn) + self.count(Color::Black, Role::Pawn) > 0
    }

    /// Whether both sides have the same pieces.
    #[must_use]
    pub const fn is_symmetric(self) -> bool {
        self.0 >> SIDE_BITS == self.0 & SIDE_MASK
    }

    /// With colours exchanged.
    #[must_use]
    pub const fn swapped(self) -> Self {
        Self(self.0 >> SIDE_BITS | (self.0 & SIDE_MASK) << SIDE_BITS)
    }

    /// With colours as in table names: white has more pieces or, if equally many, the stronger ones.
    #[must_use]
    pub fn normalized(self) -> Self {
        let rank = |material: Self| {
            let pieces: u32 = ROLES
                .iter()
                .map(|&(role, _)| material.count(Color::White, role))
                .sum();
            (pieces, material.0 >> SIDE_BITS)
        };
        if rank(self) < rank(self.swapped()) {
            self.swapped()
        } else {
            self
        }
    }

    /// With one more piece; `None` if there are 15 already.
    #[must_use]
    pub fn with(self, color: Color, role: Role) -> Option<Self> {
        (u64::from(self.count(color, role)) < COUNT_MASK)
            .then(|| Self(self.0 + (1 << shift(color, role))))
    }

    /// With one piece fewer; `None` if there is none.
    #[must_use]
    pub fn without(self, color: Color, role: Role) -> Option<Self> {
        (self.count(color, role) > 0).then(|| Self(self.0 - (1 << shift(color, role))))
    }

    /// The material after any capture, with promotion or without, and with `promotions` after any promotion. The two kings
    /// alone, which need no table, are left out.
    #[must_use]
    pub fn successors(self, promotions: bool) -> Vec<Self> {
        let mut found = Vec::new();
        let promoted = |from: Self, color: Color| {
            let rest = from.without(color, Role::Pawn);
            rest.into_iter().flat_map(move |rest| {
                Move::PROMOTIONS
                    .into_iter()
                    .filter_map(move |role| rest.with(color, role))
            })
        };
        for color in Color::ALL {
            if promotions {
                found.extend(promoted(self, color));
            }
            for (role, _) in &ROLES[1..] {
                if let Some(taken) = self.without(color, *role) {
                    found.push(taken);
                    found.extend(promoted(taken, !color));
                }
            }
        }
        found.retain(|material| material.piece_count() > 2);
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Material {
    /// The name, such as `KQvKR`, white first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |color| -> String {
            let letters = ROLES
                .iter()
                .map(|&(role, letter)| (self.count(color, role), letter));
            letters
                .flat_map(|(count, letter)| std::iter::repeat_n(letter, count as usize))
                .collect()
        };
        f.pad(&format!("{}v{}", side(Color::White), side(Color::Black)))
    }
}

impl FromStr for Material {
    type Err = MaterialError;

    /// Reads a name: the pieces of white, `v`, the pieces of black, each strongest first.
    fn from_str(text: &str) -> Result<Self, MaterialError> {
        let refuse = || MaterialError(shortened(text, 32));
        let (white, black) = text.split_once('v').ok_or_else(refuse)?;
        if text.len() > MAX_PIECES as usize + 1 {
            return Err(refuse());
        }
        let mut material = Self::EMPTY;
        for (color, letters) in [(Color::White, white), (Color::Black, black)] {
            for letter in letters.chars() {
                let role = ROLES.iter().find(|&&(_, known)| known == letter);
                let &(role, _) = role.ok_or_else(refuse)?;
                material = material.with(color, role).ok_or_else(refuse)?;
            }
        }
        let one_king = |color| material.count(color, Role::King) == 1;
        let is_right =
            one_king(Color::White) && one_king(Color::Black) && material.piece_count() > 2;
        // Each table has one name: letters in another order are refused.
        if is_right && material.to_string() == text {
            Ok(material)
        } else {
            Err(refuse())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str) -> Material {
        name.parse().expect(name)
    }

    #[test]
    fn table_names_round_trip() {
        for name in ["KQvK", "KvKQ", "KPvKP", "KQRBNvKP", "KBBvKN"] {
            assert_eq!(read(name).to_string(), name);
        }
        for name in [
            "",
            "KQ",
            "KvK",
            "KKvK",
            "QvK",
            "KRQvK",
            "kqvk",
            "KQvKv",
            "KQQQQQQvK",
            "K?vK",
        ] {
            assert!(name.parse::<Material>().is_err(), "{name}");
        }
    }

    #[test]
    fn normalized_makes_the_stronger_side_white() {
        for (name, normal) in [
            ("KvKQ", "KQvK"),
            ("KRvKQ", "KQvKR"),
            ("KPvKBN", "KBNvKP"),
            ("KRNvKRB", "KRBvKRN"),
        ] {
            assert_eq!(read(name).normalized().to_string(), normal);
            assert_eq!(read(normal).normalized().to_string(), normal);
        }
    }

    #[test]
    fn successors_are_captures_and_promotions() {
        let names = |name: &str, promotions| -> Vec<String> {
            let found = read(name).successors(promotions);
            let mut names: Vec<_> = found.iter().map(|m| m.normalized().to_string()).collect();
            names.sort();
            names.dedup();
            names
        };
        assert_eq!(names("KQvK", true), [""; 0]);
        assert_eq!(names("KPvK", true), ["KBvK", "KNvK", "KQvK", "KRvK"]);
        assert_eq!(names("KRvKB", false), ["KBvK", "KRvK"]);
        assert_eq!(
            names("KRvKP", false),
            ["KBvK", "KNvK", "KPvK", "KQvK", "KRvK"]
        );
        assert!(names("KRvKP", true).contains(&"KQvKR".to_owned()));
    }

    #[test]
    fn material_of_a_position() {
        let position = Position::from_fen("4k3/8/8/3r4/8/8/4P3/4K2Q w - -").expect("legal");
        assert_eq!(Material::of(&position).to_string(), "KQPvKR");
        assert_eq!(Material::of(&position).piece_count(), 5);
        assert!(Material::of(&position).has_pawns() && !Material::of(&position).is_symmetric());
    }
}
