//! Weights from games: Lucena plays itself and learns from it.
//! Uses: search (solo), eval, chess, value, progress, random. Used by: cli. Prints nothing.
//! Idea: games are stored whole and unfiltered; what they teach is read from them again for every training, so that a
//! change of filter, target or feature needs no new games.
//!
//! Reading order: playing games: `opening`, `record`, `store`, `selfplay`, `survey`, `exchange`; learning from them:
//! `promise`, `corpus`, `linear`, `scale`, `penalty`, `fit`, `checkpoint`, `emit`; what scores promise: `chances`;
//! where matches begin: `openings`; the constants of the search: `spsa`.

pub mod chances;
pub mod checkpoint;
pub mod corpus;
pub mod emit;
pub mod exchange;
pub mod fit;
pub mod linear;
pub mod opening;
pub mod openings;
pub mod penalty;
pub mod promise;
pub mod record;
pub mod scale;
pub mod selfplay;
pub mod store;
pub mod survey;
