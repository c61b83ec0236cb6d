//! `lucena book build`, `export` and `merge`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use clap::ValueEnum;

use super::super::bar::{Bar, Detail};
use super::super::bounds::{MAX_MIB, at_least, in_range};
use super::super::input;
use super::super::stdout::stdout;
use super::{
    Failure, check_not_empty, check_output, failed, in_file, open, warn, write_book, write_bytes,
    write_whole,
};
use crate::base::text::plural;
use crate::chess::Color;
use crate::lab::bookmaking::builder::{self, BuildError, BuildOptions};
use crate::lab::bookmaking::file::BUILT_IN;
use crate::lab::bookmaking::merge::Merger;

/// Bytes in a mebibyte.
const MEBIBYTE: usize = 1 << 20;

/// Builds a book from PGN games
#[derive(Debug, clap::Args)]
pub struct BuildArguments {
    /// PGN files (also .zst, .xz)
    #[arg(long, value_name = "GAMES", required = true, num_args = 1..)]
    pgn: Vec<PathBuf>,
    /// The book to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// A move must occur in at least this many games
    #[arg(long, value_name = "N", value_parser = at_least(1_u32), default_value_t = 3)]
    min_games: u32,
    /// The least score of a move, from 0 (all lost) to 1 (all won)
    #[arg(long, value_name = "SHARE", value_parser = in_range(0.0_f64, 1.0), default_value_t = 0.0)]
    min_score: f64,
    /// Plies of each game that count
    #[arg(long, value_name = "N", value_parser = at_least(1_usize), default_value_t = 1024)]
    max_ply: usize,
    /// What a win, draw and loss of the mover add to the weight of a move
    #[arg(long, value_name = "W,D,L", value_parser = points, default_value = "2,1,0")]
    weights: [u32; 3],
    /// All moves get the same weight
    #[arg(long)]
    uniform: bool,
    /// Only moves of this side
    #[arg(long, value_name = "SIDE")]
    only: Option<Side>,
    /// Threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = in_range(1_u16, 1024))]
    threads: Option<u16>,
    /// Memory for counts in MiB; more goes to temporary files next to the book
    #[arg(long, value_name = "MB", value_parser = in_range(1, MAX_MIB), default_value_t = 384)]
    memory: usize,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Side {
    White,
    Black,
}

/// Three numbers, separated by commas.
fn points(text: &str) -> Result<[u32; 3], String> {
    let numbers = text.split(',').map(|number| number.trim().parse().ok());
    let numbers: Option<Vec<u32>> = numbers.collect();
    let points = numbers.and_then(|numbers| numbers.try_into().ok());
    points.ok_or_else(|| "must be three numbers with commas between them, as in 2,1,0".to_owned())
}

pub fn build(arguments: &BuildArguments) -> Result<(), Failure> {
    input::check_named_once(&arguments.pgn, "--pgn")?;
    let folder = arguments
        .out
        .parent()
        .filter(|path| !path.as_os_str().is_empty());
    let options = BuildOptions {
        min_games: arguments.min_games,
        min_score: arguments.min_score,
        max_ply: arguments.max_ply,
        points: arguments.weights,
        uniform: arguments.uniform,
        only: arguments.only.map(|side| match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }),
        threads: super::threads(arguments.threads),
        memory: arguments.memory * MEBIBYTE,
        folder: folder.unwrap_or(Path::new(".")).to_owned(),
    };
    let games = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&games);
    let detail: Detail = Box::new(move |elapsed: Duration| {
        let games = counted.load(Ordering::Relaxed);
        let rate = games as f64 / elapsed.as_secs_f64().max(0.001);
        format!("{}, {rate:.0}/s", plural(games as usize, "game"))
    });
    let bar = Bar::new("bytes", detail);
    let mut summary = builder::BuildSummary::default();
    let inputs = arguments.pgn.iter().map(PathBuf::as_path);
    write_whole(&arguments.out, inputs, |out| {
        let built = builder::build(&arguments.pgn, &options, &games, &bar, out);
        summary = built.map_err(|error| match error {
            BuildError::Output(error) => in_file(&arguments.out)(error),
            games @ BuildError::Games { .. } => failed(games),
        })?;
        warn(&summary.skipped, "game", "skipped");
        check_not_empty(&arguments.out, summary.kept.1 as usize)
    })?;
    let mut out = stdout();
    let size = |(positions, moves): (u64, u64)| super::size(positions as usize, moves as usize);
    writeln!(out, "{}", plural(summary.games as usize, "game"))?;
    writeln!(out, "seen {}", size(summary.seen))?;
    writeln!(out, "book {}", size(summary.kept))?;
    Ok(())
}

/// Writes the built-in book to a file
#[derive(Debug, clap::Args)]
pub struct ExportArguments {
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub fn export(arguments: &ExportArguments) -> Result<(), Failure> {
    write_bytes(&arguments.out, None, BUILT_IN)
}

/// Merges books
#[derive(Debug, clap::Args)]
pub struct MergeArguments {
    /// The books
    #[arg(required = true, value_name = "FILE")]
    books: Vec<PathBuf>,
    /// The book to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Take the moves of a position from the first book that contains it, instead of adding the weights of all
    #[arg(long)]
    first: bool,
}

pub fn merge(arguments: &MergeArguments) -> Result<(), Failure> {
    let books = arguments.books.iter().map(|path| open(Some(path)));
    let books = books.collect::<Result<Vec<_>, Failure>>()?;
    let inputs = || arguments.books.iter().map(PathBuf::as_path);
    check_output(&arguments.out, inputs())?;
    let mut merger = Merger::new(arguments.first);
    for book in &books {
        merger.add(book).map_err(in_file(book.path()))?;
    }
    let mut entries = merger.entries();
    write_book(&arguments.out, inputs(), &mut entries)?;
    let size = super::size(merger.positions(), entries.len());
    writeln!(stdout(), "book {size}")?;
    Ok(())
}
