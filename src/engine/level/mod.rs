//! Levels: playing like a person of a given rating. A level gives every legal move a probability: a conditional logit,
//! linear in named [features](Feature), with weights that are linear in the rating.

mod answer;
mod attention;
mod book;
mod exchange;
#[doc(hidden)]
pub mod feature;
#[doc(hidden)]
pub mod game_view;
mod guards;
#[doc(hidden)]
pub mod inputs;
#[doc(hidden)]
pub mod model;
#[doc(hidden)]
pub mod overlook;
#[doc(hidden)]
pub mod personality;
#[doc(hidden)]
pub mod place;
#[doc(hidden)]
pub mod player;
#[doc(hidden)]
pub mod portrait;
mod products;
mod report;
#[doc(hidden)]
pub mod scale;
mod search_setup;
#[doc(hidden)]
pub mod shallow;
#[doc(hidden)]
pub mod weights;

pub(crate) use answer::LevelSearch;
#[doc(hidden)]
pub use feature::{Feature, Features, Group};
pub use game_view::GameView;
#[doc(hidden)]
pub use inputs::{Input, inputs};
#[doc(hidden)]
pub use overlook::Oversight;
pub use personality::{Personality, PersonalityError};
#[doc(hidden)]
pub use place::Place;
pub use player::{Chosen, LevelSettings, Likely, MODEL_UP_TO, Player, RATINGS, move_probabilities};
pub use search_setup::SearchSetup;
#[doc(hidden)]
pub use shallow::{MoveEstimate, ShallowSearcher};
#[doc(hidden)]
pub use weights::{LevelWeights, LevelsError};
