//! Looking into books.
//! Uses: book, chess. Used by: the command `book`.
//! Idea: a position is told as a FEN or by its moves, in whatever notation.

use std::io::{self, Write};
use std::path::PathBuf;

use super::super::bounds::{at_least, in_range};
use super::{Failure, check_filled, game_of, in_file, open, warn, write_whole};
use crate::book::embedded;
use crate::chess::Game;
use crate::lab::bookmaking::tree::{self, Extent};
use crate::lab::bookmaking::{names, verify};

/// Tells what is in a book
#[derive(Debug, clap::Args)]
pub struct InfoArguments {
    /// The book (that in the program if not given)
    #[arg(value_name = "FILE")]
    book: Option<PathBuf>,
}

/// Tells.
pub fn info(arguments: &InfoArguments) -> Result<(), Failure> {
    let book = open(arguments.book.as_deref())?;
    let found = verify::contents(&book, &[]).map_err(in_file(book.path()))?;
    let (mut positions, mut last) = (0_u64, None);
    book.for_each(|_, entry| {
        positions += u64::from(last != Some(entry.key));
        last = Some(entry.key);
        true
    })
    .map_err(in_file(book.path()))?;
    let mut out = io::stdout().lock();
    let entries = book.len();
    writeln!(out, "{}", book.path().display())?;
    writeln!(out, "  entries {entries}")?;
    let each = entries as f64 / positions.max(1) as f64;
    writeln!(out, "  positions {positions} ({each:.2} moves each)")?;
    writeln!(
        out,
        "  found from the first position {}, the farthest after {} plies",
        found.positions.len(),
        found.plies
    )?;
    writeln!(
        out,
        "  illegal moves {}, entries of other positions {}",
        found.illegal.count, found.unreached
    )?;
    Ok(())
}

/// Shows the moves of a position
#[derive(Debug, clap::Args)]
pub struct ProbeArguments {
    /// The book (that in the program if not given)
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// The position: a FEN or startpos, and moves behind it
    #[arg(value_name = "FEN", allow_hyphen_values = true)]
    position: Vec<String>,
}

/// Probes.
pub fn probe(arguments: &ProbeArguments) -> Result<(), Failure> {
    let book = open(arguments.book.as_deref())?;
    let game = game_of(&arguments.position)?;
    let (moves, illegal) = book.moves(&game).map_err(in_file(book.path()))?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}", game.position().to_fen())?;
    writeln!(out, "key {:016x}", game.book_key())?;
    if let Some(name) = embedded::names().of_game(&game) {
        writeln!(out, "{name}")?;
    }
    let total: u32 = moves.iter().map(|known| u32::from(known.weight)).sum();
    for known in &moves {
        let share = f64::from(known.weight) * 100.0 / f64::from(total.max(1));
        let uci = known.mv.uci(true).to_string();
        let san = game.position().san(known.mv).to_string();
        writeln!(out, "{uci:5} {san:7} {:6} {share:5.1} %", known.weight)?;
    }
    if moves.is_empty() {
        writeln!(out, "not in the book")?;
    }
    for entry in illegal {
        let text = crate::book::entry::raw_move_text(entry.raw_move);
        writeln!(
            io::stderr(),
            "warning: {text} is in the book and not legal here"
        )?;
    }
    Ok(())
}

/// Shows a book as a tree, or draws it
#[derive(Debug, clap::Args)]
pub struct TreeArguments {
    /// The book (that in the program if not given)
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Plies from the position on
    #[arg(long, value_name = "N", value_parser = at_least(1_usize), default_value_t = 8)]
    depth: usize,
    /// Leaves out what fewer than this many percent of the games come to
    #[arg(long, value_name = "PERCENT", value_parser = in_range(0.0_f64, 100.0), default_value_t = 0.5)]
    share: f64,
    /// Draws the tree into this file instead
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The position: a FEN or startpos, and moves behind it
    #[arg(value_name = "FEN", allow_hyphen_values = true)]
    position: Vec<String>,
}

/// Shows or draws.
pub fn tree(arguments: &TreeArguments) -> Result<(), Failure> {
    let book = open(arguments.book.as_deref())?;
    let game = game_of(&arguments.position)?;
    let extent = Extent {
        depth: arguments.depth,
        share: arguments.share,
    };
    let tree = tree::tree(&book, embedded::names(), &game, extent);
    let Some(picture) = &arguments.svg else {
        io::stdout().write_all(tree.text().as_bytes())?;
        return Ok(());
    };
    let title = format!(
        "{} from {}",
        book.path().display(),
        game.position().to_fen()
    );
    let failed = in_file(picture);
    write_whole(picture, arguments.book.as_deref(), |out| {
        out.write_all(tree.svg(&title).as_bytes()).map_err(&failed)
    })
}

/// OpeningNames the opening of a game, or makes the table of names
#[derive(Debug, clap::Args)]
pub struct NameArguments {
    /// Makes the table from named lines in PGN (tags ECO, Opening, Variation) instead
    #[arg(long, value_name = "LINES", requires = "out")]
    compile: Option<PathBuf>,
    /// The table to write
    #[arg(long, value_name = "FILE", requires = "compile")]
    out: Option<PathBuf>,
    /// The game: moves, a FEN or startpos and moves behind it
    #[arg(value_name = "MOVES", allow_hyphen_values = true)]
    position: Vec<String>,
}

/// OpeningNames.
pub fn name(arguments: &NameArguments) -> Result<(), Failure> {
    if let (Some(lines), Some(target)) = (&arguments.compile, &arguments.out) {
        let (text, faults) = names::compile(lines).map_err(in_file(lines))?;
        warn(&faults, "lines");
        let failed = in_file(target);
        check_filled(target, text.lines().count())?;
        write_whole(target, [lines.as_path()], |out| {
            out.write_all(text.as_bytes()).map_err(&failed)
        })?;
        writeln!(
            io::stdout(),
            "{} positions have names",
            text.lines().count()
        )?;
        return Ok(());
    }
    let game: Game = game_of(&arguments.position)?;
    match embedded::names().of_game(&game) {
        Some(name) => writeln!(io::stdout(), "{name}")?,
        None => writeln!(io::stdout(), "no name")?,
    }
    Ok(())
}
