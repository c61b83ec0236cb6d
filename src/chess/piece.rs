//! Coloured pieces in one byte, which indexes tables directly.

use shakmaty::{Color, Role};

/// The name of a kind of piece: "knight".
pub const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// A coloured piece. The index is `2 * role + colour`, with pawn 0 and black 0: Polyglot's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
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
    pub const COUNT: usize = 12;

    /// All pieces, in the order of [`Piece::index`].
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

    #[inline]
    #[must_use]
    pub const fn new(color: Color, role: Role) -> Self {
        Self::ALL[(role as usize - 1) * 2 + color as usize]
    }

    #[inline]
    #[must_use]
    pub const fn color(self) -> Color {
        Color::from_white(self as u8 & 1 == 1)
    }

    #[inline]
    #[must_use]
    pub const fn role(self) -> Role {
        Role::ALL[self as usize >> 1]
    }

    /// 0 to 11.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter in a FEN: upper case for white.
    #[must_use]
    pub const fn to_char(self) -> char {
        let letter = self.role().char();
        match self.color() {
            Color::White => letter.to_ascii_uppercase(),
            Color::Black => letter,
        }
    }
}
