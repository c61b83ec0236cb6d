//! The moves of the root as the tree has them: the best first, with score and principal variation.

use std::cmp::Reverse;

use crate::base::value::{Bound, Depth, Value};
use crate::chess::Move;
use crate::eval::{material_count, score_of_expectation};
use crate::search::root::{Line, RootMove};
use crate::search::shared::SharedSearch;

use super::arena::{Arena, Block, Edge};
use super::proof::{Proof, combine};
use super::tree::Tree;

/// Mean values are kept at least this far from 0 and 1: only proven results are certain.
const CERTAINTY: f64 = 0.002;

pub struct RootView<'a> {
    pub tree: &'a Tree,
    pub shared: &'a SharedSearch,
    /// The moves that may be played at the root, if not all.
    pub allowed: Option<&'a [Move]>,
    pub root: Block,
    /// Play-outs of the main thread.
    pub playouts: u64,
    /// Mean length of its play-outs.
    pub mean_depth: Depth,
    /// Greatest length.
    pub deepest: u32,
}

/// A move of a node with its statistics.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub edge: Edge,
    pub visits: u32,
    /// Mean value for the side that plays the move, from 0 to 1; `None` without visits.
    pub mean: Option<f32>,
    /// The result proven of the node before the move, if it is played.
    pub proof: Option<Proof>,
}

impl Candidate {
    fn of(arena: &Arena, edge: Edge) -> Self {
        let counts = edge.child.map(|child| arena.counts(child));
        let proof = edge.child.and_then(|child| arena.proof(child));
        Self {
            edge,
            visits: counts.map_or(0, |counts| counts.visits),
            mean: counts.and_then(super::arena::Counts::completed_mean),
            proof: proof.map(Proof::before_move),
        }
    }

    /// The order of choice: proven wins, the shortest first; then by visits; then proven losses, the longest first.
    fn key(&self) -> (i32, i64, f32) {
        match self.proof {
            Some(proof) if proof.is_win() => (1, i64::from(proof.score()), 0.0),
            Some(proof) if proof.is_loss() => (-1, i64::from(proof.score()), 0.0),
            _ => (0, i64::from(self.visits), self.edge.prior),
        }
    }
}

/// The moves of a node, best first.
pub fn candidates(tree: &Tree, node: Block) -> Vec<Candidate> {
    let edges = tree.edges(node).into_iter();
    let mut found: Vec<Candidate> = edges.map(|edge| Candidate::of(&tree.arena, edge)).collect();
    found.sort_by(|one, other| {
        let (one, other) = (one.key(), other.key());
        (other.0, other.1)
            .cmp(&(one.0, one.1))
            .then(other.2.total_cmp(&one.2))
    });
    found
}

/// The moves that may be played at the root, if not all: those of the limits with the best tablebase ranks.
pub fn allowed_moves(shared: &SharedSearch) -> Option<Vec<Move>> {
    let best_rank = best_rank(shared);
    let moves = shared.moves.iter().copied();
    let kept: Vec<Move> = moves
        .filter(|&mv| best_rank.is_none_or(|rank| shared.tablebases.root_move(mv).rank >= rank))
        .collect();
    (kept.len() < shared.root.count_legal_moves()).then_some(kept)
}

/// The least tablebase rank of a root move worth searching: the best one that as many lines as wanted reach.
fn best_rank(shared: &SharedSearch) -> Option<i32> {
    shared.tablebases.ranking.as_ref()?;
    let ranks = shared.moves.iter();
    let mut ranks: Vec<i32> = ranks
        .map(|&mv| shared.tablebases.root_move(mv).rank)
        .collect();
    ranks.sort_unstable_by(|one, other| other.cmp(one));
    ranks.get(shared.multi_pv - 1).copied()
}

impl RootView<'_> {
    /// The candidates at the root, the highest tablebase rank first.
    pub fn candidates(&self) -> Vec<Candidate> {
        let mut found = candidates(self.tree, self.root);
        found.retain(|candidate| self.is_allowed(candidate.edge.mv));
        let tablebases = &self.shared.tablebases;
        if tablebases.ranking.is_some() {
            found.sort_by_cached_key(|found| Reverse(tablebases.root_move(found.edge.mv).rank));
        }
        found
    }

    fn is_allowed(&self, mv: Move) -> bool {
        self.allowed.is_none_or(|moves| moves.contains(&mv))
    }

    /// The result of the root that its moves prove.
    pub fn proof(&self) -> Option<Proof> {
        let edges = self.tree.edges(self.root).into_iter();
        let edges = edges.filter(|edge| self.is_allowed(edge.mv));
        combine(edges.map(|edge| edge.child.and_then(|child| self.tree.arena.proof(child))))
    }

    /// The best lines, at least one if there is a move.
    pub fn lines(&self, count: usize) -> Vec<RootMove> {
        let found = self.candidates();
        if found.is_empty() {
            let moves = self.shared.moves.iter().take(count);
            let bare = moves.map(|&mv| RootMove {
                score: 0,
                bound: Bound::Exact,
                ..self.shared.tablebases.root_move(mv)
            });
            return bare.collect();
        }
        found
            .iter()
            .take(count)
            .map(|found| self.line(found))
            .collect()
    }

    fn line(&self, candidate: &Candidate) -> RootMove {
        let mv = candidate.edge.mv;
        let pv = variation(self.tree, candidate.edge);
        RootMove {
            score: self.score(candidate),
            bound: Bound::Exact,
            depth: if self.playouts == 0 {
                0
            } else {
                self.mean_depth.max(1)
            },
            selective_depth: self.deepest.max(pv.len() as u32),
            pv,
            nodes: u64::from(candidate.visits),
            ..self.shared.tablebases.root_move(mv)
        }
    }

    /// The score of a move, as the curve of win, draw and loss gives it for its value.
    pub fn score(&self, candidate: &Candidate) -> Value {
        if let Some(proof) = candidate.proof {
            return proof.score();
        }
        let own = || {
            let root = self.tree.arena.counts(self.root).completed_mean();
            1.0 - root.unwrap_or(0.5)
        };
        let value = f64::from(candidate.mean.unwrap_or_else(own));
        let value = value.clamp(CERTAINTY, 1.0 - CERTAINTY);
        score_of_expectation(value, material_count(&self.shared.root))
    }
}

/// The best moves from an edge on, as far as they have been visited.
pub fn variation(tree: &Tree, edge: Edge) -> Line {
    let mut line = Line::from_iter([edge.mv]);
    let mut next = edge.child;
    while let Some(node) = next.filter(|_| !line.is_full()) {
        let found = candidates(tree, node);
        let Some(best) = found.first().filter(|best| best.visits > 0) else {
            break;
        };
        line.push(best.edge.mv);
        next = best.edge.child;
    }
    line
}
