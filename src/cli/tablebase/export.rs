//! `lucena tablebase export`: the tables of the program as files.
//! Uses: tablebase. Used by: cli.
//! Idea: other programs may use them too; a table of somebody else's that is there stays.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use crate::lab::atomic_file;
use crate::tablebase::embedded::TABLES;

use super::Failure;
use super::failure::in_file;

/// Writes the tables that are in the program as files. Other files that have their names are left as they are, and then
/// nothing is written.
#[derive(Debug, clap::Args)]
pub struct ExportArguments {
    /// The folder for the files; made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Writes the files, and what was done to standard output.
pub fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    let folder = &arguments.out;
    fs::create_dir_all(folder).map_err(in_file(folder))?;
    let mut missing = Vec::new();
    for table in TABLES {
        let path = folder.join(table.name);
        match fs::metadata(&path) {
            // What is no file (a folder, a device) is for the writer to refuse.
            Ok(there) if there.is_file() => {
                if fs::read(&path).map_err(in_file(&path))? != table.bytes {
                    return Err(in_file(&path)(
                        "another table is there, and is left as it is",
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
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{} files, {bytes} bytes in {}",
        TABLES.len(),
        folder.display()
    )?;
    Ok(out.flush()?)
}
