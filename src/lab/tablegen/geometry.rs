//! Symmetries of the board and the numbering of pairs of kings.
//! Uses: chess. Used by: space, slice, layout.
//! Idea: without pawns a board has eight views, and 462 pairs of kings stand for all; with pawns all 3612 are kept.

use std::sync::LazyLock;

use crate::chess::{Color, Square, attacks};

/// Exchanges a and h: the bit of a symmetry.
pub const FLIP_FILES: u8 = 1;
/// Exchanges the first and the eighth rank.
pub const FLIP_RANKS: u8 = 2;
/// Exchanges files and ranks, after the flips.
pub const REFLECT: u8 = 4;

/// No pair of kings.
pub const NONE: u16 = u16::MAX;

/// `[symmetry][square]`: where a square goes.
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

/// How far a square lies above the a1-h8 diagonal (negative: below it).
#[must_use]
pub fn above_diagonal(square: u8) -> i8 {
    (square >> 3) as i8 - (square & 7) as i8
}

/// A king's step to another pair.
#[derive(Clone, Copy)]
pub struct Step {
    /// The square stepped to, in the view of the pair before the step.
    pub to: u8,
    /// What brings the board into the view of the new pair.
    pub symmetry: u8,
    /// The new pair.
    pub pair: u16,
}

/// All pairs of kings that do not touch.
pub struct Kings {
    /// `[pair]`: white's king, black's king.
    pub squares: Vec<[u8; 2]>,
    /// `[white king * 64 + black king]`: the pair and the symmetry that leads to its view.
    numbers: Vec<(u16, u8)>,
    /// `[pair]`: whether reflecting the board leaves both kings where they are.
    pub is_diagonal: Vec<bool>,
    /// `[colour][pair]`: where that king may step, kings alone considered.
    steps: [Vec<Vec<Step>>; 2],
}

/// The pairs for boards without pawns: one of each class of eight views.
pub static FOLDED: LazyLock<Kings> = LazyLock::new(|| Kings::new(true));
/// The pairs for boards with pawns.
pub static ALL: LazyLock<Kings> = LazyLock::new(|| Kings::new(false));

impl Kings {
    fn new(is_folded: bool) -> Self {
        let touches = |a: u8, b: u8| {
            a == b
                || attacks::king_attacks(Square::new(u32::from(a)))
                    .contains(Square::new(u32::from(b)))
        };
        let mut kings = Self {
            squares: Vec::new(),
            numbers: vec![(NONE, 0); 64 * 64],
            is_diagonal: Vec::new(),
            steps: [Vec::new(), Vec::new()],
        };
        for white in 0..64 {
            for black in (0..64).filter(|&black| !touches(white, black)) {
                let is_normal = !is_folded || Self::view(white, black) == 0;
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
                for black in (0..64).filter(|&black| !touches(white, black)) {
                    let symmetry = Self::view(white, black);
                    let [a, b] = [white, black]
                        .map(|king| usize::from(IMAGES[usize::from(symmetry)][usize::from(king)]));
                    let pair = kings.numbers[a * 64 + b].0;
                    kings.numbers[usize::from(white) * 64 + usize::from(black)] = (pair, symmetry);
                }
            }
        }
        for color in Color::ALL {
            let side = usize::from(color == Color::Black);
            let steps = kings.squares.iter().map(|&pair| {
                let from = Square::new(u32::from(pair[side]));
                let steps = attacks::king_attacks(from).into_iter().filter_map(|to| {
                    let mut after = pair;
                    after[side] = u32::from(to) as u8;
                    let (number, symmetry) = kings.find(after[0], after[1]);
                    (number != NONE).then_some(Step {
                        to: u32::from(to) as u8,
                        symmetry,
                        pair: number,
                    })
                });
                steps.collect()
            });
            kings.steps[side] = steps.collect();
        }
        kings
    }

    /// The symmetry that brings these kings into the folded view: white's into the triangle a1-d1-d4 and, if it stands
    /// on the diagonal then, black's not above it.
    fn view(white: u8, black: u8) -> u8 {
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

    /// The pair (`NONE` for kings that touch) and the symmetry to apply to all other men.
    #[inline]
    #[must_use]
    pub fn find(&self, white: u8, black: u8) -> (u16, u8) {
        self.numbers[usize::from(white) * 64 + usize::from(black)]
    }

    /// Where the king of `side` (0 white) may step.
    #[inline]
    #[must_use]
    pub fn steps(&self, side: usize, pair: usize) -> &[Step] {
        &self.steps[side][pair]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_right() {
        assert_eq!(FOLDED.squares.len(), 462);
        assert_eq!(FOLDED.is_diagonal.iter().filter(|is| **is).count(), 21);
        assert_eq!(ALL.squares.len(), 3612);
    }
}
