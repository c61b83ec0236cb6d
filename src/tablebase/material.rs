//! Which men are on the board, and the name that tables have for it.
//! Uses: chess. Used by: the rest of tablebase, cli.
//! Idea: four bits count each kind of man, so that a whole material is one number and every question is arithmetic.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::chess::{Color, Position, Role};

/// The most men, kings included, that any Syzygy table covers.
pub const MAX_PIECES: u32 = 7;

/// The roles in the order in which names list them, and their letters.
pub const ROLES: [(Role, char); 6] = [
    (Role::King, 'K'),
    (Role::Queen, 'Q'),
    (Role::Rook, 'R'),
    (Role::Bishop, 'B'),
    (Role::Knight, 'N'),
    (Role::Pawn, 'P'),
];

/// Bits that count one kind of man.
const COUNT_BITS: u32 = 4;
const COUNT_MASK: u64 = (1 << COUNT_BITS) - 1;
/// Bits of one side: six kinds.
const SIDE_BITS: u32 = 6 * COUNT_BITS;
const SIDE_MASK: u64 = (1 << SIDE_BITS) - 1;

/// How many men of each kind and colour stand on the board, at most fifteen of each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material(u64);

/// The text names no table.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0:?} names no table: expected men as in KQvKR, a king on each side, 3 to 7 men in all")]
pub struct MaterialError(String);

/// The place of a count. A stronger man's count stands higher, so that sides compare as names sort them.
const fn shift(color: Color, role: Role) -> u32 {
    (role as u32 - 1) * COUNT_BITS
        + match color {
            Color::White => SIDE_BITS,
            Color::Black => 0,
        }
}

impl Material {
    /// The material of a position.
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

    /// No men at all, to be filled by [`Self::with`].
    pub(crate) const EMPTY: Self = Self(0);

    /// How many men of this colour and role there are.
    #[must_use]
    pub const fn count(self, color: Color, role: Role) -> u32 {
        (self.0 >> shift(color, role) & COUNT_MASK) as u32
    }

    /// How many men there are, kings included.
    #[must_use]
    pub fn piece_count(self) -> u32 {
        let of = |color| ROLES.iter().map(move |&(role, _)| self.count(color, role));
        Color::ALL.into_iter().flat_map(of).sum()
    }

    /// Whether any pawn is there.
    #[must_use]
    pub const fn has_pawns(self) -> bool {
        self.count(Color::White, Role::Pawn) + self.count(Color::Black, Role::Pawn) > 0
    }

    /// Whether both sides have the same men.
    #[must_use]
    pub const fn is_symmetric(self) -> bool {
        self.0 >> SIDE_BITS == self.0 & SIDE_MASK
    }

    /// The same with the colours exchanged.
    #[must_use]
    pub const fn swapped(self) -> Self {
        Self(self.0 >> SIDE_BITS | (self.0 & SIDE_MASK) << SIDE_BITS)
    }

    /// The colouring that names use: white has more men or, with as many, the stronger ones.
    #[must_use]
    pub fn normalized(self) -> Self {
        let rank = |material: Self| {
            let men: u32 = ROLES
                .iter()
                .map(|&(role, _)| material.count(Color::White, role))
                .sum();
            (men, material.0 >> SIDE_BITS)
        };
        if rank(self) < rank(self.swapped()) {
            self.swapped()
        } else {
            self
        }
    }

    /// The material after one man of this kind more (`true`) or fewer; `None` where there is none to take away.
    #[must_use]
    pub fn with(self, color: Color, role: Role, more: bool) -> Option<Self> {
        let one = 1 << shift(color, role);
        if more {
            (u64::from(self.count(color, role)) < COUNT_MASK).then(|| Self(self.0 + one))
        } else {
            (self.count(color, role) > 0).then(|| Self(self.0 - one))
        }
    }

    /// What one capture may lead to, promotions by capture included; with `promotions` quiet ones too. Bare kings, which
    /// need no table, are left out.
    #[must_use]
    pub fn successors(self, promotions: bool) -> Vec<Self> {
        let mut found = Vec::new();
        let promoted = |from: Self, color: Color| {
            let pawn = from.with(color, Role::Pawn, false);
            pawn.into_iter().flat_map(move |rest| {
                [Role::Queen, Role::Rook, Role::Bishop, Role::Knight]
                    .into_iter()
                    .filter_map(move |role| rest.with(color, role, true))
            })
        };
        for color in Color::ALL {
            if promotions {
                found.extend(promoted(self, color));
            }
            for (role, _) in &ROLES[1..] {
                if let Some(taken) = self.with(color, *role, false) {
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
    /// The name, as in `KQvKR`, in the colouring at hand.
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

    /// Reads a name: the men of one side, a `v`, the men of the other, strongest first; either side may come first.
    fn from_str(text: &str) -> Result<Self, MaterialError> {
        let refuse = || MaterialError(text.chars().take(32).collect());
        let (white, black) = text.split_once('v').ok_or_else(refuse)?;
        if text.len() > MAX_PIECES as usize + 1 {
            return Err(refuse());
        }
        let mut material = Self::EMPTY;
        for (color, men) in [(Color::White, white), (Color::Black, black)] {
            for letter in men.chars() {
                let role = ROLES.iter().find(|&&(_, known)| known == letter);
                let &(role, _) = role.ok_or_else(refuse)?;
                material = material.with(color, role, true).ok_or_else(refuse)?;
            }
        }
        let one_king = |color| material.count(color, Role::King) == 1;
        let is_right =
            one_king(Color::White) && one_king(Color::Black) && material.piece_count() > 2;
        // Letters out of their order would make a second name for the same table.
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
    fn names_are_read_and_written() {
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
    fn the_stronger_side_is_white() {
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
    fn a_position_has_its_material() {
        let position = Position::from_fen("4k3/8/8/3r4/8/8/4P3/4K2Q w - -").expect("legal");
        assert_eq!(Material::of(&position).to_string(), "KQPvKR");
        assert_eq!(Material::of(&position).piece_count(), 5);
        assert!(Material::of(&position).has_pawns() && !Material::of(&position).is_symmetric());
    }
}
