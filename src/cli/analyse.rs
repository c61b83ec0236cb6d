//! `lucena analyse`: suites of positions with known answers.
//! Uses: analyse, bar; clap. Used by: cli.
//! Idea: the room `analyse` returns verdicts; here they become a table, a sum and an exit code.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::value_parser;

use super::bar::Bar;
use super::failure::{Failure, failed, in_file};
use crate::base::value::MAX_DEPTH;
use crate::engine::{ReportedScore, normalise};
use crate::lab::suites::{Budget, Epd, Verdict, suite};

/// How long each position is searched if nothing is said, in nodes.
const DEFAULT_NODES: u64 = 1_000_000;

/// Searches the positions of EPD files and compares the answers with those asked for (bm, am, dm).
#[derive(Clone, Debug, clap::Args)]
pub struct AnalyseArguments {
    /// Files of positions, one a line
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    epd: Vec<PathBuf>,
    /// Nodes for each position (1000000 if no limit is given)
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth in plies for each position
    #[arg(long, value_name = "N", value_parser = value_parser!(i32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<i32>,
    /// Milliseconds for each position
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(1..=1 << 40))]
    movetime: Option<u64>,
    /// Positions at a time (one for each processor if not given)
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Megabytes of transposition table for each position
    #[arg(long, value_name = "MB", value_parser = value_parser!(u32).range(1..=1 << 20), default_value_t = 16)]
    hash: u32,
}

/// Does what the arguments ask; a wrong answer, or a line that cannot be read, is a failure.
pub fn run(arguments: &AnalyseArguments) -> Result<(), Failure> {
    let (suite, faults) = read(arguments)?;
    let is_limited =
        arguments.nodes.is_some() || arguments.depth.is_some() || arguments.movetime.is_some();
    let budget = Budget {
        nodes: arguments.nodes.or((!is_limited).then_some(DEFAULT_NODES)),
        depth: arguments.depth,
        move_time: arguments.movetime.map(Duration::from_millis),
        hash: arguments.hash as usize,
    };
    let bar = Bar::new("positions", Box::new(|_| String::new()));
    let verdicts = suite::run(&suite, &budget, super::threads(arguments.threads), &bar);
    let verdicts = verdicts.map_err(|error| failed(format!("threads: {error}")))?;
    print(&suite, &verdicts, &mut io::stdout().lock())?;
    let is_solved = verdicts.iter().all(|verdict| verdict.solved.is_some());
    if is_solved && faults == 0 {
        Ok(())
    } else {
        Err(Failure::Printed)
    }
}

/// Reads the questions of all files; a line that is none is named and counted.
fn read(arguments: &AnalyseArguments) -> Result<(Vec<Epd>, usize), Failure> {
    let (mut suite, mut faults) = (Vec::new(), 0);
    for path in &arguments.epd {
        let bytes = fs::read(path).map_err(in_file(path))?;
        for (number, line) in (1..).zip(String::from_utf8_lossy(&bytes).lines()) {
            match Epd::parse(line) {
                Ok(None) => {}
                Ok(Some(epd)) => suite.push(epd),
                Err(error) => {
                    faults += 1;
                    let _ = writeln!(io::stderr(), "{}:{number}: {error}", path.display());
                }
            }
        }
    }
    if suite.is_empty() {
        return Err(failed("there is no position to search"));
    }
    Ok((suite, faults))
}

fn print(suite: &[Epd], verdicts: &[Verdict], out: &mut impl Write) -> io::Result<()> {
    let widest = suite.iter().map(|epd| epd.id.chars().count()).max();
    let width = widest.unwrap_or(0).clamp(2, 48);
    writeln!(
        out,
        "{:>4}  {:width$}  {:5}  {:8}  {:>8}  {:>5}  {:>12}  {:>9}  asked",
        "", "id", "", "found", "score", "depth", "nodes", "ms"
    )?;
    for (number, (epd, verdict)) in (1..).zip(suite.iter().zip(verdicts)) {
        let position = epd.game.position();
        let word = if verdict.solved.is_some() {
            "ok"
        } else {
            "wrong"
        };
        let found = verdict
            .found
            .map_or("-".into(), |mv| position.san(mv).to_string());
        // What it took to find the answer, or what was spent in vain.
        let moment = verdict.solved.unwrap_or(verdict.end);
        let (score, asked) = (score_text(epd, verdict.score), asked(epd));
        let (depth, nodes, time) = (moment.depth, moment.nodes, moment.elapsed.as_millis());
        writeln!(
            out,
            "{number:>4}  {:width$}  {word:5}  {found:8}  {score:>8}  {depth:>5}  {nodes:>12}  {time:>9}  {asked}",
            epd.id
        )?;
    }
    let solved = verdicts.iter().filter_map(|verdict| verdict.solved);
    let (count, nodes) = solved.fold((0, 0), |(count, nodes), moment| {
        (count + 1, nodes + moment.nodes)
    });
    let spent: u64 = verdicts.iter().map(|verdict| verdict.end.nodes).sum();
    let of = suite.len();
    writeln!(
        out,
        "solved {count} of {of}; {nodes} nodes to the solutions, {spent} in all"
    )
}

/// The score as the protocol shows it: centipawns, or moves to mate.
fn score_text(epd: &Epd, score: ReportedScore) -> String {
    match normalise(epd.game.position(), score) {
        ReportedScore::Mate(moves) => format!("mate {moves}"),
        other => other.value().to_string(),
    }
}

/// What was asked, as in the file.
fn asked(epd: &Epd) -> String {
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
