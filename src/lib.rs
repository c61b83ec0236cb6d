//! Lucena, a chess engine that explains its evaluation, as a library. The program is its command line and its
//! UCI front end.
//!
//! Set up a position, search it, read the best move:
//!
//! ```
//! use lucena::chess::{Game, Position};
//! use lucena::engine::{Engine, Limits};
//!
//! let position = Position::from_fen("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1")?;
//! let mut engine = Engine::new();
//! let answer = engine.search(&Game::new(position), Limits::depth(6));
//! let best = answer.best.expect("the game is not over");
//! assert_eq!(best.uci(false).to_string(), "d1d8");
//! assert_eq!(position.san(best).to_string(), "Rd8#");
//! # Ok::<(), lucena::chess::FenError>(())
//! ```
//!
//! [`Engine::go`](engine::Engine::go) also reports variations while it searches. The folders of `src` are layers; each
//! imports only from those above it in this table (`tests/house.rs` checks it):
//!
//! | layer | what it holds |
//! |---|---|
//! | [`base`] | scores, random numbers, locks, progress; the only `unsafe` code |
//! | [`chess`] | the rules: positions, moves, notations |
//! | [`eval`] | the linear evaluation: features and weights |
//! | [`tablebase`] | Syzygy probing, with embedded tables of few pieces |
//! | [`book`] | reading Polyglot opening books, with an embedded book |
//! | [`search`] | alpha-beta, the transposition table, threads |
//! | [`mcts`] | Monte Carlo tree search, with a linear policy |
//! | [`engine`] | the facade: settings, a search, a best move |
//! | [`explain`] | the evaluation term by term, and why one move is better than another |
//! | [`level`] | playing as a person of a rating would |
//! | `lab` | training, tuning, tablebase and book generation, perft (feature `lab`) |
//! | [`api`] | typed requests and their answers as data, for front ends and other programs |
//! | `uci`, `cli` | the front ends, the only code that prints (feature `cli`) |
//! | `wasm` | the engine as WebAssembly for a page without a server (feature `wasm`) |
//! | `web` | the server of the board in the browser (feature `web`) |
#![warn(clippy::pedantic)]
#![deny(clippy::print_stdout, clippy::print_stderr)]
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
    clippy::similar_names
)]

pub mod api;
pub mod base;
pub mod book;
pub mod chess;
pub mod engine;
pub mod eval;
pub mod explain;
pub mod level;
pub mod mcts;
pub mod search;
pub mod tablebase;

#[cfg(feature = "lab")]
pub mod lab;

#[cfg(feature = "cli")]
#[allow(clippy::print_stdout, clippy::print_stderr)]
pub mod cli;
#[cfg(feature = "cli")]
#[allow(clippy::print_stdout, clippy::print_stderr)]
pub mod uci;
#[cfg(feature = "wasm")]
pub mod wasm;
#[cfg(feature = "web")]
pub mod web;
