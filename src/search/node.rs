//! Kinds of nodes, windows, and what a node finds.
//! Uses: worker, chess, value. Used by: negamax, quiescence, deepen.
//! Idea: what kind of node is searched is a type, so that each kind is compiled for itself.

use crate::base::value::{Bound, Value};
use crate::chess::Move;

use super::shared::SharedSearch;
use super::worker::Worker;

/// What kind of node is searched.
pub trait Node {
    /// On a principal variation: the window may be open.
    const PV: bool;
    /// The root itself.
    const ROOT: bool;
    /// The kind of the first child, and of any searched with an open window.
    type Child: Node;
}

/// The root.
pub struct Root;
/// A node of a principal variation.
pub struct Pv;
/// Any other node: searched with a closed window.
pub struct NonPv;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Child = Pv;
}

impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Child = Self;
}

impl Node for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
    type Child = Self;
}

/// The scores between which the caller wants to know exactly.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub alpha: Value,
    pub beta: Value,
}

impl Window {
    /// The window without room: "is it at least `beta`?"
    pub const fn zero(beta: Value) -> Self {
        Self {
            alpha: beta - 1,
            beta,
        }
    }

    /// The same window from the other side.
    pub const fn flip(self) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

/// A worker at work on a shared.
pub struct Searcher<'a> {
    pub worker: &'a mut Worker,
    pub shared: &'a SharedSearch,
}

/// The best of a node's moves so far; the move itself only where it raised alpha.
#[derive(Clone, Copy)]
pub struct NodeResult {
    pub mv: Option<Move>,
    pub score: Value,
}

impl NodeResult {
    /// What the score says, for a node that was searched with this window.
    pub const fn bound(self, alpha: Value, beta: Value) -> Bound {
        if self.score >= beta {
            Bound::Lower
        } else if self.score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}
