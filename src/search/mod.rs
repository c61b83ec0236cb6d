//! Alpha-beta and everything it owns.
//! Uses: eval, tablebase, chess, value, sys. Used by: engine.
//! Idea: one searcher per thread, sharing only the transposition table and a stop signal.
//!
//! Reading order: `limits`, `report`, `signal`, `params`, `techniques`, `tt`, `tables`, `history`, `correction`, `picker`, `reduce`, `evaluator`,
//! `frame`, `job`, `worker`, `node`, `negamax`, `moves`, `quiescence`, `deepen`, `time`, `vote`, `pool`, `solo`.

mod correction;
mod deepen;
mod evaluator;
mod frame;
mod history;
pub(crate) mod job;
pub mod limits;
mod moves;
mod negamax;
mod node;
pub mod params;
mod picker;
pub(crate) mod pool;
mod quiescence;
mod reduce;
pub mod report;
pub mod signal;
pub mod solo;
pub(crate) mod tables;
pub mod techniques;
pub mod time;
pub mod tt;
mod vote;
pub(crate) mod worker;
