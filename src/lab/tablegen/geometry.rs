//! Symmetries of the board, and the numbering of king pairs: 462 without pawns, where the board has eight symmetries, and
//! 3612 with pawns.

use std::sync::LazyLock;

use crate::chess::{Color, Square, attacks};

/// Symmetry bit: mirrors files.
pub const FLIP_FILES: u8 = 1;
/// Symmetry bit: mirrors ranks.
pub const FLIP_RANKS: u8 = 2;
/// Symmetry bit: reflects in the a1-h8 diagonal, after the flips.
pub const REFLECT: u8 = 4;

/// Not a king pair: the kings are adjacent.
pub const NONE: u16 = u16::MAX;

/// `[symmetry][square]`: the image of a square.
pub static IMAGES: [[u8; 64]; 8] = make_images();

const fn make_images() -> [[u8; 64]; 8] {
    let mut images = [[0; 64]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut square = 0;
        while square < 64 {
            let mut image = square as u8;
            if symmetry & FLIP_FILES as usize != 0 {
                image ^= 7;
            }
            if symmetry & FLIP_RANKS as usize != 0 {
                image ^= 0b11_1000;
            }
            if symmetry & REFLECT as usize != 0 {
                image = image >> 3 | (image & 7) << 3;
            }
            images[symmetry][square] = image;
            square += 1;
        }
        symmetry += 1;
    }
    images
}

/// Distance above the a1-h8 diagonal, negative below it.
pub fn above_diagonal(square: u8) -> i8 {
    (square >> 3) as i8 - (square & 7) as i8
}

/// A king move to another pair.
#[derive(Clone, Copy)]
pub struct KingMove {
    /// Target square, before `symmetry` is applied.
    pub to: u8,
    /// The symmetry that normalizes the new pair.
    pub symmetry: u8,
    pub pair: u16,
}

/// The king pairs of tables with or without pawns.
pub struct Kings {
    /// `[pair]`: white king, black king.
    pub squares: Vec<[u8; 2]>,
    /// `[white king * 64 + black king]`: the pair and the symmetry that normalizes it.
    numbers: Vec<(u16, u8)>,
    /// `[pair]`: whether both kings are on the diagonal, in a table without pawns.
    pub is_diagonal: Vec<bool>,
    /// `[colour][pair]`: the moves of that king on an otherwise empty board.
    moves: [Vec<Vec<KingMove>>; 2],
}

/// King pairs without pawns, up to symmetry.
pub static FOLDED: LazyLock<Kings> = LazyLock::new(|| Kings::new(true));
/// King pairs with pawns.
pub static ALL: LazyLock<Kings> = LazyLock::new(|| Kings::new(false));

impl Kings {
    fn new(is_folded: bool) -> Self {
        let is_adjacent = |a: u8, b: u8| {
            a == b
                || attacks::king_attacks(Square::new(u32::from(a)))
                    .contains(Square::new(u32::from(b)))
        };
        let mut kings = Self {
            squares: Vec::new(),
            numbers: vec![(NONE, 0); 64 * 64],
            is_diagonal: Vec::new(),
            moves: [Vec::new(), Vec::new()],
        };
        for white in 0..64 {
            for black in (0..64).filter(|&black| !is_adjacent(white, black)) {
                let is_normal = !is_folded || Self::symmetry(white, black) == 0;
                if is_normal {
                    kings.numbers[usize::from(white) * 64 + usize::from(black)].0 =
                        kings.squares.len() as u16;
                    kings.squares.push([white, black]);
                    let is_diagonal = [white, black].iter().all(|&king| above_diagonal(king) == 0);
                    kings.is_diagonal.push(is_folded && is_diagonal);
                }
            }
        }
        if is_folded {
            for white in 0..64 {
                for black in (0..64).filter(|&black| !is_adjacent(white, black)) {
                    let symmetry = Self::symmetry(white, black);
                    let [a, b] = [white, black]
                        .map(|king| usize::from(IMAGES[usize::from(symmetry)][usize::from(king)]));
                    let pair = kings.numbers[a * 64 + b].0;
                    kings.numbers[usize::from(white) * 64 + usize::from(black)] = (pair, symmetry);
                }
            }
        }
        for color in Color::ALL {
            let side = usize::from(color == Color::Black);
            let moves = kings.squares.iter().map(|&pair| {
                let from = Square::new(u32::from(pair[side]));
                let moves = attacks::king_attacks(from).into_iter().filter_map(|to| {
                    let mut after = pair;
                    after[side] = u32::from(to) as u8;
                    let (number, symmetry) = kings.find(after[0], after[1]);
                    (number != NONE).then_some(KingMove {
                        to: u32::from(to) as u8,
                        symmetry,
                        pair: number,
                    })
                });
                moves.collect()
            });
            kings.moves[side] = moves.collect();
        }
        kings
    }

    /// The symmetry that normalizes a pair: the white king into the triangle a1-d1-d4 and, if it is on the diagonal, the black
    /// king not above it.
    fn symmetry(white: u8, black: u8) -> u8 {
        let mut symmetry = 0;
        if white & 7 > 3 {
            symmetry |= FLIP_FILES;
        }
        if white >> 3 > 3 {
            symmetry |= FLIP_RANKS;
        }
        let image = |king: u8| above_diagonal(IMAGES[usize::from(symmetry)][usize::from(king)]);
        if image(white) > 0 || image(white) == 0 && image(black) > 0 {
            symmetry |= REFLECT;
        }
        symmetry
    }

    /// The pair, or [`NONE`], and the symmetry to apply to all other pieces.
    #[inline]
    pub fn find(&self, white: u8, black: u8) -> (u16, u8) {
        self.numbers[usize::from(white) * 64 + usize::from(black)]
    }

    /// The moves of the king of `side` (0 white).
    #[inline]
    pub fn moves(&self, side: usize, pair: usize) -> &[KingMove] {
        &self.moves[side][pair]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_462_and_3612_king_pairs() {
        assert_eq!(FOLDED.squares.len(), 462);
        assert_eq!(FOLDED.is_diagonal.iter().filter(|is| **is).count(), 21);
        assert_eq!(ALL.squares.len(), 3612);
    }
}
