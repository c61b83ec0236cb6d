//! A book grown by search.
//! Uses: book, bar. Used by: the command `book`.
//! Idea: the same command begins a growth and goes on with it.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::value_parser;

use super::super::bar::Bar;
use super::super::bounds::{at_least, in_range};
use super::{Failure, check_filled, failed, game_of, in_file, threads, warn, write_whole};
use crate::base::value::{TABLEBASE_BOUND, Value};
use crate::book::entry;
use crate::lab::bookmaking::grow::{GrowOptions, grow};
use crate::lab::bookmaking::lines;
use crate::lab::bookmaking::scorer::MoveScorer;

/// Grows a book from named lines or a position by Lucena's own search. Killed at any moment and started again with the
/// same arguments, it goes on where it was
#[derive(Debug, clap::Args)]
pub struct GrowArguments {
    /// The book to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Begins with the positions of these lines in PGN
    #[arg(long, value_name = "LINES")]
    pgn: Option<PathBuf>,
    /// Begins (also) with this position, quoted, or startpos
    #[arg(long, value_name = "FEN")]
    from: Vec<String>,
    /// Positions the book shall have
    #[arg(long, value_name = "N", value_parser = at_least(1_usize), default_value_t = 5000)]
    positions: usize,
    /// Nodes of the search that judges a move
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// A move that costs more than this many centipawns is left out
    #[arg(long, value_name = "CP", value_parser = in_range(0, TABLEBASE_BOUND), default_value_t = 60)]
    margin: Value,
    /// Plies from the beginning at which the tree ends
    #[arg(long, value_name = "N", value_parser = at_least(1_usize), default_value_t = 40)]
    max_ply: usize,
    /// In which order positions of the same ply come, where not all can
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Keeps judgements here, and goes on with those that are there
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Threads (one for each processor if not given)
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Grows.
pub fn run(arguments: &GrowArguments) -> Result<(), Failure> {
    let lines = match &arguments.pgn {
        Some(path) => {
            let (lines, faults) = lines::read(path).map_err(in_file(path))?;
            warn(&faults, "lines");
            lines
        }
        None => Vec::new(),
    };
    let mut roots = Vec::new();
    for text in &arguments.from {
        roots.push(game_of(std::slice::from_ref(text))?);
    }
    if lines.is_empty() && roots.is_empty() {
        roots.push(game_of(&[])?);
    }
    let growth = GrowOptions {
        positions: arguments.positions,
        margin: arguments.margin,
        max_ply: arguments.max_ply,
        seed: arguments.seed,
        threads: threads(arguments.threads),
    };
    let judge = MoveScorer::new(arguments.nodes, arguments.log.as_deref()).map_err(failed)?;
    let bar = Bar::new("positions", Box::new(|_| "judged".to_owned()));
    let mut grown = grow(&lines, &roots, growth, &judge, &bar).map_err(failed)?;
    check_filled(&arguments.out, grown.entries.len())?;
    let failed = in_file(&arguments.out);
    write_whole(&arguments.out, arguments.pgn.as_deref(), |out| {
        entry::write(&mut grown.entries, out).map_err(&failed)
    })?;
    let (positions, moves) = (grown.positions, grown.entries.len());
    writeln!(
        io::stdout(),
        "book {positions} positions, {moves} moves; {} moves of lines left out",
        grown.dropped
    )?;
    Ok(())
}
