//! Explanations, as data and as text. The features come from the walk that play uses, so an explanation always agrees with
//! its score.
//!
//! - [`Facts`] and [`Ledger`] itemise the static evaluation of one position.
//! - [`motifs`] finds the named patterns in a line of moves.
//! - [`Explainer`] searches, and says with claims why one move is better than another.

mod account;
mod blame;
mod board_picture;
mod claim;
mod compare;
mod concepts;
mod explained;
mod explainer;
mod explanation;
mod facts;
mod ledger;
mod material;
pub mod motifs;
mod notation;
mod picture;
mod rank;
mod reasons;
mod scale;
mod sentences;
mod speech;
mod summary;
mod tactics;
mod text;
mod threats;
mod topics;
mod trial;
mod words;

pub use account::{Account, ByConcept, LineAccount};
pub use blame::{Blame, Without};
pub use board_picture::board_picture;
pub use claim::{Claim, Source};
pub use compare::{Change, Comparison, ConceptChange};
pub use concepts::{Concept, ConceptSum, ConceptSums, FeatureValue, feature_values};
pub use explainer::{DEFAULT_NODES, ExplainError, Explainer, MoveComparison, Question};
pub use explanation::{Explanation, LineView, ShownScore};
pub use facts::{Fact, Facts};
pub use ledger::{FamilyLine, Ledger, Share, Term};
pub use material::{Difference, MaterialFact, material_facts};
pub use picture::picture;
pub use rank::Ranked;
pub use scale::Scale;
pub use speech::{ascii, spoken, spoken_move};
pub use summary::{Line, Summary, UNIT, end_text, shown};
pub use threats::Threats;
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
