//! The command line: what the program does when it is called.
//! Uses: every room. Used by: main. Prints.
//! Idea: without a subcommand the program speaks the protocol on standard input; words that are commands of the protocol
//! are done as if they had been typed (`lucena "go depth 5" quit`).
//!
//! Files: one for each subcommand.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod analyse;
mod bar;
mod bench;
mod book;
mod bounds;
mod datagen;
mod eval;
mod failure;
mod openings;
mod perft;
mod spsa;
mod tablebase;
mod tune;
mod wdl;
mod weights;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{CommandFactory, Parser, Subcommand};

use crate::base::sys;
use crate::eval::Model;
use crate::eval::load::load;
use crate::uci;
use crate::uci::command::{Command, CommandError};

use failure::{Failure, end, told};

/// A chess engine that can explain itself. Without a subcommand it speaks UCI on standard input and output.
#[derive(Debug, Parser)]
#[command(name = "lucena", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    /// Speaks the protocol, or does its commands, by the weights of this file
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
    Analyse(analyse::AnalyseArguments),
    Datagen(datagen::DatagenArguments),
    Openings(openings::OpeningsArguments),
    Tune(tune::TuneArguments),
    Spsa(spsa::SpsaArguments),
    Wdl(wdl::WdlArguments),
    Weights(weights::WeightsArguments),
    Tablebase(tablebase::TablebaseArguments),
    /// Commands of the protocol, each in quotes, done one after the other.
    #[command(external_subcommand)]
    Protocol(Vec<OsString>),
}

/// Does what the arguments ask.
#[must_use]
pub fn run() -> ExitCode {
    if let Err(missing) = sys::check_processor() {
        let _ = writeln!(io::stderr(), "{missing}");
        return ExitCode::FAILURE;
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    match arguments.action {
        None => match model(arguments.weights.as_deref()) {
            Ok(model) => uci::run(model),
            Err(failure) => end(Err(failure)),
        },
        Some(Action::Bench(arguments)) => bench::run(&arguments),
        Some(Action::Book(arguments)) => end(book::run(&arguments)),
        Some(Action::Perft(arguments)) => end(perft::run(&arguments)),
        Some(Action::Eval(arguments)) => end(eval::run(&arguments)),
        Some(Action::Analyse(arguments)) => end(analyse::run(&arguments)),
        Some(Action::Datagen(arguments)) => end(datagen::run(&arguments)),
        Some(Action::Openings(arguments)) => end(openings::run(&arguments)),
        Some(Action::Tune(arguments)) => end(tune::run(&arguments)),
        Some(Action::Spsa(arguments)) => end(spsa::run(&arguments)),
        Some(Action::Wdl(arguments)) => end(wdl::run(&arguments)),
        Some(Action::Weights(arguments)) => end(weights::run(&arguments)),
        Some(Action::Tablebase(arguments)) => end(tablebase::run(&arguments)),
        Some(Action::Protocol(words)) => protocol(&words, arguments.weights.as_deref()),
    }
}

/// The weights of a file, if one is named.
fn model(path: Option<&Path>) -> Result<Option<Arc<Model>>, Failure> {
    let model = path.map(load);
    model.transpose().map_err(told)
}

/// As many threads as there are processors, if none are named.
fn threads(asked: Option<u16>) -> usize {
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or_else(processors, usize::from)
}

/// Does commands of the protocol, by the weights of a file if one is named. A word that is none is a subcommand misspelt, or a
/// command without its quotes.
fn protocol(words: &[OsString], weights: Option<&Path>) -> ExitCode {
    let lines: Vec<Vec<u8>> = words
        .iter()
        .map(|word| word.as_encoded_bytes().to_vec())
        .collect();
    let unknown = lines.iter().find_map(|line| match Command::parse(line) {
        Err(CommandError::Unknown(word) | CommandError::NotText(word)) => Some(word),
        _ => None,
    });
    if let Some(word) = unknown {
        let reason = if Arguments::command().find_subcommand(&word).is_some() {
            format!("--weights goes with the protocol, not before a subcommand such as {word:?}")
        } else {
            format!(
                "{word:?} is neither a subcommand nor a command of the protocol (each goes in quotes)"
            )
        };
        return usage(
            &Arguments::command().error(clap::error::ErrorKind::InvalidSubcommand, reason),
        );
    }
    match model(weights) {
        Ok(model) => uci::run_lines(lines, model),
        Err(failure) => end(Err(failure)),
    }
}

/// Help and version are answers, everything else is an error of the caller's. Nobody to read it is no fault.
fn usage(message: &clap::Error) -> ExitCode {
    let _ = message.print();
    ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(2))
}
