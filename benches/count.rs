//! Instruction counts of the board, the TT and the evaluation under valgrind, compared with stored baselines. Counts do not
//! depend on other work of the machine, but ignore caches and mispredicted branches: `perft` and the bench measure those.
//!
//! Run: `cargo bench --bench count`, with valgrind and `cargo install gungraun-runner --version =0.20.0`. More than 2 percent
//! above its baseline, a benchmark fails; an intended change updates the baseline here.
#![allow(missing_docs, reason = "the macros make public modules")]

mod common;

use std::hint::black_box;

use common::{Case, Evaluations};
use gungraun::{
    Callgrind, EventKind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main,
};
use lucena::chess::{GenType, Position};
use lucena::engine::perft::{perft, perft_by_moves};
use lucena::search::tt::TranspositionTable;

/// The compiler of the baselines; with another one `.ci/run` does not compare.
#[allow(dead_code, reason = "read by .ci/run")]
const COMPILER: &str = "rustc 1.95.0";

/// Limits the C library's memory functions to x86-64-v2, so that the counts are the same on every processor.
const PORTABLE: &str = "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX2,-AVX,-ERMS,-FSRM,-Prefer_No_VZEROUPPER,-AVX_Fast_Unaligned_Load";

const PERFT_START_5: u64 = 28_256_421;
const PERFT_BY_MOVES_START_4: u64 = 6_016_255;
const MAKE: u64 = 374_442;
const GENERATE_ALL: u64 = 46_851;
const GENERATE_NOISY: u64 = 18_026;
const GENERATE_QUIET: u64 = 42_923;
const SEE: u64 = 293_474;
const IS_LEGAL: u64 = 261_346;
const GIVES_CHECK: u64 = 155_651;
const TABLE_PROBE: u64 = 247_843;
const TABLE_STORE: u64 = 710_684;
const EVALUATE_WARM: u64 = 4_138_280;

fn at_most(baseline: u64) -> LibraryBenchmarkConfig {
    let limit = baseline + baseline / 50;
    LibraryBenchmarkConfig::default()
        .env("GLIBC_TUNABLES", PORTABLE)
        .tool(Callgrind::default().hard_limits([(EventKind::Ir, limit)]))
        .clone()
}

/// Set up before counting starts, and never freed.
fn cases() -> &'static [Case] {
    common::cases().leak()
}

fn table() -> (&'static TranspositionTable, &'static [u64]) {
    let keys = common::keys().leak();
    (Box::leak(Box::new(common::table(keys))), keys)
}

#[library_benchmark(config = at_most(PERFT_START_5))]
#[bench::start(Position::startpos())]
fn perft_start_5(position: Position) -> u64 {
    black_box(perft(black_box(&position), 5))
}

#[library_benchmark(config = at_most(PERFT_BY_MOVES_START_4))]
#[bench::start(Position::startpos())]
fn perft_by_moves_start_4(position: Position) -> u64 {
    black_box(perft_by_moves(black_box(&position), 4))
}

#[library_benchmark(config = at_most(MAKE))]
#[bench::bench_positions(cases())]
fn make(cases: &[Case]) -> u64 {
    black_box(common::make(black_box(cases)))
}

#[library_benchmark(config = at_most(GENERATE_ALL))]
#[bench::bench_positions(cases())]
fn generate_all(cases: &[Case]) -> u64 {
    black_box(common::generate(black_box(cases), GenType::All))
}

#[library_benchmark(config = at_most(GENERATE_NOISY))]
#[bench::bench_positions(cases())]
fn generate_noisy(cases: &[Case]) -> u64 {
    black_box(common::generate(black_box(cases), GenType::Noisy))
}

#[library_benchmark(config = at_most(GENERATE_QUIET))]
#[bench::bench_positions(cases())]
fn generate_quiet(cases: &[Case]) -> u64 {
    black_box(common::generate(black_box(cases), GenType::Quiet))
}

#[library_benchmark(config = at_most(SEE))]
#[bench::bench_positions(cases())]
fn see(cases: &[Case]) -> u64 {
    black_box(common::see(black_box(cases)))
}

#[library_benchmark(config = at_most(IS_LEGAL))]
#[bench::bench_positions(cases())]
fn is_legal(cases: &[Case]) -> u64 {
    black_box(common::is_legal(black_box(cases)))
}

#[library_benchmark(config = at_most(GIVES_CHECK))]
#[bench::bench_positions(cases())]
fn gives_check(cases: &[Case]) -> u64 {
    black_box(common::gives_check(black_box(cases)))
}

#[library_benchmark(config = at_most(TABLE_PROBE))]
#[bench::in_cache(table())]
fn table_probe((table, keys): (&TranspositionTable, &[u64])) -> u64 {
    black_box(common::probe(black_box(table), keys))
}

#[library_benchmark(config = at_most(TABLE_STORE))]
#[bench::in_cache(table())]
fn table_store((table, keys): (&TranspositionTable, &[u64])) {
    common::store(black_box(table), keys);
}

fn evaluations() -> &'static mut Evaluations {
    Box::leak(Box::new(Evaluations::new()))
}

#[library_benchmark(config = at_most(EVALUATE_WARM))]
#[bench::warm_caches(evaluations())]
fn evaluate_warm(evaluations: &mut Evaluations) -> u64 {
    black_box(black_box(evaluations).run())
}

library_benchmark_group!(
    name = parts,
    benchmarks = [
        perft_start_5,
        perft_by_moves_start_4,
        make,
        generate_all,
        generate_noisy,
        generate_quiet,
        see,
        is_legal,
        gives_check,
        table_probe,
        table_store,
        evaluate_warm,
    ]
);

main!(library_benchmark_groups = parts);
