//! Searches for games of two players who move in turn, generic over the game.
#![allow(dead_code, reason = "no example uses all of it")]

use std::collections::HashMap;
use std::hash::Hash;

/// A position of a game of two players with perfect information and without chance. Values are those of the player to
/// move: what one wins the other loses.
pub trait Game: Clone {
    type Move: Copy + PartialEq;

    /// The legal moves; none once the game is over.
    fn moves(&self) -> Vec<Self::Move>;

    /// The position after a move, with the other player to move.
    fn play(&self, mv: Self::Move) -> Self;

    /// The value of a finished game.
    fn utility(&self) -> i32;

    /// An estimate of the value of an unfinished game, where a search is cut off.
    fn evaluate(&self) -> i32 {
        0
    }
}

/// Greater than any value of a game.
pub const INFINITE: i32 = i32::MAX;

/// What a search has visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub nodes: u64,
    /// Nodes whose remaining moves were not searched.
    pub cutoffs: u64,
}

/// The value of a game played perfectly to its end, by visiting every line.
pub fn minimax<G: Game>(game: &G, counts: &mut Counts) -> i32 {
    counts.nodes += 1;
    let values = game
        .moves()
        .into_iter()
        .map(|mv| -minimax(&game.play(mv), counts));
    values.max().unwrap_or_else(|| game.utility())
}

/// The value by alpha-beta, which leaves out moves that cannot change the result (Knuth and Moore 1975). If it is at most
/// `alpha` or at least `beta`, it is only a bound. After `depth` plies the evaluation takes the place of the search.
pub fn alpha_beta<G: Game>(
    game: &G,
    depth: usize,
    mut alpha: i32,
    beta: i32,
    counts: &mut Counts,
) -> i32 {
    counts.nodes += 1;
    let moves = game.moves();
    if moves.is_empty() {
        return game.utility();
    }
    if depth == 0 {
        return game.evaluate();
    }
    let mut best = -INFINITE;
    for (index, &mv) in moves.iter().enumerate() {
        let value = -alpha_beta(&game.play(mv), depth - 1, -beta, -alpha, counts);
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            counts.cutoffs += u64::from(index + 1 < moves.len());
            break;
        }
    }
    best
}

/// The value and the best move at each depth up to `depth`: each search tries the best move of the one before first.
pub fn iterative_deepening<G: Game>(
    game: &G,
    depth: usize,
    counts: &mut Counts,
) -> Vec<(i32, G::Move)> {
    let mut moves = game.moves();
    let mut found = Vec::new();
    for depth in 1..=depth {
        let mut best = (-INFINITE, 0);
        for (index, &mv) in moves.iter().enumerate() {
            // A later move must be better, so only the first of equal moves is proved best.
            let value = -alpha_beta(&game.play(mv), depth - 1, -INFINITE, -best.0, counts);
            if value > best.0 {
                best = (value, index);
            }
        }
        moves[..=best.1].rotate_right(1);
        found.push((best.0, moves[0]));
    }
    found
}

/// What a transposition table knows of a position.
#[derive(Clone, Copy)]
enum Bound {
    Exact(i32),
    AtLeast(i32),
    AtMost(i32),
}

/// Alpha-beta to the end of the game with a transposition table: a position that is reached again by another order of
/// moves is not searched again.
pub struct Solver<G> {
    table: HashMap<G, Bound>,
    pub counts: Counts,
}

impl<G: Game + Eq + Hash> Solver<G> {
    pub fn new() -> Self {
        Self {
            table: HashMap::new(),
            counts: Counts::default(),
        }
    }

    /// Positions in the table.
    pub fn positions(&self) -> usize {
        self.table.len()
    }

    /// The exact value of a game.
    pub fn value(&mut self, game: &G) -> i32 {
        self.search(game, -INFINITE, INFINITE)
    }

    /// The value, or a bound on it outside of the window.
    pub fn search(&mut self, game: &G, alpha: i32, beta: i32) -> i32 {
        match self.table.get(game) {
            Some(&Bound::Exact(value)) => return value,
            Some(&Bound::AtLeast(value)) if value >= beta => return value,
            Some(&Bound::AtMost(value)) if value <= alpha => return value,
            _ => {}
        }
        self.counts.nodes += 1;
        let moves = game.moves();
        if moves.is_empty() {
            return game.utility();
        }
        let mut best = -INFINITE;
        for (index, &mv) in moves.iter().enumerate() {
            let value = -self.search(&game.play(mv), -beta, -alpha.max(best));
            best = best.max(value);
            if best >= beta {
                self.counts.cutoffs += u64::from(index + 1 < moves.len());
                break;
            }
        }
        let bound = if best >= beta {
            Bound::AtLeast(best)
        } else if best <= alpha {
            Bound::AtMost(best)
        } else {
            Bound::Exact(best)
        };
        self.table.insert(game.clone(), bound);
        best
    }
}
