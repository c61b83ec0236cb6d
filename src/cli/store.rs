//! `lucena store`: works on the store of reviews.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::failure::{Failure, in_file};
use super::stdout::stdout;
use crate::lab::atomic_file;
use crate::lab::review::key::{self, SEPARATOR};
use crate::lab::review::store::{Store, StoreError};

/// Entries that are merged at a time.
const BATCH: usize = 4096;

/// Inspects, merges and checks stores of reviews
#[derive(Debug, clap::Args)]
pub struct StoreArguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Prints how many entries a store has, by engine, weights and limit
    Info(FileArguments),
    /// Prints all entries in the order of their keys, one per line, with fields separated by tabs
    Export(FileArguments),
    /// Adds the entries of stores to another one
    Merge(MergeArguments),
    /// Checks that the database is intact and that every position, move and verdict can be read
    Verify(FileArguments),
}

#[derive(Debug, clap::Args)]
struct FileArguments {
    /// The store
    #[arg(value_name = "FILE")]
    store: PathBuf,
}

#[derive(Debug, clap::Args)]
struct MergeArguments {
    /// The store to write, created if it does not exist
    #[arg(value_name = "INTO")]
    into: PathBuf,
    /// The stores to read
    #[arg(value_name = "FROM", required = true)]
    from: Vec<PathBuf>,
}

/// Why entries are not all passed on: the store, or what takes them.
enum Interruption {
    Store(StoreError),
    Taker(Failure),
}

impl From<StoreError> for Interruption {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

pub fn run(arguments: &StoreArguments) -> Result<(), Failure> {
    match &arguments.action {
        Action::Info(file) => info(&file.store),
        Action::Export(file) => export(&file.store),
        Action::Merge(files) => merge(&files.into, &files.from),
        Action::Verify(file) => verify(&file.store),
    }
}

fn open(path: &Path) -> Result<Store, Failure> {
    Store::open(path, false).map_err(in_file(path))
}

/// Passes all entries of a store to `take`, until it fails; returns their number. An error of the store names its file.
fn for_each(
    store: &Store,
    path: &Path,
    mut take: impl FnMut(&str, &str) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    let passed = store.for_each(|key, value| take(key, value).map_err(Interruption::Taker));
    passed.map_err(|interruption| match interruption {
        Interruption::Store(error) => in_file(path)(error),
        Interruption::Taker(failure) => failure,
    })
}

fn info(path: &Path) -> Result<(), Failure> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let all = for_each(&open(path)?, path, |key, _| {
        let fields: Vec<&str> = key.split(SEPARATOR).take(4).collect();
        *counts.entry(fields.join("  ")).or_default() += 1;
        Ok(())
    })?;
    let mut out = stdout();
    for (group, count) in counts {
        writeln!(out, "{count:>10}  {group}")?;
    }
    writeln!(out, "{all:>10}  in all")?;
    Ok(())
}

fn export(path: &Path) -> Result<(), Failure> {
    let mut out = io::BufWriter::new(stdout());
    for_each(&open(path)?, path, |key, value| {
        Ok(writeln!(out, "{key}\t{}", value.replace('\n', "\\n"))?)
    })?;
    out.flush()?;
    Ok(())
}

fn merge(into: &Path, from: &[PathBuf]) -> Result<(), Failure> {
    atomic_file::check_apart(into, from.iter().map(PathBuf::as_path)).map_err(in_file(into))?;
    let sources = from.iter().map(|path| open(path));
    let sources = sources.collect::<Result<Vec<Store>, Failure>>()?;
    let target = Store::open(into, true).map_err(in_file(into))?;
    let write = |batch: &[(String, String)]| target.write(batch).map_err(in_file(into));
    let mut all = 0;
    for (source, path) in sources.iter().zip(from) {
        let mut batch = Vec::new();
        all += for_each(source, path, |key, value| {
            batch.push((key.to_owned(), value.to_owned()));
            if batch.len() == BATCH {
                write(&batch)?;
                batch.clear();
            }
            Ok(())
        })?;
        write(&batch)?;
    }
    writeln!(stdout(), "{all} entries merged into {}", into.display())?;
    Ok(())
}

fn verify(path: &Path) -> Result<(), Failure> {
    let mut faults = 0_u64;
    let mut out = stdout();
    let all = for_each(&open(path)?, path, |key, value| {
        if let Err(fault) = key::check(key, value) {
            faults += 1;
            writeln!(out, "{key}: {fault}")?;
        }
        Ok(())
    })?;
    writeln!(out, "{all} entries, {faults} faults")?;
    if faults == 0 {
        Ok(())
    } else {
        Err(Failure::Printed)
    }
}
