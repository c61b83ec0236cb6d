//! Which search the engine runs.

use super::Engine;
use crate::base::value::Depth;
use crate::search::mcts::report::TreeReport;
use crate::search::mcts::{Settings, Variant};

/// The search of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchMode {
    /// Alpha-beta with iterative deepening.
    #[default]
    AlphaBeta,
    /// Monte Carlo tree search with policy and evaluation.
    Mcts,
    /// Monte Carlo tree search without knowledge: random games.
    Uct,
}

impl SearchMode {
    pub const ALL: [Self; 3] = [Self::AlphaBeta, Self::Mcts, Self::Uct];

    /// The name in the options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AlphaBeta => "AlphaBeta",
            Self::Mcts => "MCTS",
            Self::Uct => "UCT",
        }
    }

    pub(super) const fn has_tree(self) -> bool {
        !matches!(self, Self::AlphaBeta)
    }
}

impl Engine {
    /// Sets which search runs. A change to or from alpha-beta clears all hash memory; one between the tree searches clears
    /// only the tree.
    pub fn set_search_mode(&mut self, mode: SearchMode) {
        self.mode = mode;
    }

    /// Sets the depth in plies of the alpha-beta search that evaluates new positions of the tree; 0: only quiescence.
    pub fn set_rollout_depth(&mut self, depth: Depth) {
        self.rollout_depth = depth;
    }

    pub(super) fn tree_settings(&self) -> Settings {
        Settings {
            variant: match self.mode {
                SearchMode::Uct => Variant::Uct,
                SearchMode::Mcts | SearchMode::AlphaBeta => Variant::Puct,
            },
            rollout_depth: self.rollout_depth,
        }
    }

    /// The moves of the last search's root with priors, values and visits; `None` without a tree search.
    pub fn tree_report(&self) -> Option<TreeReport> {
        let tree = self.memory.trees.first()?;
        TreeReport::of(tree, self.tree_settings())
    }
}
