//! `lucena completions`: completion scripts of shells.

use std::io::Write;

use clap::Command;
use clap_complete::{Shell, generate};

use super::failure::Failure;
use super::stdout::stdout;

/// Prints the completion script of a shell, which completes commands and flags
#[derive(Clone, Debug, clap::Args)]
pub struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

/// Prints the completions of `program`.
pub fn run(arguments: &CompletionsArguments, mut program: Command) -> Result<(), Failure> {
    let name = program.get_name().to_owned();
    // Not straight to standard output: the generator panics when it cannot write.
    let mut script = Vec::new();
    generate(arguments.shell, &mut program, name, &mut script);
    let mut out = stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(())
}
