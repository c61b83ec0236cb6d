//! The evaluation of one thread, with built-in or loaded weights, and its pawn cache.
//!
//! Built-in weights are constants; loaded ones are reached by a pointer, in code of their own, so that the common case
//! costs nothing.

use std::sync::Arc;

use crate::base::sys::prefetch;
use crate::base::value::Value;
use crate::chess::{Bitboard, Move, Position};
use crate::eval::{self, Accumulator, Model, PawnCache};

#[derive(Default)]
pub struct Evaluator {
    /// `None`: the built-in weights.
    model: Option<Arc<Model>>,
    cache: PawnCache,
}

impl Evaluator {
    /// Sets the weights of the next search; returns the accumulator of its root.
    pub fn start(&mut self, model: Option<&Arc<Model>>, root: &Position) -> Accumulator {
        if self.model.as_ref().map(Arc::as_ptr) != model.map(Arc::as_ptr) {
            self.model = model.cloned();
            self.cache.clear();
        }
        self.model
            .as_ref()
            .map_or_else(|| Accumulator::of(root), |model| model.accumulator(root))
    }

    /// The static evaluation for the side to move, and the squares that each colour attacks. `accumulator` must belong to the
    /// position.
    #[inline]
    pub fn evaluate(
        &mut self,
        position: &Position,
        accumulator: &Accumulator,
    ) -> (Value, [Bitboard; 2]) {
        match &self.model {
            None => eval::evaluate_cached(position, accumulator, &mut self.cache),
            Some(model) => evaluate_with(model, position, accumulator, &mut self.cache),
        }
    }

    /// Prefetches the position's entry of the pawn cache.
    #[inline]
    pub fn prefetch(&self, position: &Position) {
        prefetch(self.cache.place(position));
    }

    /// Plays a move on `child`, a copy of the position, and updates the accumulator.
    #[inline]
    pub fn play(
        &self,
        position: &Position,
        mv: Move,
        child: &mut Position,
        accumulator: &mut Accumulator,
    ) {
        match &self.model {
            None => position.play_into(mv, child, accumulator),
            Some(model) => play_with(model, position, mv, child, accumulator),
        }
    }
}

#[inline(never)]
fn evaluate_with(
    model: &Model,
    position: &Position,
    accumulator: &Accumulator,
    cache: &mut PawnCache,
) -> (Value, [Bitboard; 2]) {
    model.evaluate_cached(position, accumulator, cache)
}

#[inline(never)]
fn play_with(
    model: &Model,
    position: &Position,
    mv: Move,
    child: &mut Position,
    accumulator: &mut Accumulator,
) {
    let mut updater = model.updater(*accumulator);
    position.play_into(mv, child, &mut updater);
    *accumulator = updater.accumulator();
}
