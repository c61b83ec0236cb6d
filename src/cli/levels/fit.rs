//! `lucena levels fit`: fits the levels to games of people.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::super::bounds::at_least;
use crate::base::text::plural;
use crate::cli::bar::{Bar, Detail};
use crate::cli::failure::{Failure, failed, in_file};
use crate::cli::stdout::stdout;
use crate::engine::level::weights;
use crate::eval::weights::Digest;
use crate::lab::atomic_file;
use crate::lab::levels::fit::{Fit, FitSettings, Likelihood, fit, likelihood};
use crate::lab::levels::games::{HumanGame, illegal_moves, read_excluded, read_games};
use crate::lab::levels::samples::{Sample, Task, collect, plan};
use crate::lab::train::header::ENGINE;

/// Defaults of what is fitted.
const LEAST_MINUTES: u16 = 5;
const MOST_GAP: u16 = 250;
const POSITIONS: usize = 250_000;
const SEED: u64 = 1;
/// Games with an illegal move that are named.
const FAULTS_SHOWN: usize = 3;

/// Fits the levels to games of people; the features of the positions are kept in a file, so that an interrupted run can be
/// continued
#[derive(Debug, clap::Args)]
pub struct FitArguments {
    /// Games: a table (.csv, .tsv, also with .xz or .zst) with the columns id, white_rating, black_rating and uci_moves
    #[arg(long, value_name = "FILE")]
    games: PathBuf,
    /// A table whose column game names games to leave out
    #[arg(long, value_name = "FILE")]
    exclude: Option<PathBuf>,
    /// Leaves out games with fewer minutes on the clock, if the column time_control says so
    #[arg(long, value_name = "N", default_value_t = LEAST_MINUTES)]
    least_minutes: u16,
    /// Leaves out games of players whose ratings are farther apart, and unrated games if the column rated says so
    #[arg(long, value_name = "N", default_value_t = MOST_GAP)]
    most_gap: u16,
    /// The levels file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The file that keeps the features of the positions (OUT.samples)
    #[arg(long, value_name = "FILE")]
    samples: Option<PathBuf>,
    /// Number of positions; one tenth of the games is held out
    #[arg(long, value_name = "N", default_value_t = POSITIONS, value_parser = at_least(1_usize))]
    positions: usize,
    /// Seed of the choice of positions
    #[arg(long, value_name = "N", default_value_t = SEED)]
    seed: u64,
    /// Strength of the pull of the weights towards 0 (regularisation)
    #[arg(long, value_name = "X", default_value_t = 3.0, value_parser = pull)]
    pull: f64,
    /// The same for the weights of pieces on squares
    #[arg(long, value_name = "X", default_value_t = 10.0, value_parser = pull)]
    place_pull: f64,
    /// Maximum number of iterations
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = at_least(1_u32))]
    iterations: u32,
}

pub fn run(arguments: &FitArguments) -> Result<(), Failure> {
    let out = &arguments.out;
    let kept = arguments.samples.clone().unwrap_or_else(|| {
        let mut name = out.as_os_str().to_owned();
        name.push(".samples");
        PathBuf::from(name)
    });
    let inputs = [&arguments.games, &kept]
        .into_iter()
        .chain(&arguments.exclude);
    let inputs = inputs.map(PathBuf::as_path);
    atomic_file::check_output(out, inputs).map_err(in_file(out))?;
    let (least_minutes, most_gap) = (arguments.least_minutes, arguments.most_gap);
    let exclude = arguments.exclude.as_deref();
    let (games, excluded) = eligible(&arguments.games, exclude, least_minutes, most_gap)?;
    warn_of_illegal_moves(&games);
    let tasks = plan(&games, arguments.positions, arguments.seed);
    let detail: Detail = Box::new(|_: Duration| String::new());
    let bar = Bar::new("positions", detail);
    let samples = collect(&tasks, Some(&kept), &bar).map_err(in_file(&kept))?;
    let (held, fitted): (Vec<&Sample>, Vec<&Sample>) =
        samples.iter().partition(|sample| sample.held_out);
    if fitted.is_empty() {
        let games = arguments.games.display();
        return Err(failed(format!("{games}: no positions to fit")));
    }
    let settings = FitSettings {
        pull: arguments.pull,
        place_pull: arguments.place_pull,
        iterations: arguments.iterations as usize,
    };
    let mut report = |iteration: usize, nll: f64| {
        if iteration.is_multiple_of(20) {
            let _ = writeln!(std::io::stderr(), "iteration {iteration}: {nll:.4} nats");
        }
    };
    let found = fit(&fitted, settings, &mut report);
    let figures = [&fitted, &held].map(|samples| likelihood(samples, &found.weights, None));
    let used = (games.len(), excluded, fitted.len(), held.len());
    let head = head(arguments, used, &found, figures)?;
    let text = weights::text(&found.weights, &head);
    atomic_file::write_bytes(out, text.as_bytes()).map_err(in_file(out))?;
    let mut shown = stdout();
    for (name, figure) in ["fitted", "held out"].into_iter().zip(figures) {
        if name == "held out" && held.is_empty() {
            writeln!(shown, "held out: no positions")?;
            continue;
        }
        let percent = 100.0 * figure.matched;
        let nll = figure.nll;
        writeln!(
            shown,
            "{name}: {nll:.4} nats a move, {percent:.1} % of the moves found"
        )?;
    }
    Ok(shown.flush()?)
}

/// Warns of games that are used up to an illegal move only.
fn warn_of_illegal_moves(games: &[HumanGame]) {
    let faults = illegal_moves(games);
    let mut errors = std::io::stderr();
    for (id, fault) in faults.iter().take(FAULTS_SHOWN) {
        let _ = writeln!(errors, "warning: game {id}: {fault}");
    }
    if !faults.is_empty() {
        let count = plural(faults.len(), "game");
        let _ = writeln!(errors, "warning: {count} used up to an illegal move only");
    }
}

/// The games that are fitted, and the number of games to leave out.
fn eligible(
    games: &Path,
    exclude: Option<&Path>,
    least_minutes: u16,
    most_gap: u16,
) -> Result<(Vec<HumanGame>, usize), Failure> {
    let mut games = read_games(games).map_err(failed)?;
    let excluded = exclude.map(read_excluded);
    let excluded: HashSet<String> = excluded.transpose().map_err(failed)?.unwrap_or_default();
    let all = games.len();
    games.retain(|game| game.is_eligible(least_minutes, most_gap) && !excluded.contains(&game.id));
    let left_out = all - games.len();
    if left_out > 0 {
        let why = "excluded, unrated, too fast, or of ratings too far apart";
        let _ = writeln!(
            std::io::stderr(),
            "{left_out} of {} left out: {why}",
            plural(all, "game")
        );
    }
    Ok((games, excluded.len()))
}

/// The positions that `levels fit` with the same games holds out.
pub(super) fn held_out(games: &Path, exclude: Option<&Path>) -> Result<Vec<Task>, Failure> {
    let (games, _) = eligible(games, exclude, LEAST_MINUTES, MOST_GAP)?;
    let mut tasks = plan(&games, POSITIONS, SEED);
    tasks.retain(|task| task.held_out);
    Ok(tasks)
}

/// A pull towards 0.
fn pull(text: &str) -> Result<f64, String> {
    let pull = text.parse().ok();
    let pull = pull.filter(|pull: &f64| pull.is_finite() && *pull >= 0.0);
    pull.ok_or_else(|| "expected a number from 0 on".to_owned())
}

/// The provenance of the weights.
fn head(
    arguments: &FitArguments,
    (games, excluded, fitted, held): (usize, usize, usize, usize),
    found: &Fit,
    figures: [Likelihood; 2],
) -> Result<String, Failure> {
    let digest = |path: &Path| -> Result<String, Failure> {
        let bytes = std::fs::read(path).map_err(in_file(path))?;
        Ok(Digest::START.add(&bytes).to_string())
    };
    let mut text = String::new();
    let mut line = |key: &str, value: String| {
        let _ = writeln!(text, "{key} {value}");
    };
    line("engine", ENGINE.to_owned());
    line(
        "data",
        format!("{} games {games}", digest(&arguments.games)?),
    );
    if let Some(path) = &arguments.exclude {
        line("excluded", format!("{} games {excluded}", digest(path)?));
    }
    let (minutes, gap) = (arguments.least_minutes, arguments.most_gap);
    line(
        "chosen",
        format!("rated games of at least {minutes} minutes, ratings at most {gap} apart"),
    );
    line("positions", fitted.to_string());
    line("held-out", held.to_string());
    let is_held = held > 0;
    let both = |[fit, held]: [String; 2]| {
        let held = Some(held).filter(|_| is_held);
        let held = held.map_or_else(String::new, |held| format!(", {held} held out"));
        format!("{fit} fitted{held}")
    };
    line(
        "loss",
        both(figures.map(|figure| format!("{:.4}", figure.nll))),
    );
    let matched = figures.map(|figure| format!("{:.1}", 100.0 * figure.matched));
    line("match", both(matched));
    line(
        "pull",
        format!("{} {}", arguments.pull, arguments.place_pull),
    );
    line("iterations", found.iterations.to_string());
    line("seed", arguments.seed.to_string());
    line("scale", "Human: fitted to the moves of people".to_owned());
    Ok(text)
}
