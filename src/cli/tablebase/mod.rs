//! `lucena tablebase`: commands for Syzygy tables.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod export;
mod generate;
mod list;
mod mate;
mod probe;
mod verify;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use super::failure::{self, Failure};

/// Probes, lists, exports, generates and verifies Syzygy tablebases
#[derive(Debug, clap::Args)]
pub struct TablebaseArguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    Export(export::ExportArguments),
    Generate(generate::GenerateArguments),
    List(list::ListArguments),
    Mate(mate::MateArguments),
    Probe(probe::ProbeArguments),
    Verify(verify::VerifyArguments),
    Stats(verify::StatsArguments),
    Sample(verify::SampleArguments),
}

pub fn run(arguments: &TablebaseArguments) -> Result<(), Failure> {
    match &arguments.action {
        Action::Export(arguments) => export::run(arguments),
        Action::Generate(arguments) => generate::run(arguments),
        Action::List(arguments) => list::run(arguments),
        Action::Mate(arguments) => mate::run(arguments),
        Action::Probe(arguments) => probe::run(arguments),
        Action::Verify(arguments) => verify::run(arguments),
        Action::Stats(arguments) => verify::stats(arguments),
        Action::Sample(arguments) => verify::sample(arguments),
    }
}

/// Checks that the folders exist. Faulty files in them are only warned about.
fn check_folders(folders: &[PathBuf]) -> Result<(), Failure> {
    for folder in folders {
        fs::read_dir(folder).map_err(failure::in_file(folder))?;
    }
    Ok(())
}

/// Prints faults of tables to standard error.
fn warn(faults: &[crate::tablebase::TableFault]) {
    for fault in faults {
        let _ = writeln!(io::stderr(), "warning: {fault}");
    }
}
