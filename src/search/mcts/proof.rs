//! Proven results in the tree (MCTS-solver, Winands 2008).

use crate::base::value::{DRAW, Value, is_loss, is_win};

/// A proven result of a node for its side to move, as a score at distance zero: a mate or tablebase win counts the plies from
/// this node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Proof(Value);

impl Proof {
    pub const DRAW: Self = Self(DRAW);

    pub const fn new(score: Value) -> Self {
        Self(score)
    }

    /// The score from the node.
    pub const fn score(self) -> Value {
        self.0
    }

    pub const fn is_win(self) -> bool {
        is_win(self.0)
    }

    pub const fn is_loss(self) -> bool {
        is_loss(self.0)
    }

    /// The same result as seen before the move that led to it.
    #[must_use]
    pub const fn before_move(self) -> Self {
        Self(match -self.0 {
            win if is_win(win) => win - 1,
            loss if is_loss(loss) => loss + 1,
            draw => draw,
        })
    }

    /// As stored; 0 is none.
    pub const fn bits(self) -> u16 {
        (self.0 as i16 ^ i16::MIN) as u16
    }

    pub const fn from_bits(bits: u16) -> Option<Self> {
        if bits == 0 {
            return None;
        }
        Some(Self((bits as i16 ^ i16::MIN) as Value))
    }
}

/// The result that the children of a node prove: a win if one of them is lost, otherwise the best of them if all are
/// proven.
pub fn combine(children: impl IntoIterator<Item = Option<Proof>>) -> Option<Proof> {
    let (mut best, mut all) = (None, true);
    for child in children {
        match child {
            Some(proof) => best = best.max(Some(proof.before_move())),
            None => all = false,
        }
    }
    best.filter(|best| all || best.is_win())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::value::{TABLEBASE_WIN, mate_in, mated_in};

    #[test]
    fn proofs_are_stored_exactly() {
        for score in [mate_in(1), mated_in(0), 0, TABLEBASE_WIN, -TABLEBASE_WIN] {
            let proof = Proof::new(score);
            assert_eq!(Proof::from_bits(proof.bits()), Some(proof));
        }
        assert_eq!(Proof::from_bits(0), None);
    }

    #[test]
    fn one_lost_child_proves_a_win() {
        let children = [
            None,
            Some(Proof::new(mated_in(4))),
            Some(Proof::new(mated_in(2))),
        ];
        assert_eq!(combine(children), Some(Proof::new(mate_in(3))));
    }

    #[test]
    fn a_loss_needs_all_children_and_takes_the_longest() {
        let lost = [Some(Proof::new(mate_in(1))), Some(Proof::new(mate_in(5)))];
        assert_eq!(combine(lost), Some(Proof::new(mated_in(6))));
        assert_eq!(combine([lost[0], None]), None);
        assert_eq!(combine([lost[0], Some(Proof::DRAW)]), Some(Proof::DRAW));
        assert_eq!(combine([Some(Proof::DRAW), None]), None);
        assert_eq!(combine([]), None);
    }
}
