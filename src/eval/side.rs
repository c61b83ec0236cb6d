//! The two sides as types: code for one side is written once and compiled for both, with constant directions.

use crate::chess::masks::{east, west};
use crate::chess::{Bitboard, Color, File, Square};

/// A colour known at compile time.
pub trait Side {
    type Enemy: Side;
    const COLOR: Color;
    /// The sign of its features in the sum.
    const SIGN: i32;

    /// A square relative to the side.
    #[inline(always)]
    fn relative(square: Square) -> Square {
        match Self::COLOR {
            Color::White => square,
            Color::Black => square.flip_vertical(),
        }
    }

    /// The rank of a square relative to the side, 0 to 7.
    #[inline(always)]
    fn rank(square: Square) -> usize {
        Self::relative(square).rank() as usize
    }

    /// The ranks from `first` to `last` relative to the side, 0 to 7.
    #[inline(always)]
    fn ranks(first: u32, last: u32) -> Bitboard {
        let ranks = Bitboard(!0 << (8 * first) & !0 >> (8 * (7 - last)));
        match Self::COLOR {
            Color::White => ranks,
            Color::Black => ranks.flip_vertical(),
        }
    }

    /// The squares one step ahead.
    #[inline(always)]
    fn forward(squares: Bitboard) -> Bitboard {
        match Self::COLOR {
            Color::White => Bitboard(squares.0 << 8),
            Color::Black => Bitboard(squares.0 >> 8),
        }
    }

    /// All squares ahead on the same files.
    #[inline(always)]
    fn ahead(squares: Bitboard) -> Bitboard {
        let mut filled = squares.0;
        match Self::COLOR {
            Color::White => {
                filled |= filled << 8;
                filled |= filled << 16;
                filled |= filled << 32;
            }
            Color::Black => {
                filled |= filled >> 8;
                filled |= filled >> 16;
                filled |= filled >> 32;
            }
        }
        Self::forward(Bitboard(filled))
    }

    /// All squares ahead of one square on its file.
    #[inline(always)]
    fn ahead_of(square: Square) -> Bitboard {
        ahead_of(Self::COLOR, square)
    }

    /// Every square that pawns of this side attack.
    #[inline(always)]
    fn pawn_attacks(pawns: Bitboard) -> Bitboard {
        let ahead = Self::forward(pawns);
        west(ahead) | east(ahead)
    }

    /// Every square that two pawns of this side attack.
    #[inline(always)]
    fn pawn_attacks_twice(pawns: Bitboard) -> Bitboard {
        let ahead = Self::forward(pawns);
        west(ahead) & east(ahead)
    }

    #[inline(always)]
    fn rearmost(squares: Bitboard) -> Option<Square> {
        match Self::COLOR {
            Color::White => squares.first(),
            Color::Black => squares.last(),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct White;

#[derive(Clone, Copy, Debug)]
pub struct Black;

impl Side for White {
    type Enemy = Black;
    const COLOR: Color = Color::White;
    const SIGN: i32 = 1;
}

impl Side for Black {
    type Enemy = White;
    const COLOR: Color = Color::Black;
    const SIGN: i32 = -1;
}

/// A square relative to a colour.
#[inline(always)]
pub(super) const fn relative(color: Color, square: Square) -> Square {
    square.xor(match color {
        Color::White => Square::A1,
        Color::Black => Square::A8,
    })
}

/// All squares of a colour's file ahead of a square.
#[inline(always)]
pub(super) fn ahead_of(color: Color, square: Square) -> Bitboard {
    AHEAD[color as usize][square as usize]
}

/// The squares ahead of each square on its file, by colour.
static AHEAD: [[Bitboard; 64]; 2] = {
    let mut ahead = [[Bitboard::EMPTY; 64]; 2];
    let mut index = 0;
    while index < 64 {
        let file = Bitboard::from_file(Square::new(index).file()).0;
        ahead[Color::White as usize][index as usize] = Bitboard(file & (!1 << index));
        ahead[Color::Black as usize][index as usize] = Bitboard(file & !(!0 << index));
        index += 1;
    }
    ahead
};

/// The files c to f.
pub(super) const MIDDLE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);

/// The squares of a square's file.
#[inline(always)]
pub(super) const fn file_of(square: Square) -> Bitboard {
    Bitboard::from_file(square.file())
}

/// Distances in king's steps.
const STEPS: [[u8; 64]; 64] = {
    let mut steps = [[0; 64]; 64];
    let mut pair = 0;
    while pair < 64 * 64 {
        let (one, other) = (pair / 64, pair % 64);
        steps[one][other] = Square::new(one as u32).distance(Square::new(other as u32)) as u8;
        pair += 1;
    }
    steps
};

/// The distance of two squares in king's steps.
#[inline(always)]
pub(crate) const fn steps(one: Square, other: Square) -> usize {
    STEPS[one as usize][other as usize] as usize
}

/// The three files around a king; at the edge of the board those around the next inner file.
#[inline(always)]
pub(super) const fn files_around(king: Square) -> Bitboard {
    FILES_AROUND[king.file() as usize]
}

/// [`files_around`] a king, by its file.
static FILES_AROUND: [Bitboard; 8] = {
    let mut around = [Bitboard::EMPTY; 8];
    let mut file = 0;
    while file < 8 {
        let middle = Bitboard::from_file(middle_file(Square::new(file)));
        around[file as usize] = Bitboard(middle.0 | west(middle).0 | east(middle).0);
        file += 1;
    }
    around
};

/// The middle one of [`files_around`].
#[inline(always)]
pub(super) const fn middle_file(king: Square) -> File {
    match king.file() {
        File::A => File::B,
        File::H => File::G,
        file => file,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::attacks;

    #[test]
    fn pawn_attacks_are_those_of_single_pawns() {
        fn check<C: Side>() {
            let squares: Vec<Square> = Bitboard::FULL.into_iter().collect();
            for pair in squares.windows(2) {
                let pawns: Bitboard = pair.iter().copied().collect();
                let [one, other] = [pair[0], pair[1]].map(|s| attacks::pawn_attacks(C::COLOR, s));
                assert_eq!(C::pawn_attacks(pawns), one | other);
                assert_eq!(C::pawn_attacks_twice(pawns), one & other);
            }
        }
        check::<White>();
        check::<Black>();
    }

    #[test]
    fn both_sides_mirror_each_other() {
        for square in Bitboard::FULL {
            let bit = Bitboard::from_square(square);
            assert_eq!(
                White::ahead(bit).flip_vertical(),
                Black::ahead(bit.flip_vertical())
            );
            assert_eq!(White::rank(square), Black::rank(square.flip_vertical()));
            assert!(White::ranks(White::rank(square) as u32, 7).contains(square));
            assert!(Black::ranks(0, Black::rank(square) as u32).contains(square));
            assert_eq!(White::ahead_of(square), White::ahead(bit));
            assert_eq!(Black::ahead_of(square), Black::ahead(bit));
            assert!(files_around(square).contains(square));
            assert_eq!(files_around(square).count(), 24);
        }
    }
}
