//! `lucena tablebase`: endgame tables.
//! Uses: tablebase. Used by: cli.
//! Idea: one file for each thing that can be done with tables.
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

/// Endgame tables in the Syzygy format: those in the program and those on disk.
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

/// Does what the arguments ask.
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

/// A folder that is named must be there; what is wrong in it is only left out.
fn check_folders(folders: &[PathBuf]) -> Result<(), Failure> {
    for folder in folders {
        fs::read_dir(folder).map_err(failure::in_file(folder))?;
    }
    Ok(())
}

/// Says on standard error what is wrong with tables; they are only left out.
fn warn(faults: &[crate::tablebase::TableFault]) {
    for fault in faults {
        let _ = writeln!(io::stderr(), "warning: {fault}");
    }
}
