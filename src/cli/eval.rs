//! `lucena eval`: prints the ledger of a position as a table or as JSON.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{self, Write};
use std::path::PathBuf;

use super::failure::{self, Failure};
use super::stdout::stdout;
use crate::chess::{Game, GameEnd};
use crate::explain::Ledger;

/// Itemises the static evaluation of a position
#[derive(Debug, clap::Args)]
pub struct EvalArguments {
    /// A FEN, quoted or not, or startpos
    #[arg(required = true, value_name = "FEN", num_args = 1..)]
    pub fen: Vec<String>,
    /// Prints JSON instead of a table
    #[arg(long)]
    pub json: bool,
    /// Weights file to evaluate with
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

pub fn run(arguments: &EvalArguments) -> Result<(), Failure> {
    let position = failure::position(&arguments.fen)?;
    let ledger = match super::model(arguments.weights.as_deref())? {
        Some(model) => Ledger::by(&model, &position),
        None => Ledger::of(&position),
    };
    let end = Game::new(position).end();
    Ok(write(&ledger, end, arguments.json)?)
}

fn write(ledger: &Ledger, end: Option<GameEnd>, json: bool) -> io::Result<()> {
    let mut out = stdout();
    if json {
        serde_json::to_writer_pretty(&mut out, ledger)?;
        writeln!(out)?;
    } else {
        if let Some(end) = end {
            writeln!(out, "The game is over: {end}.")?;
        }
        writeln!(out, "{ledger}")?;
    }
    out.flush()
}
