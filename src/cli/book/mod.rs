//! `lucena book`: opening books.
//! Uses: book, chess. Used by: cli.
//! Idea: what makes books is in `make` and `grow`, what looks into them in `look`, what tests them in `verify`; without a
//! file the book in the program is meant.
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
use crate::book::{Book, embedded};
use crate::chess::{Game, Position, San};
use crate::lab::atomic_file;
use crate::lab::bookmaking::pgn::Issues;

/// Opening books in the Polyglot format: built from games, grown by search, looked into.
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
    OpeningName(look::NameArguments),
    Verify(verify::VerifyArguments),
    Grow(grow::GrowArguments),
}

/// Does what the arguments ask.
pub fn run(arguments: &BookArguments) -> Result<(), Failure> {
    match &arguments.action {
        Action::Build(arguments) => make::build(arguments),
        Action::Export(arguments) => make::export(arguments),
        Action::Merge(arguments) => make::merge(arguments),
        Action::Info(arguments) => look::info(arguments),
        Action::Probe(arguments) => look::probe(arguments),
        Action::Tree(arguments) => look::tree(arguments),
        Action::OpeningName(arguments) => look::name(arguments),
        Action::Verify(arguments) => verify::run(arguments),
        Action::Grow(arguments) => grow::run(arguments),
    }
}

/// Opens a book, or the one in the program.
fn open(path: Option<&Path>) -> Result<Book, Failure> {
    let book = path
        .map_or_else(embedded::book, Book::open)
        .map_err(failed)?;
    if book.trailing_bytes() > 0 {
        let (path, stray) = (book.path().display(), book.trailing_bytes());
        let _ = writeln!(
            io::stderr(),
            "warning: {path}: cut off; the last {stray} bytes are left out"
        );
    }
    Ok(book)
}

/// Says on standard error what could not be used.
fn warn(faults: &Issues, what: &str) {
    let mut errors = io::stderr();
    for fault in &faults.named {
        let _ = writeln!(errors, "warning: {fault}");
    }
    if faults.count > 0 {
        let _ = writeln!(errors, "warning: {} {what} left out", faults.count);
    }
}

/// Writes a file whole or not at all, and never over one that it is made of.
fn write_whole<'a>(
    path: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    atomic_file::check_apart(path, inputs).map_err(in_file(path))?;
    atomic_file::write_whole(path, in_file(path), write)
}

/// A book without a move serves nobody, and is not written.
fn check_filled(path: &Path, moves: usize) -> Result<(), Failure> {
    if moves == 0 {
        return Err(failed(format!(
            "{}: nothing is left to write; it is as it was",
            path.display()
        )));
    }
    Ok(())
}

/// The game that words describe: a FEN, or `startpos`, or nothing, and then moves in the protocol's notation or in
/// standard notation, with their numbers or without.
fn game_of(words: &[String]) -> Result<Game, Failure> {
    let text = words.join(" ");
    let mut words = text.split_whitespace().peekable();
    let mut fen = Vec::new();
    if words.peek().is_some_and(|word| word.contains('/')) {
        while let Some(word) = words.next_if(|word| {
            // Behind the board: side, castling, en passant, two clocks.
            fen.len() < 6 && (fen.is_empty() || !word.ends_with('.') && *word != "moves")
        }) {
            fen.push(word);
        }
    }
    let start = if fen.is_empty() {
        Position::startpos()
    } else {
        Position::from_fen(&fen.join(" ")).map_err(usage_error)?
    };
    let mut game = Game::new(start);
    for word in words.filter(|word| !matches!(*word, "startpos" | "moves")) {
        let name = word.rsplit('.').next().unwrap_or_default();
        if name.is_empty() || name.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        if game.play_text(name).is_ok() {
            continue;
        }
        let position = game.position();
        let san = San::from_ascii(name.trim_end_matches(['!', '?']).as_bytes());
        let meant = san.ok().and_then(|san| position.move_of_san(san));
        let fen = position.to_fen();
        game.play(meant.ok_or_else(|| usage_error(format!("`{name}` is no legal move in {fen}")))?);
    }
    Ok(game)
}
