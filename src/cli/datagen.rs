//! `lucena datagen`: plays training games, and inspects, imports and exports files of them. The same command starts a
//! run and continues it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::bar::{Bar, Detail};
use super::bounds::{at_least, in_range};
use super::failure::{Failure, in_file, usage_error};
use super::stdout::stdout;
use crate::base::random::Random;
use crate::lab::atomic_file;
use crate::lab::shard::Shard;
use crate::lab::train::exchange;
use crate::lab::train::game_record::GameResult;
use crate::lab::train::random_opening::OpeningSource;
use crate::lab::train::selfplay::{SelfPlayPlan, SelfPlayStats, play_all};
use crate::lab::train::store::{GameReader, GameStore, files_in};
use crate::lab::train::summary::{self, GamesSummary};

/// Plays training games of Lucena against itself, or inspects, imports and exports files of them. After a kill, the same
/// command
/// continues.
#[derive(Debug, clap::Args)]
pub struct DatagenArguments {
    /// Folder for the games; each seed has its own file
    #[arg(long, value_name = "DIR", required_unless_present_any = ["info", "verify", "sample", "export"])]
    out: Option<PathBuf>,
    /// Total number of games
    #[arg(long, value_name = "N", value_parser = at_least(1_u64), required_unless_present_any = ["info", "import", "verify", "sample", "export"])]
    games: Option<u64>,
    /// Seed of the games, and part of their file's name
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Soft node limit: no new iteration after this many nodes
    #[arg(long, value_name = "N", value_parser = at_least(1_u64), default_value_t = 1000)]
    nodes: u64,
    /// Games played at a time [default: one per processor]
    #[arg(long, value_name = "N", value_parser = in_range(1_u16, 1024))]
    threads: Option<u16>,
    /// Plays part I of N of the games and writes them to a file of its own
    #[arg(long, value_name = "I/N", conflicts_with_all = ["info", "import"])]
    shard: Option<Shard>,
    /// Uses the weights of this file
    #[arg(long, value_name = "FILE", conflicts_with = "info")]
    weights: Option<PathBuf>,
    /// How the games start [default: random]
    #[arg(long, value_name = "KIND", value_enum, conflicts_with_all = ["info", "import"])]
    openings: Option<Openings>,
    /// Plays no games; imports a viriformat file into the folder and checks every move
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "nodes", "threads", "weights"])]
    import: Option<PathBuf>,
    /// Plays no games; describes a file or folder of games
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "games", "nodes", "threads", "import"])]
    info: Option<PathBuf>,
    /// With --info: replays every game and checks every move
    #[arg(long)]
    verify: bool,
    /// With --info: prints N positions chosen at random by the seed, with the move played, the search score in centipawns
    /// and the
    /// result (1, 0.5 or 0), both from White's view
    #[arg(long, value_name = "N", value_parser = at_least(1_usize))]
    sample: Option<usize>,
    /// With --info: writes the games as a viriformat file or, if FILE ends in .epd, all positions, one per line
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
}

/// [`OpeningSource`] on the command line.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Openings {
    /// Random moves from the start position or a Chess960 position
    Random,
    /// A line of the repertoire, then two random moves
    Repertoire,
}

pub fn run(arguments: &DatagenArguments) -> Result<(), Failure> {
    let looks = arguments.verify || arguments.sample.is_some() || arguments.export.is_some();
    if looks && arguments.info.is_none() {
        return Err(usage_error(
            "--verify, --sample and --export need --info <FILE>, the games to look at",
        ));
    }
    let (out, games) = (arguments.out.as_deref(), arguments.games);
    match (&arguments.info, &arguments.import, out, games) {
        (Some(path), ..) => inspect(path, arguments),
        (None, Some(stream), Some(folder), _) => import(stream, folder, arguments.seed),
        (None, None, Some(folder), Some(games)) => generate(folder, games, arguments),
        // Excluded by the requirements of the arguments.
        _ => Ok(()),
    }
}

fn generate(folder: &Path, games: u64, arguments: &DatagenArguments) -> Result<(), Failure> {
    let plan = SelfPlayPlan {
        games,
        seed: arguments.seed,
        nodes: arguments.nodes,
        shard: arguments.shard,
        threads: super::threads(arguments.threads),
        model: super::model(arguments.weights.as_deref())?,
        openings: match arguments.openings {
            None | Some(Openings::Random) => OpeningSource::Random,
            Some(Openings::Repertoire) => OpeningSource::Repertoire,
        },
    };
    let stats = Arc::new(SelfPlayStats::default());
    let counted = Arc::clone(&stats);
    let detail: Detail = Box::new(move |elapsed: Duration| {
        let positions = counted.positions.load(Ordering::Relaxed) as f64;
        format!(
            "{:.0} positions/s",
            positions / elapsed.as_secs_f64().max(0.001)
        )
    });
    play_all(folder, &plan, &stats, &Bar::new("games", detail))?;
    Ok(())
}

fn inspect(path: &Path, arguments: &DatagenArguments) -> Result<(), Failure> {
    let mut out = stdout();
    let files = files_in(path)?;
    if let Some(target) = &arguments.export {
        let inputs = files.iter().map(PathBuf::as_path);
        atomic_file::check_output(target, inputs).map_err(in_file(target))?;
    }
    for file in &files {
        let mut reader = GameReader::open(file)?;
        writeln!(out, "{}", file.display())?;
        for line in reader.header().lines() {
            writeln!(out, "  {line}")?;
        }
        let summary = GamesSummary::of(&mut reader, arguments.verify)?;
        let [black, drawn, white] =
            GameResult::ALL.map(|outcome| summary.outcomes[outcome as usize]);
        let per_game = summary.positions as f64 / summary.games.max(1) as f64;
        writeln!(
            out,
            "  games {} (white wins {white}, draws {drawn}, black wins {black})",
            summary.games
        )?;
        writeln!(
            out,
            "  positions {} ({per_game:.1} a game)",
            summary.positions
        )?;
        writeln!(out, "  bytes {}", reader.length())?;
        writeln!(out, "  digest {}", summary.digest)?;
        if arguments.verify {
            writeln!(out, "  every move is legal and every checksum right")?;
        }
    }
    if let Some(wanted) = arguments.sample {
        print_sample(&files, wanted, arguments.seed, &mut out)?;
    }
    if let Some(target) = &arguments.export {
        export(&files, target)?;
    }
    out.flush()?;
    Ok(())
}

/// Prints positions with the move played, its score and the result, both from White's view.
fn print_sample(
    files: &[PathBuf],
    wanted: usize,
    seed: u64,
    out: &mut impl Write,
) -> Result<(), Failure> {
    for (fen, ply, outcome) in summary::sample(files, wanted, &mut Random::new(seed, 0))? {
        let (played, score) = (ply.played.uci(true), ply.score);
        writeln!(out, "{fen} | {played} | {score} | {}", outcome.score())?;
    }
    Ok(())
}

/// Writes all games as a viriformat stream or, by the extension of the target, as EPD.
fn export(files: &[PathBuf], target: &Path) -> Result<(), Failure> {
    let is_epd = target
        .extension()
        .is_some_and(|extension| extension == "epd");
    let failed = in_file(target);
    atomic_file::write_whole(target, &failed, |out| {
        exchange::each_game(files, |reader, block| {
            if is_epd {
                exchange::write_epd(&reader.replay(block)?, out).map_err(&failed)
            } else {
                out.write_all(&block.game).map_err(&failed)
            }
        })
    })
}

/// Imports a viriformat stream.
fn import(stream: &Path, folder: &Path, seed: u64) -> Result<(), Failure> {
    let out = GameStore::path(folder, seed, None);
    atomic_file::check_apart(&out, [stream]).map_err(in_file(&out))?;
    let games = exchange::import(stream, seed, folder)?;
    writeln!(stdout(), "games {games}, every move is legal")?;
    Ok(())
}
