//! `lucena review`: reviews games and explains mistakes.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::bar::Bar;
use super::bounds::in_range;
use super::failure::{Failure, failed, in_file};
use super::review_output::{Outputs, is_stdio, with_file};
use crate::base::text::plural;
use crate::base::value::MAX_DEPTH;
use crate::lab::atomic_file;
use crate::lab::review::key::VerdictStore;
use crate::lab::review::store::Store;
use crate::lab::review::{ReviewLimit, ReviewOptions, Scale, Stop, Summary, source};
use crate::lab::shard::Shard;

/// Nodes for each move, if no limit is given.
const DEFAULT_NODES: u64 = 20_000;

/// Compares every move of games with the best move, and explains mistakes
///
/// A move is an inaccuracy, a mistake or a blunder if it loses 0.05, 0.10 or 0.15 expected points (lichess's thresholds) of
/// Lucena's own win-draw-loss model; if a side expects less than 0.15, the game counts as lost, and none of its moves is
/// marked.
/// "!" is the only good move: the second best is 0.10 worse, and it is neither a recapture nor the only legal move.
/// "!!" is a sound sacrifice: in addition the side that plays it is two pawns behind for four plies.
#[derive(Debug, clap::Args)]
pub struct ReviewArguments {
    /// PGN files, EPD or FEN lists (also .zst, .xz), folders with such files, or - for standard input
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// Nodes for each move [default: 20000 if no limit is given]
    #[arg(long, value_name = "N", value_parser = in_range(1_u64, 1 << 40), conflicts_with_all = ["depth", "movetime"])]
    nodes: Option<u64>,
    /// Depth in plies for each move
    #[arg(long, value_name = "N", value_parser = in_range(1_i32, MAX_DEPTH), conflicts_with = "movetime")]
    depth: Option<i32>,
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", value_parser = in_range(1_u64, 1 << 32))]
    movetime: Option<u64>,
    /// Write the annotated games to this file; - is standard output
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write the reviews to this file as JSON, one line per game; - is standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write one page per game and an index page into this folder
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,
    /// Review only the games of this player, and print a profile: what mistakes cost by concept, phase, time and opening
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Write the profile to this file: a picture if its name ends in .svg, else JSON; may be repeated
    #[arg(long, value_name = "FILE", requires = "player")]
    profile: Vec<PathBuf>,
    /// Games reviewed at a time [default: one per processor]
    #[arg(long, value_name = "N", value_parser = in_range(1_u16, 1024))]
    threads: Option<u16>,
    /// Save verdicts in this store and reuse those already there, so that a killed review continues
    #[arg(long, value_name = "FILE", alias = "resume")]
    store: Option<PathBuf>,
    /// Review part I of N of the games; the outputs of all parts, one after the other, are those of a whole run
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Thresholds for inaccuracies, mistakes and blunders
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
            player: self.player.clone(),
        }
    }
}

/// Fails if a game was skipped.
pub fn run(arguments: &ReviewArguments) -> Result<(), Failure> {
    let inputs = source::files(&arguments.games).map_err(failed)?;
    let outputs = [&arguments.pgn, &arguments.json].into_iter().flatten();
    let outputs: Vec<&Path> = outputs
        .chain(&arguments.profile)
        .map(PathBuf::as_path)
        .collect();
    for (place, output) in outputs.iter().enumerate() {
        if atomic_file::check_apart(output, outputs[..place].iter().copied()).is_err() {
            return Err(Failure::Usage("two outputs name the same file".into()));
        }
    }
    for output in outputs.iter().filter(|output| !is_stdio(output)) {
        let inputs = inputs.iter().map(PathBuf::as_path);
        atomic_file::check_output(output, inputs).map_err(in_file(output))?;
    }
    if let Some(folder) = &arguments.html {
        atomic_file::create_folder(folder).map_err(in_file(folder))?;
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
    let known = store.as_ref().map(|store| store as &dyn VerdictStore);
    // If the handler cannot be set, a signal ends the program at once, which loses no file either.
    let stop = Stop::default();
    let handle = stop.clone();
    let _ = ctrlc::set_handler(move || handle.stop());
    let summary = with_file(arguments.pgn.as_deref(), |pgn| {
        with_file(arguments.json.as_deref(), |json| {
            review(arguments, known, &stop, pgn, json)
        })
    });
    // In any case, the verdicts found are kept.
    if let (Some(store), Some(path)) = (known, &arguments.store) {
        store.finish().map_err(in_file(path))?;
    }
    let (summary, unit) = summary?;
    if summary.faults == 0 {
        Ok(())
    } else {
        let skipped = plural(summary.faults as usize, unit);
        let _ = writeln!(io::stderr(), "{skipped} skipped");
        Err(Failure::Printed)
    }
}

/// The noun for one and for several of what is reviewed: positions if there are only lists of positions, else games.
fn units(only_positions: bool) -> [&'static str; 2] {
    if only_positions {
        ["position", "positions"]
    } else {
        ["game", "games"]
    }
}

/// Reviews all games and writes them; returns also the noun for one of them.
fn review(
    arguments: &ReviewArguments,
    known: Option<&dyn VerdictStore>,
    stop: &Stop,
    pgn: &mut dyn Write,
    json: &mut dyn Write,
) -> Result<(Summary, &'static str), Failure> {
    let done = Arc::new(AtomicU64::new(0));
    let finished = Arc::clone(&done);
    let bar = Bar::new(
        "games",
        Box::new(move |elapsed: Duration| {
            let games = finished.load(Ordering::Relaxed) as f64;
            let minutes = elapsed.as_secs_f64() / 60.0;
            if games == 0.0 || minutes == 0.0 {
                return String::new();
            }
            format!("{:.0} a minute", games / minutes)
        }),
    );
    let files = [&arguments.pgn, &arguments.json];
    let mut outputs = Outputs::new(
        files.map(|path| path.as_deref()),
        [pgn, json],
        arguments.html.as_deref(),
        arguments.player.as_deref(),
    );
    let mut only_positions = None;
    let summary = crate::lab::review::review(
        &arguments.games,
        &arguments.options(),
        known,
        &bar,
        stop,
        &mut |reviewed| {
            done.fetch_add(1, Ordering::Relaxed);
            let are_positions = reviewed.is_position() && only_positions != Some(false);
            if only_positions.replace(are_positions) != Some(are_positions) {
                bar.set_unit(units(are_positions)[1]);
            }
            bar.suspend(|| outputs.take(&reviewed))
        },
    )
    .map_err(failed)?;
    let unit = units(only_positions == Some(true))[0];
    if summary.is_stopped {
        let kept = match (known, &arguments.html) {
            (Some(_), _) => "the store keeps what was found",
            (None, Some(_)) => {
                "their pages are kept, without an index; nothing else is kept without --store"
            }
            (None, None) => "nothing is kept without --store",
        };
        let message = format!(
            "stopped after {}: {kept}",
            plural(summary.games as usize, unit)
        );
        return Err(failed(message));
    }
    if arguments.shard.is_none() && summary.games == 0 {
        let message = match &arguments.player {
            _ if summary.faults > 0 => {
                let skipped = plural(summary.faults as usize, unit);
                format!("{skipped} skipped; none could be read")
            }
            Some(player) => format!("no game with a player named {player:?}"),
            None => "no game to review".to_owned(),
        };
        return Err(failed(message));
    }
    outputs.finish(&arguments.profile)?;
    Ok((summary, unit))
}
