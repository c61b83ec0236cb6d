//! Explanations: every claim adds up and is true. The long tests print the figures of docs/explain.md; they read test data
//! from the folder `LUCENA_DATA`, `LUCENA_POSITIONS` sets how many positions they take, and `LUCENA_FIRST` which is the first.

#[allow(dead_code)] // the tests of motifs use all of it
#[path = "../motifs/checker/mod.rs"]
mod checker;
mod commands;
#[path = "../common/mod.rs"]
mod common;
mod counterfactual;
mod identity;
#[allow(dead_code)] // the tests of motifs use all of it
#[path = "../motifs/lines.rs"]
mod lines;
mod motif;
mod page;
mod positions;
mod proof;
mod schema;
mod speed;
mod spread;
mod stability;
mod sts;
mod unforced;
