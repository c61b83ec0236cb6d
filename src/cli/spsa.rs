//! `lucena spsa`: tunes the search constants by games. The same command starts a run, continues it, and prints a
//! finished one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::bar::{Bar, Detail};
use super::bounds::{at_least, in_range};
use super::failure::{Failure, failed, usage_error};
use super::stdout::stdout;
use crate::base::sync::Mutex;
use crate::lab::atomic_file;
use crate::lab::plot::chart::{self, Panel};
use crate::lab::spsa::games::SpsaOpenings;
use crate::lab::spsa::run::{STATE, run as play};
use crate::lab::spsa::state::{SpsaError, chosen};
use crate::lab::spsa::{GameClock, SpsaRun, SpsaSettings};

/// Name of the plot in the folder.
const PLOT: &str = "spsa.svg";
/// The least and greatest number of nodes of a clock.
const MIN_CLOCK: u64 = 1_000;
const MAX_CLOCK: u64 = 1_000_000_000_000;

/// Tunes the search constants by games of Lucena against itself. Needs a build with `--features tune`. After a kill, the
/// same
/// command continues.
#[derive(Debug, clap::Args)]
pub struct SpsaArguments {
    /// Folder for the state and the plot
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Total number of game pairs
    #[arg(long, value_name = "N", value_parser = in_range(1_u64, 100_000_000), default_value_t = 10_000)]
    pairs: u64,
    /// Nodes per search
    #[arg(long, value_name = "N", value_parser = at_least(1_u64), default_value_t = 5_000)]
    nodes: u64,
    /// Tunes time management instead, in games whose clocks count nodes: nodes at the start and added for each move
    /// (600000+6000)
    #[arg(long, value_name = "N+N", value_parser = clock, conflicts_with = "nodes")]
    clock: Option<GameClock>,
    /// Seed of the perturbations and openings
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How far a constant moves for one game won at the end of the run, in its steps
    #[arg(long, value_name = "STEPS", value_parser = rate, default_value_t = 0.002)]
    rate: f64,
    /// Pairs played at a time [default: one per processor]; with one thread the same arguments give the same values
    #[arg(long, value_name = "N", value_parser = in_range(1_u16, 1024))]
    threads: Option<u16>,
    /// Openings, one FEN or EPD per line [default: unbalanced openings that the command makes]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Tunes only these constants
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
}

fn clock(text: &str) -> Result<GameClock, String> {
    let part = |text: &str| text.parse().ok().filter(|nodes| *nodes <= MAX_CLOCK);
    let parts = text.split_once('+');
    let parts = parts.and_then(|(base, increment)| Some((part(base)?, part(increment)?)));
    match parts {
        Some((base, increment)) if base >= MIN_CLOCK => Ok(GameClock { base, increment }),
        _ => Err(format!(
            "it must be BASE+INCREMENT, from {MIN_CLOCK} and 0 to {MAX_CLOCK} nodes"
        )),
    }
}

fn rate(text: &str) -> Result<f64, String> {
    let rate: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if rate > 0.0 && rate <= 1.0 {
        Ok(rate)
    } else {
        Err("it must be greater than 0 and at most 1".to_owned())
    }
}

pub fn run(arguments: &SpsaArguments) -> Result<(), Failure> {
    let state = tune(arguments).map_err(|error| match error {
        SpsaError::Unknown(_) => usage_error(error),
        _ => failed(error),
    })?;
    print(&state)?;
    Ok(())
}

fn tune(arguments: &SpsaArguments) -> Result<SpsaRun, SpsaError> {
    let constants = chosen(&arguments.only, arguments.clock.is_some())?;
    let folder = &arguments.out;
    atomic_file::create_folder(folder).map_err(|error| SpsaError::Io(folder.clone(), error))?;
    for name in [STATE, PLOT] {
        let out = folder.join(name);
        atomic_file::check_output(&out, arguments.openings.as_deref())
            .map_err(|error| SpsaError::Io(out, error))?;
    }
    let openings = SpsaOpenings::of(arguments.openings.as_deref())?;
    let settings = SpsaSettings {
        pairs: arguments.pairs,
        nodes: arguments.nodes,
        clock: arguments.clock,
        seed: arguments.seed,
        rate: arguments.rate,
    };
    // Pairs of this process only, for the rate.
    let played = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&played);
    let detail: Detail = Box::new(move |elapsed: Duration| {
        let pairs = counted.load(Ordering::Relaxed).saturating_sub(1) as f64;
        format!(
            "{:.1} pairs/min",
            60.0 * pairs / elapsed.as_secs_f64().max(0.001)
        )
    });
    let failure = Mutex::new(None);
    let state = play(
        &arguments.out,
        &settings,
        constants,
        &openings,
        super::threads(arguments.threads),
        &Bar::new("pairs", detail),
        &|state, is_point| {
            played.fetch_add(1, Ordering::Relaxed);
            if is_point {
                *failure.lock() = draw(&arguments.out, state, &settings).err();
            }
        },
    )?;
    // Only a failure of the last plot counts: it replaces the earlier ones.
    failure.into_inner().map_or(Ok(state), Err)
}

/// Plots the history of every constant within its range.
fn draw(folder: &Path, state: &SpsaRun, settings: &SpsaSettings) -> Result<(), SpsaError> {
    let panels: Vec<Panel> = (state.constants.iter().enumerate())
        .map(|(index, constant)| Panel {
            title: format!(
                "{}: {} → {:.1}",
                constant.name, constant.value, state.values[index]
            ),
            range: [constant.min, constant.max].map(f64::from),
            points: (state.history.iter())
                .map(|(done, values)| (*done as f64 / settings.pairs as f64, values[index]))
                .collect(),
        })
        .collect();
    let title = format!(
        "search constants, each within its range, after {} of {} pairs of games at {} nodes",
        state.done,
        settings.pairs,
        (settings.clock).map_or_else(|| settings.nodes.to_string(), |clock| clock.to_string())
    );
    let path = folder.join(PLOT);
    let failed = |error| SpsaError::Io(path.clone(), error);
    let text = chart::panels(&title, &panels)
        .map_err(|error| failed(io::Error::other(error.to_string())))?;
    atomic_file::write_bytes(&path, text.as_bytes()).map_err(failed)
}

/// Prints the lines of `params.rs` with the tuned values.
fn print(state: &SpsaRun) -> io::Result<()> {
    let mut out = stdout();
    writeln!(out, "// After {} pairs of games:", state.done)?;
    for constant in state.rounded() {
        writeln!(out, "    {constant}")?;
    }
    out.flush()
}
