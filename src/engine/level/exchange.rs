//! What captures gain by static exchange evaluation, in pawns.

use crate::chess::{Move, Position, Square};

/// The gains that exchanges can have, in centipawns, in ascending order.
const STEPS: [i32; 15] = [
    -900, -600, -500, -400, -300, -200, -100, 0, 100, 200, 300, 400, 500, 600, 900,
];

/// What the exchange that a legal move starts gains, in pawns; from -9 to 9.
pub(super) fn gain(position: &Position, mv: Move) -> f32 {
    let reached = STEPS.partition_point(|&step| position.see_ge(mv, step));
    STEPS[reached.saturating_sub(1)] as f32 / 100.0
}

/// The captures of the side to move that win something, in pawns.
#[derive(Clone, Debug, Default)]
pub(super) struct WinningCaptures {
    /// The captured square, the capturing square and the gain.
    captures: Vec<(Square, Square, f32)>,
}

impl WinningCaptures {
    /// The winning captures of a position, by SEE.
    pub(super) fn of(position: &Position) -> Self {
        let moves = position.legal_moves();
        let captures = moves.iter().filter(|mv| mv.is_capture());
        let winning = captures.filter(|mv| position.see_ge(**mv, 1));
        let found = winning.map(|&mv| (mv.to(), mv.from(), gain(position, mv)));
        Self {
            captures: found.collect(),
        }
    }

    /// The greatest gain among the captures that a filter on captured and capturing square keeps.
    pub(super) fn most(&self, keep: impl Fn(Square, Square) -> bool) -> f32 {
        let kept = self
            .captures
            .iter()
            .filter(|(to, from, _)| keep(*to, *from));
        kept.map(|(_, _, gain)| *gain).fold(0.0, f32::max)
    }

    /// The number of squares on which the piece on `from` wins something.
    pub(super) fn targets_of(&self, from: Square) -> usize {
        let own = self.captures.iter().filter(|(_, by, _)| *by == from);
        own.count()
    }
}
