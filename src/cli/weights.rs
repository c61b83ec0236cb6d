//! `lucena weights`: looks at weights.
//! Uses: eval, learn (emit), page. Used by: cli.
//! Idea: a weights file is text; what a program adds is the check, the words, the pictures and the difference.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::failure::{Failure, failed, in_file};
use crate::eval::weights::{self, FILE, WEIGHTS, starting};
use crate::eval::{Index, Pair, QUARTERS_PER_CENTIPAWN, Weights};
use crate::lab::plot::page::{EXPLANATION, Page, centipawns};
use crate::lab::train::emit;

/// Shows the weights of the evaluation, or how those of two files differ.
#[derive(Debug, clap::Args)]
pub struct WeightsArguments {
    /// A weights file (the one built in if not given); with a second file, the differences between them
    #[arg(value_name = "FILE", num_args = 0..=2)]
    files: Vec<PathBuf>,
    /// Writes a weights file in which nothing is learned: pieces are worth 1, 3, 3, 5 and 9 pawns
    #[arg(long, conflicts_with = "files")]
    start: bool,
    /// Draws the tables, or the differences, as a page of pictures in this folder instead
    #[arg(long, value_name = "DIR", conflicts_with = "start")]
    draw: Option<PathBuf>,
}

/// Writes to standard output.
pub fn run(arguments: &WeightsArguments) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if arguments.start {
        write!(
            out,
            "{}",
            emit::text(&starting(), "# Nothing is learned yet.\n", None)
        )?;
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
    let text = fs::read_to_string(path).map_err(in_file(path))?;
    let weights = weights::parse(&text).map_err(in_file(path))?;
    Ok((text, weights))
}

/// A line for what the file says of itself, for each family that it lacks, and for each weight.
fn print(text: &str, weights: &Weights, out: &mut impl Write) -> io::Result<()> {
    for (key, value) in weights::provenance(text) {
        writeln!(out, "{key:12} {value}")?;
    }
    for family in weights::missing(text) {
        writeln!(out, "not learned yet: {}", family.declaration().name)?;
    }
    for index in Index::all() {
        writeln!(out, "{} {}", written(weights[index]), described(index))?;
    }
    Ok(())
}

/// The tables in colours.
fn draw(folder: &Path, text: &str, weights: &Weights) -> Result<(), String> {
    let mut page = Page::new(folder)?;
    let unlearned = weights::unlearned(text);
    page.add_families(|index, endgame| {
        (!unlearned[index.get()]).then(|| centipawns(weights, index, endgame))
    })?;
    let lines = weights::provenance(text).map(|(key, value)| format!("{key} {value}\n"));
    let provenance: String = lines.collect();
    page.finish("The weights of the evaluation", EXPLANATION, &provenance)
}

/// What the second file has more than the first, in colours.
fn draw_differences(
    folder: &Path,
    files: &[PathBuf],
    first: &Weights,
    second: &Weights,
) -> Result<(), String> {
    let mut page = Page::new(folder)?;
    page.add_families(|index, endgame| {
        let difference = centipawns(second, index, endgame) - centipawns(first, index, endgame);
        (difference != 0.0).then_some(difference)
    })?;
    let names: Vec<String> = files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    let explanation = "What each weight has gained, in centipawns: red is more, blue is less, a point on grey is the same.";
    page.finish("Differences of weights", explanation, &names.join(" → "))
}

/// The weights that differ, the largest difference first.
fn compare(first: &Weights, second: &Weights, out: &mut impl Write) -> io::Result<()> {
    let distance = |index: &Index| {
        let (old, new) = (first[*index], second[*index]);
        old.middlegame
            .abs_diff(new.middlegame)
            .max(old.endgame.abs_diff(new.endgame))
    };
    let mut indices: Vec<Index> = Index::all()
        .filter(|index| first[*index] != second[*index])
        .collect();
    indices.sort_by_key(|index| std::cmp::Reverse(distance(index)));
    for index in indices {
        writeln!(
            out,
            "{} → {} {}",
            written(first[index]),
            written(second[index]),
            described(index)
        )?;
    }
    Ok(())
}

fn described(index: Index) -> String {
    format!("{}: {index}", index.family().declaration().name)
}

/// Both halves of a weight in centipawns.
fn written(pair: Pair) -> String {
    let centipawns = |quarters: i16| f32::from(quarters) / QUARTERS_PER_CENTIPAWN as f32;
    format!(
        "{:9.2} {:9.2}",
        centipawns(pair.middlegame),
        centipawns(pair.endgame)
    )
}
