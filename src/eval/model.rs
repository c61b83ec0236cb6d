//! Models: weights and the tables that follow from them.
//!
//! Play uses one static model, whose address is a constant to the compiler; tests and `--weights` use others.

use super::accumulator::{Accumulator, Updater};
use super::cache::PawnCache;
use super::draws;
use super::families::{COUNT, Index};
use super::features::{self, KingFacts, MaterialFacts, PawnFacts};
use super::king_piece_square::KingPieceSquareTable;
use super::score::{Score, centipawns};
use super::side::Side;
use super::sink::FeatureSink;
use super::sums::{Attacked, Sums};
use super::weights::{WEIGHTS, Weights};
use crate::base::value::Value;
use crate::chess::{Bitboard, Color, Observer, Piece, Position, Role, Square};

/// The model with the built-in weights.
pub static BUILT_IN: Model = Model::new(Weights(WEIGHTS.0));

/// Cells for the weights; a power of two, so that a masked index is in range.
const CELLS: usize = COUNT.next_power_of_two();

/// Weights, ready for play.
#[derive(Clone, Debug)]
pub struct Model {
    weights: Weights,
    /// The weights as scores: twice the size, but one instruction each to add.
    scores: [Score; CELLS],
    sums: Sums,
    /// All that an [`Accumulator`] adds up.
    table: KingPieceSquareTable,
}

impl Model {
    /// The model with these weights.
    #[allow(clippy::large_stack_arrays)] // built once, mostly at compile time
    #[doc(hidden)]
    pub const fn new(weights: Weights) -> Self {
        let mut scores = [Score::ZERO; CELLS];
        let mut index = 0;
        while index < COUNT {
            scores[index] = weights.0[index].score();
            index += 1;
        }
        Self {
            table: KingPieceSquareTable::of(&weights),
            sums: Sums::of(&weights),
            weights,
            scores,
        }
    }

    #[inline]
    #[doc(hidden)]
    pub const fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The accumulator of a position, from scratch.
    #[doc(hidden)]
    pub fn accumulator(&self, position: &Position) -> Accumulator {
        self.updater(Accumulator::default()).read(position)
    }

    /// An observer of moves that updates `accumulator` with this model's weights.
    #[inline]
    #[doc(hidden)]
    pub const fn updater(&self, accumulator: Accumulator) -> Updater<'_> {
        Updater::new(&self.table, accumulator)
    }

    /// The weighted sum of a position's features, from white's view. `accumulator` must belong to the position and to this
    /// model.
    #[inline]
    #[doc(hidden)]
    pub fn score(&self, position: &Position, accumulator: &Accumulator) -> Score {
        self.sum(position, accumulator, None).0
    }

    /// The static value of a position in centipawns, from the side to move. `accumulator` must belong to the position and to
    /// this model.
    #[inline]
    #[doc(hidden)]
    pub fn evaluate(&self, position: &Position, accumulator: &Accumulator) -> Value {
        relative(position, accumulator, self.score(position, accumulator))
    }

    /// The same value, faster, and the squares that each colour attacks; `cache` must belong to this model.
    #[inline]
    #[doc(hidden)]
    pub fn evaluate_cached(
        &self,
        position: &Position,
        accumulator: &Accumulator,
        cache: &mut PawnCache,
    ) -> (Value, [Bitboard; 2]) {
        let (score, attacked) = self.sum(position, accumulator, Some(cache));
        (relative(position, accumulator, score), attacked)
    }

    /// Whether the value of a position is 0 because the side that the sum favours cannot win
    /// ([`cannot_win`](super::cannot_win)).
    #[doc(hidden)]
    pub fn is_known_draw(&self, position: &Position) -> bool {
        let accumulator = self.accumulator(position);
        let exact = self
            .score(position, &accumulator)
            .tapered(accumulator.taper());
        draws::is_known(position, accumulator.phase(), exact)
    }

    #[inline(always)]
    fn sum(
        &self,
        position: &Position,
        accumulator: &Accumulator,
        cache: Option<&mut PawnCache>,
    ) -> (Score, [Bitboard; 2]) {
        let ((material, of_material), (pawns, of_pawns)) = match cache {
            Some(cache) => (
                cache.material(position, accumulator, || self.material(position)),
                cache.pawns(
                    position,
                    || self.structure(position),
                    |facts, color| self.king(position, facts, color),
                ),
            ),
            None => (self.material(position), self.pawns(position)),
        };
        let mut scorer = Scorer {
            model: self,
            score: accumulator.score() + of_material + of_pawns,
        };
        let attacked = features::piece_features(position, material, pawns, &mut scorer);
        (scorer.score, attacked)
    }

    #[inline(never)]
    fn material(&self, position: &Position) -> (MaterialFacts, Score) {
        let mut scorer = Scorer::new(self);
        let facts = features::material_features(position, &mut scorer);
        (facts, scorer.score)
    }

    /// The structure of the pawns.
    #[inline(never)]
    fn structure(&self, position: &Position) -> (PawnFacts, Score) {
        let mut scorer = Scorer::new(self);
        let facts = features::structure_features(position, &mut scorer);
        (facts, scorer.score)
    }

    /// One king and the pawns; `facts` are those of the structure.
    #[inline(never)]
    fn king(&self, position: &Position, facts: &PawnFacts, color: Color) -> (KingFacts, Score) {
        let mut scorer = Scorer::new(self);
        let king = features::king_features(position, facts, color, &mut scorer);
        (king, scorer.score)
    }

    fn pawns(&self, position: &Position) -> (PawnFacts, Score) {
        let (mut facts, mut score) = self.structure(position);
        for color in Color::ALL {
            let (king, of_king) = self.king(position, &facts, color);
            facts.kings[color as usize] = king;
            score += of_king;
        }
        (facts, score)
    }
}

/// Adds weights up.
struct Scorer<'a> {
    model: &'a Model,
    score: Score,
}

impl<'a> Scorer<'a> {
    const fn new(model: &'a Model) -> Self {
        Self {
            model,
            score: Score::ZERO,
        }
    }
}

impl FeatureSink for Scorer<'_> {
    #[inline(always)]
    fn add<C: Side>(&mut self, index: Index, count: i32, _squares: Bitboard) {
        self.score += self.model.scores[index.get() % CELLS] * (C::SIGN * count);
    }

    #[inline(always)]
    fn add_group(&mut self, color: Color, add_all: impl FnOnce(&mut Self, Color)) {
        // One sign for all of them.
        let others = std::mem::take(&mut self.score);
        add_all(self, Color::White);
        self.score = others + self.score.signed(color);
    }

    #[inline(always)]
    fn add_rook(
        &mut self,
        signed: Color,
        owner: Color,
        [ahead, owners, away]: [usize; 3],
        _squares: Bitboard,
    ) {
        let sum = self.model.sums.rook(owner, ahead, owners, away);
        self.score += sum.signed(signed);
    }

    #[inline(always)]
    fn add_threats(
        &mut self,
        owner: Color,
        is_to_move: bool,
        role: Role,
        attacked: Attacked,
        _squares: Bitboard,
    ) {
        let sum = self.model.sums.threats(is_to_move, role, attacked);
        self.score += sum.signed(owner);
    }
}

/// A score from white's view as centipawns from the side to move; 0 in a known draw.
#[inline]
fn relative(position: &Position, accumulator: &Accumulator, score: Score) -> Value {
    let exact = score.tapered(accumulator.taper());
    if draws::is_known(position, accumulator.phase(), exact) {
        return 0;
    }
    let white = centipawns(exact);
    match position.turn() {
        Color::White => white,
        Color::Black => -white,
    }
}

// Code of its own for the built-in tables, whose addresses are constants.
impl Accumulator {
    /// The accumulator of a position with the built-in weights, from scratch.
    pub fn of(position: &Position) -> Self {
        BUILT_IN.accumulator(position)
    }
}

impl Observer for Accumulator {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.put_by(&BUILT_IN.table, piece, square);
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.remove_by(&BUILT_IN.table, piece, square);
    }

    #[inline]
    fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        self.move_by(&BUILT_IN.table, piece, from, to);
    }

    #[inline]
    fn settle(&mut self, child: &Position) {
        self.settle_by(&BUILT_IN.table, child);
    }
}
