//! Explanations of an evaluation, as data and as text. The features come from the walk that play uses, so an explanation
//! always agrees with its score.

mod concepts;
mod ledger;
pub mod motifs;
mod text;

pub use concepts::{Concept, ConceptSum, ConceptSums, FeatureValue, feature_values};
pub use ledger::{FamilyLine, Ledger, Share, Term};

use crate::chess::Position;
use crate::eval::Model;

/// The ledger of a position as a table; its last line is `total <centipawns> (white's view)`.
pub fn ledger_text(position: &Position) -> String {
    Ledger::of(position).to_string()
}

/// The same with the weights of a model.
pub fn ledger_text_by(model: &Model, position: &Position) -> String {
    Ledger::by(model, position).to_string()
}
