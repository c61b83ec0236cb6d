//! The account of a difference: two lines to quiet positions, and the difference of their scores itemised.
//!
//! The identity holds to 1/384 centipawn: the difference of the scores is the sum of the concepts' differences at the ends of
//! the lines, the difference of the correction histories, that of the scaling to whole centipawns, and a remainder: what
//! the search saw beyond the ends of the lines.

use serde::Serialize;

use super::concepts::{Concept, ConceptSums, FeatureValue, feature_values};
use super::ledger::Share;
use crate::base::value::Value;
use crate::chess::{Color, Game, GameEnd, Move, Position};
use crate::eval::{Model, UNITS_PER_CENTIPAWN};
use crate::search::local::StaticValue;

/// One number for each concept, in 1/384 centipawn from the view of the side to move at the root.
pub type ByConcept = [i32; Concept::ALL.len()];

/// A line that was searched, followed to a quiet position.
#[derive(Clone, Debug)]
pub struct LineAccount {
    pub moves: Vec<Move>,
    /// The first moves are the variation of the search; the others lead on to a quiet position.
    pub searched: usize,
    /// The score of the search in centipawns, for the side to move at the root.
    pub score: Value,
    /// The positions before each move, and the last one.
    pub positions: Vec<Position>,
    /// The features of each position.
    pub features: Vec<Vec<FeatureValue>>,
    /// The sums of the concepts in each position.
    pub sums: Vec<ByConcept>,
    /// The static evaluation of the last position, for the side to move at the root.
    pub end: StaticValue,
    /// The score that tablebases prove.
    pub proven: Option<Value>,
    /// How the game has ended there, if it has.
    pub game_end: Option<GameEnd>,
}

impl LineAccount {
    /// `end` is for the side to move at the end of the line.
    pub fn new(
        model: &Model,
        root: &Position,
        (moves, searched): (Vec<Move>, usize),
        score: Value,
        end: StaticValue,
    ) -> Self {
        let mut positions = vec![*root];
        for &mv in &moves {
            positions.push(positions[positions.len() - 1].play(mv));
        }
        let us = root.turn();
        let features: Vec<_> = (positions.iter())
            .map(|position| feature_values(model, position))
            .collect();
        let sums = (features.iter())
            .map(|values| by_concept(values, us))
            .collect();
        let end = if positions[moves.len()].turn() == us {
            end
        } else {
            StaticValue {
                raw: -end.raw,
                corrected: -end.corrected,
            }
        };
        Self {
            moves,
            searched,
            score,
            positions,
            features,
            sums,
            end,
            proven: None,
            game_end: None,
        }
    }

    /// The first move.
    pub fn first(&self) -> Move {
        self.moves[0]
    }

    /// The position after the last move.
    pub fn last(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    fn end_sums(&self) -> &ByConcept {
        &self.sums[self.moves.len()]
    }

    /// What a move of the line adds to a concept.
    pub fn change(&self, concept: Concept, ply: usize) -> i32 {
        self.sums[ply + 1][concept as usize] - self.sums[ply][concept as usize]
    }
}

/// The game after more moves.
pub(super) fn after(game: &Game, moves: &[Move]) -> Game {
    let mut game = game.clone();
    for &mv in moves {
        game.play(mv);
    }
    game
}

/// The sums of the concepts for a side.
pub fn by_concept(values: &[FeatureValue], side: Color) -> ByConcept {
    let mut sums = [0; Concept::ALL.len()];
    for line in ConceptSums::from_values(values).lines {
        sums[line.concept as usize] = match side {
            Color::White => line.net.0,
            Color::Black => -line.net.0,
        };
    }
    sums
}

/// The difference of two scores, itemised; in 1/384 centipawn, for the side to move at the root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Account {
    /// The difference of the search scores.
    pub difference: Share,
    /// The differences at the ends of the lines, in the order of [`Concept::ALL`].
    #[serde(skip)]
    pub concepts: ByConcept,
    /// The difference of what the search adds to the evaluation: the correction histories, the value against a lone king.
    pub correction: Share,
    /// The difference of the scaling to whole centipawns.
    pub scaling: Share,
    /// What the search saw beyond the ends of the lines.
    pub remainder: Share,
}

/// Above this share of the difference, the remainder hides the reasons.
const MAX_REMAINDER: f64 = 0.25;

impl Account {
    /// Itemises the score of `better` minus that of `worse`.
    pub fn of(better: &LineAccount, worse: &LineAccount) -> Self {
        let units = |centipawns: Value| centipawns * UNITS_PER_CENTIPAWN;
        let mut concepts = *better.end_sums();
        for (sum, other) in concepts.iter_mut().zip(worse.end_sums()) {
            *sum -= other;
        }
        let scaled = units(better.end.raw - worse.end.raw);
        let correction = units(better.end.corrected - worse.end.corrected)
            - units(better.end.raw - worse.end.raw);
        let difference = units(better.score - worse.score);
        let scaling = scaled - concepts.iter().sum::<i32>();
        Self {
            difference: Share(difference),
            concepts,
            correction: Share(correction),
            scaling: Share(scaling),
            remainder: Share(difference - scaled - correction),
        }
    }

    pub fn get(&self, concept: Concept) -> Share {
        Share(self.concepts[concept as usize])
    }

    /// Whether the concepts carry the difference: the remainder is at most a quarter of it.
    pub fn carries_reasons(&self) -> bool {
        f64::from(self.remainder.0.abs()) <= MAX_REMAINDER * f64::from(self.difference.0.abs())
    }
}
