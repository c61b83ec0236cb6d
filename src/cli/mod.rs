//! The command line: one file per subcommand. Without a subcommand the program speaks UCI on standard input; UCI commands
//! may
//! also be given as arguments (`lucena "go depth 5" quit`).
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod analyse;
mod bar;
mod bench;
mod book;
mod bounds;
mod completions;
mod datagen;
mod eval;
mod explain;
mod failure;
mod input;
mod levels;
mod man;
mod openings;
mod perft;
mod policy;
mod review;
mod review_output;
#[cfg(feature = "web")]
mod serve;
mod spsa;
mod stdout;
mod store;
mod tablebase;
mod tune;
mod wdl;
mod weights;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::base::sys;
use crate::engine::{Model, load_model};
use crate::uci::command::{COMMANDS, Command, CommandError};
use crate::uci::{self, did_you_mean};

use failure::{Failure, exit_code, failed};

/// A chess engine that can explain itself. Without a subcommand it speaks UCI on standard input and output
#[derive(Debug, Parser)]
#[command(name = "lucena", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    /// Weights file for UCI mode and UCI commands
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    Bench(bench::BenchArguments),
    Book(book::BookArguments),
    Perft(perft::PerftArguments),
    Eval(eval::EvalArguments),
    Explain(explain::ExplainArguments),
    WhyNot(explain::WhyNotArguments),
    Threats(explain::ThreatsArguments),
    Blame(explain::BlameArguments),
    #[command(alias = "analyze")]
    Analyse(analyse::AnalyseArguments),
    Review(review::ReviewArguments),
    Store(store::StoreArguments),
    #[cfg(feature = "web")]
    Serve(serve::ServeArguments),
    Datagen(datagen::DatagenArguments),
    Openings(openings::OpeningsArguments),
    Tune(tune::TuneArguments),
    Spsa(spsa::SpsaArguments),
    Wdl(wdl::WdlArguments),
    Policy(policy::PolicyArguments),
    Weights(weights::WeightsArguments),
    Levels(levels::LevelsArguments),
    Tablebase(tablebase::TablebaseArguments),
    Man(man::ManArguments),
    Completions(completions::CompletionsArguments),
    /// UCI commands, each in quotes.
    #[command(external_subcommand)]
    Uci(Vec<OsString>),
}

/// Parses the arguments and runs the command.
pub fn run() -> ExitCode {
    if let Err(missing) = sys::check_processor() {
        let _ = writeln!(io::stderr(), "{missing}");
        return ExitCode::FAILURE;
    }
    let arguments = program().try_get_matches();
    let arguments = match arguments.and_then(|found| Arguments::from_arg_matches(&found)) {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    match arguments.action {
        None => match model(arguments.weights.as_deref()) {
            Ok(model) => uci::run(model),
            Err(failure) => exit_code(Err(failure)),
        },
        Some(Action::Bench(arguments)) => bench::run(&arguments),
        Some(Action::Book(arguments)) => exit_code(book::run(&arguments)),
        Some(Action::Perft(arguments)) => exit_code(perft::run(&arguments)),
        Some(Action::Eval(arguments)) => exit_code(eval::run(&arguments)),
        Some(Action::Explain(arguments)) => exit_code(explain::run(&arguments)),
        Some(Action::WhyNot(arguments)) => exit_code(explain::why_not(&arguments)),
        Some(Action::Threats(arguments)) => exit_code(explain::threats(&arguments)),
        Some(Action::Blame(arguments)) => exit_code(explain::blame(&arguments)),
        Some(Action::Analyse(arguments)) => exit_code(analyse::run(&arguments)),
        Some(Action::Review(arguments)) => exit_code(review::run(&arguments)),
        Some(Action::Store(arguments)) => exit_code(store::run(&arguments)),
        #[cfg(feature = "web")]
        Some(Action::Serve(arguments)) => exit_code(serve::run(&arguments)),
        Some(Action::Datagen(arguments)) => exit_code(datagen::run(&arguments)),
        Some(Action::Openings(arguments)) => exit_code(openings::run(&arguments)),
        Some(Action::Tune(arguments)) => exit_code(tune::run(&arguments)),
        Some(Action::Spsa(arguments)) => exit_code(spsa::run(&arguments)),
        Some(Action::Wdl(arguments)) => exit_code(wdl::run(&arguments)),
        Some(Action::Policy(arguments)) => exit_code(policy::run(&arguments)),
        Some(Action::Weights(arguments)) => exit_code(weights::run(&arguments)),
        Some(Action::Levels(arguments)) => exit_code(levels::run(&arguments)),
        Some(Action::Tablebase(arguments)) => exit_code(tablebase::run(&arguments)),
        Some(Action::Man(arguments)) => exit_code(man::run(&arguments, Arguments::command())),
        Some(Action::Completions(arguments)) => {
            exit_code(completions::run(&arguments, Arguments::command()))
        }
        Some(Action::Uci(words)) => uci_commands(&words, arguments.weights.as_deref()),
    }
}

/// The command line. Negative numbers are values, so that errors name their flag.
fn program() -> clap::Command {
    fn with_negative_values(command: clap::Command) -> clap::Command {
        command
            .mut_args(|arg| {
                let takes_values = arg.get_action().takes_values();
                arg.allow_negative_numbers(takes_values)
            })
            .mut_subcommands(with_negative_values)
    }
    with_negative_values(Arguments::command())
}

/// Loads the weights, if a file is given.
fn model(path: Option<&Path>) -> Result<Option<Arc<Model>>, Failure> {
    let model = path.map(load_model);
    model.transpose().map_err(failed)
}

/// Bytes of address space for a thread with its searches: what the allocator reserves for it (128 MiB with glibc), its
/// stack, tables and workers.
const THREAD_BYTES: u64 = 256 << 20;

/// The number of threads: as given, or one per processor; fewer, with a warning, if the address space is limited, since a
/// thread that cannot allocate its memory aborts the process.
fn threads(given: Option<u16>) -> usize {
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let wanted = given.map_or_else(processors, usize::from);
    let possible = sys::address_space_limit().map_or(u64::MAX, |bytes| bytes / THREAD_BYTES);
    let possible = usize::try_from(possible).unwrap_or(usize::MAX).max(1);
    if possible < wanted {
        let _ = writeln!(
            io::stderr(),
            "warning: the address space is limited: {possible} instead of {wanted} threads"
        );
    }
    wanted.min(possible)
}

/// Runs UCI commands, one in each argument (`"go depth 5"`). An argument that is not a UCI command is a usage error.
fn uci_commands(words: &[OsString], weights: Option<&Path>) -> ExitCode {
    let lines: Vec<Vec<u8>> = words
        .iter()
        .map(|word| word.as_encoded_bytes().to_vec())
        .collect();
    let unknown = lines.iter().find_map(|line| match Command::parse(line) {
        Err(CommandError::Unknown(word) | CommandError::NotUtf8(word)) => Some(word),
        _ => None,
    });
    if let Some(word) = unknown {
        let reason = why_unknown(&word, words);
        return usage(
            &Arguments::command().error(clap::error::ErrorKind::InvalidSubcommand, reason),
        );
    }
    // Nothing could stop such a search.
    let without_limit = lines.iter().find_map(|line| match Command::parse(line) {
        Ok(Command::Go(request)) if request.may_lack_limit() => request.warnings.first().cloned(),
        _ => None,
    });
    if let Some(reason) = without_limit {
        return exit_code(Err(failed(reason)));
    }
    match model(weights) {
        Ok(model) => uci::run_lines(lines, model),
        Err(failure) => exit_code(Err(failure)),
    }
}

/// Why a word among these is neither a subcommand nor a UCI command.
fn why_unknown(word: &str, words: &[OsString]) -> String {
    let program = Arguments::command();
    // Behind an option of the program, a subcommand is read as the first of the UCI commands.
    let first = words
        .first()
        .and_then(|first| program.find_subcommand(first));
    if let Some(subcommand) = first {
        let name = subcommand.get_name();
        let has_weights = |arg: &clap::Arg| arg.get_long() == Some("weights");
        return if subcommand.get_arguments().any(has_weights) {
            format!("--weights goes after the subcommand: {name} --weights <FILE>")
        } else {
            format!("--weights is for UCI commands; the subcommand {name:?} has options of its own")
        };
    }
    let names = program.get_subcommands().map(clap::Command::get_name);
    let meant = did_you_mean(word, names.chain(COMMANDS));
    format!(
        "{word:?} is neither a subcommand nor a UCI command{meant} (put each UCI command in quotes)"
    )
}

/// Prints a message of clap: help, version or an error.
fn usage(message: &clap::Error) -> ExitCode {
    if let Err(error) = message.print()
        && !message.use_stderr()
    {
        return exit_code(Err(Failure::Output(error)));
    }
    ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(2))
}
