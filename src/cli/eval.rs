//! `lucena eval`: the ledger of a position.
//! Uses: explain, chess. Used by: cli.
//! Idea: the table and the JSON are two writings of one ledger.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::chess::Position;
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

/// Writes the ledger to standard output; a bad position is an error on standard error and exit code 2.
#[must_use]
pub fn run(arguments: &EvalArguments) -> ExitCode {
    let fen = arguments.fen.join(" ");
    let position = match fen.as_str() {
        "startpos" => Ok(Position::startpos()),
        fen => Position::from_fen(fen),
    };
    let model = super::model(arguments.weights.as_deref()).map_err(|error| error.to_string());
    let position = position.map_err(|error| error.to_string());
    let ledger = match (position, model) {
        (Ok(position), Ok(Some(model))) => Ledger::by(&model, &position),
        (Ok(position), Ok(None)) => Ledger::of(&position),
        (Err(error), _) | (_, Err(error)) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            return ExitCode::from(super::USAGE);
        }
    };
    match write(&ledger, arguments.json) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads has read enough, as `head` does.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: standard output: {error}");
            ExitCode::FAILURE
        }
    }
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
