//! The search: alpha-beta with iterative deepening on one thread or many, and Monte Carlo tree search.
//!
//! Each thread owns a worker; threads share the transposition table, a stop signal and counters.

pub(crate) mod algorithm;
mod correction;
mod deepen;
mod evaluator;
mod exchanges;
mod history;
// Tested on all platforms, used on those without threads.
#[cfg(all(test, not(target_family = "wasm")))]
mod inline_pool;
pub mod limits;
pub mod local;
mod lone_king;
pub mod mcts;
mod move_loop;
mod negamax;
pub(crate) mod node;
pub(crate) mod node_clock;
mod node_pruning;
pub mod params;
mod picker;
#[cfg_attr(target_family = "wasm", path = "inline_pool.rs")]
pub(crate) mod pool;
mod quiescence;
mod quiet_order;
mod reduce;
pub(crate) mod report;
pub(crate) mod root;
pub(crate) mod shared;
pub(crate) mod signal;
mod stack;
pub mod stop;
pub(crate) mod syzygy;
pub(crate) mod time;
pub mod tt;
mod tt_key;
mod tunables;
pub(crate) mod vote;
pub(crate) mod worker;
