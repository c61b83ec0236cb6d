//! Lucena: a chess engine that can explain itself.
//!
//! The crate is a house of rooms; imports point one way only (`tests/house.rs` proves it):
//!
//! `main → cli → {uci, bench} → engine → search → eval → chess → shakmaty`
//!
//! | room | what it is |
//! |---|---|
//! | [`value`], [`progress`], [`random`] | scores and depths; progress; random numbers |
//! | [`sync`], [`sys`] | what threads share; the only `unsafe` code |
//! | [`chess`] | the rules: position, moves, keys, exchanges, draws, perft |
//! | [`book`] | openings: Polyglot books, read, written, built and looked up |
//! | [`eval`] | the linear evaluation: features × weights, itemised |
//! | [`explain`] | why: the ledger of an evaluation |
//! | [`tablebase`] | endgame tables: found, read, asked |
//! | [`search`] | alpha-beta, the transposition table, the thread pool |
//! | [`learn`] | weights from games: self-play, storage, training |
//! | [`engine`] | the facade that front ends use |
//! | [`analyse`] | suites of positions, one on each processor |
//! | [`bench`](mod@bench) | fixed positions, fixed depth: the node signature |
//! | [`uci`], [`cli`] | the protocol and the command line: the only rooms that print |
//!
//! A first hour of reading: `lib.rs → chess/board.rs → eval/families.rs + features → search/negamax.rs →
//! search/deepen.rs → engine.rs → uci/command.rs`.
#![warn(clippy::pedantic)]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    clippy::cast_lossless,
    clippy::option_option,
    clippy::trivially_copy_pass_by_ref,
    clippy::large_stack_arrays,
    clippy::precedence,
    clippy::module_name_repetitions,
    clippy::must_use_candidate,
    clippy::missing_panics_doc,
    clippy::inline_always,
    clippy::similar_names,
    clippy::too_many_lines
)]

pub mod base;
pub mod book;
pub mod chess;
pub mod engine;
pub mod eval;
pub mod explain;
pub mod search;
pub mod tablebase;

#[cfg(feature = "lab")]
pub mod lab;

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
pub mod uci;
