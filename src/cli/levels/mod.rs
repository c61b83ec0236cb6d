//! `lucena levels`: fits, shows, probes, measures and calibrates the levels.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::doc_markdown, reason = "help texts name columns")]

mod calibrate;
mod fit;
mod measure;
mod probe;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::bounds::in_range;
use super::failure::{Failure, in_file};
use super::stdout::stdout;
use crate::base::text::{MAX_TEXT, read_text};
use crate::engine::level::LevelSettings;
use crate::engine::level::player::{MODEL_UP_TO, RATINGS};
use crate::engine::level::portrait::Portrait;
use crate::engine::level::weights::{BUILT_IN, FILE, LevelWeights, parse, provenance};

/// Fits, shows and measures the levels that play like people
#[derive(Debug, clap::Args)]
pub struct LevelsArguments {
    #[command(subcommand)]
    action: LevelsAction,
}

#[derive(Debug, Subcommand)]
enum LevelsAction {
    Fit(fit::FitArguments),
    Show(ShowArguments),
    Probe(probe::ProbeArguments),
    Measure(measure::MeasureArguments),
    Calibrate(calibrate::CalibrateArguments),
}

/// Prints what a level weighs and overlooks, or where the weights come from
#[derive(Debug, clap::Args)]
pub struct ShowArguments {
    /// The rating of the level; without it, where the weights come from is printed
    #[arg(value_name = "ELO", value_parser = rating())]
    elo: Option<u16>,
    /// Prints a picture
    #[arg(long, requires = "elo")]
    svg: bool,
    /// Prints every feature: its key in personality files, its weight and its description
    #[arg(long, requires = "elo", conflicts_with = "svg")]
    all: bool,
    /// Levels file [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    levels: Option<PathBuf>,
}

/// Parses the rating of a level.
fn rating() -> impl Fn(&str) -> Result<u16, String> + Clone {
    in_range(RATINGS[0], RATINGS[1])
}

pub fn run(arguments: &LevelsArguments) -> Result<(), Failure> {
    match &arguments.action {
        LevelsAction::Fit(arguments) => fit::run(arguments),
        LevelsAction::Show(arguments) => show(arguments),
        LevelsAction::Probe(arguments) => probe::run(arguments),
        LevelsAction::Measure(arguments) => measure::run(arguments),
        LevelsAction::Calibrate(arguments) => calibrate::run(arguments),
    }
}

/// The text and the weights of a file, or the built-in ones.
fn load(path: Option<&Path>) -> Result<(String, LevelWeights), Failure> {
    let Some(path) = path else {
        return Ok((FILE.to_owned(), BUILT_IN.clone()));
    };
    let text = read_text(path, MAX_TEXT).map_err(in_file(path))?;
    let weights = parse(&text).map_err(in_file(path))?;
    Ok((text, weights))
}

/// The rating whose weights a level has. If it differs, a note on standard error says so; this is not an error.
fn rating_of_weights(elo: u16) -> u16 {
    if let Some(nodes) = LevelSettings::of(elo).nodes() {
        let _ = writeln!(
            io::stderr(),
            "level {elo} is the engine with a limit of {nodes} nodes a move; shown are the weights of level {MODEL_UP_TO}"
        );
    }
    elo.min(MODEL_UP_TO)
}

fn show(arguments: &ShowArguments) -> Result<(), Failure> {
    let (text, weights) = load(arguments.levels.as_deref())?;
    let mut out = stdout();
    if let Some(elo) = arguments.elo {
        let elo = rating_of_weights(elo);
        let portrait = Portrait::new(elo, weights.at(elo));
        let shown = if arguments.all {
            portrait.features()
        } else if arguments.svg {
            portrait.svg()
        } else {
            portrait.text()
        };
        write!(out, "{shown}")?;
    } else {
        for (key, value) in provenance(&text) {
            writeln!(out, "{key:12} {value}")?;
        }
    }
    Ok(out.flush()?)
}
