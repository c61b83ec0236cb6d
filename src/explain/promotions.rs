//! Promotions to lesser pieces that can be captured at once. The piece does not matter, so the answers promote to a queen, as
//! people do, and the other promotions are no ideas of their own.

use crate::chess::{Move, MoveList, Position, Role};

/// The legal moves without promotions to a rook, a bishop or, without check, a knight that can be captured at once; all of them
/// if fewer than two are left.
pub(super) fn ideas(position: &Position) -> MoveList {
    let legal = position.legal_moves();
    let mut ideas = MoveList::new();
    for &mv in &legal {
        if !is_same_as_queen(position, mv) {
            ideas.push(mv);
        }
    }
    if ideas.len() < 2 { legal } else { ideas }
}

fn is_same_as_queen(position: &Position, mv: Move) -> bool {
    let Some(role) = mv.promotion().filter(|&role| role != Role::Queen) else {
        return false;
    };
    let after = position.play(mv);
    let replies = after.legal_moves();
    let is_captured = replies.iter().any(|reply| reply.to() == mv.to());
    is_captured && !(role == Role::Knight && after.in_check())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_promotion_that_can_be_captured_is_one_to_a_queen() {
        let promotions = |fen: &str| {
            let position = Position::from_fen(fen).expect("a position");
            let ideas = ideas(&position);
            let promotions = ideas.iter().filter(|mv| mv.is_promotion());
            let mut names: Vec<String> =
                promotions.map(|&mv| position.san(mv).to_string()).collect();
            names.sort();
            names
        };
        assert_eq!(
            promotions("3rr1k1/2P2ppp/8/8/8/8/5PPP/2R3K1 w - - 0 1"),
            ["c8=Q", "cxd8=Q"]
        );
        // A knight that gives check is an idea of its own, and so is what nothing captures.
        assert_eq!(
            promotions("2r5/k2P4/8/8/8/8/8/1K6 w - - 0 1"),
            ["d8=Q", "dxc8=B", "dxc8=N+", "dxc8=Q", "dxc8=R"]
        );
        // There is nothing else to compare.
        assert_eq!(promotions("8/4Pk2/8/8/8/5n2/r7/7K w - - 0 1").len(), 4);
    }
}
