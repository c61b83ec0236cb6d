//! The search of captures until the position is quiet.
//! Uses: node, picker, tt, chess, value. Used by: negamax.
//! Idea: the static evaluation means something only where no capture is pending; the mover may always decline to take.

use crate::base::value::{Bound, MAX_PLY, Value, is_decisive, is_loss, mated_in};
use crate::chess::{Move, Position};

use super::node::{Node, NodeResult, Searcher, Window};
use super::params;
use super::picker::{Picker, gained};
use super::tt::{TranspositionTable, TtEntry};

impl Searcher<'_> {
    /// The value of a position from the mover's view with captures played out, at the `first` ply also after quiet checks;
    /// `None` when the search is to end.
    pub fn quiescence<N: Node>(
        &mut self,
        position: &Position,
        ply: usize,
        window: Window,
        first: bool,
    ) -> Option<Value> {
        let Window { mut alpha, beta } = window;
        debug_assert!(N::PV || alpha == beta - 1);
        self.worker.count_node(self.shared)?;
        self.worker.pv[ply].clear();
        if N::PV {
            self.worker.selective_depth = self.worker.selective_depth.max(ply + 1);
        }
        let in_check = position.in_check();
        if params::quiescence_draws() && self.is_draw(position, ply) {
            return Some(self.draw_score(position));
        }
        if ply >= MAX_PLY - 1 {
            return Some(self.evaluate_at_max_ply(position, ply));
        }

        let key = TranspositionTable::key_of(position);
        let hit = self.shared.tt.probe(key, ply);
        let hit = hit.map(|hit| hit.for_rule50(position, ply));
        if !N::PV
            && params::quiescence_tt()
            && let Some(hit) = hit
            && hit
                .bound
                .is_some_and(|bound| bound.decides(hit.score, beta))
        {
            return Some(hit.score);
        }

        let context = if in_check {
            self.worker.context_of_quiets(position, ply)
        } else {
            self.worker.context(position, ply)
        };
        // Standing pat: a quiet move is assumed to keep at least what is there, but a check must be answered.
        let mut evaluation = None;
        let mut best = NodeResult {
            mv: None,
            score: mated_in(ply),
        };
        if !in_check {
            let here = hit
                .and_then(|hit| hit.evaluation)
                .unwrap_or_else(|| self.worker.evaluate(position, ply));
            evaluation = Some(here);
            let here = self.worker.corrections.correct(here, &context, position);
            // A mate from the table must be shown by its moves, not stood upon.
            let sharper = hit.filter(|hit| {
                params::tt_estimate()
                    && !is_decisive(hit.score)
                    && hit
                        .bound
                        .is_some_and(|bound| bound.decides(hit.score, here))
            });
            best.score = sharper.map_or(here, |hit| hit.score);
            if best.score >= beta {
                // The evaluation alone: as a lower bound the score gains nothing and hides sacrifices.
                if hit.is_none() && params::stand_pat_stored() {
                    let record = TtEntry {
                        best: None,
                        score: best.score,
                        bound: None,
                        depth: 0,
                        evaluation,
                        was_pv: N::PV,
                    };
                    self.shared.tt.store(key, record, ply);
                }
                return Some(best.score);
            }
            alpha = alpha.max(best.score);
        }

        let tt_move = hit.and_then(|hit| hit.best).filter(|_| params::tt_move());
        let mut picker = if in_check {
            Picker::all(position, tt_move, Default::default())
        } else if first && params::quiescence_checks() {
            Picker::noisy_and_checks(position, tt_move)
        } else {
            Picker::noisy(position, tt_move)
        };
        // What the mover has without a capture, and a margin.
        let hope = (!in_check).then_some(best.score + params::quiescence_futility_margin());
        loop {
            let answered = in_check && params::quiescence_evasions() && !is_loss(best.score);
            let next = picker.next(position, &self.worker.histories, &context, answered);
            let Some(mv) = next else {
                break;
            };
            if let Some(hope) = hope
                && let Some(bound) = futile(position, mv, hope, alpha)
            {
                best.score = best.score.max(bound);
                continue;
            }
            self.shared.tt.prefetch(position.key_after(mv));
            let mut child = *position;
            self.worker.make_move(position, mv, ply, &mut child);
            if let Some(next) = picker.look_ahead() {
                self.shared.tt.prefetch(position.key_after(next));
            }
            let window = Window { alpha, beta }.flip();
            let score = -self.quiescence::<N>(&child, ply + 1, window, false)?;
            self.worker.unmake_move();
            if score > best.score {
                best.score = score;
                if score > alpha {
                    best.mv = Some(mv);
                    alpha = score;
                    if N::PV {
                        self.worker.extend_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }

        // Nothing beyond captures and a few checks was looked at, so that no score is exact.
        let bound = if best.score >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        let was_pv = N::PV || hit.is_some_and(|hit| hit.was_pv);
        let record = TtEntry {
            best: best.mv,
            score: best.score,
            bound: Some(bound),
            depth: 0,
            evaluation,
            was_pv,
        };
        self.shared.tt.store(key, record, ply);
        Some(best.score)
    }
}

/// The score that a capture is not expected to exceed, where that does not reach alpha. `hope` is what the mover has
/// without it, and a margin.
fn futile(position: &Position, mv: Move, hope: Value, alpha: Value) -> Option<Value> {
    if !params::quiescence_futility() || !mv.is_noisy() || mv.is_promotion() || is_decisive(alpha) {
        return None;
    }
    let hoped = hope + gained(position, mv);
    let bound = if hoped <= alpha {
        hoped
    } else if hope <= alpha && !position.see_ge(mv, 1) {
        hope
    } else {
        return None;
    };
    (!position.gives_check(mv)).then_some(bound)
}
