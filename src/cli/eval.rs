//! `lucena eval`: a static evaluation as concepts, facts and the whole ledger; or what differs between two of them.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use super::failure::{self, Failure, in_file, usage_error};
use super::input;
use super::stdout::stdout;
use crate::base::text::{MAX_TEXT, read_text};
use crate::chess::Game;
use crate::engine::{EvalAnswer, Evaluator};

/// Explains the static evaluation of a position
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools)] // one for each flag
pub struct EvalArguments {
    /// A FEN or startpos, quoted or not, followed by moves if any (SAN or UCI notation); - reads one position from each
    /// line of standard input
    #[arg(required = true, value_name = "POSITION", num_args = 1..)]
    pub position: Vec<String>,
    /// Shows how the evaluation changes from the first position to this one
    #[arg(long, value_name = "POSITION", num_args = 1.., conflicts_with_all = ["all", "svg"])]
    against: Option<Vec<String>>,
    /// Adds the whole ledger: the heaviest terms and all families
    #[arg(long)]
    all: bool,
    /// Prints JSON
    #[arg(long, conflicts_with_all = ["all", "svg"])]
    pub json: bool,
    /// Prints a picture: the board with the squares that count most, and the concepts as bars
    #[arg(long, conflicts_with = "all")]
    svg: bool,
    /// Weights file to evaluate with
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

pub fn run(arguments: &EvalArguments) -> Result<(), Failure> {
    let evaluator = match &arguments.weights {
        Some(file) => {
            let model = super::model(Some(file))?;
            let text = read_text(file, MAX_TEXT).map_err(in_file(file))?;
            Evaluator::with_model(model, &text)
        }
        None => Evaluator::new(),
    };
    let mut out = BufWriter::new(stdout());
    if arguments.position.as_slice() == ["-"] {
        if arguments.against.is_some() || arguments.svg {
            return Err(usage_error("--against and --svg need a position, not -"));
        }
        let mut is_empty = true;
        for (number, line) in input::lines() {
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            let game = Game::from_words(&line)
                .map_err(|error| usage_error(format!("standard input, line {number}: {error}")))?;
            write(&mut out, arguments, &evaluator, &game, true)?;
            is_empty = false;
        }
        if is_empty {
            return Err(failure::failed("no position on standard input"));
        }
        return Ok(out.flush()?);
    }
    let game = failure::game(&arguments.position)?;
    if let Some(against) = &arguments.against {
        let other = failure::game(against)?;
        let comparison = evaluator.compare(&game, &other);
        if arguments.json {
            serde_json::to_writer_pretty(&mut out, &comparison).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            write!(out, "{comparison}")?;
        }
        return Ok(out.flush()?);
    }
    write(&mut out, arguments, &evaluator, &game, false)?;
    Ok(out.flush()?)
}

/// Writes one evaluation; one of many is a line of JSON, or a text followed by an empty line.
fn write(
    out: &mut impl Write,
    arguments: &EvalArguments,
    evaluator: &Evaluator,
    game: &Game,
    is_one_of_many: bool,
) -> io::Result<()> {
    if arguments.json {
        return json(out, &evaluator.evaluate(game), is_one_of_many);
    }
    if arguments.svg {
        return write!(out, "{}", evaluator.picture(game));
    }
    if is_one_of_many {
        writeln!(out, "{}", game.position().to_fen())?;
    }
    write!(out, "{}", evaluator.summary(game))?;
    if arguments.all {
        writeln!(out, "\n{}", evaluator.ledger(game))?;
    }
    if is_one_of_many {
        writeln!(out)?;
    }
    Ok(())
}

fn json(out: &mut impl Write, answer: &EvalAnswer, is_one_of_many: bool) -> io::Result<()> {
    if is_one_of_many {
        serde_json::to_writer(&mut *out, answer)?;
    } else {
        serde_json::to_writer_pretty(&mut *out, answer)?;
    }
    writeln!(out)
}
