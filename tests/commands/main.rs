//! The command line, its output, the examples and the public surface.

#[path = "../common/mod.rs"]
mod common;

mod commands;
mod damage;
mod examples;
mod input;
mod output;
mod shell;
mod suite;
mod surface;
