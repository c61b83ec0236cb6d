//! `lucena tablebase list`: lists the available tables.

use std::io::Write;
use std::path::PathBuf;

use crate::cli::stdout::stdout;
use crate::tablebase::{Catalogue, Metric};

use super::Failure;

/// Lists the built-in tables and those in folders
#[derive(Debug, clap::Args)]
pub struct ListArguments {
    /// Folders with more tables
    #[arg(value_name = "DIR")]
    folders: Vec<PathBuf>,
}

pub fn run(arguments: &ListArguments) -> Result<(), Failure> {
    super::check_folders(&arguments.folders)?;
    let catalogue = Catalogue::new(&arguments.folders, true);
    super::warn(&catalogue.take_faults());
    let mut out = stdout();
    let mut total = 0;
    for (material, metric, table) in catalogue.tables() {
        let place = table.path.parent().unwrap_or(&table.path).display();
        writeln!(
            out,
            "{:9} {metric} {:12} bytes  {place}",
            material.to_string(),
            table.bytes
        )?;
        total += table.bytes;
    }
    let (wdl, dtz) = (catalogue.count(Metric::Wdl), catalogue.count(Metric::Dtz));
    writeln!(out, "{wdl} WDL and {dtz} DTZ tables, {total} bytes")?;
    Ok(out.flush()?)
}
