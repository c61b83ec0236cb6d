//! Why each move of the root was visited as often as it was: prior, value and visits, itemised.

use crate::base::value::Value;
use crate::chess::{Move, Position};

use super::choice::{exploration_term, first_play_value};
use super::policy::{self, Hints, Item};
use super::root_view::{Candidate, candidates, variation};
use super::settings::{Settings, Variant};
use super::tree::Tree;

/// What the tree stores of a move of the root.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReport {
    pub mv: Move,
    /// The probability that the policy gives it, from 0 to 1.
    pub prior: f32,
    /// The features of the move with their weights in the policy; empty without a policy.
    pub items: Vec<Item>,
    pub visits: u32,
    /// Mean value for the side to move, from 0 to 1: its expected result. Before the first visit, the assumed one.
    pub value: f32,
    /// The value of the position after the move by itself, for the side that plays it; `None` before the first visit.
    pub first_value: Option<f32>,
    /// The exploration term: with the value it gives the upper confidence bound that the search compares.
    pub exploration: f32,
    /// The score that is proven, if any.
    pub proof: Option<Value>,
    /// The most visited moves from here on.
    pub line: Vec<Move>,
}

/// The moves at the root of a tree, best first.
#[derive(Clone, Debug)]
pub struct TreeReport {
    pub position: Position,
    pub moves: Vec<MoveReport>,
    /// Visits of the root.
    pub visits: u32,
    /// Mean value of the root for the side to move.
    pub value: f32,
    /// Share of the tree's memory in use, per mille.
    pub fullness: u32,
}

impl TreeReport {
    /// The report of a tree after a search; `None` before the first one.
    #[doc(hidden)]
    pub fn of(tree: &Tree, settings: Settings) -> Option<Self> {
        let (root, position) = (tree.root()?, tree.position()?);
        let counts = tree.arena.counts(root);
        let value = 1.0 - counts.completed_mean().unwrap_or(0.5);
        let found = candidates(tree, root);
        let visited = found.iter().filter(|found| found.visits > 0);
        let seen = visited.map(|found| found.edge.prior).sum();
        let (best, recapture) = tree.arena.hints(root);
        let report = |found: &Candidate| {
            let edge = found.edge;
            let visits = counts.visits as f32;
            MoveReport {
                mv: edge.mv,
                prior: edge.prior,
                items: match settings.variant {
                    Variant::Puct => policy::itemise(&position, Hints { best, recapture }, edge.mv),
                    Variant::Uct => Vec::new(),
                },
                visits: found.visits,
                value: found.mean.unwrap_or_else(|| first_play_value(value, seen)),
                first_value: edge
                    .child
                    .filter(|_| found.visits > 0 && found.proof.is_none())
                    .map(|child| 1.0 - tree.arena.first_value(child)),
                exploration: exploration_term(
                    settings.variant,
                    visits,
                    edge.prior,
                    found.visits as f32,
                ),
                proof: found.proof.map(super::proof::Proof::score),
                line: variation(tree, found.edge).to_vec(),
            }
        };
        Some(Self {
            position,
            moves: found.iter().map(report).collect(),
            visits: counts.visits,
            value,
            fullness: tree.fullness(),
        })
    }
}
