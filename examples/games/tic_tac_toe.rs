//! Tic-tac-toe, small enough to count everything: games, positions, and what each search leaves out.
//!
//! `cargo run --example tic_tac_toe`

mod search;

use std::collections::HashSet;

use search::{Counts, Game, INFINITE, Solver, alpha_beta, minimax};

/// The squares of each player, one bit a square.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct TicTacToe {
    own: u16,
    other: u16,
}

const FULL: u16 = 0b111_111_111;
const LINES: [u16; 8] = [
    0b111,
    0b111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

impl TicTacToe {
    /// Whether the player who has just moved has a line.
    fn is_lost(&self) -> bool {
        LINES.iter().any(|line| self.other & line == *line)
    }
}

impl Game for TicTacToe {
    type Move = usize;

    fn moves(&self) -> Vec<usize> {
        let free = FULL & !(self.own | self.other);
        let squares = (0..9).filter(|square| free >> square & 1 == 1);
        if self.is_lost() {
            Vec::new()
        } else {
            squares.collect()
        }
    }

    fn play(&self, square: usize) -> Self {
        Self {
            own: self.other,
            other: self.own | 1 << square,
        }
    }

    fn utility(&self) -> i32 {
        -i32::from(self.is_lost())
    }
}

/// All positions that can be reached.
fn reachable(start: TicTacToe) -> HashSet<TicTacToe> {
    let mut found = HashSet::from([start]);
    let mut open = vec![start];
    while let Some(game) = open.pop() {
        for mv in game.moves() {
            let child = game.play(mv);
            if found.insert(child) {
                open.push(child);
            }
        }
    }
    found
}

/// The number of different games to the end.
fn games(game: &TicTacToe) -> u64 {
    let moves = game.moves();
    let counts = moves.iter().map(|&mv| games(&game.play(mv)));
    if moves.is_empty() { 1 } else { counts.sum() }
}

struct Figures {
    games: u64,
    positions: usize,
    finished: usize,
    value: i32,
    minimax_nodes: u64,
    alpha_beta_nodes: u64,
    table_nodes: u64,
}

fn figures() -> Figures {
    let start = TicTacToe::default();
    let found = reachable(start);
    let (mut all, mut some) = (Counts::default(), Counts::default());
    let value = minimax(&start, &mut all);
    assert_eq!(value, alpha_beta(&start, 9, -INFINITE, INFINITE, &mut some));
    let mut solver = Solver::new();
    assert_eq!(value, solver.value(&start));
    Figures {
        games: games(&start),
        positions: found.len(),
        finished: found.iter().filter(|game| game.moves().is_empty()).count(),
        value,
        minimax_nodes: all.nodes,
        alpha_beta_nodes: some.nodes,
        table_nodes: solver.counts.nodes,
    }
}

fn main() {
    let found = figures();
    println!("games                                {:>8}", found.games);
    println!(
        "positions                            {:>8}",
        found.positions
    );
    println!("finished positions                   {:>8}", found.finished);
    println!("value for the first player           {:>8}", found.value);
    println!(
        "nodes of minimax                     {:>8}",
        found.minimax_nodes
    );
    println!(
        "nodes of alpha-beta                  {:>8}",
        found.alpha_beta_nodes
    );
    println!(
        "nodes with a transposition table too {:>8}",
        found.table_nodes
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_the_known_ones() {
        let found = figures();
        assert_eq!(found.games, 255_168);
        assert_eq!(found.positions, 5_478);
        assert_eq!(found.finished, 958);
        assert_eq!(found.value, 0);
        assert_eq!(found.minimax_nodes, 549_946);
        assert!(found.alpha_beta_nodes < found.minimax_nodes / 10);
        assert!(found.table_nodes < found.alpha_beta_nodes / 5);
    }
}
