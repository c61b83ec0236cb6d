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

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Message(error.to_string())
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

fn info(path: &Path) -> Result<(), Failure> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let all = open(path)?.for_each(|key, _| {
        let fields: Vec<&str> = key.split(SEPARATOR).take(4).collect();
        *counts.entry(fields.join("  ")).or_default() += 1;
        Ok::<_, Failure>(())
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
    open(path)?.for_each(|key, value| {
        writeln!(out, "{key}\t{}", value.replace('\n', "\\n"))?;
        Ok::<_, Failure>(())
    })?;
    out.flush()?;
    Ok(())
}

fn merge(into: &Path, from: &[PathBuf]) -> Result<(), Failure> {
    atomic_file::check_apart(into, from.iter().map(PathBuf::as_path)).map_err(in_file(into))?;
    let sources = from.iter().map(|path| open(path));
    let sources = sources.collect::<Result<Vec<Store>, Failure>>()?;
    let target = Store::open(into, true).map_err(in_file(into))?;
    let mut all = 0;
    for source in sources {
        let mut batch = Vec::new();
        all += source.for_each(|key, value| {
            batch.push((key.to_owned(), value.to_owned()));
            if batch.len() == BATCH {
                target.write(&batch)?;
                batch.clear();
            }
            Ok::<_, Failure>(())
        })?;
        target.write(&batch)?;
    }
    writeln!(stdout(), "{all} entries merged into {}", into.display())?;
    Ok(())
}

fn verify(path: &Path) -> Result<(), Failure> {
    let mut faults = 0_u64;
    let mut out = stdout();
    let all = open(path)?.for_each(|key, value| {
        if let Err(fault) = key::check(key, value) {
            faults += 1;
            writeln!(out, "{key}: {fault}")?;
        }
        Ok::<_, Failure>(())
    })?;
    writeln!(out, "{all} entries, {faults} faults")?;
    if faults == 0 {
        Ok(())
    } else {
        Err(Failure::Printed)
    }
}
