//! Levels: playing as a person of a rating would. A level gives every legal move a probability: a conditional logit, linear
//! in named [features](Feature), with weights that are linear in the rating.

mod attention;
mod exchange;
pub mod feature;
pub mod inputs;
pub mod model;
pub mod overlook;
pub mod personality;
pub mod player;
pub mod portrait;
mod report;
pub mod scene;
pub mod sight;
pub mod weights;

pub use feature::{Feature, Features, Group};
pub use inputs::{Input, Place, inputs};
pub use overlook::Oversight;
pub use personality::{Personality, PersonalityError};
pub use player::{Chosen, LevelSettings, Likely, Means, Player, move_probabilities};
pub use scene::Scene;
pub use sight::{Eyes, Sight};
pub use weights::{LevelWeights, LevelsError};
