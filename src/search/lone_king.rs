//! The value of a won ending against a lone king.
//!
//! The weights of the evaluation are fitted to results, and every such ending is won, so they cannot tell which one is nearer
//! to mate: they would keep two pawns on the seventh rank rather than promote one. Here the pieces have fixed values, and the
//! lone king loses more the nearer it is to the edge and to the other king (as in Stockfish's `KXK` and `KBNK` before NNUE).

use crate::base::value::Value;
use crate::chess::{Bitboard, Color, Position, Role, Square, exchange_value};

/// The value of a won ending, besides the pieces and the squares of the kings, in centipawns.
const WON: Value = 2000;
/// The same with a minor piece and a pawn, before promotion.
const WON_BY_PAWN: Value = 1000;
/// A pawn is worth more for each rank, in centipawns.
const PAWN_RANK: Value = 10;
/// The lone king loses this for each step away from the centre, in centipawns.
const EDGE: Value = 20;
/// The lone king loses this for each step that the kings are closer together, in centipawns.
const KINGS: Value = 10;
/// With a rook pawn, the bishop may be of the wrong colour and the knight too far away.
const ROOK_FILES: Bitboard = Bitboard(0x8181_8181_8181_8181);
/// The greatest distance of two kings, and the most steps to the nearer of two opposite corners.
const MAX_STEPS: Value = 7;

/// The value for the side to move if one side has only its king and the other one wins: by a queen, a rook, bishops on squares
/// of both colours, a bishop and a knight, or a minor piece and a pawn that is not a rook pawn.
#[inline]
pub fn lone_king_value(position: &Position) -> Option<Value> {
    let lone = Color::ALL
        .into_iter()
        .find(|&side| !position.by_color(side).more_than_one())?;
    let value = value(position, lone)?;
    Some(if position.turn() == lone {
        -value
    } else {
        value
    })
}

fn value(position: &Position, lone: Color) -> Option<Value> {
    let winner = !lone;
    let pieces = |role| position.pieces(winner, role);
    let (king, lone_king) = (position.king(winner), position.king(lone));
    let bishops = pieces(Role::Bishop);
    let light = bishops & Bitboard::LIGHT_SQUARES;
    let has_major = (pieces(Role::Queen) | pieces(Role::Rook)).any();
    let has_pair = light.any() && light != bishops;
    let knights = pieces(Role::Knight);
    let (won, away) = if has_major || has_pair {
        (WON, steps_from_centre(lone_king))
    } else if bishops.any() && knights.any() {
        // Only the corners that the bishop controls are of use.
        (WON, MAX_STEPS - steps_to_corner(lone_king, light.any()))
    } else if (bishops | knights).any() && (pieces(Role::Pawn) & !ROOK_FILES).any() {
        (WON_BY_PAWN, 0)
    } else {
        return None;
    };
    let material: Value = Role::ALL
        .into_iter()
        .map(|role| exchange_value(role) * pieces(role).count() as Value)
        .sum();
    let ranks: Value = pieces(Role::Pawn)
        .into_iter()
        .map(|pawn| winner.relative_rank(pawn.rank()) as Value)
        .sum();
    let near = MAX_STEPS - king.distance(lone_king) as Value;
    Some(won + material + PAWN_RANK * ranks + EDGE * away + KINGS * near)
}

/// The steps along files and ranks from the nearest of the four squares in the centre, 0 to 6.
fn steps_from_centre(square: Square) -> Value {
    let steps = |coordinate: Value| (3 - coordinate).max(coordinate - 4);
    steps(square.file() as Value) + steps(square.rank() as Value)
}

/// The steps along files and ranks to the nearest corner of a colour, 0 to 7.
fn steps_to_corner(square: Square, is_light: bool) -> Value {
    let corners = if is_light {
        [Square::A8, Square::H1]
    } else {
        [Square::A1, Square::H8]
    };
    let steps = |corner: Square| {
        (corner.file().distance(square.file()) + corner.rank().distance(square.rank())) as Value
    };
    corners.map(steps).into_iter().min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Game;
    use crate::search::limits::Limits;
    use crate::search::local::LocalSearcher;

    fn value_of(fen: &str) -> Option<Value> {
        lone_king_value(&Position::from_fen(fen).expect("a position"))
    }

    /// Its distance from the evaluation is no correction, which would reduce late moves less: then this takes 108,279 nodes.
    #[test]
    fn the_value_does_not_count_as_a_correction() {
        let position = Position::from_fen("8/8/8/4k3/8/8/PPP5/KQ6 w - - 0 1").expect("a position");
        let mut searcher = LocalSearcher::new(16).expect("memory");
        searcher.search_lines(&Game::new(position), Limits::depth(9), 1);
        assert!(searcher.nodes() < 50_000, "{}", searcher.nodes());
    }

    #[test]
    fn only_pieces_that_force_mate_win() {
        for board in ["QK6", "RK6", "KBB5", "KBN5"] {
            let fen = |board: &str, turn| format!("6k1/8/8/8/8/P7/8/{board} {turn} - - 0 1");
            let won = value_of(&fen(board, "w"));
            assert!(won.is_some_and(|value| value > WON), "{board}");
            assert_eq!(won.map(|value| -value), value_of(&fen(board, "b")));
            let black = Position::from_fen(&fen(board, "w")).map(|position| position.flip());
            assert_eq!(won, lone_king_value(&black.expect("a position")));
        }
        for board in ["K7", "KB6", "KN6", "KNN5", "KB1B4"] {
            assert_eq!(
                value_of(&format!("6k1/8/8/8/8/P7/8/{board} w - - 0 1")),
                None,
                "{board}"
            );
        }
        let value = value_of("6k1/8/8/8/8/1P6/8/KB6 w - - 0 1");
        assert!(value.is_some_and(|value| WON_BY_PAWN < value && value < WON));
        assert_eq!(value_of("6k1/7p/8/8/8/8/8/QK6 w - - 0 1"), None);
    }

    #[test]
    fn progress_is_worth_something() {
        let pairs = [
            // A promotion, a pawn's move, the king's way to the edge and to the other king.
            ("7Q/6P1/8/R6K/8/4k3/8/8", "8/6PP/8/R6K/8/4k3/8/8"),
            ("8/8/6P1/R6K/8/4k3/8/8", "8/8/8/R5PK/8/4k3/8/8"),
            ("8/8/8/8/R6K/8/4k3/8", "8/8/8/8/R6K/4k3/8/8"),
            ("8/8/8/8/R5K1/4k3/8/8", "8/8/8/8/R6K/4k3/8/8"),
            // A bishop on light squares needs the corners a8 and h1.
            ("k7/8/1K6/8/8/8/4BN2/8", "8/8/1K6/8/8/8/4BN2/k7"),
        ];
        for (better, worse) in pairs {
            let value = |board: &str| value_of(&format!("{board} w - - 0 1")).expect("a win");
            assert!(value(better) > value(worse), "{better} {worse}");
        }
    }
}
