//! The axes of the feature tables: what may stand at one place of an index.
//! Uses: chess. Used by: families.
//! Idea: an axis knows how to turn a chess value into a cell and a cell into words, so that no index is ever computed
//! or named by hand. Each axis also has a `const fn cell(Value) -> usize`, which a trait cannot declare yet.

use crate::chess::{File, Role, Square};

/// One axis of a family's table.
pub trait Axis {
    /// What feature code passes for this axis.
    type Value: Copy;
    /// How many cells it has.
    const SIZE: usize;
    /// What a cell is called.
    fn label(cell: usize) -> String;
}

/// `COUNT` roles, the first of which is number `FIRST` (pawn 1 … king 6).
#[derive(Clone, Copy, Debug)]
pub struct Roles<const FIRST: usize, const COUNT: usize>;

/// Every role.
pub type AnyRole = Roles<1, 6>;
/// Pawn to queen: what can be taken.
pub type Man = Roles<1, 5>;
/// Knight to queen.
pub type Officer = Roles<2, 4>;

impl<const FIRST: usize, const COUNT: usize> Roles<FIRST, COUNT> {
    /// The cell of a role.
    #[inline]
    #[must_use]
    pub const fn cell(role: Role) -> usize {
        role as usize - FIRST
    }
}

impl<const FIRST: usize, const COUNT: usize> Axis for Roles<FIRST, COUNT> {
    type Value = Role;
    const SIZE: usize = COUNT;

    fn label(cell: usize) -> String {
        match Role::ALL[FIRST - 1 + cell] {
            Role::Pawn => "pawn",
            Role::Knight => "knight",
            Role::Bishop => "bishop",
            Role::Rook => "rook",
            Role::Queen => "queen",
            Role::King => "king",
        }
        .to_owned()
    }
}

/// A square from its owner's side with the king's wing folded onto the queen's: d4 and e4 are one cell.
#[derive(Clone, Copy, Debug)]
pub struct FoldedSquare;

impl FoldedSquare {
    /// The cell of a square that is seen from its owner's side (the first rank is the own one).
    #[inline]
    #[must_use]
    pub const fn cell(square: Square) -> usize {
        let file = square.file() as usize;
        let folded = if file < 4 { file } else { 7 - file };
        square.rank() as usize * 4 + folded
    }
}

impl Axis for FoldedSquare {
    type Value = Square;
    const SIZE: usize = 32;

    fn label(cell: usize) -> String {
        let file = File::new((cell % 4) as u32);
        let (left, right, rank) = (file.char(), file.flip_horizontal().char(), cell / 4 + 1);
        format!("{left}{rank}/{right}{rank}")
    }
}

/// A number from 0 to `SIZE - 1`.
#[derive(Clone, Copy, Debug)]
pub struct Number<const SIZE: usize>;

impl<const SIZE: usize> Number<SIZE> {
    /// The cell of a number.
    #[inline]
    #[must_use]
    pub const fn cell(number: usize) -> usize {
        number
    }
}

impl<const SIZE: usize> Axis for Number<SIZE> {
    type Value = usize;
    const SIZE: usize = SIZE;

    fn label(cell: usize) -> String {
        cell.to_string()
    }
}
