//! Random positions of a solved table, to compare the values with those of other Syzygy readers.

use super::pawn_slice::{PawnSlice, Status};
use crate::base::random::Random;

/// A position and its solved value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolvedPosition {
    /// Without castling rights or en passant square.
    pub fen: String,
    /// For the side to move: −2 loss, −1 blessed loss, 0 draw, 1 cursed win, 2 win.
    pub wdl: i8,
    /// Plies to the next capture, pawn move or mate; 0 for a draw and if checkmated.
    pub dtz: u16,
}

/// Draws positions of the slices of a file with equal probability.
pub fn draw(slices: &[PawnSlice], count: usize, seed: u64) -> Vec<SolvedPosition> {
    let mut random = Random::new(seed, 0);
    let mut found = Vec::with_capacity(count);
    while found.len() < count {
        let slice = &slices[random.below(slices.len())];
        let (cell, side) = (random.below(slice.index.cells()), random.below(2));
        let status = slice.status(side, cell);
        let (Some(outcome), dtz) = (
            status.outcome(),
            match status {
                Status::Win(plies) | Status::Loss(plies) => plies,
                _ => 0,
            },
        ) else {
            continue;
        };
        found.push(SolvedPosition {
            fen: fen(slice, cell, side),
            wdl: outcome as i8 - 2,
            dtz,
        });
    }
    found
}

fn fen(slice: &PawnSlice, cell: usize, side: usize) -> String {
    let squares = slice.index.squares(slice.pawns, cell);
    let mut board = [None; 64];
    for (piece, &square) in slice.index.pieces.iter().zip(&squares) {
        board[usize::from(square)] = Some(piece.to_char());
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
