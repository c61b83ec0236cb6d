//! What earlier cutoffs say of moves.
//! Uses: chess. Used by: picker, negamax.
//! Idea: every entry moves towards a bound the less the nearer it is ("gravity"), so that it forgets and never overflows.

use crate::chess::{Color, Move};
use crate::value::Depth;

use super::params;

/// A history score between `-MAX` and `MAX`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry<const MAX: i32>(i16);

impl<const MAX: i32> Entry<MAX> {
    /// Moves the score by `bonus`, less the nearer it is to its bound.
    #[inline]
    pub fn update(&mut self, bonus: i32) {
        const { assert!(MAX > 0 && MAX <= i16::MAX as i32) };
        let bonus = bonus.clamp(-MAX, MAX);
        let score = i32::from(self.0);
        self.0 = (score + bonus - score * bonus.abs() / MAX) as i16;
    }

    /// The score.
    #[inline]
    pub fn get(self) -> i32 {
        i32::from(self.0)
    }
}

/// The bound of the quiet history.
const QUIET_MAX: i32 = 16_384;

/// All that one thread has learned of moves.
pub struct Histories {
    // [side to move][from][to]
    quiet: Box<[[[Entry<QUIET_MAX>; 64]; 64]; 2]>,
}

impl Histories {
    pub fn new() -> Self {
        Self {
            quiet: Box::new([[[Entry::default(); 64]; 64]; 2]),
        }
    }

    /// The score of a quiet move.
    #[inline]
    pub fn quiet(&self, color: Color, mv: Move) -> i32 {
        self.quiet[color as usize][mv.from() as usize][mv.to() as usize].get()
    }

    /// A quiet move refuted the node, and the quiet moves tried before it did not.
    pub fn reward_quiet(&mut self, color: Color, best: Move, tried: &[Move], depth: Depth) {
        let bonus = bonus(depth);
        let table = &mut self.quiet[color as usize];
        let mut update =
            |mv: Move, bonus| table[mv.from() as usize][mv.to() as usize].update(bonus);
        update(best, bonus);
        for &mv in tried {
            update(mv, -bonus);
        }
    }
}

/// How much a cutoff at this depth says.
fn bonus(depth: Depth) -> i32 {
    (params::history_bonus() * depth).min(params::history_bonus_max())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_stays_within_its_bound_and_forgets() {
        let mut entry = Entry::<1000>::default();
        for _ in 0..1000 {
            entry.update(400);
            assert!(entry.get() <= 1000);
        }
        let high = entry.get();
        assert!(high > 900);
        entry.update(-400);
        assert!(
            entry.get() < high - 400,
            "a surprise moves it further than a confirmation"
        );
        entry.update(-1_000_000);
        assert!(entry.get() >= -1000);
    }

    #[test]
    fn deeper_cutoffs_say_more() {
        assert!((1..20).all(|depth| bonus(depth) <= bonus(depth + 1)));
    }
}
