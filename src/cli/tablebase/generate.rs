//! `lucena tablebase generate`: tables made from the rules alone.
//! Uses: tablebase, cli's bar. Used by: cli.
//! Idea: tables come in an order in which each finds those it needs; what is finished stays, whatever happens later.

use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crate::base::progress::Progress;
use crate::base::sync::Mutex;
use crate::cli::bar::{Bar, Detail};
use crate::lab::atomic_file;
use crate::lab::tablegen::{Generator, STEPS, parse_name, storage};
use crate::tablebase::{Material, Metric};

use super::Failure;
use super::failure::{failed, in_file};

/// Makes tables in the Syzygy format, and all that they lead to. The format is genuine and the values are those of the
/// published tables; the bytes are not, for the compression is Lucena's own. A table that is there and whole is kept.
#[derive(Debug, clap::Args)]
pub struct GenerateArguments {
    /// The folder for the tables; made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// All tables with up to so many men
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=4))]
    men: Option<u8>,
    /// Tablebases by name, as in `KQvKR`, with up to five men
    #[arg(value_name = "NAME", required_unless_present = "men", value_parser = parse_name)]
    names: Vec<Material>,
    /// How many threads work; all processors if it is not said
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Only wins, draws and losses, no distances
    #[arg(long)]
    wdl_only: bool,
    /// Also compare the tables that are there with a fresh solution, and make those anew that are wrong
    #[arg(long)]
    verify: bool,
}

/// Runs work on so many threads.
pub fn with_threads<T: Send>(
    threads: Option<NonZeroUsize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.map_or(0, usize::from))
        .build();
    let pool = pool.map_err(|error| failed(format!("threads: {error}")))?;
    Ok(pool.install(work))
}

/// Makes what is missing, and tells of each table on standard output.
pub fn run(arguments: &GenerateArguments) -> Result<(), Failure> {
    let mut wanted: Vec<Material> = (3..=arguments.men.unwrap_or(2))
        .flat_map(|men| Material::all(usize::from(men)))
        .collect();
    wanted.extend(&arguments.names);
    let plan = storage::closure(&wanted);
    let folder = &arguments.out;
    fs::create_dir_all(folder).map_err(in_file(folder))?;
    with_threads(arguments.threads, || make_all(folder, &plan, arguments))?
}

fn make_all(
    folder: &Path,
    plan: &[Material],
    arguments: &GenerateArguments,
) -> Result<(), Failure> {
    let workshop = Generator::default();
    // What is being made, for the bar.
    let current = Arc::new(Mutex::new(String::new()));
    let shown = Arc::clone(&current);
    let detail: Detail = Box::new(move |_| shown.lock().clone());
    let bar = Bar::new("steps", detail);
    let mut missing = Vec::new();
    for &material in plan {
        if !is_there(folder, material, arguments, &workshop)? {
            missing.push(material);
        }
    }
    let mut out = io::stdout();
    if !missing.is_empty() {
        let megabytes = Generator::memory(&missing).div_ceil(1 << 20);
        writeln!(
            out,
            "tables to make: {}, in at most about {megabytes} MiB of memory",
            missing.len()
        )?;
    }
    bar.start(missing.len() as u64 * STEPS);
    for (at, &material) in missing.iter().enumerate() {
        let start = Instant::now();
        *current.lock() = material.to_string();
        workshop.retain_for(&missing[at..]);
        let is_needed = missing[at..]
            .iter()
            .any(|later| later.needs().contains(&material));
        let made = workshop.make(material, arguments.wdl_only, is_needed, &bar);
        let made = made.map_err(|fault| failed(format!("{material}: {fault}")))?;
        let files = [
            (Metric::Wdl, Some(&made.wdl)),
            (Metric::Dtz, made.dtz.as_ref()),
        ];
        for (metric, bytes) in files {
            let path = storage::path(folder, material, metric);
            if let Some(bytes) = bytes {
                atomic_file::write_bytes(&path, bytes).map_err(in_file(&path))?;
            }
        }
        writeln!(
            out,
            "{material:7} {:9} WDL {:9} DTZ bytes {:8.2} s",
            made.wdl.len(),
            made.dtz.as_ref().map_or(0, Vec::len),
            start.elapsed().as_secs_f64(),
        )?;
    }
    bar.finish();
    writeln!(out, "tables in {}: {}", folder.display(), plan.len())?;
    Ok(out.flush()?)
}

/// Whether the files of a table are there and whole; with `--verify`, whether their values are right too.
fn is_there(
    folder: &Path,
    material: Material,
    arguments: &GenerateArguments,
    workshop: &Generator,
) -> Result<bool, Failure> {
    let metrics: &[Metric] = if arguments.wdl_only {
        &[Metric::Wdl]
    } else {
        &[Metric::Wdl, Metric::Dtz]
    };
    let mut tables = Vec::new();
    for &metric in metrics {
        match storage::read(folder, material, metric) {
            Ok(Some(found)) => tables.push((metric, found)),
            Ok(None) => return Ok(false),
            Err(fault) => {
                writeln!(io::stderr(), "warning: {fault}; it is made anew")?;
                return Ok(false);
            }
        }
    }
    if arguments.verify {
        if let Err(mismatch) = workshop.verify(material, &tables) {
            writeln!(
                io::stderr(),
                "warning: {material}: {mismatch}; it is made anew"
            )?;
            return Ok(false);
        }
        writeln!(io::stdout(), "{material:7} is right")?;
    }
    Ok(true)
}
