//! `lucena review`: judges and explains the moves of games.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::value_parser;

use super::bar::Bar;
use super::failure::{Failure, failed, in_file};
use super::stdout::stdout;
use crate::base::value::MAX_DEPTH;
use crate::lab::atomic_file;
use crate::lab::review::html::{self, Entry};
use crate::lab::review::key::Known;
use crate::lab::review::report::{GameReport, SideReport};
use crate::lab::review::store::Store;
use crate::lab::review::{
    ReviewLimit, ReviewOptions, Reviewed, Scale, Shard, Summary, annotate, source,
};

/// Nodes for each move, if no limit is given.
const DEFAULT_NODES: u64 = 20_000;
/// Set by Ctrl-C and SIGTERM.
static STOP: AtomicBool = AtomicBool::new(false);

/// Judges every move of games beside the best one, and explains mistakes
///
/// A move is an inaccuracy, a mistake or a blunder if it loses 0.05, 0.10 or 0.15 expected points (lichess's cut-offs) of
/// Lucena's own win-draw-loss model; a side that expects less than 0.15 has lost already, and nothing it plays is marked.
/// "!" is the only move: it is the best, the second best is 0.10 worse, it is no recapture and not the only legal move.
/// "!!" is a sound sacrifice: in addition the mover is two pawns behind for four plies.
#[derive(Debug, clap::Args)]
pub struct ReviewArguments {
    /// PGN files (also .zst, .xz), folders with such files, or - for standard input
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// Nodes for each move (default: 20000 if no limit is given)
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=1 << 40), conflicts_with_all = ["depth", "movetime"])]
    nodes: Option<u64>,
    /// Depth in plies for each move
    #[arg(long, value_name = "N", value_parser = value_parser!(i32).range(1..=i64::from(MAX_DEPTH)), conflicts_with = "movetime")]
    depth: Option<i32>,
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(1..=1 << 32))]
    movetime: Option<u64>,
    /// Write the annotated games to this file; - is standard output
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write the reviews to this file as JSON, a line for each game; - is standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a page for each game and an index page into this folder
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,
    /// Games reviewed at a time (default: one for each processor)
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Keep verdicts in this store and take known ones from it: a review that was killed continues
    #[arg(long, value_name = "FILE", alias = "resume")]
    store: Option<PathBuf>,
    /// Review part I of N of the games; the outputs of all parts, one after the other, are those of a whole run
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<Shard>,
    /// Whose cut-offs decide what is a mistake
    #[arg(long, value_name = "NAME", value_enum, default_value_t = ScaleName::Lichess)]
    scale: ScaleName,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ScaleName {
    /// 0.05, 0.10 and 0.15 expected points
    Lichess,
    /// 0.05, 0.10 and 0.20 expected points
    #[value(name = "chess.com")]
    ChessCom,
}

impl ReviewArguments {
    fn options(&self) -> ReviewOptions {
        let nodes = ReviewLimit::Nodes(self.nodes.unwrap_or(DEFAULT_NODES));
        let depth = self.depth.map(ReviewLimit::Depth);
        let time = self.movetime.map(ReviewLimit::MoveTime);
        ReviewOptions {
            limit: depth.or(time).unwrap_or(nodes),
            scale: match self.scale {
                ScaleName::Lichess => Scale::Lichess,
                ScaleName::ChessCom => Scale::ChessCom,
            },
            threads: super::threads(self.threads),
            shard: self.shard,
        }
    }
}

fn shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/');
    let parts = parts.and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    parts
        .filter(|(number, of)| (1..=*of).contains(number))
        .map(|(number, of)| Shard { number, of })
        .ok_or_else(|| "must be I/N with I from 1 to N".into())
}

fn is_stdio(path: &Path) -> bool {
    path.as_os_str() == source::STDIN
}

/// Fails if a game was skipped.
pub fn run(arguments: &ReviewArguments) -> Result<(), Failure> {
    let inputs = source::files(&arguments.games).map_err(failed)?;
    let outputs = [&arguments.pgn, &arguments.json];
    let outputs: Vec<&Path> = outputs
        .into_iter()
        .flatten()
        .map(PathBuf::as_path)
        .collect();
    if outputs.len() == 2 && outputs[0] == outputs[1] {
        return Err(Failure::Usage("--pgn and --json name the same file".into()));
    }
    for output in outputs.iter().filter(|output| !is_stdio(output)) {
        let inputs = inputs.iter().map(PathBuf::as_path);
        atomic_file::check_output(output, inputs).map_err(in_file(output))?;
    }
    if let Some(folder) = &arguments.html {
        fs::create_dir_all(folder).map_err(in_file(folder))?;
    }
    let store = match &arguments.store {
        Some(path) => {
            let others = inputs.iter().map(PathBuf::as_path);
            let others = others.chain(outputs.iter().copied());
            atomic_file::check_apart(path, others).map_err(in_file(path))?;
            Some(Store::open(path, true).map_err(in_file(path))?)
        }
        None => None,
    };
    let known = store.as_ref().map(|store| store as &dyn Known);
    // If the handler cannot be set, a signal ends the program at once, which loses no file either.
    let _ = ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed));
    let summary = with_file(arguments.pgn.as_deref(), |pgn| {
        with_file(arguments.json.as_deref(), |json| {
            review(arguments, known, pgn, json)
        })
    });
    // Whatever happened, what was found is kept.
    if let (Some(store), Some(path)) = (known, &arguments.store) {
        store.finish().map_err(in_file(path))?;
    }
    let summary = summary?;
    if summary.faults == 0 {
        Ok(())
    } else {
        let _ = writeln!(io::stderr(), "{} games skipped", summary.faults);
        Err(Failure::Printed)
    }
}

/// Runs `write` with the writer of an output: a file, standard output or nothing.
fn with_file<T>(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
) -> Result<T, Failure> {
    match path {
        None => write(&mut io::sink()),
        Some(path) if is_stdio(path) => {
            let mut out = BufWriter::new(stdout());
            let result = write(&mut out)?;
            out.flush()?;
            Ok(result)
        }
        Some(path) => {
            let mut result = None;
            atomic_file::write_whole(path, in_file(path), |out: &mut BufWriter<File>| {
                result = Some(write(out)?);
                Ok(())
            })?;
            result.ok_or(Failure::Printed)
        }
    }
}

/// Reviews all games and writes them.
fn review(
    arguments: &ReviewArguments,
    known: Option<&dyn Known>,
    pgn: &mut dyn Write,
    json: &mut dyn Write,
) -> Result<Summary, Failure> {
    let writes_to_stdout = [&arguments.pgn, &arguments.json]
        .into_iter()
        .flatten()
        .any(|path| is_stdio(path));
    let bar = Bar::new("games", Box::new(|_: Duration| String::new()));
    let mut out = stdout();
    let mut entries = Vec::new();
    let summary = crate::lab::review::review(
        &arguments.games,
        &arguments.options(),
        known,
        &bar,
        &STOP,
        &mut |reviewed| {
            let game = match reviewed {
                Reviewed::Fault(fault) => {
                    let place = match fault.number {
                        0 => fault.source,
                        number => format!("{}: game {number}", fault.source),
                    };
                    return writeln!(io::stderr(), "{place}: {}", fault.message);
                }
                Reviewed::Game(game) => game,
            };
            annotate::write(&game, &mut &mut *pgn)?;
            serde_json::to_writer(&mut *json, &*game)?;
            if let Some(folder) = &arguments.html {
                html::write(&game, folder)?;
                entries.push(Entry::of(&game));
            }
            writeln!(json)?;
            if writes_to_stdout {
                return Ok(());
            }
            print(&game, &mut out)
        },
    )
    .map_err(failed)?;
    if summary.is_stopped {
        let kept = if known.is_some() {
            "the store keeps what was found"
        } else {
            "nothing is kept without --store"
        };
        let message = format!("stopped after {} games: {kept}", summary.games);
        return Err(failed(message));
    }
    if let Some(folder) = &arguments.html {
        html::write_index(&entries, folder).map_err(in_file(folder))?;
    }
    Ok(summary)
}

/// A line for each side of a game.
fn print(game: &GameReport, out: &mut impl Write) -> io::Result<()> {
    let opening = game.opening.as_ref();
    let opening = opening.map_or(String::new(), |found| {
        format!(", {} {}", found.eco, found.name)
    });
    writeln!(
        out,
        "{}: game {}, {} moves, {}{opening}",
        game.source,
        game.number,
        game.moves.len().div_ceil(2),
        game.result
    )?;
    for side in [&game.white, &game.black] {
        writeln!(out, "  {}", line(side))?;
    }
    Ok(())
}

fn line(side: &SideReport) -> String {
    let name: String = side.name.chars().take(24).collect();
    let accuracy = side
        .accuracy
        .map_or("    -".into(), |accuracy| format!("{accuracy:5.1}"));
    format!(
        "{name:24}  accuracy {accuracy} %  inaccuracies {:2}  mistakes {:2}  blunders {:2}",
        side.inaccuracies, side.mistakes, side.blunders
    )
}
