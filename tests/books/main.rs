//! Opening books.

#[path = "../common/mod.rs"]
mod common;

mod book;
mod commands;
mod pgn;
mod repertoire;
