//! `lucena levels measure`: how much the levels play like people.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::fit::held_out;
use crate::cli::bar::{Bar, Detail};
use crate::cli::failure::{Failure, failed, in_file};
use crate::cli::stdout::stdout;
use crate::lab::levels::games::read_positions;
use crate::lab::levels::measure::{Band, error, measure};
use crate::lab::levels::samples::{Sample, Task, collect};

/// The width of a band of games, in rating points.
const BAND: u16 = 200;

/// Measures how probable the moves of people are at the levels, and how many expected points people and levels lose
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("source").required(true).args(["positions", "games"])))]
pub struct MeasureArguments {
    /// Positions: a table (.csv, .tsv, also with .xz or .zst) with the columns band, mover_rating, human_move and uci_history
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Games, as of levels fit: the positions that it holds out by default, in bands of 200 points
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// A table whose column game names games to leave out
    #[arg(long, value_name = "FILE", requires = "games")]
    exclude: Option<PathBuf>,
    /// Levels file [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    levels: Option<PathBuf>,
    /// Keeps the features of the positions in this file, so that a second run is fast
    #[arg(long, value_name = "FILE")]
    samples: Option<PathBuf>,
}

pub fn run(arguments: &MeasureArguments) -> Result<(), Failure> {
    let (_, weights) = super::load(arguments.levels.as_deref())?;
    let (source, bands, tasks) = arguments.tasks()?;
    let detail: Detail = Box::new(|_: Duration| String::new());
    let bar = Bar::new("positions", detail);
    let path = arguments.samples.as_deref();
    let samples = collect(&tasks, path, &bar);
    let samples = samples.map_err(in_file(path.unwrap_or(source)))?;
    let mut groups: BTreeMap<&str, Vec<&Sample>> = BTreeMap::new();
    for (band, sample) in bands.iter().zip(&samples) {
        groups.entry(band).or_default().push(sample);
    }
    let measured: Vec<Band> = groups
        .iter()
        .map(|(name, samples)| measure(name, samples, &weights))
        .collect();
    print(&measured)
}

impl MeasureArguments {
    /// The file of the positions or games, the band of each position, and the positions.
    fn tasks(&self) -> Result<(&Path, Vec<String>, Vec<Task>), Failure> {
        if let Some(games) = &self.games {
            let tasks = held_out(games, self.exclude.as_deref())?;
            let band = |task: &Task| format!("{:4}", task.rating / BAND * BAND);
            return Ok((games, tasks.iter().map(band).collect(), tasks));
        }
        let path = self.positions.as_deref();
        let path = path.ok_or_else(|| failed("neither positions nor games"))?;
        let positions = read_positions(path).map_err(failed)?;
        let both = positions
            .into_iter()
            .map(|found| (found.band.clone(), Task::from(found)));
        let (bands, tasks) = both.unzip();
        Ok((path, bands, tasks))
    }
}

fn print(bands: &[Band]) -> Result<(), Failure> {
    let mut out = stdout();
    writeln!(
        out,
        "band  rating  positions  match %        nats  likeliest  loss         >= 0.10 %      >= 0.30 %             queen left %"
    )?;
    writeln!(
        out,
        "                                                         people level  people level   people level guarded   people level guarded"
    )?;
    for band in bands {
        let matched = band.likelihood.matched;
        let spread = 100.0 * error(matched, band.positions);
        let (people, level) = (&band.people, &band.level);
        writeln!(
            out,
            "{:5} {:6} {:10}  {:4.1} ± {spread:3.1}  {:6.3}  {:9}  {:.3}  {:.3}  {:6.1} {:6.1}  {:6.2} {:6.2} {:6.2}   {:6.2} {:6.2} {:6.2}",
            band.name,
            band.rating,
            band.positions,
            100.0 * matched,
            band.likelihood.nll,
            band.likeliest,
            people.mean,
            level.mean,
            100.0 * people.shares[0],
            100.0 * level.shares[0],
            100.0 * people.shares[1],
            100.0 * level.shares[1],
            100.0 * band.spaced,
            100.0 * people.hung,
            100.0 * level.hung,
            100.0 * band.guarded,
        )?;
    }
    let count = bands.len().max(1) as f64;
    let mean = |of: fn(&Band) -> f64| bands.iter().map(of).sum::<f64>() / count;
    let matched = mean(|band| band.likelihood.matched);
    let positions = bands.iter().map(|band| band.positions).sum();
    writeln!(
        out,
        "mean of the bands: match {:.1} ± {:.1} %, {:.3} nats a move",
        100.0 * matched,
        100.0 * error(matched, positions),
        mean(|band| band.likelihood.nll),
    )?;
    Ok(out.flush()?)
}
