//! Motifs: own positions for every kind, mirrored and thinned boards, and a second checker that proves every motif.
//!
//! `LUCENA_PUZZLES` names a file of puzzles in lichess's format for the ignored test of themes.

#[path = "../common/mod.rs"]
mod common;

mod checker;
mod lines;
mod own;
mod passing;
mod puzzles;
mod random;
