//! The EPD suites in `tests/data`: Lucena finds the moves within a fixed number of nodes.

use std::path::Path;

use lucena::lab::suites::{Epd, SuiteLimits, suite};

/// Nodes for each position.
const NODES: u64 = 200_000;
/// TT size in MiB for each position.
const HASH: usize = 16;

/// The positions of a file; every line must be valid.
fn positions(name: &str) -> Vec<Epd> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    let text = std::fs::read_to_string(path).expect("a file of the repository");
    let read =
        |(number, line)| Epd::parse(line).unwrap_or_else(|error| panic!("{number}: {error}"));
    (1..).zip(text.lines()).filter_map(read).collect()
}

/// Runs a suite; at most `max_missed` positions may be missed.
fn solve(name: &str, max_missed: usize) {
    let suite = positions(name);
    let limits = SuiteLimits {
        nodes: Some(NODES),
        hash: HASH,
        ..SuiteLimits::default()
    };
    let answers = suite::run(&suite, &limits, 2, &()).expect("threads");
    let missed: Vec<_> = suite
        .iter()
        .zip(&answers)
        .filter(|(_, answer)| answer.solved.is_none())
        .map(|(epd, answer)| (epd.id.as_str(), answer.found, answer.score))
        .collect();
    assert!(missed.len() <= max_missed, "{name}: {missed:?}");
}

#[test]
fn endings_are_solved() {
    solve("endings.epd", 2);
}

#[test]
fn tactics_are_solved() {
    solve("tactics.epd", 5);
}
