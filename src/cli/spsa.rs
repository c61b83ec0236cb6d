//! `lucena spsa`: the constants of the search, tuned by games.
//! Uses: learn (spsa), search (params), bar, picture. Used by: cli.
//! Idea: the same command begins a run, goes on with it, and tells what a finished one found.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use clap::value_parser;

use super::bar::{Bar, Detail};
use super::failure::{Failure, failed, usage_error};
use crate::base::sync::Mutex;
use crate::lab::atomic_file;
use crate::lab::plot::chart::{self, Panel};
use crate::lab::spsa::games::OpeningSource;
use crate::lab::spsa::run::run as play;
use crate::lab::spsa::state::SpsaError;
use crate::lab::spsa::{Constant, SpsaRun, SpsaSettings};
use crate::search::params::tuned;

/// The picture's name in the folder.
const PICTURE: &str = "spsa.svg";

/// Tunes the constants of the search by games against itself; only a build with `--features tune` can. Killed at any moment
/// and started again with the same arguments, it goes on where it was.
#[derive(Debug, clap::Args)]
pub struct SpsaArguments {
    /// The folder for the state and the picture
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Pairs of games in all
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=100_000_000), default_value_t = 10_000)]
    pairs: u64,
    /// Nodes of each search
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..), default_value_t = 5_000)]
    nodes: u64,
    /// What shifts and openings depend on
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many of its steps a constant goes for a game won, at the end
    #[arg(long, value_name = "STEPS", value_parser = rate, default_value_t = 0.002)]
    rate: f64,
    /// Pairs at a time (one for each processor if not given); with one the same arguments give the same values
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// OpeningSource, a FEN or EPD on each line (our own, unbalanced, if not given)
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Tunes only these constants
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
}

fn rate(text: &str) -> Result<f64, String> {
    let rate: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if rate > 0.0 && rate <= 1.0 {
        Ok(rate)
    } else {
        Err("not above 0 and up to 1".to_owned())
    }
}

/// Tunes and says what it found.
pub fn run(arguments: &SpsaArguments) -> Result<(), Failure> {
    let course = tune(arguments).map_err(|error| match error {
        SpsaError::Unknown(_) => usage_error(error),
        _ => failed(error),
    })?;
    tell(&course)?;
    Ok(())
}

fn tune(arguments: &SpsaArguments) -> Result<SpsaRun, SpsaError> {
    let openings = OpeningSource::of(arguments.openings.as_deref())?;
    let settings = SpsaSettings {
        pairs: arguments.pairs,
        nodes: arguments.nodes,
        seed: arguments.seed,
        rate: arguments.rate,
    };
    // Those of earlier runs are no pairs of this one's time.
    let played = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&played);
    let detail: Detail = Box::new(move |elapsed: Duration| {
        let pairs = counted.load(Ordering::Relaxed).saturating_sub(1) as f64;
        format!(
            "{:.1} pairs a minute",
            60.0 * pairs / elapsed.as_secs_f64().max(0.001)
        )
    });
    let failure = Mutex::new(None);
    let course = play(
        &arguments.out,
        &settings,
        chosen(&arguments.only)?,
        &openings,
        super::threads(arguments.threads),
        &Bar::new("pairs", detail),
        &|course, is_point| {
            played.fetch_add(1, Ordering::Relaxed);
            if is_point {
                *failure.lock() = draw(&arguments.out, course, &settings).err();
            }
        },
    )?;
    // A picture that could not be drawn on the way is drawn at the end, or that is said.
    failure.into_inner().map_or(Ok(course), Err)
}

/// The constants that are to be tuned: all, or those of these names.
fn chosen(names: &[String]) -> Result<Vec<Constant>, SpsaError> {
    let unknown = |name: &&String| tuned().all(|known| known.name != **name);
    if let Some(name) = names.iter().find(unknown) {
        return Err(SpsaError::Unknown(name.clone()));
    }
    let all = tuned().map(Constant::from);
    let is_chosen = |known: &Constant| names.is_empty() || names.iter().any(|it| it == known.name);
    Ok(all.filter(is_chosen).collect())
}

/// The way of every constant through its range.
fn draw(folder: &Path, course: &SpsaRun, settings: &SpsaSettings) -> Result<(), SpsaError> {
    let panels: Vec<Panel> = (course.constants.iter().enumerate())
        .map(|(index, constant)| Panel {
            title: format!(
                "{}: {} → {:.1}",
                constant.name, constant.value, course.values[index]
            ),
            range: [constant.min, constant.max].map(f64::from),
            points: (course.path.iter())
                .map(|(done, values)| (*done as f64 / settings.pairs as f64, values[index]))
                .collect(),
        })
        .collect();
    let title = format!(
        "constants of the search, each within its range, after {} of {} pairs of games at {} nodes",
        course.done, settings.pairs, settings.nodes
    );
    let path = folder.join(PICTURE);
    let failed = |error| SpsaError::Io(path.clone(), error);
    let text = chart::panels(&title, &panels)
        .map_err(|error| failed(io::Error::other(error.to_string())))?;
    atomic_file::write_bytes(&path, text.as_bytes()).map_err(failed)
}

/// The lines of `params.rs` with the values found.
fn tell(course: &SpsaRun) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "// After {} pairs of games:", course.done)?;
    for constant in course.rounded() {
        writeln!(out, "    {constant}")?;
    }
    out.flush()
}
