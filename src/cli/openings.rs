//! `lucena openings`: openings for matches, as an EPD file. The file depends only on the arguments and the program.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::bar::Bar;
use super::bounds::{at_least, in_range};
use super::failure::{Failure, failed, in_file, usage_error};
use crate::base::text::plural;
use crate::chess::Position;
use crate::lab::atomic_file;
use crate::lab::train::match_openings::{OpeningOptions, generate};

/// Makes openings for matches: lines of the repertoire cut short, followed by two random moves, with a score within given
/// bounds.
#[derive(Clone, Debug, clap::Args)]
pub struct OpeningsArguments {
    /// The file to write, one EPD per line
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of openings
    #[arg(long, value_name = "N", value_parser = in_range(1_u32, 10_000_000), default_value_t = 20_000)]
    count: u32,
    /// Seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Soft node limit of the search that scores an opening
    #[arg(long, value_name = "N", value_parser = at_least(1_u64), default_value_t = 1000)]
    nodes: u64,
    /// Minimum score of the side that is ahead, in centipawns
    #[arg(long, value_name = "CP", value_parser = in_range(0_i32, 10_000), default_value_t = 0)]
    min: i32,
    /// Maximum score of the side that is ahead, in centipawns
    #[arg(long, value_name = "CP", value_parser = in_range(0_i32, 10_000), default_value_t = 40)]
    max: i32,
}

pub fn run(arguments: &OpeningsArguments) -> Result<(), Failure> {
    if arguments.min > arguments.max {
        let (min, max) = (arguments.min, arguments.max);
        return Err(usage_error(format!(
            "--min {min} is greater than --max {max}"
        )));
    }
    let options = OpeningOptions {
        count: arguments.count as usize,
        seed: arguments.seed,
        nodes: arguments.nodes,
        window: arguments.min..=arguments.max,
    };
    let bar = Bar::new("openings", Box::new(|_| String::new()));
    let file_error = in_file(&arguments.out);
    atomic_file::check_output(&arguments.out, []).map_err(&file_error)?;
    let memory = |error| failed(format!("memory: {error}"));
    let openings = generate(&options, &bar).map_err(memory)?;
    write(&arguments.out, &openings).map_err(&file_error)?;
    match openings.len() {
        count if count == options.count => Ok(()),
        count => Err(failed(format!("found only {}", plural(count, "opening")))),
    }
}

fn write(path: &Path, openings: &[Position]) -> io::Result<()> {
    atomic_file::write_whole(
        path,
        |error| error,
        |out| {
            for position in openings {
                let fen = position.to_fen();
                // An EPD has no move counters.
                let fields: Vec<&str> = fen.split(' ').take(4).collect();
                writeln!(out, "{}", fields.join(" "))?;
            }
            Ok(())
        },
    )
}
