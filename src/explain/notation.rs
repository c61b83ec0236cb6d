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

/// A line in a sentence: all moves, or of a longer line the first ones and the last: `7.Bxh7+ Kxh7 8.Ng5+ … 14…Nxa8`. A
/// recapture is shown with the capture before it.
pub fn shown_line(position: &Position, moves: &[Move]) -> String {
    let is_recapture = matches!(moves, [.., one, last]
        if one.is_capture() && last.is_capture() && one.to() == last.to());
    let ending = 1 + usize::from(is_recapture);
    // A single move is not left out.
    if moves.len() <= SHOWN_PLIES + ending {
        return numbered_line(position, moves, moves.len());
    }
    let (before, ending) = moves.split_at(moves.len() - ending);
    let there = (before.iter()).fold(*position, |position, &mv| position.play(mv));
    let first = numbered_line(position, moves, SHOWN_PLIES - 1);
    let last = numbered_line(&there, ending, ending.len());
    format!("{first} … {last}")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_ends_with_the_capture_that_is_taken_back() {
        let mut position = Position::startpos();
        let mut moves = Vec::new();
        for san in "e4 d5 Nc3 c6 Nf3 a6 exd5 cxd5".split(' ') {
            let mv = position.find_move(san).expect("a move");
            moves.push(mv);
            position = position.play(mv);
        }
        let start = Position::startpos();
        assert_eq!(shown_line(&start, &moves), "1.e4 d5 2.Nc3 … 4.exd5 cxd5");
        let short = &moves[..7];
        assert_eq!(shown_line(&start, short), "1.e4 d5 2.Nc3 … 4.exd5");
        assert_eq!(shown_line(&start, &moves[..5]), "1.e4 d5 2.Nc3 c6 3.Nf3");
    }
}
