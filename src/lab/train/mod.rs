//! Weights from games: Lucena plays itself and learns from it.
//! Uses: search (searcher), eval, chess, value, progress, random. Used by: cli. Prints nothing.
//! Idea: games are stored whole and unfiltered; what they teach is read from them again for every training, so that a
//! change of filter, target or feature needs no new games.
//!
//! FeatureCounts order: playing games: `opening`, `record`, `store`, `selfplay`, `summary`, `exchange`; learning from them:
//! `promise`, `corpus`, `linear`, `scale`, `penalty`, `fit`, `checkpoint`, `emit`; what scores promise: `chances`;
//! where matches begin: `openings`; the constants of the search: `spsa`.

pub mod checkpoint;
pub mod corpus;
pub mod emit;
pub mod exchange;
pub mod fit;
pub mod game_record;
pub mod header;
pub mod linear;
pub mod match_openings;
pub mod random_opening;
pub mod regularisation;
pub mod scale;
pub mod selfplay;
pub mod store;
pub mod summary;
pub mod wdl_fit;
pub mod win_probability;
