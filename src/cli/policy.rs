//! `lucena policy`: fits the policy of the tree search to the choices of alpha-beta. The file it writes is compiled into
//! the
//! program.

use std::io::{self, Write};
use std::path::PathBuf;

use super::bar::Bar;
use super::bounds::{at_least, in_range};
use super::failure::{Failure, failed, in_file, usage_error};
use super::stdout::stdout;
use crate::lab::atomic_file;
use crate::lab::train::policy_fit::{Quality, UNIFORM, file_text, fit, measure};
use crate::lab::train::policy_samples::{SamplePlan, collect};

/// Fits the policy of the tree search to the moves that alpha-beta chooses in games against itself.
#[derive(Clone, Debug, clap::Args)]
#[command(arg_required_else_help = true)]
pub struct PolicyArguments {
    /// Number of games
    #[arg(long, value_name = "N", value_parser = in_range(1_u64, 10_000_000), default_value_t = 500)]
    games: u64,
    /// Nodes of the search that chooses a move
    #[arg(long, value_name = "N", value_parser = at_least(1_u64), default_value_t = 3000)]
    nodes: u64,
    /// Seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The file to write; without it only the quality is printed
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(arguments: &PolicyArguments) -> Result<(), Failure> {
    if let Some(out) = &arguments.out {
        atomic_file::check_output(out, []).map_err(in_file(out))?;
    }
    let plan = SamplePlan {
        games: arguments.games,
        nodes: arguments.nodes,
        seed: arguments.seed,
    };
    let bar = Bar::new("games", Box::new(|_| String::new()));
    let memory = |error| failed(format!("memory: {error}"));
    let samples = collect(&plan, &bar).map_err(memory)?;
    let held_out = || samples.iter().filter(|sample| sample.held_out);
    if held_out().count() == samples.len() {
        return Err(usage_error("--games: too few for fitting"));
    }
    let weights = fit(&samples, arguments.seed);
    let uniform = measure(&UNIFORM, held_out());
    let fitted = measure(&weights, held_out());
    if let Some(out) = &arguments.out {
        let text = file_text(&weights, &plan, samples.len(), fitted);
        atomic_file::write_bytes(out, text.as_bytes()).map_err(in_file(out))?;
    }
    Ok(print(samples.len(), uniform, fitted)?)
}

fn print(samples: usize, uniform: Quality, fitted: Quality) -> io::Result<()> {
    let mut out = stdout();
    writeln!(out, "{samples} positions, {} held out", fitted.samples)?;
    writeln!(out, "equal probabilities: loss {:.3}", uniform.loss)?;
    writeln!(
        out,
        "fitted: loss {:.3}, first choice {:.1} %, first five {:.1} %",
        fitted.loss,
        100.0 * fitted.first,
        100.0 * fitted.first_five
    )?;
    out.flush()
}
