//! The evaluation as a thread uses it: by which weights, and what it remembers.
//! Uses: eval, chess, sys, value. Used by: worker.
//! Idea: the weights that are compiled in have addresses that the compiler knows; others come by a pointer. Both ways
//! have code of their own, so that the common one costs nothing.

use std::sync::Arc;

use crate::base::sys::prefetch;
use crate::base::value::Value;
use crate::chess::{Move, Position};
use crate::eval::{self, AttackMaps, Model, PawnCache, PieceSquareSums};

/// Weights and the cache that belongs to them.
#[derive(Default)]
pub struct Evaluator {
    /// `None`: those that are compiled in.
    model: Option<Arc<Model>>,
    cache: PawnCache,
}

impl Evaluator {
    /// Takes up these weights; the sums of the position by them.
    pub fn begin(&mut self, model: Option<&Arc<Model>>, root: &Position) -> PieceSquareSums {
        if self.model.as_ref().map(Arc::as_ptr) != model.map(Arc::as_ptr) {
            self.model = model.cloned();
            self.cache.clear();
        }
        self.model
            .as_ref()
            .map_or_else(|| PieceSquareSums::of(root), |model| model.sums(root))
    }

    /// The static value of a position for the mover; `maps` and `sums` must belong to it.
    #[inline]
    pub fn value(
        &mut self,
        position: &Position,
        maps: &AttackMaps,
        sums: &PieceSquareSums,
    ) -> Value {
        match &self.model {
            None => eval::evaluate_cached(position, maps, sums, &mut self.cache),
            Some(model) => value_by(model, position, maps, sums, &mut self.cache),
        }
    }

    /// Has what will be asked of a position on its way from memory.
    #[inline]
    pub fn prefetch(&self, position: &Position) {
        prefetch(self.cache.place(position));
    }

    /// Plays a move on `child`, which is a copy of the position, and keeps the sums.
    #[inline]
    pub fn play(
        &self,
        position: &Position,
        mv: Move,
        child: &mut Position,
        sums: &mut PieceSquareSums,
    ) {
        match &self.model {
            None => position.play_into(mv, child, sums),
            Some(model) => play_by(model, position, mv, child, sums),
        }
    }
}

/// Evaluates by weights that are not compiled in.
#[inline(never)]
fn value_by(
    model: &Model,
    position: &Position,
    maps: &AttackMaps,
    sums: &PieceSquareSums,
    cache: &mut PawnCache,
) -> Value {
    model.evaluate_cached(position, maps, sums, cache)
}

/// Plays a move with sums by weights that are not compiled in.
#[inline(never)]
fn play_by(
    model: &Model,
    position: &Position,
    mv: Move,
    child: &mut Position,
    sums: &mut PieceSquareSums,
) {
    let mut watcher = model.watch(*sums);
    position.play_into(mv, child, &mut watcher);
    *sums = watcher.sums();
}
