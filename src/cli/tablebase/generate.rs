//! `lucena tablebase generate`: generates tables in an order in which each finds those it needs. Finished tables are kept.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::super::bounds::in_range;
use crate::base::progress::Progress;
use crate::base::sync::Mutex;
use crate::base::text::plural;
use crate::cli::bar::{Bar, Detail};
use crate::cli::stdout::stdout;
use crate::lab::atomic_file;
use crate::lab::tablegen::{Generator, STEPS, parse_name, storage};
use crate::tablebase::{Material, Metric};

use super::Failure;
use super::failure::{failed, in_file};

/// Generates Syzygy tables and all those that they need
///
/// Values and file format are the same as in the published tables; the bytes differ, since the files are compressed by
/// Lucena's own code. Existing
/// valid tables are kept.
#[derive(Debug, clap::Args)]
pub struct GenerateArguments {
    /// Output folder; created if missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// All tables with up to N pieces, kings and pawns included
    // The alias is its old name.
    #[arg(long, alias = "men", value_name = "N", value_parser = in_range(3_u8, 4))]
    pieces: Option<u8>,
    /// Names of tables, such as `KQvKR`, with up to five pieces
    #[arg(value_name = "NAME", required_unless_present = "pieces", value_parser = parse_name)]
    names: Vec<Material>,
    /// Number of threads [default: all processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Only WDL, no DTZ
    #[arg(long)]
    wdl_only: bool,
    /// Also compare existing tables with a new solution, and replace wrong ones
    #[arg(long)]
    verify: bool,
}

/// Runs `work` with a number of threads; all processors by default.
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

pub fn run(arguments: &GenerateArguments) -> Result<(), Failure> {
    let mut wanted: Vec<Material> = (3..=arguments.pieces.unwrap_or(2))
        .flat_map(|pieces| Material::all(usize::from(pieces)))
        .collect();
    wanted.extend(&arguments.names);
    let plan = storage::closure(&wanted);
    let folder = &arguments.out;
    atomic_file::create_folder(folder).map_err(in_file(folder))?;
    with_threads(arguments.threads, || generate_all(folder, &plan, arguments))?
}

fn generate_all(
    folder: &Path,
    plan: &[Material],
    arguments: &GenerateArguments,
) -> Result<(), Failure> {
    let generator = Generator::default();
    // The current table, for the progress bar.
    let current = Arc::new(Mutex::new(String::new()));
    let shown = Arc::clone(&current);
    let detail: Detail = Box::new(move |_| shown.lock().clone());
    let bar = Bar::new("steps", detail);
    let mut missing = Vec::new();
    for &material in plan {
        if !is_valid(folder, material, arguments, &generator)? {
            missing.push(material);
        }
    }
    for &material in &missing {
        for &metric in metrics(arguments) {
            let path = storage::path(folder, material, metric);
            atomic_file::check_output(&path, []).map_err(in_file(&path))?;
        }
    }
    let mut out = stdout();
    if !missing.is_empty() {
        let megabytes = Generator::memory(&missing).div_ceil(1 << 20);
        writeln!(
            out,
            "{} to generate, with at most about {megabytes} MiB of memory",
            plural(missing.len(), "table")
        )?;
    }
    bar.start(missing.len() as u64 * STEPS);
    for (at, &material) in missing.iter().enumerate() {
        let start = Instant::now();
        *current.lock() = material.to_string();
        generator.retain_for(&missing[at..]);
        let keep = missing[at..]
            .iter()
            .any(|later| later.needs().contains(&material));
        let table = generator.generate(material, arguments.wdl_only, keep, &bar);
        let table = table.map_err(|fault| failed(format!("{material}: {fault}")))?;
        let files = [
            (Metric::Wdl, Some(&table.wdl)),
            (Metric::Dtz, table.dtz.as_ref()),
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
            table.wdl.len(),
            table.dtz.as_ref().map_or(0, Vec::len),
            start.elapsed().as_secs_f64(),
        )?;
    }
    bar.finish();
    writeln!(
        out,
        "{} in {}",
        plural(plan.len(), "table"),
        folder.display()
    )?;
    Ok(out.flush()?)
}

/// The files of a table.
const fn metrics(arguments: &GenerateArguments) -> &'static [Metric] {
    if arguments.wdl_only {
        &[Metric::Wdl]
    } else {
        &[Metric::Wdl, Metric::Dtz]
    }
}

/// Whether the files of a table exist and are valid; with `--verify`, whether their values are right.
fn is_valid(
    folder: &Path,
    material: Material,
    arguments: &GenerateArguments,
    generator: &Generator,
) -> Result<bool, Failure> {
    let mut tables = Vec::new();
    for &metric in metrics(arguments) {
        match storage::read(folder, material, metric) {
            Ok(Some(found)) => tables.push((metric, found)),
            Ok(None) => return Ok(false),
            Err(fault) => {
                let _ = writeln!(io::stderr(), "warning: {fault}; the file is replaced");
                return Ok(false);
            }
        }
    }
    if arguments.verify {
        if let Err(mismatch) = generator.verify(material, &tables) {
            let _ = writeln!(
                io::stderr(),
                "warning: {material}: {mismatch}; the table is replaced"
            );
            return Ok(false);
        }
        writeln!(stdout(), "{material:7} is right")?;
    }
    Ok(true)
}
