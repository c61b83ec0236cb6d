//! The searches that prune a whole node, steps 9 and 10: null move, its verification, `ProbCut`.

use crate::base::value::{Depth, Value};
use crate::chess::{Move, Position};

use super::history::PieceTo;
use super::node::{NodeResult, NonPv, Searcher, Window};
use super::params;
use super::picker::Picker;
use super::reduce::NodeFacts;

impl Searcher<'_> {
    /// The first noisy move that gains at least `gain` centipawns by SEE and reaches beta in quiescence and in a reduced
    /// search; `Some(None)` if there is none.
    pub fn probcut(
        &mut self,
        position: &Position,
        ply: usize,
        node: NodeFacts,
        beta: Value,
        gain: Value,
        tt_move: Option<Move>,
    ) -> Option<Option<NodeResult>> {
        let context = self.worker.noisy_context(position, ply);
        let mut picker = Picker::noisy(position, self.worker.frame(ply).threats, tt_move);
        let depth = node.depth - params::probcut_reduction();
        let window = Window::null(beta).flip();
        while let Some(mv) = picker.next(position, &self.worker.histories, &context, true) {
            if !picker.exchanges.see_ge(position, mv, gain) {
                continue;
            }
            self.shared.tt.prefetch(position.key_after(mv));
            let mut child = *position;
            self.worker.make_move(position, mv, ply, &mut child);
            self.worker.frame_mut(ply).history = 0;
            let mut score = -self.quiescence::<NonPv>(&child, ply + 1, window, true)?;
            if score >= beta && depth > 0 {
                score = -self.negamax::<NonPv>(&child, ply + 1, depth, window, !node.cut_node)?;
            }
            self.worker.unmake_move();
            if score >= beta {
                return Some(Some(NodeResult {
                    mv: Some(mv),
                    score,
                }));
            }
        }
        Some(None)
    }

    /// Whether a search without null moves near this node also reaches beta.
    pub fn verify(
        &mut self,
        position: &Position,
        ply: usize,
        depth: Depth,
        beta: Value,
    ) -> Option<bool> {
        self.worker.nmp_min_ply = ply + (3 * depth.max(1) / 4) as usize + 1;
        let score = self.negamax::<NonPv>(position, ply, depth, Window::null(beta), false)?;
        self.worker.nmp_min_ply = 0;
        Some(score >= beta)
    }

    /// The score after a null move, searched with a null window at beta.
    pub fn null_move_search(
        &mut self,
        position: &Position,
        ply: usize,
        depth: Depth,
        beta: Value,
        cut_node: bool,
    ) -> Option<Value> {
        let child = position.play_null();
        let accumulator = self.worker.frame(ply).accumulator;
        let frame = self.worker.frame_mut(ply);
        (frame.played, frame.piece_to, frame.history) = (None, PieceTo::default(), 0);
        let next = self.worker.frame_mut(ply + 1);
        (next.accumulator, next.threats) = (accumulator, None);
        self.worker.keys.push(position.key());
        let repetition_start =
            std::mem::replace(&mut self.worker.repetition_start, self.worker.keys.len());
        let score =
            -self.negamax::<NonPv>(&child, ply + 1, depth, Window::null(beta).flip(), cut_node)?;
        self.worker.repetition_start = repetition_start;
        self.worker.unmake_move();
        Some(score)
    }
}
