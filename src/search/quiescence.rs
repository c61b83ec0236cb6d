//! Quiescence: captures, and at the first ply quiet checks, until the position is quiet enough for the static evaluation.

use crate::base::value::{Bound, MAX_PLY, Value, is_decisive, is_loss, mated_in};
use crate::chess::{Move, Position};

use super::correction::is_known_draw;
use super::exchanges::{SearchExchanges, gained};
use super::node::{Node, NodeResult, Searcher, Window};
use super::params;
use super::picker::Picker;
use super::reduce;
use super::tt::{TranspositionTable, TtEntry};

impl Searcher<'_> {
    /// The score of a position for the side to move after captures and promotions, at the `first` ply also quiet checks;
    /// `None` if the search must stop.
    #[expect(clippy::too_many_lines, reason = "one list of steps in order")]
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
            self.worker.quiet_context(position, ply)
        } else {
            self.worker.noisy_context(position, ply)
        };
        // Stand pat: some quiet move is assumed to keep the evaluation; not in check.
        let mut evaluation = None;
        let mut best = NodeResult {
            mv: None,
            score: mated_in(ply),
        };
        if !in_check {
            let raw = hit
                .and_then(|hit| hit.evaluation)
                .unwrap_or_else(|| self.worker.evaluate(position, ply));
            evaluation = Some(raw);
            let corrected = self.corrected_evaluation(raw, &context, position, ply);
            // A decisive TT score needs moves that lead to it.
            let tt_estimate = hit.filter(|hit| {
                params::tt_estimate()
                    && !is_decisive(hit.score)
                    && hit
                        .bound
                        .is_some_and(|bound| bound.decides(hit.score, corrected))
            });
            best.score = tt_estimate.map_or(corrected, |hit| hit.score);
            if best.score >= beta {
                // Stored without the bound, which gains nothing and hides sacrifices.
                if hit.is_none() && params::stand_pat_stored() {
                    let entry = TtEntry {
                        best: None,
                        score: best.score,
                        bound: None,
                        depth: 0,
                        evaluation,
                        was_pv: N::PV,
                    };
                    self.shared.tt.store(key, entry, ply);
                }
                return Some(if is_known_draw(raw, position) {
                    best.score
                } else {
                    reduce::towards_beta(best.score, beta, params::stand_pat_beta())
                });
            }
            alpha = alpha.max(best.score);
        }

        let tt_move = hit.and_then(|hit| hit.best).filter(|_| params::tt_move());
        let threats = self.worker.frame(ply).threats;
        let mut picker = if in_check {
            Picker::all(position, threats, tt_move, Default::default())
        } else if first && params::quiescence_checks() {
            Picker::noisy_and_checks(position, threats, tt_move)
        } else {
            Picker::noisy(position, threats, tt_move)
        };
        // The score without a capture, plus a margin.
        let futility_base =
            (!in_check).then_some(best.score + params::quiescence_futility_margin());
        loop {
            let skip_quiets = in_check && params::quiescence_evasions() && !is_loss(best.score);
            let next = picker.next(position, &self.worker.histories, &context, skip_quiets);
            let Some(mv) = next else {
                break;
            };
            // Nor are captures that lose material searched, once a check has a reply that does not lose.
            if skip_quiets && picker.is_at_bad_captures() {
                break;
            }
            if let Some(futility_base) = futility_base
                && let Some(bound) =
                    futility_bound(position, &picker.exchanges, mv, futility_base, alpha)
            {
                best.score = best.score.max(bound);
                continue;
            }
            self.shared
                .tt
                .prefetch(TranspositionTable::key_after(position, mv));
            let mut child = *position;
            self.worker.make_move(position, mv, ply, &mut child);
            if let Some(next) = picker.look_ahead() {
                self.shared
                    .tt
                    .prefetch(TranspositionTable::key_after(position, next));
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

        // Not all moves are searched, so that no score is exact.
        let bound = if best.score >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        let was_pv = N::PV || hit.is_some_and(|hit| hit.was_pv);
        let entry = TtEntry {
            best: best.mv,
            score: best.score,
            bound: Some(bound),
            depth: 0,
            evaluation,
            was_pv,
        };
        self.shared.tt.store(key, entry, ply);
        Some(best.score)
    }
}

/// An upper bound of the score of a capture, if it does not reach alpha. `base` is the score without it plus a margin.
fn futility_bound(
    position: &Position,
    exchanges: &SearchExchanges,
    mv: Move,
    base: Value,
    alpha: Value,
) -> Option<Value> {
    if !params::quiescence_futility() || !mv.is_noisy() || mv.is_promotion() || is_decisive(alpha) {
        return None;
    }
    let with_gain = base + gained(position, mv);
    let bound = if with_gain <= alpha {
        with_gain
    } else if base <= alpha && !exchanges.see_ge(position, mv, 1) {
        base
    } else {
        return None;
    };
    (!position.gives_check(mv)).then_some(bound)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::limits::Limits;
    use crate::search::local::LocalSearcher;
    use crate::search::node::NonPv;

    #[test]
    fn an_answered_check_needs_no_losing_capture() {
        // The king can step aside; the queen may take the protected rook.
        let fen = "4k3/8/2b5/8/4r2Q/8/8/4K3 w - - 0 1";
        LocalSearcher::test_at(fen, Limits::none(), |mut searcher| {
            let position = searcher.shared.root;
            let window = Window::null(1_500);
            let score = searcher.quiescence::<NonPv>(&position, 1, window, true);
            assert!(score.is_some_and(|score| !is_loss(score)));
            let moves = position.legal_moves();
            let searched = moves.iter().filter(|&&mv| {
                let key = TranspositionTable::key_of(&position.play(mv));
                searcher.shared.tt.probe(key, 2).is_some()
            });
            let searched: Vec<bool> = searched.map(|mv| mv.is_noisy()).collect();
            assert_eq!(searched, [false]);
        });
    }
}
