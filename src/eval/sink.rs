//! Sinks: what is done with the facts that `features` tells.
//! Uses: chess, families, side, cache, maps, model. Used by: features, explain, learn.
//! Idea: the same walk over a position scores it, traces it for learning or records it for explaining; the compiler
//! makes a separate copy for each sink, so the choice costs the scoring nothing.

use super::cache::{MaterialFacts, PawnCache, PawnFacts};
use super::families::Index;
use super::features;
use super::maps::AttackMaps;
use super::model::{Model, Weights};
use super::psqt::PieceSquareSums;
use super::score::Score;
pub use super::side::{Black, Side, White};
use crate::chess::{Bitboard, Color, Position};

/// What hears the facts of a position.
pub trait Sink: Sized {
    /// The feature `index` is true of side `C` `count` times, because of what stands on `squares`.
    fn add<C: Side>(&mut self, index: Index, count: i32, squares: Bitboard);

    /// Hears what `walk` tells. A sum may keep that apart meanwhile, where it is quickest to add to.
    #[inline(always)]
    fn part<Facts>(&mut self, walk: impl FnOnce(&mut Self) -> Facts) -> Facts {
        walk(self)
    }

    /// Asks for the material and piece-square features. A sink that already has their sum takes it instead.
    #[inline]
    fn piece_square(&mut self, position: &Position) {
        features::scratch_piece_square(position, self);
    }

    /// Asks for the features that follow from the counts of men. A sink may know them from another position.
    #[inline]
    fn material(&mut self, position: &Position) -> MaterialFacts {
        features::compute_material(position, self)
    }

    /// Asks for the features of pawns and kings alone. A sink may know them from another position.
    #[inline]
    fn pawns(&mut self, position: &Position) -> PawnFacts {
        features::scratch_pawns(position, self)
    }
}

/// Adds weights up: the sink of play. It looks at no squares, allocates nothing and takes what it can from the sums and
/// the cache.
pub(super) struct Sum<'a> {
    model: &'a Model,
    sums: &'a PieceSquareSums,
    cache: Option<&'a mut PawnCache>,
    pub(super) score: Score,
}

impl<'a> Sum<'a> {
    #[inline]
    pub(super) fn new(
        model: &'a Model,
        sums: &'a PieceSquareSums,
        cache: Option<&'a mut PawnCache>,
    ) -> Self {
        Self {
            model,
            sums,
            cache,
            score: Score::ZERO,
        }
    }

    /// What one walker tells, and the score of its features alone.
    #[inline(always)]
    fn apart<Facts>(&self, walk: impl FnOnce(&mut Self) -> Facts) -> (Facts, Score) {
        let mut part = Sum {
            cache: None,
            score: Score::ZERO,
            ..*self
        };
        let facts = walk(&mut part);
        (facts, part.score)
    }
}

impl Sink for Sum<'_> {
    #[inline(always)]
    fn add<C: Side>(&mut self, index: Index, count: i32, _squares: Bitboard) {
        self.score += self.model.score_of(index) * (C::SIGN * count);
    }

    /// A local sum stays in a register: added to through a reference, each step would wait for the one before to be stored.
    #[inline(always)]
    fn part<Facts>(&mut self, walk: impl FnOnce(&mut Self) -> Facts) -> Facts {
        let (facts, score) = self.apart(walk);
        self.score += score;
        facts
    }

    #[inline(always)]
    fn piece_square(&mut self, _position: &Position) {
        self.score += self.sums.score();
    }

    #[inline(always)]
    fn material(&mut self, position: &Position) -> MaterialFacts {
        let Some(cache) = self.cache.take() else {
            return features::compute_material(position, self);
        };
        let (facts, score) = cache.material(position, self.sums, || {
            self.apart(|part| features::compute_material(position, part))
        });
        self.cache = Some(cache);
        self.score += score;
        facts
    }

    #[inline(always)]
    fn pawns(&mut self, position: &Position) -> PawnFacts {
        let Some(cache) = self.cache.take() else {
            return features::scratch_pawns(position, self);
        };
        let (facts, score) = cache.pawns(position, || {
            self.apart(|part| features::scratch_pawns(position, part))
        });
        self.cache = Some(cache);
        self.score += score;
        facts
    }
}

/// Lists the coefficients of the sum: the sink of learning.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    hits: Vec<(Index, i32)>,
}

impl Trace {
    /// The coefficients of a position.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        let mut trace = Self::default();
        trace.read(position);
        trace
    }

    /// Replaces the coefficients by those of another position, and keeps the memory.
    pub fn read(&mut self, position: &Position) {
        self.hits.clear();
        features::features(position, &AttackMaps::of(position), self);
    }

    /// Every hit: an index and its count, positive for white. An index may occur more than once.
    #[must_use]
    pub fn hits(&self) -> &[(Index, i32)] {
        &self.hits
    }

    /// The weighted sum of the hits.
    #[must_use]
    pub fn dot(&self, weights: &Weights) -> Score {
        (self.hits.iter()).fold(Score::ZERO, |sum, &(index, count)| {
            sum + weights[index].score() * count
        })
    }
}

impl Sink for Trace {
    #[inline]
    fn add<C: Side>(&mut self, index: Index, count: i32, _squares: Bitboard) {
        self.hits.push((index, C::SIGN * count));
    }
}

/// One fact with the side it is true of and the squares it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The feature.
    pub index: Index,
    /// Whose feature it is.
    pub color: Color,
    /// How often it is true; not signed by colour.
    pub count: i32,
    /// What it is about.
    pub squares: Bitboard,
}

/// Keeps every fact whole: the sink of explaining.
#[derive(Clone, Debug, Default)]
pub struct Record {
    hits: Vec<Hit>,
}

impl Record {
    /// The facts of a position.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        let mut record = Self::default();
        features::features(position, &AttackMaps::of(position), &mut record);
        record
    }

    /// Every fact, in the order in which it was told.
    #[must_use]
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }
}

impl Sink for Record {
    fn add<C: Side>(&mut self, index: Index, count: i32, squares: Bitboard) {
        self.hits.push(Hit {
            index,
            color: C::COLOR,
            count,
            squares,
        });
    }
}
