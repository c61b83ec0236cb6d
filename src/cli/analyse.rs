//! `lucena analyse`: searches EPD suites and compares the moves found with the expected ones.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use super::bar::Bar;
use super::bounds::{at_least, in_range};
use super::failure::{Failure, failed, in_file};
use super::input;
use super::stdout::stdout;
use crate::base::text::plural;
use crate::base::value::MAX_DEPTH;
use crate::engine::{ReportedScore, normalise};
use crate::lab::shard::Shard;
use crate::lab::suites::{Answer, Epd, SuiteLimits, suite};

/// Nodes for each position, if no limit is given.
const DEFAULT_NODES: u64 = 1_000_000;

/// Searches the positions of EPD files and compares the moves found with bm, am and dm
#[derive(Clone, Debug, clap::Args)]
pub struct AnalyseArguments {
    /// EPD files
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "files")]
    epd: Vec<PathBuf>,
    /// The same without the flag
    #[arg(value_name = "FILE", hide = true)]
    files: Vec<PathBuf>,
    /// Nodes for each position [default: 1000000 if no limit is given]
    #[arg(long, value_name = "N", value_parser = at_least(1_u64))]
    nodes: Option<u64>,
    /// Depth in plies for each position
    #[arg(long, value_name = "N", value_parser = in_range(1_i32, MAX_DEPTH))]
    depth: Option<i32>,
    /// Milliseconds for each position
    #[arg(long, value_name = "MS", value_parser = in_range(1_u64, 1 << 40))]
    movetime: Option<u64>,
    /// Positions searched at a time [default: one per processor]
    #[arg(long, value_name = "N", value_parser = in_range(1_u16, 1024))]
    threads: Option<u16>,
    /// TT size for each position in MiB
    #[arg(long, value_name = "MB", value_parser = in_range(1_u32, 1 << 20), default_value_t = 16)]
    hash: u32,
    /// Search part I of N of the positions
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

/// Fails if an answer is wrong or a line cannot be read.
pub fn run(arguments: &AnalyseArguments) -> Result<(), Failure> {
    let (mut suite, invalid) = read(arguments)?;
    let all = suite.len() as u64;
    let range = arguments.shard.map_or(0..all, |shard| shard.range(all));
    suite.truncate(range.end as usize);
    suite.drain(..range.start as usize);
    let is_limited =
        arguments.nodes.is_some() || arguments.depth.is_some() || arguments.movetime.is_some();
    let limits = SuiteLimits {
        nodes: arguments.nodes.or((!is_limited).then_some(DEFAULT_NODES)),
        depth: arguments.depth,
        move_time: arguments.movetime.map(Duration::from_millis),
        hash: arguments.hash as usize,
    };
    let bar = Bar::new("positions", Box::new(|_| String::new()));
    let answers = suite::run(&suite, &limits, super::threads(arguments.threads), &bar);
    let answers = answers.map_err(|error| failed(format!("threads: {error}")))?;
    print(&suite, &answers, range.start + 1, &mut stdout())?;
    let least = answers.iter().map(|answer| answer.hash).min();
    if let Some(least) = least.filter(|&least| least < limits.hash) {
        let warning = format!(
            "{} MiB could not be allocated; some searches had {least}",
            limits.hash
        );
        let _ = writeln!(io::stderr(), "warning: --hash: {warning}");
    }
    if invalid > 0 {
        let _ = writeln!(io::stderr(), "{} skipped", plural(invalid, "line"));
    }
    let is_solved = answers.iter().all(|answer| answer.solved.is_some());
    if is_solved && invalid == 0 {
        Ok(())
    } else {
        Err(Failure::Printed)
    }
}

/// Reads all files; invalid lines are printed and counted.
fn read(arguments: &AnalyseArguments) -> Result<(Vec<Epd>, usize), Failure> {
    let (mut suite, mut invalid) = (Vec::new(), 0);
    for path in arguments.epd.iter().chain(&arguments.files) {
        let text = input::text(path)?;
        let is_pgn = path.extension().is_some_and(|ending| ending == "pgn");
        if text.starts_with('[') || is_pgn && !text.trim_ascii().is_empty() {
            return Err(in_file(path)("games, not positions: use `lucena review`"));
        }
        for (number, line) in (1..).zip(text.lines()) {
            match Epd::parse(line) {
                Ok(None) => {}
                Ok(Some(epd)) => suite.push(epd),
                Err(error) => {
                    invalid += 1;
                    let _ = writeln!(io::stderr(), "{}:{number}: {error}", path.display());
                }
            }
        }
    }
    if suite.is_empty() {
        return Err(failed("no position to search"));
    }
    Ok((suite, invalid))
}

/// Prints the answers, numbered from `first`.
fn print(suite: &[Epd], answers: &[Answer], first: u64, out: &mut impl Write) -> io::Result<()> {
    let widest = suite.iter().map(|epd| epd.id.chars().count()).max();
    let width = widest.unwrap_or(0).clamp(2, 48);
    writeln!(
        out,
        "{:>4}  {:width$}  {:5}  {:8}  {:>8}  {:>5}  {:>12}  {:>9}  expected",
        "", "id", "", "found", "score", "depth", "nodes", "ms"
    )?;
    for (number, (epd, answer)) in (first..).zip(suite.iter().zip(answers)) {
        let position = epd.game.position();
        let word = if answer.solved.is_some() {
            "ok"
        } else {
            "wrong"
        };
        let found = answer
            .found
            .map_or("-".into(), |mv| position.san(mv).to_string());
        // The effort to find the answer, or the whole effort if it is wrong.
        let snapshot = answer.solved.unwrap_or(answer.end);
        let (score, expected) = (score_text(epd, answer.score), expected(epd));
        let (depth, nodes, time) = (snapshot.depth, snapshot.nodes, snapshot.elapsed.as_millis());
        writeln!(
            out,
            "{number:>4}  {:width$}  {word:5}  {found:8}  {score:>8}  {depth:>5}  {nodes:>12}  {time:>9}  {expected}",
            epd.id
        )?;
    }
    let solved = answers.iter().filter_map(|answer| answer.solved);
    let (count, nodes) = solved.fold((0, 0), |(count, nodes), snapshot| {
        (count + 1, nodes + snapshot.nodes)
    });
    let total: u64 = answers.iter().map(|answer| answer.end.nodes).sum();
    writeln!(
        out,
        "solved {count} of {}; {nodes} nodes to the solutions, {total} in all",
        suite.len()
    )
}

/// The score as in UCI: normalised centipawns, or moves to mate.
fn score_text(epd: &Epd, score: ReportedScore) -> String {
    match normalise(epd.game.position(), score) {
        ReportedScore::Mate(moves) => format!("mate {moves}"),
        other => other.centipawns().to_string(),
    }
}

/// The expected moves and mate, as in the file.
fn expected(epd: &Epd) -> String {
    let position = epd.game.position();
    let mut parts = Vec::new();
    for (opcode, moves) in [("bm", &epd.best), ("am", &epd.avoid)] {
        if !moves.is_empty() {
            let names: Vec<String> = moves
                .iter()
                .map(|&mv| position.san(mv).to_string())
                .collect();
            parts.push(format!("{opcode} {}", names.join(" ")));
        }
    }
    parts.extend(epd.mate.map(|mate| format!("dm {mate}")));
    parts.join("; ")
}
