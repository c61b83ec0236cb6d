//! `lucena levels calibrate`: the ratings of levels by games against engines of known rating.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::ArgGroup;

use super::super::bounds::at_least;
use super::rating;
use crate::cli::failure::{Failure, failed, in_file, usage_error};
use crate::cli::input;
use crate::cli::stdout::stdout;
use crate::engine::level::scale::ccrl_of_level;
use crate::lab::atomic_file::{check_output, write_whole};
use crate::lab::levels::calibrate::{
    Anchor, LEVEL_PREFIX, Outcome, RatedLevel, rate, unlinked_levels,
};
use crate::lab::levels::results::{read_outcomes, read_results, write_results};

/// 95 percent of a normal distribution lie within this many standard deviations.
const NORMAL_95: f64 = 1.96;

/// Every level also plays this many of the next levels.
const NEXT_LEVELS: usize = 3;

/// The clock of a level: long enough not to limit its work.
const LEVEL_CLOCK: &str = "120+1";

/// Plays levels against engines of known rating, and fits the ratings of the levels to all games so far
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("rated").args(["pgn", "results"]).required(true).multiple(true))]
pub struct CalibrateArguments {
    /// The games: new ones are appended, all are rated
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// A table (CSV) with results of other games, which are rated together with those; may be repeated
    #[arg(long, value_name = "FILE")]
    results: Vec<PathBuf>,
    /// Writes the results of all rated games as a table
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// An engine of known rating; without a program it plays no new games; may be repeated
    #[arg(long, value_name = "NAME=RATING[=PROGRAM]", required = true, value_parser = opponent)]
    anchor: Vec<Opponent>,
    /// A level that plays; may be repeated
    #[arg(long, value_name = "ELO", value_parser = rating())]
    level: Vec<u16>,
    /// The match runner: fastchess or a program with the same arguments; without it, only the games in FILE are rated
    #[arg(long, value_name = "PROGRAM", requires_all = ["openings", "level", "pgn"])]
    runner: Option<PathBuf>,
    /// Openings for the games (.pgn or .epd)
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Openings per pair of opponents, each played with both colours
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = at_least(1_u32))]
    rounds: u32,
    /// The time control of the anchors: seconds and increment; the work of a level is fixed
    #[arg(long, value_name = "TC", default_value = "10+0.1")]
    tc: String,
    /// The anchors search this many nodes a move, without a clock
    #[arg(long, value_name = "N", conflicts_with = "tc", value_parser = at_least(1_u32))]
    nodes: Option<u32>,
    /// Leaves out pairs of opponents whose ratings, after earlier rounds, differ by more than this
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = at_least(1_u32))]
    most_gap: u32,
    /// Games played at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least(1_u32))]
    concurrency: u32,
    /// Seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least(1_u32))]
    seed: u32,
}

/// An anchor and its program.
#[derive(Clone, Debug)]
struct Opponent {
    anchor: Anchor,
    program: Option<PathBuf>,
}

fn opponent(text: &str) -> Result<Opponent, String> {
    let mut parts = text.splitn(3, '=');
    let (Some(name), Some(rating)) = (parts.next(), parts.next()) else {
        return Err("expected NAME=RATING[=PROGRAM]".to_owned());
    };
    let known: Option<u16> = rating.parse().ok();
    let rating = known.ok_or_else(|| format!("expected a rating, found `{rating}`"))?;
    if name.is_empty() || name.starts_with(LEVEL_PREFIX) || name.contains(['"', ',']) {
        return Err(format!("an anchor cannot have the name `{name}`"));
    }
    let anchor = Anchor {
        name: name.to_owned(),
        rating: f64::from(rating),
    };
    let program = parts.next().map(PathBuf::from);
    Ok(Opponent { anchor, program })
}

pub fn run(arguments: &CalibrateArguments) -> Result<(), Failure> {
    let anchors: Vec<Anchor> = arguments
        .anchor
        .iter()
        .map(|opponent| opponent.anchor.clone())
        .collect();
    for (place, anchor) in anchors.iter().enumerate() {
        if anchors[..place]
            .iter()
            .any(|known| known.name == anchor.name)
        {
            return Err(usage_error(format!(
                "--anchor {}: given twice",
                anchor.name
            )));
        }
    }
    input::check_named_once(&arguments.results, "--results")?;
    if let Some(out) = &arguments.out {
        let inputs = arguments.results.iter().chain(&arguments.pgn);
        let inputs = inputs.map(PathBuf::as_path);
        check_output(out, inputs).map_err(in_file(out))?;
    }
    if let Some(files) = Files::of(arguments) {
        for round in 0..arguments.rounds {
            let known = known(arguments, &anchors)?;
            for (number, pair) in (0..).zip(pairs(arguments)?) {
                if pair.gap(&known) <= f64::from(arguments.most_gap) {
                    let seed = u64::from(arguments.seed) + 1000 * u64::from(round) + number;
                    play(arguments, &files, &pair.sides, seed)?;
                }
            }
        }
    }
    let outcomes = outcomes(arguments, &anchors)?;
    if outcomes.is_empty() {
        let name = arguments.pgn.iter().chain(&arguments.results).next();
        let name = name.map(|path| path.display().to_string());
        let name = name.unwrap_or_default();
        return Err(failed(format!("{name}: no finished game")));
    }
    if let Some(level) = unlinked_levels(&outcomes, &anchors).first() {
        let reason = format!("no chain of games links level {level} to an anchor");
        return Err(failed(reason));
    }
    if let Some(path) = &arguments.out {
        let written = write_whole(path, |error| error, |out| write_results(out, &outcomes));
        written.map_err(in_file(path))?;
    }
    let games = outcomes
        .iter()
        .map(|outcome| u64::from(outcome.games))
        .sum();
    print(&rate(&outcomes, &anchors), games, &anchors)
}

/// All games so far.
fn outcomes(arguments: &CalibrateArguments, anchors: &[Anchor]) -> Result<Vec<Outcome>, Failure> {
    let mut outcomes = Vec::new();
    for path in &arguments.results {
        outcomes.extend(read_results(path, anchors).map_err(failed)?);
    }
    // Before the first game the runner has not written the file.
    let is_absent = |path: &&PathBuf| arguments.runner.is_some() && !path.exists();
    if let Some(path) = arguments.pgn.as_ref().filter(|path| !is_absent(path)) {
        outcomes.extend(read_outcomes(path, anchors).map_err(failed)?);
    }
    Ok(outcomes)
}

/// The ratings that the games so far give to the levels, where they are known well enough to leave pairs out.
fn known(arguments: &CalibrateArguments, anchors: &[Anchor]) -> Result<Vec<RatedLevel>, Failure> {
    let mut rated = rate(&outcomes(arguments, anchors)?, anchors);
    rated.retain(|level| NORMAL_95 * level.error <= f64::from(arguments.most_gap));
    Ok(rated)
}

/// What playing needs.
struct Files<'a> {
    runner: &'a Path,
    openings: &'a Path,
    pgn: &'a Path,
}

impl<'a> Files<'a> {
    /// `None` if nothing is to be played.
    fn of(arguments: &'a CalibrateArguments) -> Option<Self> {
        Some(Self {
            runner: arguments.runner.as_deref()?,
            openings: arguments.openings.as_deref()?,
            pgn: arguments.pgn.as_deref()?,
        })
    }
}

/// Two opponents.
struct Pair {
    /// Both sides as arguments of the runner.
    sides: [Vec<String>; 2],
    level: u16,
    other: Other,
}

/// What a level plays against.
enum Other {
    Level(u16),
    /// An engine of this rating.
    Anchor(f64),
}

impl Pair {
    /// The difference of the ratings; 0 if it is not known.
    fn gap(&self, known: &[RatedLevel]) -> f64 {
        let of = |elo: u16| known.iter().find(|level| level.level == elo);
        let rating = |elo: u16| of(elo).map(|level| level.rating);
        let other = match self.other {
            Other::Level(elo) => rating(elo),
            Other::Anchor(rating) => Some(rating),
        };
        let both = rating(self.level).zip(other);
        both.map_or(0.0, |(one, other)| (one - other).abs())
    }
}

/// Every level with every anchor, and with the next levels.
fn pairs(arguments: &CalibrateArguments) -> Result<Vec<Pair>, Failure> {
    let program = std::env::current_exe().map_err(failed)?;
    let mut levels = arguments.level.clone();
    levels.sort_unstable();
    levels.dedup();
    let level = |elo: &u16| {
        vec![
            format!("name={LEVEL_PREFIX}{elo}"),
            format!("cmd={}", program.display()),
            "option.UCI_LimitStrength=true".to_owned(),
            format!("option.UCI_Elo={elo}"),
            "option.Level Tempo=false".to_owned(),
            format!("tc={LEVEL_CLOCK}"),
        ]
    };
    let mut pairs = Vec::new();
    for (place, elo) in levels.iter().enumerate() {
        for opponent in &arguments.anchor {
            let Some(program) = &opponent.program else {
                continue;
            };
            let anchor = vec![
                format!("name={}", opponent.anchor.name),
                format!("cmd={}", program.display()),
                (arguments.nodes).map_or_else(
                    || format!("tc={}", arguments.tc),
                    |nodes| format!("nodes={nodes}"),
                ),
            ];
            pairs.push(Pair {
                sides: [level(elo), anchor],
                level: *elo,
                other: Other::Anchor(opponent.anchor.rating),
            });
        }
        for next in levels.iter().skip(place + 1).take(NEXT_LEVELS) {
            pairs.push(Pair {
                sides: [level(elo), level(next)],
                level: *elo,
                other: Other::Level(*next),
            });
        }
    }
    Ok(pairs)
}

/// Plays one opening with both colours. Nothing is adjudicated: weak players give won games away.
fn play(
    arguments: &CalibrateArguments,
    files: &Files<'_>,
    sides: &[Vec<String>; 2],
    seed: u64,
) -> Result<(), Failure> {
    let Files {
        runner,
        openings,
        pgn,
    } = files;
    let format = if openings.extension().is_some_and(|end| end == "epd") {
        "epd"
    } else {
        "pgn"
    };
    // fastchess writes the state of the match to a file, by default in the present folder.
    let state = format!("lucena-calibrate-{}.json", std::process::id());
    let state = std::env::temp_dir().join(state);
    let mut command = Command::new(runner);
    for side in sides {
        command.arg("-engine").args(side);
    }
    command
        .args(["-each", "timemargin=1000"])
        .args(["-openings", &format!("file={}", openings.display())])
        .args([&format!("format={format}"), "order=random"])
        .args(["-srand", &seed.to_string()])
        .args(["-rounds", "1", "-games", "2", "-repeat"])
        .args(["-concurrency", &arguments.concurrency.to_string()])
        .arg("-recover")
        .args(["-pgnout", &format!("file={}", pgn.display())])
        .arg("append=true")
        .args(["-config", &format!("outname={}", state.display())])
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    let status = command.status().map_err(in_file(runner));
    let _ = std::fs::remove_file(&state);
    let status = status?;
    if !status.success() {
        return Err(failed(format!("{}: {status}", runner.display())));
    }
    Ok(())
}

fn print(levels: &[RatedLevel], games: u64, anchors: &[Anchor]) -> Result<(), Failure> {
    let mut out = stdout();
    writeln!(
        out,
        "level  rating  95 %          scale  step, 95 %   games  score %"
    )?;
    for level in levels {
        let margin = NORMAL_95 * level.error;
        let (low, high) = (level.rating - margin, level.rating + margin);
        let step = level.step.map_or_else(String::new, |(step, error)| {
            format!("{step:+4.0} ± {:3.0}", NORMAL_95 * error)
        });
        writeln!(
            out,
            "{:5}  {:6.0}  {low:5.0} to {high:4.0}  {:5}  {step:11}  {:5}  {:7.1}",
            level.level,
            level.rating,
            ccrl_of_level(level.level),
            level.games,
            100.0 * level.score,
        )?;
    }
    let names: Vec<String> = anchors
        .iter()
        .map(|anchor| format!("{} {:.0}", anchor.name, anchor.rating))
        .collect();
    writeln!(out, "{games} games; anchors: {}", names.join(", "))?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gap_of_a_pair_is_that_of_the_ratings_found() {
        let rated = |level: u16, rating: f64| RatedLevel {
            level,
            rating,
            error: 50.0,
            step: None,
            games: 20,
            score: 0.5,
        };
        let known = [rated(800, 700.0), rated(1000, 1100.0)];
        let gap = |level: u16, other: Other| {
            let sides = [Vec::new(), Vec::new()];
            let pair = Pair {
                sides,
                level,
                other,
            };
            pair.gap(&known).round() as i32
        };
        assert_eq!(gap(800, Other::Level(1000)), 400);
        assert_eq!(gap(800, Other::Anchor(1453.0)), 753);
        // What is not known yet is played.
        assert_eq!(gap(1200, Other::Anchor(2000.0)), 0);
        assert_eq!(gap(1000, Other::Level(1200)), 0);
    }
}
