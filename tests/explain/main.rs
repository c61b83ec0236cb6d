//! Explanations: every claim adds up and is true. The long tests print the figures of docs/explain.md; they read test data
//! from the folder `LUCENA_DATA`, and `LUCENA_POSITIONS` sets how many positions they take.

mod commands;
#[path = "../common/mod.rs"]
mod common;
mod identity;
mod motif;
mod page;
mod positions;
mod schema;
mod speed;
mod spread;
mod stability;
mod sts;
