//! The protocol, proved from outside: the built program is driven over pipes, bytes in, bytes out, time.
//! Uses: the program; shakmaty as the judge of moves. Used by: `cargo test --test uci`.
//! Idea: one test for each row of the conformance table (sections A to K), named after its row. Every line that the
//! program prints passes one checker, whatever the test is about.
//!
//! Time bounds are those of the table where `LUCENA_STRICT` is set (on a quiet machine) and far wider elsewhere.
//! `LUCENA_PROGRAM` names another program than the one just built, `LUCENA_TABLES` a folder with more endgame tables, and
//! `LUCENA_FUZZ_SECONDS` and `LUCENA_FUZZ_SEED` make `fuzz` longer.

#[path = "../common/mod.rs"]
mod common;
mod driver;
mod judge;

mod a_stream;
mod b_start;
mod c_options;
mod d_ready;
mod e_position;
mod f_go;
mod g_stop;
mod h_info;
mod i_bestmove;
mod j_chess960;
mod k_abuse;
mod l_options;
mod tables;

mod clients;
mod fuzz;
