//! When the main thread ends a tree search, and when it reports.

use std::time::Duration;

use crate::base::value::{Depth, Value, moves_to_mate};
use crate::chess::Move;
use crate::search::shared::SharedSearch;
use crate::search::time::{Stability, scale_soft_limit};

use super::root_view::RootView;

/// A report follows when the play-outs have grown by this share of the last report's, in percent.
const REPORT_GROWTH: u64 = 25;
/// The only move is played after this many play-outs.
const FORCED_MOVE_PLAYOUTS: u64 = 500;
/// With a limit of depth the search ends in any case after two to the power of this and the depth play-outs: in a small tree
/// the mean depth stays low.
const DEPTH_PLAYOUTS: Depth = 11;
/// The number of iterations for which the best move counts as unchanged is this, times the time since its last change, as a
/// share of the time used.
const UNCHANGED_PARTS: u128 = 6;
/// Visits are counted with 32 bits.
const MAX_VISITS: u32 = u32::MAX / 2;

pub struct Stopping<'a> {
    shared: &'a SharedSearch,
    next_report: u64,
    /// Whether the main thread has reported since the last check.
    has_reported: bool,
    best: Option<Move>,
    /// When the best move changed last.
    changed: Duration,
    /// The best score at the last report.
    score: Option<Value>,
    score_drop: Value,
    /// Visits of the root before this search.
    visits_before: Option<u32>,
}

impl<'a> Stopping<'a> {
    pub const fn new(shared: &'a SharedSearch) -> Self {
        Self {
            shared,
            next_report: 0,
            has_reported: false,
            best: None,
            changed: Duration::ZERO,
            score: None,
            score_drop: 0,
            visits_before: None,
        }
    }

    pub const fn is_report_due(&mut self, view: &RootView<'_>) -> bool {
        let is_due = view.playouts >= self.next_report;
        if is_due {
            self.has_reported = true;
            self.next_report = view.playouts + view.playouts * REPORT_GROWTH / 100;
        }
        is_due
    }

    /// Whether the search ends now.
    pub fn should_stop(&mut self, view: &RootView<'_>) -> bool {
        let (shared, limits) = (self.shared, &self.shared.limits);
        let root = view.tree.arena.counts(view.root);
        if root.visits >= MAX_VISITS {
            return true;
        }
        let visits_before = *self.visits_before.get_or_insert(root.visits);
        if limits.infinite {
            return false;
        }
        if (limits.depth).is_some_and(|depth| is_depth_reached(depth, view)) {
            return true;
        }
        if limits
            .soft_nodes
            .is_some_and(|soft| shared.total_nodes() >= soft)
        {
            return true;
        }
        let candidates = view.candidates();
        let Some(best) = candidates.first() else {
            return true;
        };
        let proof = view.proof();
        if let (Some(wanted), Some(proof)) = (limits.mate, proof)
            && is_mate_within(proof.score(), wanted)
        {
            return true;
        }
        let (Some(budget), Some(used)) = (shared.budget, shared.time_used()) else {
            return false;
        };
        let is_forced = candidates.len() == 1 && view.playouts >= FORCED_MOVE_PLAYOUTS;
        if is_forced || proof.is_some() {
            return true;
        }
        let Some(soft) = budget.soft else {
            return false;
        };
        if self.best != Some(best.edge.mv) {
            (self.best, self.changed) = (Some(best.edge.mv), used);
        }
        let score = view.score(best);
        self.score_drop = self.score.map_or(0, |before| before - score);
        if std::mem::take(&mut self.has_reported) || self.score.is_none() {
            self.score = Some(score);
        }
        let settled = used.saturating_sub(self.changed).as_micros();
        let unchanged = settled * UNCHANGED_PARTS / used.as_micros().max(1);
        let share = u64::from(best.visits) * 1000 / u64::from(root.visits.max(1));
        let stability = Stability {
            unsettled: 1000 / (1 + unchanged as u32),
            best_share: share as u32,
            score_drop: self.score_drop,
            score_drop_in_game: 0,
        };
        let limit = scale_soft_limit(soft, stability);
        if used >= limit {
            return true;
        }
        // No other move can reach the visits of the best in the time that is left.
        let second = candidates.get(1).map_or(0, |second| second.visits);
        let lead = best.visits.saturating_sub(second);
        let made = u128::from(root.visits - visits_before);
        let left = limit.saturating_sub(used).as_micros() * made / used.as_micros().max(1);
        made > 0 && best.proof.is_none() && u128::from(lead) > left
    }
}

/// Whether a search ends at a limit of depth.
pub fn is_depth_reached(depth: Depth, view: &RootView<'_>) -> bool {
    view.mean_depth >= depth || view.playouts >= 1 << (depth + DEPTH_PLAYOUTS).clamp(0, 40)
}

/// Whether a score is a mate in at most this many moves, for either side.
fn is_mate_within(score: Value, moves: u32) -> bool {
    moves_to_mate(score).is_some_and(|found| found.unsigned_abs() <= moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::limits::Limits;
    use crate::search::local::LocalSearcher;
    use crate::search::mcts::arena::Expansion;
    use crate::search::mcts::tree::Tree;
    use crate::search::time::Budget;

    #[test]
    fn a_score_falls_from_that_of_the_last_report() {
        let fen = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1";
        LocalSearcher::test_at(fen, Limits::none(), |searcher| {
            let mut shared = searcher.shared.clone();
            let hour = Duration::from_hours(1);
            shared.budget = Some(Budget {
                soft: Some(hour),
                hard: hour,
            });
            let tree = Tree::new(1 << 16).expect("memory");
            let root = tree.arena.new_node().expect("room");
            let moves = [(shared.moves[0], 0.6), (shared.moves[1], 0.4)];
            assert!(tree.arena.claim(root) && tree.arena.expand(root, &moves));
            let Expansion::Edges { first, .. } = tree.arena.expansion(root) else {
                panic!("no edges");
            };
            let child = tree.arena.child(first, 0).expect("room");
            let mut stopping = Stopping::new(&shared);
            let mut drop_after = |value: Option<f32>, playouts| {
                if let Some(value) = value {
                    for (node, value) in [(root, 1.0 - value), (child, value)] {
                        tree.arena.enter(node);
                        tree.arena.leave(node, value);
                    }
                }
                let view = RootView {
                    tree: &tree,
                    shared: &shared,
                    allowed: None,
                    root,
                    playouts,
                    mean_depth: 1,
                    deepest: 1,
                };
                assert!(stopping.is_report_due(&view), "{playouts}");
                stopping.should_stop(&view);
                stopping.score_drop
            };
            assert_eq!(drop_after(Some(0.6), 16), 0);
            assert!(drop_after(Some(0.3), 32) > 0);
            assert_eq!(drop_after(None, 48), 0);
        });
    }
}
