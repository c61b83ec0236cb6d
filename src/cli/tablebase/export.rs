//! `lucena tablebase export`: the tables of the program as files.
//! Uses: tablebase. Used by: cli.
//! Idea: other programs may use them too; a file takes its name only when it is complete.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::output;
use crate::tablebase::embedded::TABLES;

use super::Failure;

/// Writes the tables that are in the program as files.
#[derive(Debug, clap::Args)]
pub struct ExportArguments {
    /// The folder for the files; made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Writes the files, and what was done to standard output.
pub fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    let folder = &arguments.out;
    let failed =
        |path: &Path, error: &io::Error| Failure::Message(format!("{}: {error}", path.display()));
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    for table in TABLES {
        let path = folder.join(table.name);
        output::write_bytes(&path, table.bytes).map_err(|error| failed(&path, &error))?;
    }
    let bytes: usize = TABLES.iter().map(|table| table.bytes.len()).sum();
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{} files, {bytes} bytes in {}",
        TABLES.len(),
        folder.display()
    )?;
    Ok(out.flush()?)
}
