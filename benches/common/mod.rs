//! The work that `wall` times and `count` counts: the board's and the table's parts on the positions of the bench.
//! Idea: each function does one thing for every position (and every legal move there) and returns a number that depends on
//! all of it, so that nothing can be left out.
#![allow(dead_code, reason = "no bench uses all of it")]

use lucena::base::random::GOLDEN_RATIO;
use lucena::base::value::Bound;
use lucena::chess::{GenType, Move, MoveKind, MoveList, Position, Square};
use lucena::engine::bench::POSITIONS;
use lucena::search::tt::{TranspositionTable, TtEntry};

/// A position and its legal moves.
pub type Case = (Position, MoveList);

/// Every position of the bench.
pub fn cases() -> Vec<Case> {
    let positions = POSITIONS.iter().map(|fen| Position::from_fen(fen));
    let positions = positions.map(|position| position.expect("a legal position"));
    positions
        .map(|position| (position, position.legal_moves()))
        .collect()
}

/// Moves in all cases.
pub fn moves(cases: &[Case]) -> u64 {
    cases.iter().map(|(_, moves)| moves.len() as u64).sum()
}

/// Plays every move.
pub fn make(cases: &[Case]) -> u64 {
    for_each_move(cases, |position, mv| position.play(mv).key())
}

/// Generates the moves of a stage in every position.
pub fn generate(cases: &[Case], stage: GenType) -> u64 {
    let mut list = MoveList::new();
    let mut sum = 0;
    for (position, _) in cases {
        list.clear();
        position.generate(stage, &mut list);
        sum += list.len() as u64;
    }
    sum
}

/// Asks of every move whether its exchange loses nothing.
pub fn see(cases: &[Case]) -> u64 {
    for_each_move(cases, |position, mv| position.see_ge(mv, 0) as u64)
}

/// Asks of every move, and of as many that are legal elsewhere, whether it is legal.
pub fn is_legal(cases: &[Case]) -> u64 {
    let mut sum = 0;
    for (here, (position, moves)) in cases.iter().enumerate() {
        let (_, others) = &cases[(here + 1) % cases.len()];
        for &mv in moves.iter().chain(others.iter()) {
            sum += position.is_legal(mv) as u64;
        }
    }
    sum
}

/// Asks of every move whether it gives check.
pub fn gives_check(cases: &[Case]) -> u64 {
    for_each_move(cases, |position, mv| position.gives_check(mv) as u64)
}

fn for_each_move(cases: &[Case], work: impl Fn(&Position, Move) -> u64) -> u64 {
    let mut sum = 0_u64;
    for (position, moves) in cases {
        for &mv in moves {
            sum = sum.wrapping_add(work(position, mv));
        }
    }
    sum
}

/// Keys to store and probe, spread over a table that fits into the cache: this is the work, not the way to memory.
pub fn keys() -> Vec<u64> {
    let spread = |index: u64| index.wrapping_mul(GOLDEN_RATIO);
    (1..=4_096).map(spread).collect()
}

/// A table with something in it.
pub fn table(keys: &[u64]) -> TranspositionTable {
    let table = TranspositionTable::new(1).expect("a mebibyte");
    store(&table, &keys[..keys.len() / 2]);
    table
}

/// Stores something for every key.
pub fn store(table: &TranspositionTable, keys: &[u64]) {
    for &key in keys {
        let record = TtEntry {
            best: Some(Move::new(Square::E2, Square::E4, MoveKind::DoublePush)),
            score: (key & 255) as i32,
            bound: Some(Bound::Lower),
            depth: (key >> 8 & 15) as i32,
            evaluation: Some(17),
            was_pv: false,
        };
        table.store(key, record, 3);
    }
}

/// Looks every key up.
pub fn probe(table: &TranspositionTable, keys: &[u64]) -> u64 {
    let depth = |&key| table.probe(key, 3).map_or(0, |hit| hit.depth as u64);
    keys.iter().map(depth).sum()
}
