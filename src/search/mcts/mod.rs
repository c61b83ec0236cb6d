//! Monte Carlo tree search: a second search besides alpha-beta, with the same evaluation, rules and limits.
//!
//! Each play-out descends the tree by upper confidence bounds, adds one position, evaluates it and passes the value back
//! up. The tree is stored in memory of fixed size, shared by all threads without locks, and is kept between the moves of a
//! game.

mod arena;
mod choice;
mod fingerprint;
pub mod policy;
mod policy_features;
mod policy_rows;
mod proof;
mod random_game;
pub mod report;
mod root_view;
pub mod settings;
mod stopping;
mod tree;
mod tree_search;

pub(crate) use fingerprint::Fingerprint;
pub use settings::{Settings, Variant};
pub use tree::Tree;
pub(crate) use tree_search::TreeSearch;
