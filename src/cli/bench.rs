//! `lucena bench`: the node signature and the speed of the search.

use std::process::ExitCode;
use std::sync::Arc;

use super::bounds::in_range;
use crate::base::value::MAX_DEPTH;
use crate::engine::Signal;
use crate::uci::print::Output;
use crate::uci::show_bench;

/// Searches fixed positions to a fixed depth; the last line is `<nodes> nodes <nps> nps`
#[derive(Debug, clap::Args)]
pub struct BenchArguments {
    /// Depth in plies
    #[arg(default_value_t = crate::engine::bench::DEPTH, value_parser = in_range(1_i32, MAX_DEPTH))]
    pub depth: i32,
}

pub fn run(arguments: &BenchArguments) -> ExitCode {
    let signal = Arc::<Signal>::default();
    let ticket = signal.issue();
    show_bench(&Output::standard(), arguments.depth, None, &signal, ticket);
    ExitCode::SUCCESS
}
