//! Explanations, as data and as text. The features come from the walk that play uses, so an explanation always agrees with
//! its score.
//!
//! - [`Facts`] and [`Ledger`] itemise the static evaluation of one position.
//! - [`Explainer`] searches, and says with claims why one move is better than another.

mod account;
mod blame;
mod board_picture;
mod claim;
mod compare;
mod concepts;
mod counter;
mod development;
mod explained;
mod explainer;
mod explanation;
mod facts;
mod forced_mate;
mod found;
mod gain;
mod ledger;
mod line_facts;
mod material;
#[doc(hidden)]
pub mod motifs;
mod notable;
mod notation;
mod pawn_ending;
mod perpetual;
mod picture;
mod promotions;
mod rank;
mod reasons;
mod scale;
mod sentences;
mod story;
mod summary;
mod tactics;
mod text;
mod threats;
mod topics;
mod trial;
mod unforced;
mod verdict;
mod winnings;
mod words;
mod zugzwang;

pub use blame::{Blame, Without};
pub use claim::{Claim, Source};
pub use concepts::{Concept, ConceptSum, ConceptSums};
pub use explainer::{DEFAULT_NODES, ExplainError, Explainer, MAX_NODES, Question};
pub use explanation::{Explanation, LineView, ShownScore};
pub use facts::{Fact, Facts};
#[cfg(feature = "lab")]
pub(crate) use forced_mate::{mate_by_checks, mated_by_checks, positions as mate_positions};
pub use ledger::{FamilyLine, Ledger, Share, Term};
pub use rank::Ranked;
pub use summary::{Line, UNIT};
pub use threats::Threats;
pub use topics::Topic;

#[doc(hidden)]
pub use account::{Account, ByConcept, LineAccount};
#[doc(hidden)]
pub use board_picture::board_picture;
#[doc(hidden)]
pub use compare::{Change, Comparison, ConceptChange};
#[doc(hidden)]
pub use concepts::{FeatureValue, feature_values};
#[doc(hidden)]
pub use explainer::MoveComparison;
#[doc(hidden)]
pub use material::{Difference, MaterialFact, material_facts};
#[doc(hidden)]
pub use picture::picture;
#[doc(hidden)]
pub use scale::Scale;
#[doc(hidden)]
pub use summary::{Summary, end_text, shown};

use crate::chess::Game;
use crate::eval::{BUILT_IN, Model};

/// The evaluation of a game's position as text: how the game has ended, the concepts, what counts most. The last line is
/// `total <centipawns> (white's view, internal centipawns)`.
pub fn summary_text(game: &Game) -> String {
    summary_text_by(&BUILT_IN, game)
}

/// The same with the weights of a model.
#[doc(hidden)]
pub fn summary_text_by(model: &Model, game: &Game) -> String {
    let facts = Facts::by(model, game.position());
    let end = game.end();
    Summary { facts, end }.to_string().trim_end().to_owned()
}
