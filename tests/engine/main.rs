//! The search and the engine as a library.

#[path = "../common/mod.rs"]
mod common;

mod bench;
mod depths;
mod keys;
mod mcts;
mod search;
mod theory;
