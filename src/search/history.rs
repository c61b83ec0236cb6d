//! What earlier cutoffs say of moves.
//! Uses: chess, sys. Used by: picker, negamax.
//! Idea: every entry moves towards a bound the less the nearer it is ("gravity"), so that it forgets and never overflows.

use crate::chess::{Color, Move, Piece, Position, Square};
use crate::sys::LargeArray;
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
/// The bound of the continuation history.
const CONTINUATION_MAX: i32 = 16_384;

/// How many moves back continuations look: the reply to the move before, and the mover's own last move.
pub const CONTINUATIONS: [usize; 2] = [1, 2];

/// A move by its man and target: `64 * piece + square`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    /// How many there are, the absent one counted.
    pub const COUNT: usize = Piece::COUNT * 64 + 1;

    /// A man that goes to a square.
    #[inline]
    pub fn new(piece: Piece, to: Square) -> Self {
        Self((piece.index() * 64 + to as usize) as u16)
    }

    /// Its place in a table of [`Self::COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The mover's man and the target of a move of this position.
    #[inline]
    pub fn of(position: &Position, mv: Move) -> Self {
        position
            .piece_on(mv.from())
            .map_or(Self::default(), |piece| Self::new(piece, mv.to()))
    }
}

impl Default for PieceTo {
    /// No move: before the root, or a null move.
    fn default() -> Self {
        Self((Self::COUNT - 1) as u16)
    }
}

/// What the histories ask of the way to a node.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// The side to move.
    pub color: Color,
    /// The moves [`CONTINUATIONS`] plies before.
    pub before: [PieceTo; CONTINUATIONS.len()],
}

/// All that one thread has learned of moves.
pub struct Histories {
    // [side to move][from][to]
    quiet: Box<[[[Entry<QUIET_MAX>; 64]; 64]; 2]>,
    // [move before][move]
    continuation: LargeArray<[Entry<CONTINUATION_MAX>; PieceTo::COUNT]>,
}

impl Histories {
    pub fn new() -> Self {
        Self {
            quiet: Box::new([[[Entry::default(); 64]; 64]; 2]),
            continuation: LargeArray::new([Entry::default(); PieceTo::COUNT], PieceTo::COUNT),
        }
    }

    /// The score of a quiet move.
    #[inline]
    pub fn quiet(&self, context: &Context, position: &Position, mv: Move) -> i32 {
        let piece_to = PieceTo::of(position, mv);
        let own = self.quiet[context.color as usize][mv.from() as usize][mv.to() as usize].get();
        let before = context.before.iter();
        own + before
            .map(|before| self.continuation[before.index()][piece_to.index()].get())
            .sum::<i32>()
    }

    /// A quiet move refuted the node, and the quiet moves tried before it did not.
    pub fn reward_quiet(
        &mut self,
        context: &Context,
        position: &Position,
        best: Move,
        tried: &[Move],
        depth: Depth,
    ) {
        let bonus = bonus(depth);
        self.update_quiet(context, position, best, bonus);
        for &mv in tried {
            self.update_quiet(context, position, mv, -bonus);
        }
    }

    fn update_quiet(&mut self, context: &Context, position: &Position, mv: Move, bonus: i32) {
        let piece_to = PieceTo::of(position, mv);
        self.quiet[context.color as usize][mv.from() as usize][mv.to() as usize].update(bonus);
        for before in context.before {
            self.continuation[before.index()][piece_to.index()].update(bonus);
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
