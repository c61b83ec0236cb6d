//! `lucena book info`, `probe`, `tree` and `name`.

use std::io::{self, Write};
use std::path::PathBuf;

use super::super::bounds::in_range;
use super::super::stdout::stdout;
use super::{Failure, check_not_empty, game_of, in_file, open, warn, write_bytes};
use crate::base::text::plural;
use crate::engine::embedded::opening_name;
use crate::lab::bookmaking::tree::{self, TreeLimits};
use crate::lab::bookmaking::{lines, names, verify};

/// Prints what a book contains
#[derive(Debug, clap::Args)]
pub struct InfoArguments {
    /// The book [default: the built-in one]
    #[arg(value_name = "FILE")]
    book: Option<PathBuf>,
}

pub fn info(arguments: &InfoArguments) -> Result<(), Failure> {
    let book = open(arguments.book.as_deref())?;
    let found = verify::contents(&book).map_err(in_file(book.path()))?;
    let (mut positions, mut last) = (0_u64, None);
    book.for_each(|_, entry| {
        positions += u64::from(last != Some(entry.key));
        last = Some(entry.key);
        true
    })
    .map_err(in_file(book.path()))?;
    let mut out = stdout();
    let entries = book.len();
    writeln!(out, "{}", book.path().display())?;
    writeln!(out, "  entries {entries}")?;
    let each = entries as f64 / positions.max(1) as f64;
    writeln!(out, "  positions {positions} (moves each {each:.2})")?;
    writeln!(
        out,
        "  reached from the start position {}, the farthest after {}",
        found.positions.len(),
        plural(found.plies, "ply")
    )?;
    writeln!(
        out,
        "  illegal moves {}, entries of other positions {}",
        found.illegal.count, found.unreached
    )?;
    Ok(())
}

/// Prints the moves of a position
#[derive(Debug, clap::Args)]
pub struct ProbeArguments {
    /// The book [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// The position: a FEN or startpos, then moves; moves alone start from the start position
    #[arg(value_name = "FEN")]
    position: Vec<String>,
}

pub fn probe(arguments: &ProbeArguments) -> Result<(), Failure> {
    let book = open(arguments.book.as_deref())?;
    let game = game_of(&arguments.position)?;
    let (moves, illegal) = book.moves(&game).map_err(in_file(book.path()))?;
    let mut out = stdout();
    writeln!(out, "{}", game.position().to_fen())?;
    writeln!(out, "key {:016x}", game.book_key())?;
    if let Some(name) = opening_name(&game) {
        writeln!(out, "{name}")?;
    }
    let total: u32 = moves.iter().map(|entry| u32::from(entry.weight)).sum();
    for entry in &moves {
        let share = f64::from(entry.weight) * 100.0 / f64::from(total.max(1));
        let uci = entry.mv.uci(true).to_string();
        let san = game.position().san(entry.mv).to_string();
        writeln!(out, "{uci:5} {san:7} {:6} {share:5.1} %", entry.weight)?;
    }
    if moves.is_empty() {
        writeln!(out, "not in the book")?;
    }
    for entry in illegal {
        let text = entry.move_text();
        let _ = writeln!(
            io::stderr(),
            "warning: the book move {text} is illegal here"
        );
    }
    Ok(())
}

/// Prints a book as a tree, or draws it
#[derive(Debug, clap::Args)]
pub struct TreeArguments {
    /// The book [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Depth in plies
    #[arg(long, value_name = "N", value_parser = in_range(1_usize, 1000), default_value_t = 8)]
    depth: usize,
    /// Leave out branches with a lower probability, in percent
    #[arg(long, value_name = "PERCENT", value_parser = in_range(0.0_f64, 100.0), default_value_t = 0.5)]
    share: f64,
    /// Draw the tree into this SVG file instead
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The position: a FEN or startpos, then moves; moves alone start from the start position
    #[arg(value_name = "FEN")]
    position: Vec<String>,
}

pub fn tree(arguments: &TreeArguments) -> Result<(), Failure> {
    let book = open(arguments.book.as_deref())?;
    let game = game_of(&arguments.position)?;
    let limits = TreeLimits {
        depth: arguments.depth,
        share: arguments.share,
    };
    let tree = tree::tree(&book, &game, limits);
    let Some(picture) = &arguments.svg else {
        stdout().write_all(tree.text().as_bytes())?;
        return Ok(());
    };
    let title = format!(
        "{} from {}",
        book.path().display(),
        game.position().to_fen()
    );
    write_bytes(
        picture,
        arguments.book.as_deref(),
        tree.svg(&title).as_bytes(),
    )
}

/// Prints the name of an opening, or compiles the table of names
#[derive(Debug, clap::Args)]
pub struct NameArguments {
    /// Compile the table from named lines (PGN with tags ECO, Opening, Variation) instead; may be repeated
    #[arg(long, value_name = "LINES", requires = "out")]
    compile: Vec<PathBuf>,
    /// The table to write
    #[arg(long, value_name = "FILE", requires = "compile")]
    out: Option<PathBuf>,
    /// The game: moves, or a FEN or startpos and moves
    #[arg(value_name = "MOVES")]
    position: Vec<String>,
}

pub fn name(arguments: &NameArguments) -> Result<(), Failure> {
    if let Some(target) = &arguments.out {
        let mut named = Vec::new();
        for path in &arguments.compile {
            let (mut lines, skipped) = lines::read(path).map_err(in_file(path))?;
            warn(&skipped, "line", "skipped");
            named.append(&mut lines);
        }
        let text = names::compile(&named);
        let count = text.lines().count();
        check_not_empty(target, count)?;
        let inputs = arguments.compile.iter().map(PathBuf::as_path);
        write_bytes(target, inputs, text.as_bytes())?;
        writeln!(stdout(), "{} named", plural(count, "position"))?;
        return Ok(());
    }
    let game = game_of(&arguments.position)?;
    match opening_name(&game) {
        Some(name) => writeln!(stdout(), "{name}")?,
        None => writeln!(stdout(), "no name")?,
    }
    Ok(())
}
