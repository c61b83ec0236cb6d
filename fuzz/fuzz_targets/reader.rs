//! One of the targets under libFuzzer, by its name in `LUCENA_FUZZ_TARGET`:
//! `LUCENA_FUZZ_TARGET=pgn cargo +nightly fuzz run reader fuzz/corpus/pgn fuzz/seeds/pgn` (with `cargo install cargo-fuzz`).
#![no_main]

use std::env;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use lucena_fuzz::TARGETS;

static READ: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let wanted = env::var("LUCENA_FUZZ_TARGET").unwrap_or_default();
    let names = TARGETS.map(|(name, _)| name).join(" ");
    let found = TARGETS.iter().find(|(name, _)| *name == wanted);
    found
        .unwrap_or_else(|| panic!("LUCENA_FUZZ_TARGET={wanted} is none of: {names}"))
        .1
});

fuzz_target!(|bytes: &[u8]| READ(bytes));
