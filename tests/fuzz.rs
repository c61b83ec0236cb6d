//! Arbitrary bytes for every reader of text and files: the targets of `fuzz/targets.rs` on stable Rust, with mutated seeds.
//!
//! `LUCENA_FUZZ_SECONDS` sets the time of each target, `LUCENA_FUZZ_SEED` the first random seed, `LUCENA_FUZZ_TARGET` one
//! target alone. An input that fails is saved; as a file in `fuzz/seeds/TARGET` it is tried first from then on.

#[path = "../fuzz/targets.rs"]
mod targets;

mod common;

use std::alloc::System;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

use common::Random;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use targets::TARGETS;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Of each target, without `LUCENA_FUZZ_SECONDS`.
const USUAL_TIME: Duration = Duration::from_millis(400);
/// The longest that one input may take, on a busy machine.
const MAX_TIME: Duration = Duration::from_secs(20);
/// The most memory that one input may allocate, freed or not.
const MAX_BYTES: usize = 256 << 20;
const LONGEST_INPUT: usize = 1 << 16;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The seeds of a target, sorted by name.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = root().join("fuzz/seeds").join(target);
    let entries = fs::read_dir(&folder).expect("a folder of seeds");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let read = |path: &PathBuf| fs::read(path).expect("a seed");
    paths.iter().map(read).collect()
}

/// A seed with some changes.
fn mutated(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    const TOKENS: [&[u8]; 14] = [
        b"0",
        b"-1",
        b"99999999999",
        b"1e9",
        b" ",
        b"\n",
        b"\n\n",
        b"\"",
        b";",
        b"[",
        b"]",
        b"\0\0\0\0",
        b"\xff\xff\xff\xff",
        b"\x7f\xff\xff\xff",
    ];
    let mut bytes = random.pick(seeds).clone();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        let end = (at + 1 + random.below(64)).min(bytes.len());
        match random.below(9) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, random.below(256) as u8),
            2 | 3 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            4 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            5 => drop(bytes.drain(at..end)),
            6 => {
                let part = bytes[at..end].to_vec();
                let place = random.below(bytes.len() + 1);
                for _ in 0..=random.below(4) {
                    bytes.splice(place..place, part.iter().copied());
                }
            }
            7 => {
                let token = *random.pick(&TOKENS);
                bytes.splice(at..at, token.iter().copied());
            }
            _ => {
                let other = random.pick(seeds);
                let from = random.below(other.len() + 1);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
        }
    }
    bytes.truncate(LONGEST_INPUT);
    bytes
}

/// Gives bytes to a target, and saves them if it fails.
fn try_input(name: &str, target: fn(&[u8]), bytes: &[u8]) {
    let (before, started) = (ALLOCATOR.stats().bytes_allocated, Instant::now());
    let result = catch_unwind(AssertUnwindSafe(|| target(bytes)));
    let allocated = ALLOCATOR.stats().bytes_allocated - before;
    let elapsed = started.elapsed();
    if result.is_err() || allocated > MAX_BYTES || elapsed > MAX_TIME {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{name}"));
        fs::write(&path, bytes).expect("a file");
        eprintln!(
            "{name}: {allocated} bytes allocated in {elapsed:?}; the input is in {}",
            path.display()
        );
        match result {
            Ok(()) => panic!("{name}: too much time or memory"),
            Err(panic) => resume_unwind(panic),
        }
    }
}

/// The only test of this file: others would be counted in its memory.
#[test]
fn no_reader_panics_hangs_or_takes_memory_without_bound() {
    let number = |name: &str| {
        env::var(name)
            .ok()
            .and_then(|text| text.parse::<u64>().ok())
    };
    let time = number("LUCENA_FUZZ_SECONDS").map_or(USUAL_TIME, Duration::from_secs);
    let wanted = env::var("LUCENA_FUZZ_TARGET").ok();
    let mut known = 0;
    for (name, target) in TARGETS {
        if wanted.as_ref().is_some_and(|wanted| wanted != name) {
            continue;
        }
        known += 1;
        let seeds = seeds(name);
        assert!(!seeds.is_empty(), "{name}");
        for seed in &seeds {
            try_input(name, target, seed);
        }
        try_input(name, target, b"");
        let mut random = Random::new(number("LUCENA_FUZZ_SEED").unwrap_or(1));
        let (started, mut inputs) = (Instant::now(), 0);
        while started.elapsed() < time {
            try_input(name, target, &mutated(&mut random, &seeds));
            inputs += 1;
        }
        eprintln!("{name}: {} seeds, {inputs} mutated inputs", seeds.len());
    }
    assert!(known > 0, "no target {wanted:?}");
    let folders = fs::read_dir(root().join("fuzz/seeds")).expect("the folder");
    assert_eq!(folders.count(), TARGETS.len());
}
