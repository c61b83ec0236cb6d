//! `lucena book`: building, growing, checking and showing opening books. Without a file the built-in book is used.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod grow;
mod look;
mod make;
mod verify;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::failure::{Failure, failed, in_file, usage_error};
use super::threads;
use crate::base::text::plural;
use crate::chess::Game;
use crate::lab::atomic_file;
use crate::lab::bookmaking::file::{self, Book, BookEntry};
use crate::lab::bookmaking::pgn::Issues;

/// Builds, grows, checks and shows opening books in the Polyglot format
#[derive(Debug, clap::Args)]
pub struct BookArguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    Build(make::BuildArguments),
    Export(make::ExportArguments),
    Merge(make::MergeArguments),
    Info(look::InfoArguments),
    Probe(look::ProbeArguments),
    Tree(look::TreeArguments),
    Name(look::NameArguments),
    Verify(verify::VerifyArguments),
    Grow(grow::GrowArguments),
}

pub fn run(arguments: &BookArguments) -> Result<(), Failure> {
    match &arguments.action {
        Action::Build(arguments) => make::build(arguments),
        Action::Export(arguments) => make::export(arguments),
        Action::Merge(arguments) => make::merge(arguments),
        Action::Info(arguments) => look::info(arguments),
        Action::Probe(arguments) => look::probe(arguments),
        Action::Tree(arguments) => look::tree(arguments),
        Action::Name(arguments) => look::name(arguments),
        Action::Verify(arguments) => verify::run(arguments),
        Action::Grow(arguments) => grow::run(arguments),
    }
}

/// Opens a book, or the built-in one.
fn open(path: Option<&Path>) -> Result<Book, Failure> {
    let book = file::open(path).map_err(failed)?;
    if book.trailing_bytes() > 0 {
        let (path, bytes) = (book.path().display(), book.trailing_bytes());
        let _ = writeln!(
            io::stderr(),
            "warning: {path}: truncated; {} at the end ignored",
            plural(bytes as usize, "byte")
        );
    }
    Ok(book)
}

/// Prints issues on standard error, and their number with a noun and what is wrong with them (as "game", "skipped").
pub(super) fn warn(issues: &Issues, noun: &str, fault: &str) {
    let mut errors = io::stderr();
    for example in &issues.examples {
        let _ = writeln!(errors, "warning: {example}");
    }
    if issues.count > 0 {
        let all = plural(issues.count as usize, noun);
        let _ = writeln!(errors, "warning: {all} {fault}");
    }
}

/// The size of a book in words.
fn size(positions: usize, moves: usize) -> String {
    let (positions, moves) = (plural(positions, "position"), plural(moves, "move"));
    format!("{positions}, {moves}")
}

/// Checks before the work that a file can be written and is not one of the inputs.
fn check_output<'a>(
    path: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), Failure> {
    atomic_file::check_output(path, inputs).map_err(in_file(path))
}

/// Writes a file completely or not at all; it may not be one of the inputs.
fn write_whole<'a>(
    path: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    atomic_file::check_apart(path, inputs).map_err(in_file(path))?;
    atomic_file::write_whole(path, in_file(path), write)
}

/// As [`write_whole`], for a file in memory.
fn write_bytes<'a>(
    path: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
    bytes: &[u8],
) -> Result<(), Failure> {
    let error = in_file(path);
    write_whole(path, inputs, |out| out.write_all(bytes).map_err(error))
}

/// Sorts entries and writes them as a book.
fn write_book<'a>(
    path: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
    entries: &mut [BookEntry],
) -> Result<(), Failure> {
    let error = in_file(path);
    write_whole(path, inputs, |out| file::write(entries, out).map_err(error))
}

/// Refuses to replace a file by an empty one.
fn check_not_empty(path: &Path, items: usize) -> Result<(), Failure> {
    if items == 0 {
        return Err(failed(format!(
            "{}: not written, since the result is empty",
            path.display()
        )));
    }
    Ok(())
}

/// The game given as words: a position or nothing, followed by moves.
fn game_of(words: &[String]) -> Result<Game, Failure> {
    let text = words.join(" ");
    let first = text.split_whitespace().next().unwrap_or_default();
    let has_position = first.contains('/') || matches!(first, "startpos" | "fen");
    let start = if has_position { "" } else { "startpos " };
    Game::from_words(&format!("{start}{text}")).map_err(usage_error)
}
