//! Sacrifices: material that a side gives up although it need not.

use crate::chess::{Color, Move, Position, exchange_value};
use crate::eval::material_of;

/// A sacrifice is this many pawns, for this many plies.
const PAWNS: i32 = 2;
const PLIES: usize = 4;

/// Whether the side that plays the first move of a line gives up material for four plies, and some other move would lose less.
pub fn is_sacrifice(position: &Position, line: &[Move]) -> bool {
    given(position, line).is_some_and(|pawns| !is_lost_anyway(position, pawns))
}

/// The pawns that the mover is behind, compared with before, for four plies in a row after the first reply; `None` for fewer
/// than two.
fn given(position: &Position, line: &[Move]) -> Option<i32> {
    let side = position.turn();
    let start = balance(position, side);
    let mut now = *position;
    let mut least = i32::MAX;
    for (ply, &mv) in line.iter().enumerate().take(PLIES + 1) {
        now = now.play(mv);
        if ply > 0 {
            least = least.min(start - balance(&now, side));
        }
    }
    // A mate may come sooner.
    let is_mate = now.in_check() && !now.has_legal_move() && now.turn() != side;
    let is_long = line.len() > PLIES || line.len() > 1 && is_mate;
    (is_long && least >= PAWNS).then_some(least)
}

/// The reply that takes most of what a move leaves: by exchanges on its square it wins two pawns at least, and what the move
/// has taken.
pub fn accepting_capture(position: &Position, mv: Move) -> Option<Move> {
    let (taken, after) = (worth_of_capture(position, mv), position.play(mv));
    let replies = after.legal_moves();
    let wins = |&&reply: &&Move| reply.is_capture() && after.see_ge(reply, taken + 100 * PAWNS);
    let captures = replies.iter().filter(wins).copied();
    captures.max_by_key(|&reply| worth_of_capture(&after, reply))
}

/// Whether every move loses so many pawns by exchanges on one square: what no move saves is not sacrificed.
fn is_lost_anyway(position: &Position, pawns: i32) -> bool {
    position.legal_moves().iter().all(|&mv| {
        let (won, after) = (worth_of_capture(position, mv), position.play(mv));
        let replies = after.legal_moves();
        let mut captures = replies.iter().filter(|reply| reply.is_capture());
        captures.any(|&reply| after.see_ge(reply, won + 100 * pawns))
    })
}

/// What a move takes, in centipawns.
fn worth_of_capture(position: &Position, mv: Move) -> i32 {
    let taken = position.piece_on(mv.to()).filter(|_| mv.is_capture());
    taken.map_or(0, |piece| exchange_value(piece.role()))
}

/// The material of a side less the other's, in pawns.
fn balance(position: &Position, side: Color) -> i32 {
    material_of(position, side) - material_of(position, !side)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The knight attacks king and rook: nothing is given up by a move of the king.
    #[test]
    fn what_no_move_saves_is_not_sacrificed() {
        let lost = |fen: &str, pawns: i32| {
            let position = Position::from_fen(fen).expect("a position");
            is_lost_anyway(&position, pawns)
        };
        let is_lost = |fen: &str| lost(fen, 5);
        let fork = "4k3/8/8/8/8/8/2n5/R3K3 w - - 0 1";
        assert!(is_lost(fork) && !lost(fork, 9));
        // The rook may move, or takes the knight.
        assert!(!is_lost("4k3/8/8/8/8/8/2n5/R5K1 w - - 0 1"));
        assert!(!is_lost("4k3/8/8/8/8/8/2n5/R1R1K3 w - - 0 1"));
    }

    #[test]
    fn what_exchanges_lose_is_offered() {
        let offered = |fen: &str, mv: &str| {
            let position = Position::from_fen(fen).expect("a position");
            let mv = position.find_move(mv).expect("a move");
            let found = accepting_capture(&position, mv);
            found.map(|reply| reply.uci(true).to_string())
        };
        // Byrne against Fischer, 1956: the queen is left to the bishop.
        let byrne = "r3r1k1/pp3pbp/1qp3p1/2B5/2BP2b1/Q1n2N2/P4PPP/3R1K1R b - - 3 17";
        assert_eq!(offered(byrne, "g4e6").as_deref(), Some("c5b6"));
        assert_eq!(offered(byrne, "b6b5").as_deref(), Some("c4b5"));
        // An exchange of queens is none.
        let exchange = "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1";
        assert_eq!(offered(exchange, "d1d8"), None);
    }
}
