//! Models: a table of weights and what follows from it.
//! Uses: chess, cache, families, maps, psqt, sink, views. Used by: eval, explain, learn, tests.
//! Idea: the frame does not know which weights it carries, so that a test may prove it with random ones; play uses one
//! static model, whose address is a constant to the compiler.

use std::ops::{Index as Subscript, IndexMut as SubscriptMut};

use super::cache::PawnCache;
use super::families::{COUNT, Index};
use super::features;
use super::maps::AttackMaps;
use super::psqt::{PieceSquareSums, PieceSquareTable, Watcher};
use super::score::{Pair, Score, centipawns};
use super::sink::Sum;
use super::views::ViewTable;
use crate::base::value::Value;
use crate::chess::{Color, Position};

/// One weight for every feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights(pub [Pair; COUNT]);

impl Weights {
    /// Weights that find everything worthless.
    pub const ZERO: Self = Self([Pair::ZERO; COUNT]);
}

impl Subscript<Index> for Weights {
    type Output = Pair;

    #[inline(always)]
    fn index(&self, index: Index) -> &Pair {
        &self.0[index.get()]
    }
}

impl SubscriptMut<Index> for Weights {
    fn index_mut(&mut self, index: Index) -> &mut Pair {
        &mut self.0[index.get()]
    }
}

/// Weights, ready for play.
#[derive(Clone, Debug)]
pub struct Model {
    weights: Weights,
    /// The same, ready to be added: twice the size, but one instruction each.
    scores: [Score; COUNT],
    piece_square: PieceSquareTable,
    views: ViewTable,
}

impl Model {
    /// The model with these weights.
    #[must_use]
    #[allow(clippy::large_stack_arrays)] // built once, mostly at compile time
    pub const fn new(weights: Weights) -> Self {
        let mut scores = [Score::ZERO; COUNT];
        let mut index = 0;
        while index < COUNT {
            scores[index] = weights.0[index].score();
            index += 1;
        }
        Self {
            piece_square: PieceSquareTable::of(&weights),
            views: ViewTable::of(&weights),
            weights,
            scores,
        }
    }

    /// What a weight adds to the score.
    #[inline(always)]
    pub(super) const fn score_of(&self, index: Index) -> Score {
        self.scores[index.get()]
    }

    /// Its weights.
    #[inline]
    #[must_use]
    pub const fn weights(&self) -> &Weights {
        &self.weights
    }

    /// What its weights give each piece on each square, material included.
    #[inline]
    #[must_use]
    pub const fn piece_square(&self) -> &PieceSquareTable {
        &self.piece_square
    }

    /// What its weights give each man because of where the kings stand.
    #[inline]
    pub(super) const fn views(&self) -> &ViewTable {
        &self.views
    }

    /// The incremental sums of a position, from scratch.
    #[must_use]
    pub fn sums(&self, position: &Position) -> PieceSquareSums {
        self.watch(PieceSquareSums::default()).read(position)
    }

    /// An observer of moves that keeps `sums` up to date by this model.
    #[inline]
    #[must_use]
    pub const fn watch(&self, sums: PieceSquareSums) -> Watcher<'_> {
        Watcher::new(self, sums)
    }

    /// The weighted sum of a position's features, from white's view. `sums` must belong to it and to this model.
    #[inline]
    #[must_use]
    pub fn score(&self, position: &Position, sums: &PieceSquareSums) -> Score {
        self.sum(position, &AttackMaps::of(position), sums, None)
    }

    /// The static value of a position in centipawns, from the view of the side to move. `sums` must belong to it.
    #[inline]
    #[must_use]
    pub fn evaluate(&self, position: &Position, sums: &PieceSquareSums) -> Value {
        view(position, sums, self.score(position, sums))
    }

    /// The same value, faster: `maps` must belong to the position, and `cache` to this model.
    #[inline]
    #[must_use]
    pub fn evaluate_cached(
        &self,
        position: &Position,
        maps: &AttackMaps,
        sums: &PieceSquareSums,
        cache: &mut PawnCache,
    ) -> Value {
        view(position, sums, self.sum(position, maps, sums, Some(cache)))
    }

    #[inline(always)]
    fn sum(
        &self,
        position: &Position,
        maps: &AttackMaps,
        sums: &PieceSquareSums,
        cache: Option<&mut PawnCache>,
    ) -> Score {
        let mut sink = Sum::new(self, sums, cache);
        features::features(position, maps, &mut sink);
        sink.score
    }
}

/// A score from white's view as a value from the mover's.
#[inline]
fn view(position: &Position, sums: &PieceSquareSums, score: Score) -> Value {
    let white = centipawns(score.tapered(sums.phase()));
    match position.turn() {
        Color::White => white,
        Color::Black => -white,
    }
}
