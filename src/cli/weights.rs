//! `lucena weights`: prints, compares, draws and rewrites weights files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::failure::{Failure, failed, in_file};
use super::stdout::stdout;
use crate::base::text::{MAX_TEXT, read_text};
use crate::eval::weights::{self, FILE, WEIGHTS, starting};
use crate::eval::{Index, QUARTERS_PER_CENTIPAWN, Weight, Weights};
use crate::lab::atomic_file;
use crate::lab::plot::page::{EXPLANATION, Page, centipawns};
use crate::lab::train::complete::complete;
use crate::lab::train::emit;
use crate::lab::train::readable::readable_text;

/// Prints the weights of the evaluation, or the differences between two files
#[derive(Debug, clap::Args)]
pub struct WeightsArguments {
    /// A weights file (the built-in one by default); with a second file, the differences are printed
    #[arg(value_name = "FILE", num_args = 0..=2)]
    files: Vec<PathBuf>,
    /// Prints the untrained weights, or writes them to --out: pieces are worth 1, 3, 3, 5 and 9 pawns, everything else 0
    #[arg(long, group = "input", conflicts_with = "files")]
    start: bool,
    /// Draws the weights, or the differences, as a page of plots in this folder
    #[arg(long, value_name = "DIR", conflicts_with = "start")]
    draw: Option<PathBuf>,
    /// Adds the features of this build that this weights file lacks, with weights of 0
    #[arg(long, value_name = "FILE", group = "input", requires = "out", conflicts_with_all = ["files", "start", "draw"])]
    complete: Option<PathBuf>,
    /// Moves constants between the families of this weights file, so that single weights can be interpreted; no evaluation
    /// changes
    #[arg(long, value_name = "FILE", group = "input", requires = "out", conflicts_with_all = ["files", "start", "draw"])]
    readable: Option<PathBuf>,
    /// The file to write; may be the input file
    #[arg(long, value_name = "FILE", requires = "input")]
    out: Option<PathBuf>,
}

pub fn run(arguments: &WeightsArguments) -> Result<(), Failure> {
    let mut out = stdout();
    if arguments.start {
        let text = emit::text(&starting(), "# Not trained.\n", None);
        if let Some(target) = &arguments.out {
            return atomic_file::write_bytes(target, text.as_bytes()).map_err(in_file(target));
        }
        write!(out, "{text}")?;
        return Ok(out.flush()?);
    }
    if let (Some(file), Some(target)) = (&arguments.complete, &arguments.out) {
        let text = read_text(file, MAX_TEXT).map_err(in_file(file))?;
        let completed = complete(&text).map_err(in_file(file))?;
        atomic_file::write_bytes(target, completed.text.as_bytes()).map_err(in_file(target))?;
        for change in &completed.changes {
            writeln!(out, "{change}")?;
        }
        if completed.changes.is_empty() {
            writeln!(out, "nothing to add")?;
        }
        return Ok(out.flush()?);
    }
    if let (Some(file), Some(target)) = (&arguments.readable, &arguments.out) {
        let text = read_text(file, MAX_TEXT).map_err(in_file(file))?;
        let readable = readable_text(&text).map_err(in_file(file))?;
        atomic_file::write_bytes(target, readable.as_bytes()).map_err(in_file(target))?;
        return Ok(out.flush()?);
    }
    let (text, weights) = match arguments.files.first() {
        None => (FILE.to_owned(), WEIGHTS.clone()),
        Some(file) => read(file)?,
    };
    let second = arguments.files.get(1).map(|file| read(file)).transpose()?;
    match (&arguments.draw, &second) {
        (None, None) => print(&text, &weights, &mut out)?,
        (None, Some((_, second))) => compare(&weights, second, &mut out)?,
        (Some(folder), None) => draw(folder, &text, &weights).map_err(failed)?,
        (Some(folder), Some((_, second))) => {
            draw_differences(folder, &arguments.files, &weights, second).map_err(failed)?;
        }
    }
    Ok(out.flush()?)
}

fn read(path: &Path) -> Result<(String, Weights), Failure> {
    let text = read_text(path, MAX_TEXT).map_err(in_file(path))?;
    let weights = weights::parse(&text).map_err(in_file(path))?;
    Ok((text, weights))
}

/// Prints a line for each provenance entry, each missing family and each weight.
fn print(text: &str, weights: &Weights, out: &mut impl Write) -> io::Result<()> {
    for (key, value) in weights::provenance(text) {
        writeln!(out, "{key:12} {value}")?;
    }
    for family in weights::missing(text) {
        writeln!(out, "missing (zero weights): {}", family.declaration().name)?;
    }
    for index in Index::all() {
        writeln!(
            out,
            "{} {}",
            in_centipawns(weights[index]),
            described(index)
        )?;
    }
    Ok(())
}

fn draw(folder: &Path, text: &str, weights: &Weights) -> Result<(), String> {
    let mut page = Page::new(folder)?;
    let untrained = weights::untrained(text);
    page.add_families(|index, part| {
        (!untrained[index.get()]).then(|| centipawns(weights, index, part))
    })?;
    let lines = weights::provenance(text).map(|(key, value)| format!("{key} {value}\n"));
    let provenance: String = lines.collect();
    page.finish("The weights of the evaluation", EXPLANATION, &provenance)
}

/// Draws the second file's weights minus the first's.
fn draw_differences(
    folder: &Path,
    files: &[PathBuf],
    first: &Weights,
    second: &Weights,
) -> Result<(), String> {
    let mut page = Page::new(folder)?;
    page.add_families(|index, part| {
        let difference = centipawns(second, index, part) - centipawns(first, index, part);
        (difference != 0.0).then_some(difference)
    })?;
    let names: Vec<String> = files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    let explanation = "The second file's weights minus the first's, in centipawns: blue is more, orange is less, a point on grey is the same.";
    page.finish("Differences of weights", explanation, &names.join(" → "))
}

/// Prints the weights that differ, the largest difference first.
fn compare(first: &Weights, second: &Weights, out: &mut impl Write) -> io::Result<()> {
    let distance = |index: &Index| {
        let parts = first[*index].0.into_iter().zip(second[*index].0);
        parts.map(|(old, new)| old.abs_diff(new)).max()
    };
    let mut indices: Vec<Index> = Index::all()
        .filter(|index| first[*index] != second[*index])
        .collect();
    indices.sort_by_key(|index| std::cmp::Reverse(distance(index)));
    for index in indices {
        writeln!(
            out,
            "{} → {} {}",
            in_centipawns(first[index]),
            in_centipawns(second[index]),
            described(index)
        )?;
    }
    Ok(())
}

fn described(index: Index) -> String {
    format!("{}: {index}", index.family().declaration().name)
}

/// The parts of a weight in centipawns.
fn in_centipawns(weight: Weight) -> String {
    let centipawns = |quarters: i16| f32::from(quarters) / QUARTERS_PER_CENTIPAWN as f32;
    let parts = weight.0.map(|part| format!("{:9.2}", centipawns(part)));
    parts.join(" ")
}
