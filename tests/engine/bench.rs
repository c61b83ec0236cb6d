//! The bench: legal positions, and a signature that depends on the search alone.

use std::collections::HashSet;
use std::thread;

use lucena::base::value::Depth;
use lucena::chess::Position;
use lucena::engine::bench::{POSITIONS, run};

/// Deep enough to use every part of the search, shallow enough for a test.
const DEPTH: Depth = 5;

/// The nodes of each position, and the total that the bench reports.
fn nodes() -> (Vec<u64>, u64) {
    let mut each = Vec::new();
    let total = run(DEPTH, &mut |line| {
        assert_eq!(line.number, each.len() + 1);
        assert_eq!(line.fen, POSITIONS[each.len()]);
        assert!(line.best.is_some(), "no move in {}", line.fen);
        each.push(line.nodes);
    });
    (each, total.nodes)
}

#[test]
fn positions_are_legal_distinct_and_playable() {
    assert!(POSITIONS.len() >= 40);
    let mut keys = HashSet::new();
    for fen in POSITIONS {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert!(position.has_legal_move(), "{fen}: the game is over");
        assert!(keys.insert(position.key()), "{fen}: twice");
    }
}

#[test]
fn nodes_are_equal_in_every_run_and_in_parallel() {
    let (each, total) = nodes();
    assert_eq!(each.len(), POSITIONS.len());
    assert_eq!(each.iter().sum::<u64>(), total);
    let others: Vec<_> = (0..2).map(|_| thread::spawn(nodes)).collect();
    for other in others {
        assert_eq!(
            other.join().expect("a run that ends"),
            (each.clone(), total)
        );
    }
}
