//! Explanations of an evaluation, as data and as text. The features come from the walk that play uses, so an explanation
//! always agrees with its score.

mod compare;
mod concepts;
mod facts;
mod ledger;
mod material;
pub mod motifs;
mod picture;
mod sentences;
mod summary;
mod text;
mod topics;
mod words;

pub use compare::{Change, Comparison, ConceptChange};
pub use concepts::{Concept, ConceptSum, ConceptSums, FeatureValue, feature_values};
pub use facts::{Fact, Facts};
pub use ledger::{FamilyLine, Ledger, Share, Term};
pub use material::{Difference, MaterialFact, material_facts};
pub use picture::picture;
pub use summary::{Line, Summary, UNIT, end_text, shown};
pub use topics::Topic;

use crate::chess::Game;
use crate::eval::{BUILT_IN, Model};

/// The evaluation of a game's position as text: how the game has ended, the concepts, what counts most. The last line is
/// `total <centipawns> (white's view)`.
pub fn summary_text(game: &Game) -> String {
    summary_text_by(&BUILT_IN, game)
}

/// The same with the weights of a model.
pub fn summary_text_by(model: &Model, game: &Game) -> String {
    let facts = Facts::by(model, game.position());
    let end = game.end();
    Summary { facts, end }.to_string().trim_end().to_owned()
}
