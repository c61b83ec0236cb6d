//! Tests of books and lines.
//! Uses: book, bar. Used by: the command `book`.
//! Idea: form and legality always, the search where it is asked for; a fault is a failure, a costly move is news.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::value_parser;

use super::super::bar::Bar;
use super::super::bounds::in_range;
use super::{Failure, failed, in_file, open, threads, warn, write_whole};
use crate::base::value::{TABLEBASE_BOUND, Value};
use crate::book::{Book, embedded};
use crate::lab::bookmaking::scorer::MoveScorer;
use crate::lab::bookmaking::{lines, verify};

/// As many costly moves are shown.
const SHOWN: usize = 20;

/// Tests a book: its form, the legality of its moves and, where nodes are given, what they are worth
#[derive(Debug, clap::Args)]
pub struct VerifyArguments {
    /// The book (that in the program if not given)
    #[arg(value_name = "FILE", conflicts_with = "pgn")]
    book: Option<PathBuf>,
    /// Judges named lines in PGN instead of a book
    #[arg(long, value_name = "LINES", requires = "nodes")]
    pgn: Option<PathBuf>,
    /// Judges every move by a search of this many nodes
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// A move that costs more than this many centipawns is told
    #[arg(long, value_name = "CP", value_parser = in_range(0, TABLEBASE_BOUND), default_value_t = 60)]
    margin: Value,
    /// Keeps judgements here, and goes on with those that are there
    #[arg(long, value_name = "FILE", requires = "nodes")]
    log: Option<PathBuf>,
    /// Writes the verdicts on lines as a table in Markdown
    #[arg(long, value_name = "FILE", requires = "pgn")]
    report: Option<PathBuf>,
    /// Threads (one for each processor if not given)
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

fn bar() -> Bar {
    Bar::new("positions", Box::new(|_| "judged".to_owned()))
}

/// Tests.
pub fn run(arguments: &VerifyArguments) -> Result<(), Failure> {
    let judge = arguments
        .nodes
        .map(|nodes| MoveScorer::new(nodes, arguments.log.as_deref()));
    let judge = judge.transpose().map_err(failed)?;
    if let (Some(path), Some(judge)) = (&arguments.pgn, &judge) {
        return judge_lines(path, judge, arguments);
    }
    let mut out = io::stdout().lock();
    if let Some(path) = &arguments.book {
        let form = verify::form(path).map_err(in_file(path))?;
        writeln!(out, "entries {}, stray bytes {}", form.entries, form.stray)?;
        writeln!(out, "never played (weight 0): {}", form.weightless)?;
        warn(
            &form.unsorted,
            "entries are out of order; a reader would have them",
        );
        warn(&form.twice, "moves stand twice; the second is");
        if form.entries == 0 || form.stray > 0 || form.unsorted.count > 0 || form.twice.count > 0 {
            return Err(failed(format!("{}: not a sound book", path.display())));
        }
    }
    let book: Book = match &arguments.book {
        Some(path) => open(Some(path))?,
        None => embedded::book().map_err(failed)?,
    };
    let found = verify::contents(&book, &[]).map_err(in_file(book.path()))?;
    writeln!(
        out,
        "positions found from the first one {}, entries of others {}",
        found.positions.len(),
        found.unreached
    )?;
    warn(&found.illegal, "illegal moves");
    if let Some(judge) = &judge {
        let margin = arguments.margin;
        let bar = bar();
        let blunders = verify::blunders(&found, margin, judge, threads(arguments.threads), &bar);
        let blunders = blunders.map_err(failed)?;
        writeln!(
            out,
            "moves that cost more than {margin} centipawns: {}",
            blunders.len()
        )?;
        for blunder in blunders.iter().take(SHOWN) {
            let (loss, played) = (blunder.loss, &blunder.played);
            writeln!(
                out,
                "  {loss:5} {played:7} not {:7} {}",
                blunder.better, blunder.fen
            )?;
        }
    }
    if found.illegal.count > 0 {
        return Err(failed(format!("{}: illegal moves", book.path().display())));
    }
    Ok(())
}

/// Judges named lines.
fn judge_lines(
    path: &Path,
    judge: &MoveScorer,
    arguments: &VerifyArguments,
) -> Result<(), Failure> {
    let (lines, faults) = lines::read(path).map_err(in_file(path))?;
    warn(&faults, "lines");
    let verdicts = verify::verdicts(&lines, judge, threads(arguments.threads), &bar());
    let verdicts = verdicts.map_err(failed)?;
    let margin = arguments.margin;
    let costly = verdicts
        .iter()
        .filter(|verdict| verdict.is_recommended && verdict.worst.1 > margin)
        .count();
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{} lines, {} recommended, {costly} of them with a move that costs more than {margin} centipawns",
        verdicts.len(),
        verdicts
            .iter()
            .filter(|verdict| verdict.is_recommended)
            .count(),
    )?;
    let Some(target) = &arguments.report else {
        return Ok(());
    };
    let failed = in_file(target);
    let text = verify::report(&verdicts, judge.nodes(), margin);
    write_whole(target, [path], |out| {
        out.write_all(text.as_bytes()).map_err(&failed)
    })
}
