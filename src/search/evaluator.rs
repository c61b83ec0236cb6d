//! The evaluation as a thread uses it: by which weights, and what it remembers.
//! Uses: eval, chess, sys, value. Used by: worker.
//! Idea: the weights that are compiled in have addresses that the compiler knows; others come by a pointer. Both ways
//! have code of their own, so that the common one costs nothing.

use std::sync::Arc;

use crate::base::sys::prefetch;
use crate::base::value::Value;
use crate::chess::{Move, Position};
use crate::eval::{self, Accumulator, AttackMaps, Model, PawnCache};

/// Weights and the cache that belongs to them.
#[derive(Default)]
pub struct Evaluator {
    /// `None`: those that are compiled in.
    model: Option<Arc<Model>>,
    cache: PawnCache,
}

impl Evaluator {
    /// Uses these weights; returns the accumulator of the position.
    pub fn begin(&mut self, model: Option<&Arc<Model>>, root: &Position) -> Accumulator {
        if self.model.as_ref().map(Arc::as_ptr) != model.map(Arc::as_ptr) {
            self.model = model.cloned();
            self.cache.clear();
        }
        self.model
            .as_ref()
            .map_or_else(|| Accumulator::of(root), |model| model.accumulator(root))
    }

    /// The static value of a position for the mover; `maps` and `accumulator` must belong to it.
    #[inline]
    pub fn value(
        &mut self,
        position: &Position,
        maps: &AttackMaps,
        accumulator: &Accumulator,
    ) -> Value {
        match &self.model {
            None => eval::evaluate_cached(position, maps, accumulator, &mut self.cache),
            Some(model) => value_by(model, position, maps, accumulator, &mut self.cache),
        }
    }

    /// Has what will be asked of a position on its way from memory.
    #[inline]
    pub fn prefetch(&self, position: &Position) {
        prefetch(self.cache.place(position));
    }

    /// Plays a move on `child`, which is a copy of the position, and updates the accumulator.
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
            Some(model) => play_by(model, position, mv, child, accumulator),
        }
    }
}

/// Evaluates by weights that are not compiled in.
#[inline(never)]
fn value_by(
    model: &Model,
    position: &Position,
    maps: &AttackMaps,
    accumulator: &Accumulator,
    cache: &mut PawnCache,
) -> Value {
    model.evaluate_cached(position, maps, accumulator, cache)
}

/// Plays a move with weights that are not built in.
#[inline(never)]
fn play_by(
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
