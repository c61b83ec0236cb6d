//! The program: hands the arguments to [`lucena::cli`] and returns its exit code.
use std::process::ExitCode;

fn main() -> ExitCode {
    lucena::cli::run()
}
