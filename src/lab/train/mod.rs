//! Training: self-play games and the weights of the evaluation fitted to them.
//!
//! Games are stored whole and unfiltered. Training extracts its positions from them each time, so a change of filter,
//! target or feature needs no new games.

pub mod checkpoint;
pub mod complete;
pub mod corpus;
pub mod emit;
pub mod exchange;
pub mod fit;
pub mod game_record;
pub mod header;
pub mod known_games;
pub mod linear;
pub mod match_openings;
pub mod paired;
pub mod pawn_value;
pub mod policy_fit;
pub mod policy_samples;
pub mod random_opening;
pub mod readable;
pub mod regularisation;
pub mod samples;
mod samples_error;
pub mod scale;
pub mod selfplay;
pub mod store;
pub mod summary;
pub mod wdl_fit;
pub mod win_probability;
