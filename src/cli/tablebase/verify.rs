//! `lucena tablebase verify`, `stats` and `sample`: commands that solve tables.

use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crate::base::text::plural;
use crate::cli::bounds::in_range;
use crate::cli::stdout::stdout;
use crate::lab::atomic_file;
use crate::lab::tablegen::{Generator, TableStats, parse_name, storage};
use crate::tablebase::{Material, Metric};

use super::Failure;
use super::failure::in_file;
use super::generate::with_threads;
use crate::lab::plot::tablebase as plot;

/// Compares tables with their checksums and, value by value, with a new solution
#[derive(Debug, clap::Args)]
pub struct VerifyArguments {
    /// The folder with the tables
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Names of tables [default: all tables in the folder with up to five pieces]
    #[arg(value_name = "NAME", value_parser = parse_name)]
    names: Vec<Material>,
    /// Number of threads [default: all processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Solves tables and prints their numbers of wins, draws and losses and the longest lines
#[derive(Debug, clap::Args)]
pub struct StatsArguments {
    /// Names of tables
    #[arg(value_name = "NAME", required = true, value_parser = parse_name)]
    names: Vec<Material>,
    /// Also print the number of positions per DTZ
    #[arg(long)]
    lines: bool,
    /// Also draws the numbers as SVG
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Number of threads [default: all processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Solves tables and prints random positions: FEN, WDL from -2 to 2, plies to the next capture, pawn move or mate
#[derive(Debug, clap::Args)]
pub struct SampleArguments {
    /// Names of tables
    #[arg(value_name = "NAME", required = true, value_parser = parse_name)]
    names: Vec<Material>,
    /// Positions per table
    #[arg(long, value_name = "N", value_parser = in_range(1_usize, 10_000_000), default_value_t = 1000)]
    positions: usize,
    /// Seed of the random positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u32,
}

pub fn run(arguments: &VerifyArguments) -> Result<(), Failure> {
    let named = !arguments.names.is_empty();
    let mut materials = arguments.names.clone();
    if !named {
        for pieces in 3..=5 {
            materials.extend(Material::all(pieces));
        }
    }
    let folder = &arguments.folder;
    fs::read_dir(folder).map_err(in_file(folder))?;
    let (right, wrong) = with_threads(arguments.threads, || {
        let generator = Generator::default();
        let mut counts = (0, 0);
        for material in materials {
            match verify(&generator, folder, material, named)? {
                Some(true) => counts.0 += 1,
                Some(false) => counts.1 += 1,
                None => {}
            }
        }
        Ok::<(usize, usize), Failure>(counts)
    })??;
    match (right, wrong) {
        (0, 0) => Err(in_file(folder)("no tables with up to five pieces")),
        (_, 0) => Ok(()),
        _ => Err(in_file(folder)(format!(
            "wrong or missing: {wrong} of {}",
            plural(right + wrong, "table")
        ))),
    }
}

/// Whether a table is right. A missing table is wrong if it was named, else `None`.
fn verify(
    generator: &Generator,
    folder: &Path,
    material: Material,
    is_named: bool,
) -> Result<Option<bool>, Failure> {
    let mut out = stdout();
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
            writeln!(out, "{material:7} is missing")?;
        }
        return Ok(is_named.then_some(false));
    }
    let kinds: Vec<String> = tables
        .iter()
        .map(|(metric, _)| metric.to_string())
        .collect();
    match generator.verify(material, &tables) {
        Ok(()) => writeln!(out, "{material:7} {} right", kinds.join(" and "))?,
        Err(mismatch) => {
            writeln!(out, "{material:7} WRONG: {mismatch}")?;
            return Ok(Some(false));
        }
    }
    Ok(Some(true))
}

pub fn stats(arguments: &StatsArguments) -> Result<(), Failure> {
    if let Some(path) = &arguments.picture {
        atomic_file::check_output(path, []).map_err(in_file(path))?;
    }
    let mut out = stdout();
    writeln!(
        out,
        "{:7} {:5} {:>11} {:>9} {:>11} {:>9} {:>11}  longest win, loss (plies)",
        "table", "moves", "wins", "cursed", "draws", "blessed", "losses"
    )?;
    let found = with_threads(arguments.threads, || {
        let generator = Generator::default();
        let mut found = Vec::new();
        for &material in &arguments.names {
            let stats = generator.stats(material);
            print_stats(material, &stats, arguments.lines)?;
            found.push((material, stats));
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

pub fn sample(arguments: &SampleArguments) -> Result<(), Failure> {
    let generator = Generator::default();
    let mut out = io::BufWriter::new(stdout());
    for &material in &arguments.names {
        for sample in generator.sample(material, arguments.positions, arguments.seed.into()) {
            writeln!(out, "{} {} {}", sample.fen, sample.wdl, sample.dtz)?;
        }
    }
    Ok(out.flush()?)
}

fn print_stats(material: Material, stats: &TableStats, with_lines: bool) -> Result<(), Failure> {
    let mut out = stdout();
    for (side, stats) in ["white", "black"].into_iter().zip(&stats.sides) {
        let [wins, cursed, draws, blessed, losses] = stats.outcomes();
        let [win, loss] = stats.longest();
        writeln!(
            out,
            "{:7} {side:5} {wins:11} {cursed:9} {draws:11} {blessed:9} {losses:11}  {win}, {loss}",
            material.to_string()
        )?;
        if !with_lines {
            continue;
        }
        for (word, counts) in [("wins", &stats.wins), ("losses", &stats.losses)] {
            let most = counts.iter().copied().max().unwrap_or(0).max(1);
            for (plies, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                // The longest bar has 50 characters, the shortest 1.
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
