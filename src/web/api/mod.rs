//! Typed requests and their answers as data: what `--json` prints, what the web server sends, and what a program that embeds
//! the engine can serialise itself. Nothing here reads a socket or prints.
//!
//! - [`GameRequest`] is a position with moves; [`position()`] and [`Evaluator`] describe it without a search.
//! - [`QuestionRequest`] asks about a move; [`explain()`], [`why_not`] and [`threats()`] search for the answer.
//! - [`LevelRequest`] asks how a person of a rating would choose; a [`LevelPlayer`] plays so.
//! - [`SearchRequest`] is a search of the engine; its [`Reporter`] turns what the engine finds into [`EngineReport`]s.
//! - `review` judges games (feature `lab`).

mod about;
mod error;
mod game;
mod level;
mod level_player;
mod position;
mod question;
mod report;
#[cfg(feature = "lab")]
pub mod review;
mod search;

pub use crate::engine::{AnswerError, ConceptAnswer, EvalAnswer, Evaluator, Stop, TablebaseAnswer};
pub use about::{About, ApiLimits};
pub use error::{ApiError, ErrorBody, ErrorKind};
pub use game::{GameRequest, MAX_PLIES, PlayedGame};
pub use level::{LevelAnswer, LevelMove, LevelRequest, level};
pub use level_player::LevelPlayer;
pub use position::{BookAnswer, MoveMade, MoveName, OpeningAnswer, PositionAnswer, position};
pub use question::{MAX_NODES, MIN_NODES, QuestionRequest, explain, threats, why_not};
pub use report::{BestMoveReport, EngineReport, ErrorReport, InfoReport, Reporter, ScoreReport};
pub use search::{LimitsRequest, MAX_MULTI_PV, SearchRequest};
