//! Which move of a node a play-out follows: PUCT (Rosin 2011, `AlphaZero` 2017) or UCB1 (Auer 2002).

use crate::chess::Move;

use super::arena::{Arena, Block, Counts};
use super::settings::{
    EXPLORATION, EXPLORATION_BASE, EXPLORATION_GROWTH, FIRST_PLAY_REDUCTION, UCB_EXPLORATION,
    Variant,
};

/// The factor of the exploration term of PUCT: it grows slowly with the visits of the node.
pub fn exploration(visits: f32) -> f32 {
    EXPLORATION_GROWTH.mul_add((1.0 + visits / EXPLORATION_BASE).ln(), EXPLORATION)
}

/// The value assumed of a move without visits; `own` is the value of the node, `seen` the prior of the visited moves.
pub fn first_play_value(own: f32, seen: f32) -> f32 {
    own - FIRST_PLAY_REDUCTION * seen.sqrt()
}

/// The exploration term of a move.
pub fn exploration_term(variant: Variant, parent_visits: f32, prior: f32, visits: f32) -> f32 {
    match variant {
        Variant::Puct => exploration(parent_visits) * prior * parent_visits.sqrt() / (1.0 + visits),
        Variant::Uct => UCB_EXPLORATION * (parent_visits.max(1.0).ln() / visits.max(1.0)).sqrt(),
    }
}

/// The edges of a node among which to choose.
pub struct Choice<'a> {
    pub arena: &'a Arena,
    pub variant: Variant,
    pub first: Block,
    pub count: usize,
    /// The counts of the node.
    pub parent: Counts,
    /// Whether edges without a node may be chosen; not when the arena is full.
    pub may_grow: bool,
}

impl Choice<'_> {
    /// The edge with the highest upper confidence bound. Moves that are proven lost are left out; a proven win is chosen at
    /// once. `None` if no move is left.
    pub fn best(&self) -> Option<usize> {
        self.best_of(|_| true, false)
    }

    /// The same among the `allowed` moves, at the root; with `unproven_only` without any proven move.
    pub fn best_of(&self, allowed: impl Fn(Move) -> bool, unproven_only: bool) -> Option<usize> {
        let visits = (self.parent.visits + self.parent.in_flight) as f32;
        let factor = exploration(visits) * visits.max(1.0).sqrt();
        let own = 1.0 - self.parent.completed_mean().unwrap_or(0.5);
        let (mut best, mut best_score) = (None, f32::NEG_INFINITY);
        let (mut unvisited, mut seen) = (None, 0.0);
        for index in 0..self.count {
            let Some(edge) = self.arena.edge(self.first, index) else {
                continue;
            };
            if !allowed(edge.mv) {
                continue;
            }
            let Some(child) = edge.child else {
                // Edges are sorted by their priors: the first is the best of those without visits.
                unvisited.get_or_insert((index, edge.prior));
                continue;
            };
            if let Some(proof) = self.arena.proof(child) {
                if unproven_only || proof.is_win() {
                    continue;
                }
                if proof.is_loss() {
                    return Some(index);
                }
            }
            let counts = self.arena.counts(child);
            seen += edge.prior;
            let child_visits = (counts.visits + counts.in_flight) as f32;
            let mean = counts.mean().unwrap_or(own);
            let term = match self.variant {
                Variant::Puct => factor * edge.prior / (1.0 + child_visits),
                Variant::Uct => exploration_term(Variant::Uct, visits, edge.prior, child_visits),
            };
            if mean + term > best_score {
                (best, best_score) = (Some(index), mean + term);
            }
        }
        if let Some((index, prior)) = unvisited.filter(|_| self.may_grow) {
            let score = first_play_value(own, seen) + factor * prior;
            if self.variant == Variant::Uct || score > best_score {
                return Some(index);
            }
        }
        best
    }
}
