//! Moves and pieces as text.

use super::words;
use crate::chess::{Color, Move, Piece, Position, Square};

/// A move with its number: `14.Rd1` or `14…Rd2`.
pub fn numbered(position: &Position, mv: Move) -> String {
    let dots = match position.turn() {
        Color::White => ".",
        Color::Black => "…",
    };
    format!("{}{dots}{}", position.fullmoves(), position.san(mv))
}

/// The first `plies` moves of a line with numbers: `14…Rd2 15.Kf1 Rxb2`.
pub fn numbered_line(position: &Position, moves: &[Move], plies: usize) -> String {
    let mut position = *position;
    let mut words = Vec::new();
    for (ply, &mv) in moves.iter().take(plies).enumerate() {
        words.push(if ply == 0 || position.turn() == Color::White {
            numbered(&position, mv)
        } else {
            position.san(mv).to_string()
        });
        position = position.play(mv);
    }
    words.join(" ")
}

/// Plies of a line in a sentence.
const SHOWN_PLIES: usize = 4;

/// A line in a sentence: all moves, or of a longer line the first ones and the last: `7.Bxh7+ Kxh7 8.Ng5+ … 14…Nxa8`.
pub fn shown_line(position: &Position, moves: &[Move]) -> String {
    // A single move is not left out.
    if moves.len() <= SHOWN_PLIES + 1 {
        return numbered_line(position, moves, moves.len());
    }
    let (&last, before) = moves.split_last().expect("a long line");
    let there = (before.iter()).fold(*position, |position, &mv| position.play(mv));
    let first = numbered_line(position, moves, SHOWN_PLIES - 1);
    format!("{first} … {}", numbered(&there, last))
}

/// The moves of a line in SAN.
pub fn sans(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = *position;
    let mut sans = Vec::with_capacity(moves.len());
    for &mv in moves {
        sans.push(position.san(mv).to_string());
        position = position.play(mv);
    }
    sans
}

/// A piece as data: `white rook`.
pub fn piece(piece: Piece) -> String {
    let color = match piece.color() {
        Color::White => "white",
        Color::Black => "black",
    };
    format!("{color} {}", words::role(piece.role()))
}

/// The pieces on squares as data.
pub fn pieces_on(position: &Position, squares: &[Square]) -> Vec<String> {
    let on = squares
        .iter()
        .filter_map(|&square| position.piece_on(square));
    on.map(piece).collect()
}

/// Pawns with two decimals, without a sign.
pub fn pawns(pawns: f64) -> String {
    format!("{:.2}", pawns.abs())
}
