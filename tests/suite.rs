//! The suites in `tests/data`: Lucena finds the answers within a stated number of nodes.

use std::path::Path;

use lucena::lab::suites::{Budget, Epd, suite};

/// Nodes for each position.
const NODES: u64 = 200_000;
/// Mebibytes of table for each position.
const HASH: usize = 16;

/// The questions of a file; every line of it must be one.
fn questions(name: &str) -> Vec<Epd> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    let text = std::fs::read_to_string(path).expect("a file of the repository");
    let read =
        |(number, line)| Epd::parse(line).unwrap_or_else(|error| panic!("{number}: {error}"));
    (1..).zip(text.lines()).filter_map(read).collect()
}

/// Solves a suite; `open` answers at most may be missed.
fn solve(name: &str, open: usize) {
    let suite = questions(name);
    let budget = Budget {
        nodes: Some(NODES),
        hash: HASH,
        ..Budget::default()
    };
    let verdicts = suite::run(&suite, &budget, 2, &()).expect("threads");
    let missed: Vec<_> = suite
        .iter()
        .zip(&verdicts)
        .filter(|(_, verdict)| verdict.solved.is_none())
        .map(|(epd, verdict)| (epd.id.as_str(), verdict.found, verdict.score))
        .collect();
    assert!(missed.len() <= open, "{name}: {missed:?}");
}

#[test]
fn endings_are_solved() {
    solve("endings.epd", 2);
}

#[test]
fn tactics_are_solved() {
    solve("tactics.epd", 5);
}
