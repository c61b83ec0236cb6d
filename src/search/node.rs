//! Node types, windows, and the result of a node.
//!
//! The node type is a type parameter, so that each type is compiled on its own.

use crate::base::value::{Bound, Value};
use crate::chess::Move;

use super::shared::SharedSearch;
use super::worker::Worker;

pub trait Node {
    const PV: bool;
    const ROOT: bool;
    /// The type of children searched with an open window.
    type Child: Node;
}

pub struct Root;
/// A node on a principal variation; its window may be open.
pub struct Pv;
/// Any other node: searched with a null window.
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

/// An alpha-beta window.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub alpha: Value,
    pub beta: Value,
}

impl Window {
    /// The null window below `beta`.
    pub const fn null(beta: Value) -> Self {
        Self {
            alpha: beta - 1,
            beta,
        }
    }

    /// The window from the opponent's view.
    pub const fn flip(self) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

pub struct Searcher<'a> {
    pub worker: &'a mut Worker,
    pub shared: &'a SharedSearch,
}

/// The best score of a node so far, and the move if it raised alpha.
#[derive(Clone, Copy)]
pub struct NodeResult {
    pub mv: Option<Move>,
    pub score: Value,
}

impl NodeResult {
    /// The bound that the score is after a search with this window.
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
