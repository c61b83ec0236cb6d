//! The work measured by `wall` and `count`: operations of the board, the TT and the evaluation on the bench positions. Each
//! function returns a number that depends on all of its work, so that the compiler cannot leave any of it out.
#![allow(dead_code, reason = "no bench uses all of it")]

use lucena::base::random::GOLDEN_RATIO;
use lucena::base::value::Bound;
use lucena::chess::{GenType, Move, MoveKind, MoveList, Position, Square};
use lucena::engine::bench::POSITIONS;
use lucena::eval::{Accumulator, PawnCache, evaluate_cached};
use lucena::search::tt::{TranspositionTable, TtEntry};

/// A position and its legal moves.
pub type Case = (Position, MoveList);

/// The bench positions.
pub fn cases() -> Vec<Case> {
    let positions = POSITIONS.iter().map(|fen| Position::from_fen(fen));
    let positions = positions.map(|position| position.expect("a legal position"));
    positions
        .map(|position| (position, position.legal_moves()))
        .collect()
}

/// The number of moves in all cases.
pub fn moves(cases: &[Case]) -> u64 {
    cases.iter().map(|(_, moves)| moves.len() as u64).sum()
}

/// Plays every move.
pub fn make(cases: &[Case]) -> u64 {
    for_each_move(cases, |position, mv| position.play(mv).key())
}

/// Generates the moves of a type in every position.
pub fn generate(cases: &[Case], gen_type: GenType) -> u64 {
    let mut list = MoveList::new();
    let mut sum = 0;
    for (position, _) in cases {
        list.clear();
        position.generate(gen_type, &mut list);
        sum += list.len() as u64;
    }
    sum
}

/// Tests every move for a static exchange of at least 0.
pub fn see(cases: &[Case]) -> u64 {
    for_each_move(cases, |position, mv| position.see_ge(mv, 0) as u64)
}

/// Tests the legality of every move, and of the moves of the next position.
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

/// Tests every move for check.
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

/// Keys to store and probe, in a TT that fits the processor's cache: memory latency is not measured.
pub fn keys() -> Vec<u64> {
    let spread = |index: u64| index.wrapping_mul(GOLDEN_RATIO);
    (1..=4_096).map(spread).collect()
}

/// A TT that holds half of the keys.
pub fn table(keys: &[u64]) -> TranspositionTable {
    let table = TranspositionTable::new(1).expect("a mebibyte");
    store(&table, &keys[..keys.len() / 2]);
    table
}

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

pub fn probe(table: &TranspositionTable, keys: &[u64]) -> u64 {
    let depth = |&key| table.probe(key, 3).map_or(0, |hit| hit.depth as u64);
    keys.iter().map(depth).sum()
}

/// Positions after each move of all cases, in which kings and pawns stand as they do in a search, with warm caches.
pub struct Evaluations {
    positions: Vec<(Position, Accumulator)>,
    cache: PawnCache,
}

impl Evaluations {
    pub fn new() -> Self {
        let mut positions = Vec::new();
        for (position, moves) in cases() {
            let children = moves.iter().map(|&mv| position.play(mv));
            positions.extend(children.map(|child| (child, Accumulator::of(&child))));
        }
        let mut evaluations = Self {
            cache: PawnCache::new(),
            positions,
        };
        evaluations.run();
        evaluations
    }

    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Evaluates every position as the search does, attack maps included.
    pub fn run(&mut self) -> u64 {
        let mut sum = 0_u64;
        for (position, accumulator) in &self.positions {
            let (value, attacked) = evaluate_cached(position, accumulator, &mut self.cache);
            let value = i64::from(value) + attacked[0].count() as i64;
            sum = sum.wrapping_mul(3).wrapping_add(value as u64);
        }
        sum
    }
}
