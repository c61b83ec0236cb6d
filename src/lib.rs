//! Lucena, a chess engine that explains its evaluation, as a library. The program is its command line and its
//! UCI front end.
//!
//! Set up a position, search it, read the best move:
//!
//! ```
//! use lucena::{Engine, Game, Limits};
//!
//! let game = Game::from_words("6k1/5ppp/8/8/8/8/8/K2R4 w - -")?;
//! let mut engine = Engine::new();
//! let result = engine.search(&game, Limits::depth(6));
//! let best = result.best.expect("the game is not over");
//! assert_eq!(best.uci(false).to_string(), "d1d8");
//! assert_eq!(game.position().san(best).to_string(), "Rd8#");
//! # Ok::<(), lucena::chess::WordsError>(())
//! ```
//!
//! | for | look at |
//! |---|---|
//! | positions, moves, games | [`Position`], [`Move`], [`Game`]; [`Game::from_words`] reads FEN, SAN and UCI notation |
//! | an engine with settings | [`Engine::builder`] |
//! | a search | [`Engine::search`], [`Limits`], [`SearchResult`] |
//! | reports while it searches, and a stop | [`Engine::search_with`], [`Engine::stop_handle`] |
//! | the evaluation, itemised | [`Engine::evaluate`] |
//! | why a move is better than another | [`Engine::explain`], [`explain::Explainer`] |
//! | tablebases, the opening book | [`Engine::tablebase`], [`Engine::book`] |
//! | moves as people of a rating choose them | [`Engine::level`], [`level::Player`] |
//! | reviews of games | `api::review` (feature `lab`) |
//! | training games | `selfplay` (feature `lab`) |
//! | requests and answers as JSON | [`api`] |
//!
//! Errors are typed ([`EngineError`], [`AnswerError`], [`chess::WordsError`]). Engines share no mutable state, and an
//! engine may be moved to another thread. A search blocks the thread that calls it: asynchronous code runs it on a thread
//! for blocking work and keeps the stop handle.
//!
//! The crate is not on crates.io; `lucena = { path = "…", default-features = false }` or `git` in place of `path` adds it.
//! A program that depends on it is about 10 percent faster with `RUSTFLAGS="-C target-cpu=x86-64-v2"` (or `native`), the
//! flags with which Lucena builds itself.
//!
//! Cargo features: without any the library has few dependencies; `lab` adds reviews and training; `cli` and `web` (both
//! default) add the program and its server. Items that these pages do not show may change at any time; a test compares
//! those shown with `docs/public-api.txt`.
//!
//! The crate and its repository have examples, short programs on this library. `cargo run --release --example NAME` runs one:
//! `analyse` a position, `why` a move is good or bad, `play` a game, `review` a PGN file, `bot` for a server of games, and
//! `selfplay` to make training games.
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

pub mod book;
pub mod chess;
pub mod engine;
pub mod explain;
pub mod tablebase;

#[doc(hidden)]
pub mod base;
#[doc(hidden)]
pub mod eval;
#[doc(hidden)]
pub mod search;

#[cfg(feature = "lab")]
#[doc(hidden)]
pub mod lab;
/// Self-play: training games of the engine against itself.
#[cfg(feature = "lab")]
pub mod selfplay {
    pub use crate::base::progress::Progress;
    pub use crate::eval::weights::Digest;
    pub use crate::lab::shard::{Shard, ShardError};
    pub use crate::lab::train::game_record::{GameRecord, GameRecordError, GameResult, Ply};
    pub use crate::lab::train::random_opening::OpeningSource;
    pub use crate::lab::train::selfplay::{SelfPlayPlan, SelfPlayStats, play_all};
    pub use crate::lab::train::store::{GameBlock, GameReader, StoreError, files_in};
    pub use crate::lab::train::summary::GamesSummary;
}

#[cfg(feature = "cli")]
#[allow(clippy::print_stdout, clippy::print_stderr)]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "cli")]
#[allow(clippy::print_stdout, clippy::print_stderr)]
#[doc(hidden)]
pub mod uci;
#[doc(hidden)]
pub mod web;

#[doc(inline)]
pub use engine::level;
#[doc(inline)]
pub use web::api;

pub use chess::{Game, Move, Position};
pub use engine::{
    AnswerError, Engine, EngineBuilder, EngineError, Info, Limits, SearchResult, Stop,
};
