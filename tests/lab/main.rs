//! Data making, tested through the command line and the library: training, tuning, levels, tablebases, writers.

#[path = "../common/mod.rs"]
mod common;

mod exchange;
mod kill;
mod learn;
mod levels;
mod resume;
mod shards;
mod spsa;
mod tablebase;
mod tables;
mod writers;
