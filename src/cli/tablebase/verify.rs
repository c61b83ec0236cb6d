//! `lucena tablebase verify` and `stats`: tables against a fresh solution, and what is in them.
//! Uses: tablebase, cli's generate and picture. Used by: cli.
//! Idea: solving a small table takes less time than trusting one.

use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crate::cli::bounds::at_least;
use crate::lab::atomic_file;
use crate::lab::tablegen::{Generator, Statistics, parse_name, storage};
use crate::tablebase::{Material, Metric};

use super::Failure;
use super::failure::in_file;
use super::generate::with_threads;
use crate::lab::plot::tablebase as plot;

/// Compares tables with their checksums, their form and, value by value, with a fresh solution.
#[derive(Debug, clap::Args)]
pub struct VerifyArguments {
    /// The folder with the tables
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Tablebases by name; all in the folder with up to five men if none is named
    #[arg(value_name = "NAME", value_parser = parse_name)]
    names: Vec<Material>,
    /// How many threads work; all processors if it is not said
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Solves tables and counts their positions: won, drawn and lost, and for how many plies.
#[derive(Debug, clap::Args)]
pub struct StatsArguments {
    /// Tablebases by name
    #[arg(value_name = "NAME", required = true, value_parser = parse_name)]
    names: Vec<Material>,
    /// Also count the positions of each distance
    #[arg(long)]
    lines: bool,
    /// Also draws all that as a picture, in SVG
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// How many threads work; all processors if it is not said
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Solves tables and writes random positions of them: FEN, win-draw-loss value from -2 to 2, plies to the next capture,
/// pawn move or mate.
#[derive(Debug, clap::Args)]
pub struct SampleArguments {
    /// Tablebases by name
    #[arg(value_name = "NAME", required = true, value_parser = parse_name)]
    names: Vec<Material>,
    /// How many positions of each table
    #[arg(long, value_name = "N", value_parser = at_least(1_usize), default_value_t = 1000)]
    positions: usize,
    /// Another number draws other positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u32,
}

/// Verifies tables, a line for each.
pub fn run(arguments: &VerifyArguments) -> Result<(), Failure> {
    let named = !arguments.names.is_empty();
    let mut materials = arguments.names.clone();
    if !named {
        for men in 3..=5 {
            materials.extend(Material::all(men));
        }
    }
    let folder = &arguments.folder;
    fs::read_dir(folder).map_err(in_file(folder))?;
    let (right, wrong) = with_threads(arguments.threads, || {
        let workshop = Generator::default();
        let mut counts = (0, 0);
        for material in materials {
            match verify(&workshop, folder, material, named)? {
                Some(true) => counts.0 += 1,
                Some(false) => counts.1 += 1,
                None => {}
            }
        }
        Ok::<(usize, usize), Failure>(counts)
    })??;
    match (right, wrong) {
        (0, 0) => Err(in_file(folder)("no tables with up to five men")),
        (_, 0) => Ok(()),
        _ => Err(in_file(folder)(format!(
            "not right: {wrong} of {}",
            right + wrong
        ))),
    }
}

/// Whether a table is right; one that is not there is wrong when it was named, else `None`.
fn verify(
    workshop: &Generator,
    folder: &Path,
    material: Material,
    is_named: bool,
) -> Result<Option<bool>, Failure> {
    let mut out = io::stdout();
    let mut tables = Vec::new();
    for metric in [Metric::Wdl, Metric::Dtz] {
        match storage::read(folder, material, metric) {
            Ok(Some(found)) => tables.push((metric, found)),
            Ok(None) => {}
            Err(fault) => {
                writeln!(out, "{material:7} WRONG: {fault}")?;
                return Ok(Some(false));
            }
        }
    }
    if tables.is_empty() {
        if is_named {
            writeln!(out, "{material:7} is not there")?;
        }
        return Ok(is_named.then_some(false));
    }
    let kinds: Vec<String> = tables
        .iter()
        .map(|(metric, _)| metric.to_string())
        .collect();
    match workshop.verify(material, &tables) {
        Ok(_) => writeln!(out, "{material:7} {} right", kinds.join(" and "))?,
        Err(mismatch) => {
            writeln!(out, "{material:7} WRONG: {mismatch}")?;
            return Ok(Some(false));
        }
    }
    Ok(Some(true))
}

/// Writes the statistics of tables.
pub fn stats(arguments: &StatsArguments) -> Result<(), Failure> {
    let mut out = io::stdout();
    writeln!(
        out,
        "{:7} {:5} {:>11} {:>9} {:>11} {:>9} {:>11}  longest win, loss (plies)",
        "table", "moves", "wins", "cursed", "draws", "blessed", "losses"
    )?;
    let found = with_threads(arguments.threads, || {
        let workshop = Generator::default();
        let mut found = Vec::new();
        for &material in &arguments.names {
            let statistics = workshop.statistics(material);
            show(material, &statistics, arguments.lines)?;
            found.push((material, statistics));
        }
        Ok::<_, Failure>(found)
    })??;
    if let Some(path) = &arguments.picture {
        let picture = plot::draw(&found).map_err(in_file(path))?;
        atomic_file::write_bytes(path, picture.as_bytes()).map_err(in_file(path))?;
        writeln!(out, "picture: {}", path.display())?;
    }
    Ok(out.flush()?)
}

/// Writes random positions with their values.
pub fn sample(arguments: &SampleArguments) -> Result<(), Failure> {
    let workshop = Generator::default();
    let mut out = io::BufWriter::new(io::stdout());
    for &material in &arguments.names {
        for sample in workshop.sample(material, arguments.positions, arguments.seed.into()) {
            writeln!(out, "{} {} {}", sample.fen, sample.outcome, sample.plies)?;
        }
    }
    Ok(out.flush()?)
}

fn show(material: Material, statistics: &Statistics, with_lines: bool) -> Result<(), Failure> {
    let mut out = io::stdout();
    for (side, tally) in ["white", "black"].into_iter().zip(&statistics.sides) {
        let [wins, cursed, draws, blessed, losses] = tally.outcomes();
        let [win, loss] = tally.longest();
        writeln!(
            out,
            "{:7} {side:5} {wins:11} {cursed:9} {draws:11} {blessed:9} {losses:11}  {win}, {loss}",
            material.to_string()
        )?;
        if !with_lines {
            continue;
        }
        for (word, counts) in [("wins", &tally.wins), ("losses", &tally.losses)] {
            let most = counts.iter().copied().max().unwrap_or(0).max(1);
            for (plies, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                // The widest bar has fifty signs; a count that is there has one at least.
                let length = (count * 50).div_ceil(most) as usize;
                writeln!(
                    out,
                    "  {word:6} {plies:3} {count:11} {}",
                    "#".repeat(length)
                )?;
            }
        }
    }
    Ok(())
}
