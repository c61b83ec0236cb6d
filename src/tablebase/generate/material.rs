//! Which men stand on the board, and the name of their table.
//! Uses: chess. Used by: every file of the generator.
//! Idea: one fixed order of men, kings first and pawns last, so that a man is a slot number everywhere.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::chess::{Color, Role};

/// The most men of a table that the generator makes.
pub const MAX_MEN: usize = 5;

/// The letters of a name, strongest first: the order of men within a side.
const LETTERS: [(char, Role); 6] = [
    ('K', Role::King),
    ('Q', Role::Queen),
    ('R', Role::Rook),
    ('B', Role::Bishop),
    ('N', Role::Knight),
    ('P', Role::Pawn),
];

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

/// What keeps a text from being the name of a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Not two sides of pieces, each beginning with its king.
    #[error("{0:?} is no name of a table: write it as KQvKR")]
    Form(String),
    /// More men than the generator handles, or the two kings alone.
    #[error("{0:?}: tables have three to five men")]
    Men(String),
}

/// The men of both sides, without their squares. Its first side is never the weaker one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Material {
    /// `[side][role]`, the stronger side first.
    counts: [[u8; 7]; 2],
}

impl Material {
    /// The material of these men, and whether the colours had to be exchanged for it.
    #[must_use]
    pub fn of(men: &[Man]) -> (Self, bool) {
        let mut counts = [[0; 7]; 2];
        for man in men {
            counts[usize::from(man.color == Color::Black)][man.role as usize] += 1;
        }
        let is_swapped = Self::compare(&counts[0], &counts[1]) == Ordering::Less;
        if is_swapped {
            counts.swap(0, 1);
        }
        (Self { counts }, is_swapped)
    }

    /// More men are stronger; among equals more queens, then rooks, and so on.
    fn compare(a: &[u8; 7], b: &[u8; 7]) -> Ordering {
        let men = |side: &[u8; 7]| side.iter().sum::<u8>();
        let roles = || LETTERS.iter().map(|(_, role)| *role as usize);
        men(a)
            .cmp(&men(b))
            .then_with(|| roles().map(|role| a[role]).cmp(roles().map(|role| b[role])))
    }

    /// How many men stand on the board, kings included.
    #[must_use]
    pub fn count(&self) -> usize {
        self.counts.iter().flatten().map(|&n| usize::from(n)).sum()
    }

    /// How many pawns each side has: `[white, black]`.
    #[must_use]
    pub fn pawns(&self) -> [usize; 2] {
        self.counts
            .map(|side| usize::from(side[Role::Pawn as usize]))
    }

    /// Whether both sides have the same men.
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        self.counts[0] == self.counts[1]
    }

    /// The side whose pawns lead the numbering: the one with fewer, but some; white if they have equally many.
    #[must_use]
    pub fn lead(&self) -> Color {
        match self.pawns() {
            [0, _] => Color::Black,
            [_, 0] => Color::White,
            [white, black] if black < white => Color::Black,
            _ => Color::White,
        }
    }

    /// The men by slots: white king, black king, white pieces, black pieces, pawns that lead, other pawns.
    #[must_use]
    pub fn men(&self) -> Vec<Man> {
        let mut men = Vec::with_capacity(MAX_MEN);
        let mut add = |color: Color, role: Role| {
            let side = usize::from(color == Color::Black);
            let man = Man { color, role };
            men.extend(std::iter::repeat_n(
                man,
                usize::from(self.counts[side][role as usize]),
            ));
        };
        for color in Color::ALL {
            add(color, Role::King);
        }
        for color in Color::ALL {
            for (_, role) in &LETTERS[1..5] {
                add(color, *role);
            }
        }
        add(self.lead(), Role::Pawn);
        add(!self.lead(), Role::Pawn);
        men
    }

    /// The tables that one move leads to: captures, promotions and both at once, without doubles and without `KvK`.
    #[must_use]
    pub fn successors(&self) -> Vec<Self> {
        let men = self.men();
        let mut found = Vec::new();
        let promotions = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
        for captured in std::iter::once(None).chain((2..men.len()).map(Some)) {
            let promoting = (2..men.len()).filter(|&slot| men[slot].role == Role::Pawn);
            for promoted in std::iter::once(None).chain(promoting.map(Some)) {
                if (captured, promoted) == (None, None) || captured == promoted {
                    continue;
                }
                // A man is captured by the other side only.
                if let (Some(captured), Some(promoted)) = (captured, promoted)
                    && men[captured].color == men[promoted].color
                {
                    continue;
                }
                for role in promotions
                    .iter()
                    .take(if promoted.is_some() { 4 } else { 1 })
                {
                    let mut left = men.clone();
                    if let Some(slot) = promoted {
                        left[slot].role = *role;
                    }
                    if let Some(slot) = captured {
                        left.remove(slot);
                    }
                    let material = Self::of(&left).0;
                    if material.count() > 2 && !found.contains(&material) {
                        found.push(material);
                    }
                }
            }
        }
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
                    LETTERS
                        .iter()
                        .position(|(_, role)| role == last)
                        .unwrap_or(1)
                });
                longer.extend(LETTERS[first..].iter().map(|(_, role)| {
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
                let material = Self::of(&men).0;
                if !found.contains(&material) {
                    found.push(material);
                }
            }
        }
        found.sort_by_key(|material| material.pawns().iter().sum::<usize>());
        found
    }
}

impl fmt::Display for Material {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (side, counts) in self.counts.iter().enumerate() {
            if side == 1 {
                formatter.write_str("v")?;
            }
            for (letter, role) in LETTERS {
                for _ in 0..counts[role as usize] {
                    write!(formatter, "{letter}")?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FromStr for Material {
    type Err = NameError;

    /// Reads a name; the weaker side may stand first, and letters may be small.
    fn from_str(text: &str) -> Result<Self, NameError> {
        let form = || NameError::Form(text.to_owned());
        let upper = text.to_ascii_uppercase();
        let (white, black) = upper.split_once('V').ok_or_else(form)?;
        let mut men = Vec::new();
        for (color, letters) in [(Color::White, white), (Color::Black, black)] {
            for (at, letter) in letters.chars().enumerate() {
                let found = LETTERS.iter().find(|(known, _)| *known == letter);
                let (_, role) = *found.ok_or_else(form)?;
                if (role == Role::King) != (at == 0) {
                    return Err(form());
                }
                men.push(Man { color, role });
            }
            if letters.is_empty() {
                return Err(form());
            }
        }
        if !(3..=MAX_MEN).contains(&men.len()) {
            return Err(NameError::Men(text.to_owned()));
        }
        Ok(Self::of(&men).0)
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
            assert_eq!(
                text.parse::<Material>().map(|m| m.to_string()),
                Ok(name.to_owned())
            );
        }
        for text in [
            "", "KQ", "QvK", "KvK", "KQRBvKQ", "KQvKX", "KKvK", "vK", "KQvRK",
        ] {
            assert!(text.parse::<Material>().is_err(), "{text}");
        }
    }

    #[test]
    fn successors_are_captures_and_promotions() {
        let names = |text: &str| {
            let material: Material = text.parse().expect("a name");
            let mut names: Vec<String> = material
                .successors()
                .iter()
                .map(Material::to_string)
                .collect();
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
