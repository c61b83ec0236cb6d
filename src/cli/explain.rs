//! `lucena explain`, `why-not`, `threats`, `blame`: why a move is better than another, by the claims that prove it.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;

use super::bounds::in_range;
use super::failure::{self, Failure, failed, usage_error};
use super::stdout::stdout;
use crate::chess::Game;
use crate::engine::{
    EXPLAIN_NODES, ExplainError, Explainer, Explanation, MAX_EXPLAIN_NODES, Question,
};

/// Explains why the best move, or another, is better or worse than the alternative
#[derive(Debug, clap::Args)]
pub struct ExplainArguments {
    /// A FEN or startpos, quoted or not; then the move to explain, if it is not the best one (SAN or UCI notation). A
    /// quoted position may be followed by moves in the same quotes
    #[arg(required = true, value_name = "POSITION", num_args = 1..)]
    words: Vec<String>,
    /// The move to compare with [default: the best one; for the best one, the second best]
    #[arg(long, value_name = "MOVE")]
    against: Option<String>,
    #[command(flatten)]
    shape: Shape,
}

/// Explains what is wrong with a move
#[derive(Debug, clap::Args)]
pub struct WhyNotArguments {
    /// A FEN or startpos, quoted or not, and the move (SAN or UCI notation)
    #[arg(required = true, value_names = ["POSITION", "MOVE"], num_args = 2..)]
    words: Vec<String>,
    #[command(flatten)]
    shape: Shape,
}

/// Explains what the opponent threatens
#[derive(Debug, clap::Args)]
pub struct ThreatsArguments {
    /// A FEN or startpos, quoted or not, followed by moves if any
    #[arg(required = true, value_name = "POSITION", num_args = 1..)]
    words: Vec<String>,
    #[command(flatten)]
    effort: Effort,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// Finds the concepts of the evaluation that a choice rests on
#[derive(Debug, clap::Args)]
pub struct BlameArguments {
    /// A FEN or startpos, quoted or not; then the move to compare with the best one [default: the second best]
    #[arg(required = true, value_name = "POSITION", num_args = 1..)]
    words: Vec<String>,
    #[command(flatten)]
    effort: Effort,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// How much is searched, and with which weights.
#[derive(Debug, clap::Args)]
pub struct Effort {
    /// Nodes to search, at least 1000
    #[arg(long, value_name = "N", value_parser = in_range(1000_u64, MAX_EXPLAIN_NODES), default_value_t = EXPLAIN_NODES)]
    nodes: u64,
    /// Weights file to evaluate with
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

/// How much is searched, and how the answer looks.
#[derive(Debug, clap::Args)]
pub struct Shape {
    #[command(flatten)]
    effort: Effort,
    /// Prints JSON
    #[arg(long, conflicts_with_all = ["svg", "short"])]
    json: bool,
    /// Prints a picture: the board with the squares and moves that the claims name
    #[arg(long, conflicts_with = "short")]
    svg: bool,
    /// Prints the first sentence only
    #[arg(long)]
    short: bool,
}

impl Effort {
    /// An explainer with these nodes and weights.
    fn explainer(&self) -> Result<Explainer, Failure> {
        let model = super::model(self.weights.as_deref())?;
        Ok(Explainer::new(self.nodes)
            .map_err(failed)?
            .with_model(model))
    }
}

impl Shape {
    fn print(&self, explanation: &Explanation) -> Result<(), Failure> {
        let mut out = stdout();
        if self.json {
            print_json(explanation)?;
        } else if self.svg {
            write!(out, "{}", explanation.picture())?;
        } else if self.short {
            writeln!(out, "{}", explanation.short())?;
        } else {
            writeln!(out, "{explanation}")?;
        }
        Ok(out.flush()?)
    }
}

pub fn run(arguments: &ExplainArguments) -> Result<(), Failure> {
    let (game, mv) = failure::game_and_move(&arguments.words)?;
    let against = arguments.against.as_deref();
    let against = against
        .map(|text| game.position().find_move(text).map_err(usage_error))
        .transpose()?;
    let question = Question {
        mv,
        against,
        ..Question::default()
    };
    answer(&arguments.shape, &game, question)
}

pub fn why_not(arguments: &WhyNotArguments) -> Result<(), Failure> {
    let (game, mv) = failure::game_and_move(&arguments.words)?;
    let Some(mv) = mv else {
        return Err(usage_error(
            "MOVE is missing: give it after the position, as in lucena why-not startpos e4",
        ));
    };
    let question = Question {
        mv: Some(mv),
        ..Question::default()
    };
    answer(&arguments.shape, &game, question)
}

pub fn threats(arguments: &ThreatsArguments) -> Result<(), Failure> {
    let game = failure::game(&arguments.words)?;
    let threats = arguments.effort.explainer()?.threats(&game);
    let threats = threats.map_err(|error| match error {
        ExplainError::Over(end) => failed(format!("no threats: {end}")),
        other => explain_failure(other),
    })?;
    print(&threats, arguments.json)
}

pub fn blame(arguments: &BlameArguments) -> Result<(), Failure> {
    let (game, mv) = failure::game_and_move(&arguments.words)?;
    let question = Question {
        mv,
        ..Question::default()
    };
    let blame = arguments.effort.explainer()?.blame(&game, question);
    print(&blame.map_err(explain_failure)?, arguments.json)
}

/// Prints an answer as JSON or as text.
fn print<T: Serialize + Display>(answer: &T, json: bool) -> Result<(), Failure> {
    if json {
        return print_json(answer);
    }
    Ok(writeln!(stdout(), "{answer}")?)
}

fn print_json(answer: &impl Serialize) -> Result<(), Failure> {
    let mut out = stdout();
    serde_json::to_writer_pretty(&mut out, answer).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

fn answer(shape: &Shape, game: &Game, question: Question) -> Result<(), Failure> {
    let explanation = shape.effort.explainer()?.explain(game, question);
    shape.print(&explanation.map_err(explain_failure)?)
}

/// A finished game is a valid argument without an answer, so the exit status is 1 and not 2.
fn explain_failure(error: ExplainError) -> Failure {
    match error {
        ExplainError::Same(_) => usage_error(error),
        other => failed(other),
    }
}
