//! `lucena perft`: counts the leaves of a position, or runs perft suites.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rayon::ThreadPoolBuilder;

use super::bar::Bar;
use super::bounds::in_range;
use super::failure::{self, Failure, failed, in_file};
use super::input;
use super::stdout::stdout;
use crate::base::progress::Progress;
use crate::base::sync::Mutex;
use crate::base::text::plural;
use crate::chess::{CastlingSide, Color, File, Move, Position};
use crate::engine::perft::{MAX_DEPTH, PerftProgress, PerftTable, count, divide_with, suite_lines};
use crate::lab::perft_resume::{Resume, ResumeError};

/// The least depth with a progress bar.
const BAR_DEPTH: u32 = 7;

/// Counts the leaves of the tree of legal moves.
#[derive(Clone, Debug, clap::Args)]
pub struct PerftArguments {
    /// Plies to count
    #[arg(value_parser = in_range(0, MAX_DEPTH))]
    #[arg(required_unless_present = "suite", conflicts_with = "suite")]
    depth: Option<u32>,
    /// Position to count from, a FEN or startpos [default: startpos]
    #[arg(long, value_name = "FEN", conflicts_with = "suite")]
    fen: Option<String>,
    /// Print the count below each move
    #[arg(long, conflicts_with = "suite")]
    divide: bool,
    /// Keep the counts of finished moves in this file, and resume from it
    #[arg(
        long,
        value_name = "FILE",
        requires = "divide",
        conflicts_with = "suite"
    )]
    resume: Option<PathBuf>,
    /// Threads [default: all processors]
    #[arg(long, value_name = "N", value_parser = in_range(1_u16, 1024))]
    threads: Option<u16>,
    /// Size of the hash table of counts in MiB (0: none)
    #[arg(long, value_name = "MB", value_parser = in_range(0_u32, 1 << 20), default_value_t = 0)]
    hash: u32,
    /// Suite files to run: lines of `FEN ;D1 20 ;D2 400`
    #[arg(long, value_name = "FILE", num_args = 1..)]
    suite: Vec<PathBuf>,
}

/// Runs the command; a wrong count in a suite is a failure.
pub fn run(arguments: &PerftArguments) -> Result<(), Failure> {
    let threads = super::threads(arguments.threads);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| failed(format!("threads: {error}")))?;
    let table = match arguments.hash {
        0 => None,
        megabytes => Some(PerftTable::new(megabytes as usize).map_err(failed)?),
    };
    let out = &mut stdout();
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
) -> Result<(), Failure> {
    let position = match &arguments.fen {
        Some(fen) => failure::position(std::slice::from_ref(fen))?,
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
    let moves = divide_with(&position, depth, table, &known, &report).map_err(failed)?;
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
    // Resumed counts took no time.
    let counted = total.saturating_sub(sum(&known));
    let nodes = plural(total as usize, "node");
    writeln!(out, "{nodes}, {}", speed(counted, elapsed))?;
    match (report.error.into_inner(), &arguments.resume) {
        (Some(error), Some(path)) => Err(resume_failure(path, &error.into())),
        _ => Ok(()),
    }
}

fn resume_failure(path: &Path, error: &ResumeError) -> Failure {
    failed(format!("resume: {}: {error}", path.display()))
}

/// Draws the bar and writes the resume file while counting.
struct Report {
    bar: Option<Bar>,
    resume: Option<Mutex<Resume>>,
    /// A failure to write the file, reported at the end: the counts are valid.
    error: Mutex<Option<io::Error>>,
}

impl PerftProgress for Report {
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

/// Runs every line of every file at every depth.
fn run_suites(
    files: &[PathBuf],
    mut table: Option<PerftTable>,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let start = Instant::now();
    let (mut positions, mut counts, mut mismatches, mut nodes) = (0_u64, 0_u64, 0_u64, 0_u64);
    for file in files {
        let name = file.display();
        let text = input::text(file)?;
        let before = counts;
        for (number, line) in suite_lines(&text) {
            let line = line.map_err(|error| failed(format!("{name}:{number}: {error}")))?;
            positions += 1;
            if let Some(table) = &mut table {
                table.clear();
            }
            for (depth, expected) in line.counts {
                let counted = count(&line.position, depth, table.as_ref()).map_err(failed)?;
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
        if counts == before {
            return Err(in_file(file)("no position with a count"));
        }
    }
    let elapsed = start.elapsed();
    writeln!(
        out,
        "{}, {}, {mismatches} wrong, {}, {}",
        plural(positions as usize, "position"),
        plural(counts as usize, "count"),
        plural(nodes as usize, "node"),
        speed(nodes, elapsed)
    )?;
    if mismatches > 0 {
        return Err(Failure::Printed);
    }
    Ok(())
}

fn speed(nodes: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    format!(
        "{seconds:.3} s, {:.0} nodes/s",
        nodes as f64 / seconds.max(1e-9)
    )
}

/// Whether castling in this position must be written as king takes rook.
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
