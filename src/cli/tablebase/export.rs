//! `lucena tablebase export`: writes the built-in tables to files.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use crate::cli::stdout::stdout;
use crate::lab::atomic_file;
use crate::tablebase::embedded::TABLES;

use super::Failure;
use super::failure::in_file;

/// Writes the built-in tables to files
///
/// If a different file has the name of a table, nothing is written.
#[derive(Debug, clap::Args)]
pub struct ExportArguments {
    /// Output folder; created if missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    let folder = &arguments.out;
    atomic_file::create_folder(folder).map_err(in_file(folder))?;
    let mut missing = Vec::new();
    for table in TABLES {
        let path = folder.join(table.name);
        match fs::metadata(&path) {
            // The writer refuses folders and devices.
            Ok(found) if found.is_file() => {
                if fs::read(&path).map_err(in_file(&path))? != table.bytes {
                    return Err(in_file(&path)(
                        "a different file with this name exists and is kept; nothing was written",
                    ));
                }
            }
            _ => missing.push((path, table.bytes)),
        }
    }
    for (path, bytes) in missing {
        atomic_file::write_bytes(&path, bytes).map_err(in_file(&path))?;
    }
    let bytes: usize = TABLES.iter().map(|table| table.bytes.len()).sum();
    let mut out = stdout();
    writeln!(
        out,
        "{} files, {bytes} bytes in {}",
        TABLES.len(),
        folder.display()
    )?;
    Ok(out.flush()?)
}
