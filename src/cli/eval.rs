//! `lucena eval`: the ledger of a position.
//! Uses: explain, chess. Used by: cli.
//! Idea: the table and the JSON are two writings of one ledger.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{self, Write};
use std::path::PathBuf;

use super::failure::{self, Failure};
use crate::explain::Ledger;

/// Itemises the static evaluation of a position.
#[derive(Debug, clap::Args)]
pub struct EvalArguments {
    /// The position in Forsyth-Edwards notation, quoted or not, or the word startpos
    #[arg(required = true, value_name = "FEN", num_args = 1..)]
    pub fen: Vec<String>,
    /// Writes the ledger as JSON instead of a table
    #[arg(long)]
    pub json: bool,
    /// Evaluates by the weights of this file
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

/// Writes the ledger to standard output.
pub fn run(arguments: &EvalArguments) -> Result<(), Failure> {
    let position = failure::position(&arguments.fen)?;
    let ledger = match super::model(arguments.weights.as_deref())? {
        Some(model) => Ledger::by(&model, &position),
        None => Ledger::of(&position),
    };
    Ok(write(&ledger, arguments.json)?)
}

fn write(ledger: &Ledger, json: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if json {
        serde_json::to_writer_pretty(&mut out, ledger)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{ledger}")?;
    }
    out.flush()
}
