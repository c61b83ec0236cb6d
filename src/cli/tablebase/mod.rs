//! `lucena tablebase`: endgame tables.
//! Uses: tablebase. Used by: cli.
//! Idea: one file for each thing that can be done with tables.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod export;
mod generate;
mod list;
mod mate;
mod picture;
mod probe;
mod verify;

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

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

/// What can go wrong.
enum Failure {
    /// Said on standard error.
    Message(String),
    /// Standard output could not be written.
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Does what the arguments ask; errors go to standard error.
#[must_use]
pub fn run(arguments: &TablebaseArguments) -> ExitCode {
    let done = match &arguments.action {
        Action::Export(arguments) => export::run(arguments),
        Action::Generate(arguments) => generate::run(arguments),
        Action::List(arguments) => list::run(arguments),
        Action::Mate(arguments) => mate::run(arguments),
        Action::Probe(arguments) => probe::run(arguments),
        Action::Verify(arguments) => verify::run(arguments),
        Action::Stats(arguments) => verify::stats(arguments),
        Action::Sample(arguments) => verify::sample(arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads has read enough, as `head` does.
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Output(error)) => {
            let _ = writeln!(io::stderr(), "error: standard output: {error}");
            ExitCode::FAILURE
        }
        Err(Failure::Message(message)) => {
            let _ = writeln!(io::stderr(), "error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Says on standard error what is wrong with tables; they are only left out.
fn warn(faults: &[crate::tablebase::TableFault]) {
    for fault in faults {
        let _ = writeln!(io::stderr(), "warning: {fault}");
    }
}
