//! The UCI protocol, tested from outside: the program is driven over pipes, and every line it prints is checked.
//!
//! `LUCENA_STRICT` sets narrow time bounds for an idle machine. `LUCENA_PROGRAM` tests another program than the one just
//! built, `LUCENA_TABLES` names a folder with more tablebases, `LUCENA_FUZZ_SECONDS` and `LUCENA_FUZZ_SEED` are for `fuzz`.

#[path = "../common/mod.rs"]
mod common;

mod checker;
mod driver;

mod bestmove;
mod chess960;
mod clients;
mod fuzz;
mod go;
mod info;
mod levels;
mod limits;
mod option_effects;
mod options;
mod personalities;
mod position;
mod ready;
mod robustness;
mod start;
mod stop;
mod stream;
mod tablebases;
mod tree;
