//! `lucena perft`: counts the leaves of a position's tree, or runs suites of known counts whole.
//! Uses: `chess::perft`, bar, resume; clap, rayon. Used by: cli.
//! Idea: the room `chess` returns numbers; here they become lines and an exit code.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use clap::value_parser;
use parking_lot::Mutex;
use rayon::ThreadPoolBuilder;

use super::bar::Bar;
use super::resume::{Resume, ResumeError};
use crate::chess::perft::{
    MAX_DEPTH, PerftError, PerftTable, Tally, count, divide_on, suite_lines,
};
use crate::chess::{CastlingSide, Color, File, Move, Position};
use crate::progress::Progress;

/// A tree less deep than this is counted before anyone looks at a bar.
const BAR_DEPTH: u32 = 7;

/// Counts the leaves of the tree of legal moves.
#[derive(Clone, Debug, clap::Args)]
pub struct PerftArguments {
    /// Plies to count
    #[arg(value_parser = value_parser!(u32).range(0..=i64::from(MAX_DEPTH)))]
    #[arg(required_unless_present = "suite", conflicts_with = "suite")]
    depth: Option<u32>,
    /// Position to count from (the start position if not given)
    #[arg(long, value_name = "FEN", conflicts_with = "suite")]
    fen: Option<String>,
    /// Print the count behind each move
    #[arg(long, conflicts_with = "suite")]
    divide: bool,
    /// Remember in this file which moves are counted, and go on where it ends
    #[arg(
        long,
        value_name = "FILE",
        requires = "divide",
        conflicts_with = "suite"
    )]
    resume: Option<PathBuf>,
    /// Threads (all processors if not given)
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Megabytes of memory for counts already known
    #[arg(long, value_name = "MB", value_parser = value_parser!(u32).range(0..=1 << 20), default_value_t = 0)]
    hash: u32,
    /// Suite files to run whole: lines of `FEN ;D1 20 ;D2 400`
    #[arg(long, value_name = "FILE", num_args = 1..)]
    suite: Vec<PathBuf>,
}

/// What can go wrong.
enum Failure {
    /// An argument is at fault: the message names it.
    Argument(String),
    /// The output cannot be written.
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<PerftError> for Failure {
    fn from(error: PerftError) -> Self {
        Self::Argument(error.to_string())
    }
}

/// Runs the command: 0 when all went well, 1 when a suite has a wrong count, 2 when an argument is at fault.
pub fn run(arguments: &PerftArguments) -> ExitCode {
    match execute(arguments, &mut io::stdout()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        // Whoever reads the output has seen enough.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(Failure::Output(error)) => fail(&format!("output: {error}")),
        Err(Failure::Argument(message)) => fail(&message),
    }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("lucena perft: {message}");
    ExitCode::from(2)
}

fn execute(arguments: &PerftArguments, out: &mut (impl Write + Send)) -> Result<bool, Failure> {
    let threads = arguments.threads.map_or_else(
        || thread::available_parallelism().map_or(1, NonZeroUsize::get),
        |threads| threads as usize,
    );
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::Argument(format!("threads: {error}")))?;
    let table = match arguments.hash {
        0 => None,
        megabytes => Some(PerftTable::new(megabytes as usize)?),
    };
    pool.install(|| match arguments.depth {
        Some(depth) => run_position(arguments, depth, table.as_ref(), out),
        None => run_suites(&arguments.suite, table, out),
    })
}

fn run_position(
    arguments: &PerftArguments,
    depth: u32,
    table: Option<&PerftTable>,
    out: &mut impl Write,
) -> Result<bool, Failure> {
    let position = match &arguments.fen {
        Some(fen) => {
            Position::from_fen(fen).map_err(|error| Failure::Argument(error.to_string()))?
        }
        None => Position::startpos(),
    };
    let resume = arguments.resume.as_deref().map(|path| {
        let opened = Resume::open(path, &position, depth);
        opened.map_err(|error| resume_failure(path, &error))
    });
    let resume = resume.transpose()?;
    let known = resume
        .as_ref()
        .map_or(Vec::new(), |resume| resume.counts().to_vec());
    let is_long = depth >= BAR_DEPTH
        && known.len() < position.legal_moves().len()
        && (resume.is_some() || io::stderr().is_terminal());
    let report = Report {
        bar: is_long.then(|| Bar::new("positions", Box::new(|_| "of very different sizes".into()))),
        resume: resume.map(Mutex::new),
        error: Mutex::new(None),
    };
    let start = Instant::now();
    let moves = divide_on(&position, depth, table, &known, &report)?;
    let elapsed = start.elapsed();
    if let Some(bar) = &report.bar {
        bar.finish();
    }
    let sum = |counts: &[(Move, u64)]| counts.iter().map(|&(_, leaves)| leaves).sum::<u64>();
    let total = if depth == 0 { 1 } else { sum(&moves) };
    if arguments.divide {
        let chess960 = castles_as_chess960(&position);
        for (mv, leaves) in moves {
            writeln!(out, "{}: {leaves}", mv.uci(chess960))?;
        }
    }
    // What was known took no time.
    let counted = total.saturating_sub(sum(&known));
    writeln!(out, "{total} nodes, {}", speed(counted, elapsed))?;
    match (report.error.into_inner(), &arguments.resume) {
        (Some(error), Some(path)) => Err(resume_failure(path, &error.into())),
        _ => Ok(true),
    }
}

fn resume_failure(path: &Path, error: &ResumeError) -> Failure {
    Failure::Argument(format!("resume: {}: {error}", path.display()))
}

/// What becomes of the counts while they are made.
struct Report {
    bar: Option<Bar>,
    resume: Option<Mutex<Resume>>,
    /// Why the file could not be written, told at the end: the counts are good all the same.
    error: Mutex<Option<io::Error>>,
}

impl Tally for Report {
    fn start(&self, steps: u64) {
        if let Some(bar) = &self.bar {
            bar.start(steps);
        }
    }

    fn step(&self) {
        if let Some(bar) = &self.bar {
            bar.advance(1);
        }
    }

    fn counted(&self, mv: Move, leaves: u64) {
        if let Some(resume) = &self.resume
            && let Err(error) = resume.lock().add(mv, leaves)
        {
            *self.error.lock() = Some(error);
        }
    }
}

/// Runs every line of every file at every depth; whether all counts were right.
fn run_suites(
    files: &[PathBuf],
    mut table: Option<PerftTable>,
    out: &mut impl Write,
) -> Result<bool, Failure> {
    let start = Instant::now();
    let (mut positions, mut counts, mut mismatches, mut nodes) = (0_u64, 0_u64, 0_u64, 0_u64);
    for file in files {
        let name = file.display();
        let text = fs::read_to_string(file)
            .map_err(|error| Failure::Argument(format!("suite: {name}: {error}")))?;
        for (number, line) in suite_lines(&text) {
            let line = line
                .map_err(|error| Failure::Argument(format!("suite: {name}:{number}: {error}")))?;
            positions += 1;
            if let Some(table) = &mut table {
                table.clear();
            }
            for (depth, expected) in line.counts {
                let counted = count(&line.position, depth, table.as_ref())?;
                counts += 1;
                nodes = nodes.saturating_add(counted);
                if counted != expected {
                    mismatches += 1;
                    let fen = line.position.to_fen();
                    writeln!(
                        out,
                        "{name}:{number}: depth {depth}: {counted} counted, {expected} expected: {fen}"
                    )?;
                }
            }
        }
    }
    let elapsed = start.elapsed();
    writeln!(
        out,
        "{positions} positions, {counts} counts, {mismatches} wrong, {nodes} nodes, {}",
        speed(nodes, elapsed)
    )?;
    Ok(mismatches == 0)
}

fn speed(nodes: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    format!(
        "{seconds:.3} s, {:.0} nodes/s",
        nodes as f64 / seconds.max(1e-9)
    )
}

/// Whether a castling move of the position has to be written as the king taking its rook.
fn castles_as_chess960(position: &Position) -> bool {
    let sides = [
        (CastlingSide::KingSide, File::H),
        (CastlingSide::QueenSide, File::A),
    ];
    Color::ALL.into_iter().any(|color| {
        sides.into_iter().any(|(side, corner)| {
            position
                .castling_rook(color, side)
                .is_some_and(|rook| rook.file() != corner || position.king(color).file() != File::E)
        })
    })
}
