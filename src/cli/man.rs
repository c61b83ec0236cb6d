//! `lucena man`: manual pages.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Command;
use clap_mangen::Man;

use super::failure::{Failure, in_file};
use super::stdout::stdout;
use crate::lab::atomic_file;

/// Games.
const SECTION: &str = "6";

/// Prints the manual page of the program, or writes one for each command into a folder
#[derive(Clone, Debug, clap::Args)]
pub struct ManArguments {
    /// The folder; created if missing
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Prints the page of `program`, or writes its page and those of all its commands.
pub fn run(arguments: &ManArguments, program: Command) -> Result<(), Failure> {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    if let Some(folder) = &arguments.folder {
        atomic_file::create_folder(folder).map_err(in_file(folder))?;
        write_pages(&program, folder)
    } else {
        let mut out = stdout();
        out.write_all(&rendered(&page(&program))?)?;
        out.flush()?;
        Ok(())
    }
}

fn write_pages(command: &Command, folder: &Path) -> Result<(), Failure> {
    for command in command.get_subcommands() {
        write_pages(command, folder)?;
    }
    let page = page(command);
    let path = folder.join(page.get_filename());
    atomic_file::write_bytes(&path, &rendered(&page)?).map_err(in_file(&path))
}

fn page(command: &Command) -> Man {
    Man::new(command.clone())
        .section(SECTION)
        .source(concat!("Lucena ", env!("CARGO_PKG_VERSION")))
        .manual("Lucena")
}

fn rendered(page: &Man) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    page.render(&mut text)?;
    Ok(text)
}
