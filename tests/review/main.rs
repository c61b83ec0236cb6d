//! Reviews of games.

#[path = "../common/mod.rs"]
mod common;

mod games;
mod profile;
mod runs;
mod tags;
