//! Alpha-beta and everything it owns.
//! Uses: eval, tablebase, chess, value, sys. Used by: engine.
//! Idea: one searcher per thread, sharing only the transposition table and a stop signal.
//!
//! Reading order: `limits`, `report`, `signal`, `params`, `techniques`, `tt`, `tables`, `history`, `correction`, `picker`, `reduce`, `evaluator`,
//! `frame`, `shared`, `worker`, `node`, `negamax`, `moves`, `quiescence`, `deepen`, `time`, `vote`, `pool`, `solo`.

mod correction;
mod deepen;
mod evaluator;
mod frame;
mod history;
pub mod limits;
pub mod local;
mod move_loop;
mod negamax;
mod node;
pub mod params;
mod picker;
pub(crate) mod pool;
mod quiescence;
mod reduce;
pub mod report;
pub(crate) mod root;
pub(crate) mod shared;
pub mod signal;
pub(crate) mod syzygy;
pub mod time;
pub mod tt;
pub(crate) mod vote;
pub(crate) mod worker;
