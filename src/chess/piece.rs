//! Pieces as indices.
//! Uses: shakmaty. Used by: chess and every room that keeps tables over pieces.
//! Idea: one byte that indexes tables directly, in Polyglot's order; `Option<Piece>` is one byte too.

use shakmaty::{Color, Role};

/// A coloured piece. The index is `2 * role + colour` with black 0 and white 1: Polyglot's order of piece kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Piece {
    BlackPawn,
    WhitePawn,
    BlackKnight,
    WhiteKnight,
    BlackBishop,
    WhiteBishop,
    BlackRook,
    WhiteRook,
    BlackQueen,
    WhiteQueen,
    BlackKing,
    WhiteKing,
}

const _: () = assert!(size_of::<Option<Piece>>() == 1);

impl Piece {
    /// How many kinds of piece there are.
    pub const COUNT: usize = 12;

    /// Every piece, in the order of [`Piece::index`].
    pub const ALL: [Self; Self::COUNT] = [
        Self::BlackPawn,
        Self::WhitePawn,
        Self::BlackKnight,
        Self::WhiteKnight,
        Self::BlackBishop,
        Self::WhiteBishop,
        Self::BlackRook,
        Self::WhiteRook,
        Self::BlackQueen,
        Self::WhiteQueen,
        Self::BlackKing,
        Self::WhiteKing,
    ];

    /// The piece of this colour and role.
    #[inline]
    #[must_use]
    pub const fn new(color: Color, role: Role) -> Self {
        Self::ALL[(role as usize - 1) * 2 + color as usize]
    }

    /// Its colour.
    #[inline]
    #[must_use]
    pub const fn color(self) -> Color {
        Color::from_white(self as u8 & 1 == 1)
    }

    /// Its role.
    #[inline]
    #[must_use]
    pub const fn role(self) -> Role {
        Role::ALL[self as usize >> 1]
    }

    /// Its index, 0 to 11.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its letter in a FEN: upper case for white.
    #[must_use]
    pub const fn to_char(self) -> char {
        let letter = self.role().char();
        match self.color() {
            Color::White => letter.to_ascii_uppercase(),
            Color::Black => letter,
        }
    }
}
