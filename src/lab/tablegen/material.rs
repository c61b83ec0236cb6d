//! The men of a table as the generator numbers them, and the tables that it needs.
//! Uses: chess, tablebase's material. Used by: every file of the generator.
//! Idea: one fixed order of men, kings first and pawns last, so that a man is a slot number everywhere.

use crate::chess::{Color, Role};
use crate::tablebase::material::{Material, ROLES};

/// The most men of a table that the generator makes.
pub const MAX_MEN: usize = 5;

/// A man: whose and what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Man {
    /// Whose.
    pub color: Color,
    /// What.
    pub role: Role,
}

impl Man {
    /// The number in the files: pawn 1 to king 6, black men 8 more.
    #[must_use]
    pub fn code(self) -> u8 {
        self.role as u8 + if self.color == Color::Black { 8 } else { 0 }
    }

    /// The same man of the other side.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            color: !self.color,
            role: self.role,
        }
    }
}

/// So much of a wrong name is told.
const LONGEST_NAME: usize = 32;

/// What keeps a text from being the name of a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Not two sides of pieces, each beginning with its king.
    #[error("{0:?} is no name of a table: write it as KQvKR")]
    Form(String),
    /// More men than the generator handles, or the two kings alone.
    #[error("{0:?} has {1} men: tables with three to five are made")]
    Men(String, usize),
}

impl Material {
    /// The material of these men in the colouring of names, and whether the colours had to be exchanged for it.
    #[must_use]
    pub fn from_men(men: &[Man]) -> (Self, bool) {
        let add = |material: Self, man: &Man| material.with(man.color, man.role, true);
        let material = men.iter().try_fold(Self::EMPTY, add).unwrap_or(Self::EMPTY);
        let normal = material.normalized();
        (normal, normal != material)
    }

    /// How many pawns each side has: `[white, black]`.
    #[must_use]
    pub fn pawns(self) -> [usize; 2] {
        Color::ALL.map(|color| self.count(color, Role::Pawn) as usize)
    }

    /// The side whose pawns lead the numbering: the one with fewer, but some; white if they have equally many.
    #[must_use]
    pub fn lead(self) -> Color {
        match self.pawns() {
            [0, _] => Color::Black,
            [_, 0] => Color::White,
            [white, black] if black < white => Color::Black,
            _ => Color::White,
        }
    }

    /// The men by slots: white king, black king, white pieces, black pieces, pawns that lead, other pawns.
    #[must_use]
    pub fn slots(self) -> Vec<Man> {
        let mut men = Vec::with_capacity(MAX_MEN);
        let mut add = |color: Color, role: Role| {
            let count = self.count(color, role) as usize;
            men.extend(std::iter::repeat_n(Man { color, role }, count));
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
        men
    }

    /// The tables that one move leads to: captures, promotions and both at once, without doubles and without `KvK`.
    #[must_use]
    pub fn needs(self) -> Vec<Self> {
        let successors = self.successors(true).into_iter();
        let mut found: Vec<Self> = successors.map(Self::normalized).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// All tables with this many men (three to five), those without pawns first, so that none needs a later one.
    #[must_use]
    pub fn all(men: usize) -> Vec<Self> {
        let mut sides: Vec<Vec<Vec<Role>>> = vec![vec![vec![]]];
        for extra in 1..=men - 2 {
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
        for black in 0..=(men - 2) / 2 {
            for (white, other) in sides[men - 2 - black]
                .iter()
                .flat_map(|white| sides[black].iter().map(move |other| (white, other)))
            {
                let side = |color, roles: &[Role]| {
                    let roles = std::iter::once(Role::King).chain(roles.iter().copied());
                    roles.map(|role| Man { color, role }).collect::<Vec<_>>()
                };
                let men = [side(Color::White, white), side(Color::Black, other)].concat();
                let material = Self::from_men(&men).0;
                if !found.contains(&material) {
                    found.push(material);
                }
            }
        }
        found.sort_by_key(|material| material.pawns().iter().sum::<usize>());
        found
    }
}

/// Reads the name of a table that can be made here; the weaker side may stand first, and letters may be small.
///
/// # Errors
/// What keeps the text from being such a name.
pub fn parse_name(text: &str) -> Result<Material, NameError> {
    let form = || NameError::Form(text.chars().take(LONGEST_NAME).collect());
    let upper = text.to_ascii_uppercase();
    let (white, black) = upper.split_once('V').ok_or_else(form)?;
    let mut men = Vec::new();
    for (color, letters) in [(Color::White, white), (Color::Black, black)] {
        for (at, letter) in letters.chars().enumerate() {
            let found = ROLES.iter().find(|(_, known)| *known == letter);
            let (role, _) = *found.ok_or_else(form)?;
            if (role == Role::King) != (at == 0) {
                return Err(form());
            }
            men.push(Man { color, role });
        }
        if letters.is_empty() {
            return Err(form());
        }
    }
    if (3..=MAX_MEN).contains(&men.len()) {
        Ok(Material::from_men(&men).0)
    } else {
        Err(NameError::Men(
            text.chars().take(LONGEST_NAME).collect(),
            men.len(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_tables_as_there_should_be() {
        assert_eq!([3, 4, 5].map(|men| Material::all(men).len()), [5, 30, 110]);
    }

    #[test]
    fn names_are_read_and_written() {
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
    fn successors_are_captures_and_promotions() {
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
