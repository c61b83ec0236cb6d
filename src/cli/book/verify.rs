//! `lucena book verify`.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::super::bar::Bar;
use super::super::bounds::{at_least, in_range};
use super::super::stdout::stdout;
use super::{Failure, check_output, failed, in_file, open, threads, warn, write_bytes};
use crate::base::text::plural;
use crate::base::value::{TABLEBASE_BOUND, Value};
use crate::lab::bookmaking::scorer::MoveScorer;
use crate::lab::bookmaking::{lines, verify};

/// Number of blunders printed.
const MAX_SHOWN: usize = 20;

/// Checks a book: order, duplicates, legality of its moves and, with --nodes, how much each move loses by search
#[derive(Debug, clap::Args)]
pub struct VerifyArguments {
    /// The book [default: the built-in one]
    #[arg(value_name = "FILE", conflicts_with = "pgn")]
    book: Option<PathBuf>,
    /// Score named lines (PGN) instead of a book
    #[arg(long, value_name = "LINES", requires = "nodes")]
    pgn: Option<PathBuf>,
    /// Score every move by a search of this many nodes
    #[arg(long, value_name = "N", value_parser = at_least(1_u64))]
    nodes: Option<u64>,
    /// Report moves that lose more than this many centipawns
    #[arg(long, value_name = "CP", value_parser = in_range(0, TABLEBASE_BOUND), default_value_t = 60)]
    margin: Value,
    /// Read the scores of moves from this log and append new ones
    #[arg(long, value_name = "FILE", requires = "nodes")]
    log: Option<PathBuf>,
    /// Write the scores of the lines as a Markdown table
    #[arg(long, value_name = "FILE", requires = "pgn")]
    report: Option<PathBuf>,
    /// Threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = in_range(1_u16, 1024))]
    threads: Option<u16>,
}

fn bar() -> Bar {
    Bar::new("positions", Box::new(|_| "scored".to_owned()))
}

pub fn run(arguments: &VerifyArguments) -> Result<(), Failure> {
    let scorer = arguments
        .nodes
        .map(|nodes| MoveScorer::new(nodes, arguments.log.as_deref()));
    let scorer = scorer.transpose().map_err(failed)?;
    if let (Some(path), Some(scorer)) = (&arguments.pgn, &scorer) {
        return score_lines(path, scorer, arguments);
    }
    let mut out = stdout();
    if let Some(path) = &arguments.book {
        let check = verify::check_format(path).map_err(in_file(path))?;
        writeln!(
            out,
            "entries {}, trailing bytes {}",
            check.entries, check.trailing_bytes
        )?;
        writeln!(out, "never played (weight 0): {}", check.zero_weight)?;
        warn(&check.unsorted, "entry", "out of order");
        warn(&check.duplicates, "move", "twice in its position");
        if check.entries == 0
            || check.trailing_bytes > 0
            || check.unsorted.count > 0
            || check.duplicates.count > 0
        {
            return Err(failed(format!("{}: not a valid book", path.display())));
        }
    }
    let book = open(arguments.book.as_deref())?;
    let found = verify::contents(&book).map_err(in_file(book.path()))?;
    writeln!(
        out,
        "positions reached from the start position {}, entries of other positions {}",
        found.positions.len(),
        found.unreached
    )?;
    warn(&found.illegal, "move", "illegal");
    if let Some(scorer) = &scorer {
        let margin = arguments.margin;
        let bar = bar();
        let blunders = verify::blunders(&found, margin, scorer, threads(arguments.threads), &bar);
        let blunders = blunders.map_err(failed)?;
        writeln!(
            out,
            "moves that lose more than {margin} centipawns: {}",
            blunders.len()
        )?;
        for blunder in blunders.iter().take(MAX_SHOWN) {
            let (loss, played) = (&blunder.loss, &blunder.played);
            writeln!(
                out,
                "  {loss:>5} {played:7} not {:7} {}",
                blunder.better, blunder.fen
            )?;
        }
    }
    if found.positions.is_empty() {
        let reason = "no position is reached from the start position, so no move can be checked";
        return Err(failed(format!("{}: {reason}", book.path().display())));
    }
    if found.illegal.count > 0 {
        return Err(failed(format!("{}: illegal moves", book.path().display())));
    }
    Ok(())
}

fn score_lines(
    path: &Path,
    scorer: &MoveScorer,
    arguments: &VerifyArguments,
) -> Result<(), Failure> {
    let (lines, skipped) = lines::read(path).map_err(in_file(path))?;
    warn(&skipped, "line", "skipped");
    if let Some(target) = &arguments.report {
        check_output(target, [path].into_iter().chain(arguments.log.as_deref()))?;
    }
    let reports = verify::score_lines(&lines, scorer, threads(arguments.threads), &bar());
    let reports = reports.map_err(failed)?;
    let margin = arguments.margin;
    let costly = reports
        .iter()
        .filter(|report| report.is_recommended && report.worst.1.centipawns > margin)
        .count();
    let mut out = stdout();
    writeln!(
        out,
        "{}, {} recommended, {costly} of them with a move that loses more than {margin} centipawns",
        plural(reports.len(), "line"),
        reports
            .iter()
            .filter(|report| report.is_recommended)
            .count(),
    )?;
    let Some(target) = &arguments.report else {
        return Ok(());
    };
    let text = verify::markdown(&reports, scorer.nodes(), margin);
    write_bytes(target, [path], text.as_bytes())
}
