//! The program: see [`lucena::cli`].
use std::process::ExitCode;

fn main() -> ExitCode {
    lucena::cli::run()
}
