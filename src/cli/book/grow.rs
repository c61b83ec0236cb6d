//! `lucena book grow`.

use std::io::Write;
use std::path::PathBuf;

use super::super::bar::Bar;
use super::super::bounds::{at_least, in_range};
use super::super::stdout::stdout;
use super::{
    Failure, check_not_empty, check_output, failed, game_of, in_file, threads, warn, write_book,
};
use crate::base::text::plural;
use crate::base::value::{TABLEBASE_BOUND, Value};
use crate::lab::bookmaking::grow::{GrowOptions, grow};
use crate::lab::bookmaking::lines;
use crate::lab::bookmaking::scorer::MoveScorer;

/// Grows a book from named lines or a position by search. With --log an interrupted run continues when started again with
/// the same arguments
#[derive(Debug, clap::Args)]
pub struct GrowArguments {
    /// The book to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Start with the positions of these named lines (PGN)
    #[arg(long, value_name = "LINES")]
    pgn: Option<PathBuf>,
    /// Start with this position, in addition to those of --pgn if given: a quoted FEN or startpos
    #[arg(long, value_name = "FEN")]
    from: Vec<String>,
    /// Number of positions in the book
    #[arg(long, value_name = "N", value_parser = at_least(1_usize), default_value_t = 5000)]
    positions: usize,
    /// Nodes of the search that scores a move
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = at_least(1_u64))]
    nodes: u64,
    /// Leave out moves that lose more than this many centipawns
    #[arg(long, value_name = "CP", value_parser = in_range(0, TABLEBASE_BOUND), default_value_t = 60)]
    margin: Value,
    /// Greatest ply of a position
    #[arg(long, value_name = "N", value_parser = at_least(1_usize), default_value_t = 40)]
    max_ply: usize,
    /// Seed of the choice among positions at the same ply, if not all fit
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Read the scores of moves from this log and append new ones
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = in_range(1_u16, 1024))]
    threads: Option<u16>,
}

pub fn run(arguments: &GrowArguments) -> Result<(), Failure> {
    let lines = match &arguments.pgn {
        Some(path) => {
            let (lines, skipped) = lines::read(path).map_err(in_file(path))?;
            warn(&skipped, "line", "skipped");
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
    let options = GrowOptions {
        positions: arguments.positions,
        margin: arguments.margin,
        max_ply: arguments.max_ply,
        seed: arguments.seed,
        threads: threads(arguments.threads),
    };
    let scorer = MoveScorer::new(arguments.nodes, arguments.log.as_deref()).map_err(failed)?;
    let log = arguments.log.as_deref();
    check_output(
        &arguments.out,
        arguments.pgn.as_deref().into_iter().chain(log),
    )?;
    let bar = Bar::new("positions", Box::new(|_| "scored".to_owned()));
    let mut summary = grow(&lines, &roots, options, &scorer, &bar).map_err(failed)?;
    check_not_empty(&arguments.out, summary.entries.len())?;
    write_book(
        &arguments.out,
        arguments.pgn.as_deref(),
        &mut summary.entries,
    )?;
    let size = super::size(summary.positions, summary.entries.len());
    let dropped = plural(summary.dropped, "move");
    writeln!(stdout(), "book {size}; {dropped} of the lines dropped")?;
    Ok(())
}
