//! Positions of a table drawn at random, with the values that the solver found.
//! Uses: slice, space. Used by: the workshop.
//! Idea: whoever reads the files in another way must come to the same values.

use super::slice::{Known, Slice};
use crate::base::random::{GOLDEN_RATIO, mix};
use crate::chess::Color;

/// A position and what it is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The position, without castling or en passant.
    pub fen: String,
    /// For the side to move: loss −2, blessed loss −1, draw 0, cursed win 1, win 2.
    pub outcome: i8,
    /// To the next capture, pawn move or mate; 0 for a draw and for mate on the board.
    pub plies: u16,
}

/// Random numbers that are the same on every run (Steele, Lea and Flood's `SplitMix64`).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(GOLDEN_RATIO);
        (u128::from(mix(self.0)) * limit as u128 >> 64) as usize
    }
}

/// So many positions of the slices of a file, each as likely as any other.
#[must_use]
pub fn draw(slices: &[Slice], count: usize, seed: u64) -> Vec<Sample> {
    let mut random = Random(seed);
    let mut found = Vec::with_capacity(count);
    while found.len() < count {
        let slice = &slices[random.below(slices.len())];
        let (cell, side) = (random.below(slice.space.cells()), random.below(2));
        let known = slice.known(side, cell);
        let (Some(outcome), plies) = (
            known.outcome(),
            match known {
                Known::Win(plies) | Known::Loss(plies) => plies,
                _ => 0,
            },
        ) else {
            continue;
        };
        found.push(Sample {
            fen: fen(slice, cell, side),
            outcome: outcome as i8 - 2,
            plies,
        });
    }
    found
}

fn fen(slice: &Slice, cell: usize, side: usize) -> String {
    let squares = slice.space.squares(slice.pawns, cell);
    let mut board = [None; 64];
    for (man, &square) in slice.space.men.iter().zip(&squares) {
        board[usize::from(square)] = Some(match man.color {
            Color::White => man.role.upper_char(),
            Color::Black => man.role.char(),
        });
    }
    let ranks: Vec<String> = board
        .chunks(8)
        .rev()
        .map(|rank| {
            rank.chunk_by(|a, b| a.is_none() && b.is_none())
                .map(|part| part[0].map_or_else(|| part.len().to_string(), String::from))
                .collect()
        })
        .collect();
    let color = if side == 0 { 'w' } else { 'b' };
    format!("{} {color} - - 0 1", ranks.join("/"))
}
