//! Sinks: what is done with the facts that `features` tells.
//! Uses: chess, families, model. Used by: features, explain, learn.
//! Idea: the same walk over a position scores it, traces it for learning or records it for explaining; the compiler
//! makes a separate copy for each sink, so the choice costs the scoring nothing.

use super::families::Index;
use super::features;
use super::model::{Model, Weights};
use super::psqt::PieceSquareSums;
use super::score::Score;
use crate::chess::{Bitboard, Color, Position, Square};

/// A colour known at compile time.
pub trait Side {
    /// The other colour.
    type Enemy: Side;
    /// The colour itself.
    const COLOR: Color;
    /// How its facts enter the sum: white's add, black's subtract.
    const SIGN: i32;

    /// A square as its owner sees it, with the own first rank first.
    #[inline]
    #[must_use]
    fn relative(square: Square) -> Square {
        match Self::COLOR {
            Color::White => square,
            Color::Black => square.flip_vertical(),
        }
    }
}

/// The white side.
#[derive(Clone, Copy, Debug)]
pub struct White;

/// The black side.
#[derive(Clone, Copy, Debug)]
pub struct Black;

impl Side for White {
    type Enemy = Black;
    const COLOR: Color = Color::White;
    const SIGN: i32 = 1;
}

impl Side for Black {
    type Enemy = White;
    const COLOR: Color = Color::Black;
    const SIGN: i32 = -1;
}

/// What hears the facts of a position.
pub trait Sink: Sized {
    /// The feature `index` is true of side `C` `count` times, because of what stands on `squares`.
    fn add<C: Side>(&mut self, index: Index, count: i32, squares: Bitboard);

    /// Asks for the material and piece-square features. A sink that already has their sum takes it instead.
    #[inline]
    fn piece_square(&mut self, position: &Position) {
        features::scratch_piece_square(position, self);
    }
}

/// Adds weights up: the sink of play. It looks at no squares and allocates nothing.
pub(super) struct Sum<'a> {
    weights: &'a Weights,
    sums: &'a PieceSquareSums,
    pub(super) score: Score,
}

impl<'a> Sum<'a> {
    #[inline]
    pub(super) fn new(model: &'a Model, sums: &'a PieceSquareSums) -> Self {
        Self {
            weights: model.weights(),
            sums,
            score: Score::ZERO,
        }
    }
}

impl Sink for Sum<'_> {
    #[inline(always)]
    fn add<C: Side>(&mut self, index: Index, count: i32, _squares: Bitboard) {
        self.score += self.weights[index].score() * (C::SIGN * count);
    }

    #[inline(always)]
    fn piece_square(&mut self, _position: &Position) {
        self.score += self.sums.score();
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
        features::features(position, self);
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
        features::features(position, &mut record);
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
