//! The search of one node: fail-soft principal variation alpha-beta in numbered steps.

use crate::base::value::{
    Bound, DRAW, Depth, INFINITE, MAX_PLY, Value, is_decisive, is_loss, is_win, mate_in, mated_in,
};
use crate::chess::{Move, Position, has_upcoming_repetition, is_repetition};
use crate::eval::{PHASE_MAXIMUM, is_dead_draw};

use super::correction::is_known_draw;
use super::history::{Context, bonus};
use super::lone_king::lone_king_value;
use super::move_loop::MoveLoop;
use super::node::{Node, Searcher, Window};
use super::params;
use super::reduce::{self, NodeFacts};
use super::syzygy::Proof;
use super::tt::{TranspositionTable, TtEntry};

/// From this halfmove clock on a TT score may hide a draw by the fifty-move rule: no cutoff.
const RULE50_TT_LIMIT: u16 = 90;

impl Searcher<'_> {
    /// The score of a position for the side to move, searched to `depth` plies; `None` if the search must stop.
    #[expect(clippy::too_many_lines, reason = "one list of steps in order")]
    pub fn negamax<N: Node>(
        &mut self,
        position: &Position,
        ply: usize,
        mut depth: Depth,
        window: Window,
        cut_node: bool,
    ) -> Option<Value> {
        // 0 Preconditions. At depth 0 quiescence; a check is searched one ply.
        let Window {
            mut alpha,
            mut beta,
        } = window;
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(N::PV || alpha == beta - 1);
        debug_assert!(!(N::PV && cut_node));
        debug_assert_eq!(N::ROOT, ply == 0);
        let in_check = position.in_check();

        if in_check && params::check_extension() {
            depth = depth.max(1);
        }
        if depth <= 0 {
            return self.quiescence::<N::Child>(position, ply, Window { alpha, beta }, true);
        }

        // 1 Stop, node count, selective depth.
        self.worker.count_node(self.shared)?;
        self.worker.pv[ply].clear();
        if N::PV {
            self.worker.selective_depth = self.worker.selective_depth.max(ply + 1);
        }

        if !N::ROOT {
            // 2 Draws: by rule, or by a repetition that the side to move can reach.
            if self.is_draw(position, ply) {
                return Some(self.draw_score(position));
            }
            if ply >= MAX_PLY - 1 {
                return Some(self.evaluate_at_max_ply(position, ply));
            }
            let draw = self.draw_score(position);
            if params::upcoming_repetition()
                && alpha < draw
                && has_upcoming_repetition(
                    position,
                    &self.worker.keys,
                    self.worker.reversible(position),
                    ply,
                )
            {
                alpha = draw;
                if alpha >= beta {
                    return Some(alpha);
                }
            }

            // 3 Mate distance pruning.
            if params::mate_distance() {
                alpha = alpha.max(mated_in(ply));
                beta = beta.min(mate_in(ply + 1));
            }
            if alpha >= beta {
                return Some(alpha);
            }
        }

        // 4 TT: cutoff, move, evaluation.
        let key = TranspositionTable::key_of(position);
        let excluded = self.worker.frame(ply).excluded;
        let hit = self.shared.tt.probe(key, ply);
        let hit = hit.map(|hit| hit.for_rule50(position, ply));
        if !N::PV
            && params::tt_cutoffs()
            && excluded.is_none()
            && let Some(hit) = hit
            && hit.depth >= depth
            && hit
                .bound
                .is_some_and(|bound| bound.decides(hit.score, beta))
            && position.halfmove_clock() < RULE50_TT_LIMIT
        {
            return Some(hit.score);
        }
        let was_pv = N::PV || hit.is_some_and(|hit| hit.was_pv);
        let tt_move = if N::ROOT {
            self.worker
                .root_moves
                .get(self.worker.line_start)
                .map(|root_move| root_move.mv)
        } else {
            hit.and_then(|hit| hit.best).filter(|_| params::tt_move())
        };

        // 5 Tablebases: a cutoff, or bounds of the score in an open window, where a mate may be found.
        let (mut floor, mut ceiling) = (-INFINITE, INFINITE);
        if !N::ROOT
            && excluded.is_none()
            && let Some(proof) = self.probe_tablebases(position, ply, depth)
        {
            if proof.is_cutoff(alpha, beta) {
                self.shared
                    .tt
                    .store(key, proof.tt_entry(depth, was_pv), ply);
                return Some(proof.score);
            }
            match proof.bound {
                Bound::Lower => (floor, alpha) = (proof.score, alpha.max(proof.score)),
                _ => ceiling = proof.score,
            }
        }

        // If a null move comes next, its TT entry is fetched meanwhile.
        if !N::PV && !in_check && depth >= params::null_move_depth() {
            self.shared
                .tt
                .prefetch(TranspositionTable::key_after_null(position));
        }

        // 6 Static evaluation with correction history.
        let context = self.worker.noisy_context(position, ply);
        let raw = if in_check {
            None
        } else {
            Some(
                hit.and_then(|hit| hit.evaluation)
                    .unwrap_or_else(|| self.worker.evaluate(position, ply)),
            )
        };
        if hit.is_none() && raw.is_some() && params::evaluation_stored() {
            // Most nodes end before step 13; a transposition need not evaluate again.
            let entry = TtEntry {
                best: None,
                score: DRAW,
                bound: None,
                depth: 0,
                evaluation: raw,
                was_pv,
            };
            self.shared.tt.store(key, entry, ply);
        }
        let evaluation = raw.map(|raw| self.corrected_evaluation(raw, &context, position, ply));
        // Against a lone king another value replaces the evaluation.
        let is_replaced = params::lone_king() && lone_king_value(position).is_some();
        let correction = raw
            .zip(evaluation)
            .filter(|_| !is_replaced)
            .map_or(0, |(raw, now)| (now - raw).abs());
        let before = (!N::ROOT)
            .then(|| self.worker.frame(ply - 1).evaluation)
            .flatten();
        self.worker.frame_mut(ply).evaluation = evaluation;
        let two_before = self.worker.two_plies_before(ply).evaluation;
        let improvement = evaluation
            .zip(two_before)
            .map_or(0, |(now, before)| now - before);
        let improving = match (evaluation, two_before) {
            _ if !params::improving() => false,
            (Some(now), Some(before)) => now > before,
            (now, _) => now.is_some(),
        };
        let opponent_worsening = evaluation
            .zip(before)
            .is_some_and(|(now, before)| now > -before);
        if params::history_evaluation() != 0
            && excluded.is_none()
            && let Some((now, before)) = evaluation.zip(before)
        {
            let bonus = (-(now + before) * params::history_evaluation()).clamp(-1200, 1200);
            self.worker.update_prior(position, ply, bonus);
        }
        // Before null move and ProbCut, whose children use them.
        self.worker.frame_mut(ply + 1).killers = Default::default();
        self.worker.frame_mut(ply + 2).cutoff_count = 0;

        // 7 Internal iterative reduction: no TT move, so search one ply less.
        if depth >= params::internal_reduction_depth() && tt_move.is_none() && (N::PV || cut_node) {
            depth -= 1;
        }
        let node = NodeFacts {
            depth,
            improving,
            pv: N::PV,
            cut_node,
            opponent_worsening,
            was_pv,
            noisy_tt_move: tt_move.is_some_and(Move::is_noisy),
            no_tt_move: tt_move.is_none(),
            correction,
            prior_history: if N::ROOT {
                0
            } else {
                self.worker.frame(ply - 1).history
            },
            phase: self.worker.phase(ply),
            narrow: if N::PV {
                64 - (64 * (beta - alpha) / self.worker.root_window.max(1)).min(64)
            } else {
                0
            },
            below: evaluation.map_or(0, |evaluation| {
                (alpha - evaluation).clamp(0, reduce::BELOW_LIMIT)
            }),
            improvement: improvement.clamp(-reduce::IMPROVEMENT_LIMIT, reduce::IMPROVEMENT_LIMIT),
        };

        if !N::PV
            && excluded.is_none()
            && let Some(evaluation) = evaluation
        {
            let tt_estimate = hit.filter(|hit| {
                params::tt_estimate()
                    && hit
                        .bound
                        .is_some_and(|bound| bound.decides(hit.score, evaluation))
            });
            let estimate = tt_estimate.map_or(evaluation, |hit| hit.score);

            // 8 Reverse futility pruning: the estimate is far above beta.
            if depth <= params::reverse_futility_depth()
                && !is_decisive(beta)
                && !is_decisive(estimate)
                && estimate - reduce::reverse_futility_margin(node) >= beta
            {
                let share = if is_known_draw(evaluation, position) {
                    0
                } else {
                    params::reverse_futility_beta()
                };
                return Some(reduce::towards_beta(estimate, beta, share));
            }

            // 9 Null move pruning: passing keeps the score above beta. Not twice in a row and not with king and pawns alone;
            // at high depth verified by a search without null moves, because of zugzwang.
            if depth >= params::null_move_depth()
                && ply >= self.worker.nmp_min_ply
                && estimate >= beta
                && (evaluation >= beta + reduce::null_move_eval_margin(node)
                    || !params::null_move_static())
                && !is_loss(beta)
                && self.worker.frame(ply - 1).played.is_some()
                && position.has_non_pawn_material(position.turn())
            {
                let reduced = depth - reduce::null_move_reduction(depth, estimate - beta);
                let score = self.null_move_search(position, ply, reduced, beta, !cut_node)?;
                if score >= beta {
                    let score = if is_win(score) { beta } else { score };
                    if self.worker.nmp_min_ply > 0
                        || depth < params::null_move_verification_depth()
                        || self.verify(position, ply, reduced, beta)?
                    {
                        return Some(score);
                    }
                }
            }

            // 10 ProbCut: a capture that beats beta by a margin in a shallower search will beat it in this one.
            let probcut_beta = beta + reduce::probcut_margin(node);
            let tt_refutes = hit.is_some_and(|hit| {
                hit.depth > depth - params::probcut_reduction() && hit.score < probcut_beta
            });
            if depth >= params::probcut_depth()
                && !is_decisive(beta)
                && !tt_refutes
                && let Some(found) = self.probcut(
                    position,
                    ply,
                    node,
                    probcut_beta,
                    (probcut_beta - evaluation).max(1),
                    tt_move,
                )?
            {
                let entry = TtEntry {
                    best: found.mv,
                    score: found.score,
                    bound: Some(Bound::Lower),
                    depth: depth - params::probcut_reduction() + 1,
                    evaluation: raw,
                    was_pv,
                };
                self.shared.tt.store(key, entry, ply);
                return Some(if is_decisive(found.score) {
                    found.score
                } else {
                    found.score - (probcut_beta - beta)
                });
            }
        }

        // 11 The moves.
        let window = Window { alpha, beta };
        let mut best = match self.move_loop::<N>(position, ply, node, window, tt_move, hit)? {
            MoveLoop::Best(best) => best,
            MoveLoop::Multicut(score) => return Some(score),
            // 12 No legal move: mate or stalemate, or the only move is excluded.
            MoveLoop::NoMove if excluded.is_some() => return Some(alpha),
            MoveLoop::NoMove if in_check => return Some(mated_in(ply)),
            MoveLoop::NoMove => return Some(self.draw_score(position)),
        };

        if params::history_prior() != 0
            && !N::ROOT
            && excluded.is_none()
            && best.mv.is_none()
            && best.score <= alpha
        {
            let bonus = bonus(depth) * params::history_prior() / 64;
            self.worker.update_prior(position, ply, bonus);
        }

        // 13 Store in the TT and update the correction histories; not after an incomplete search (excluded move, MultiPV,
        // `searchmoves`).
        let mut bound = best.bound(alpha, beta);
        if best.score <= floor || best.score > ceiling {
            (best.score, bound) = if best.score <= floor {
                (floor, Bound::Lower)
            } else {
                (ceiling, Bound::Upper)
            };
        }
        if excluded.is_none() && !(N::ROOT && self.is_partial_root()) {
            if let Some(evaluation) = evaluation
                && best.mv.is_none_or(|mv| !mv.is_noisy())
                && !(bound == Bound::Lower && best.score <= evaluation)
                && !(bound == Bound::Upper && best.score >= evaluation)
            {
                let error = best.score - evaluation;
                self.worker
                    .corrections
                    .update(error, depth, &context, position);
            }
            let entry = TtEntry {
                best: best.mv,
                score: best.score,
                bound: Some(bound),
                depth,
                evaluation: raw,
                was_pv,
            };
            self.shared.tt.store(key, entry, ply);
        }
        Some(if !N::PV && best.score > beta {
            reduce::towards_beta(best.score, beta, params::fail_high_beta())
        } else {
            best.score
        })
    }

    /// Whether moves of the root that may be better are not searched: those of earlier lines, or those that the limits
    /// leave out.
    fn is_partial_root(&self) -> bool {
        self.worker.line_start > 0 || !self.shared.limits.search_moves.is_empty()
    }

    /// Whether the position is drawn by rule, or because neither side can win, `ply` plies from the root.
    pub fn is_draw(&self, position: &Position, ply: usize) -> bool {
        let fifty =
            position.halfmove_clock() >= 100 && (!position.in_check() || position.has_legal_move());
        fifty
            || position.is_insufficient_material()
            || is_dead_draw(position, self.worker.phase(ply))
            || is_repetition(
                &self.worker.keys,
                position.key(),
                self.worker.reversible(position),
                ply,
            )
    }

    /// The score at the greatest distance from the root.
    #[cold]
    pub fn evaluate_at_max_ply(&mut self, position: &Position, ply: usize) -> Value {
        if position.in_check() {
            return DRAW;
        }
        self.worker.evaluate(position, ply)
    }

    /// The tablebase result of the position, if it is to be probed here.
    #[inline]
    fn probe_tablebases(&self, position: &Position, ply: usize, depth: Depth) -> Option<Proof> {
        let draw_score = self.draw_score(position);
        let tablebases = &self.shared.tablebases;
        tablebases.probe(position, ply, depth, draw_score)
    }

    /// The evaluation with correction history and, for a personality that seeks or avoids exchanges, a value of the pieces
    /// on the board (Stockfish 9 to 13 scaled contempt by phase in this way). A known draw stays a draw.
    #[inline]
    pub fn corrected_evaluation(
        &self,
        raw: Value,
        context: &Context,
        position: &Position,
        ply: usize,
    ) -> Value {
        let mut corrected = self.worker.corrections.correct(raw, context, position);
        corrected -=
            corrected * i32::from(position.halfmove_clock()) * params::rule50_damping() / 32_768;
        let trade = self.shared.trade[position.turn() as usize];
        if trade == 0 || is_known_draw(raw, position) {
            return corrected;
        }
        corrected - trade * self.worker.phase(ply) / PHASE_MAXIMUM
    }

    /// The score of a draw for the side to move, with noise by the node count if it is on.
    #[inline]
    pub fn draw_score(&self, position: &Position) -> Value {
        let sign = (self.worker.nodes & 2) as Value - 1;
        self.shared.draw_scores[position.turn() as usize] + sign * params::draw_noise()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::limits::Limits;
    use crate::search::local::LocalSearcher;
    use crate::search::node::{NonPv, Root};

    #[test]
    fn a_root_of_some_moves_is_not_stored() {
        let fen = "4k3/8/8/3q4/8/3R4/8/4K3 w - - 0 1";
        let full = Window {
            alpha: -INFINITE,
            beta: INFINITE,
        };
        let bound_after = |search_moves: &[Move]| {
            let mut limits = Limits::none();
            limits.search_moves = search_moves.to_vec();
            let mut bound = None;
            LocalSearcher::test_at(fen, limits, |mut searcher| {
                let root = searcher.shared.root;
                searcher.negamax::<Root>(&root, 0, 4, full, false);
                let key = TranspositionTable::key_of(&root);
                bound = searcher
                    .shared
                    .tt
                    .probe(key, 0)
                    .and_then(|entry| entry.bound);
            });
            bound
        };
        let moves = Position::from_fen(fen).expect("a position").legal_moves();
        assert_eq!(bound_after(&[]), Some(Bound::Exact));
        assert_eq!(bound_after(&moves[..1]), None);
    }

    #[test]
    fn null_move_and_probcut_children_get_no_killers_of_cousins() {
        let fen = "4k3/pp6/8/8/8/8/PPP5/QQ2K3 w - - 0 1";
        LocalSearcher::test_at(fen, Limits::none(), |mut searcher| {
            let position = searcher.shared.root;
            searcher.worker.frame_mut(2).killers = [position.legal_moves().first().copied(); 2];
            searcher.worker.frame_mut(3).cutoff_count = 9;
            searcher.negamax::<NonPv>(&position, 1, 1, Window::null(100), true);
            assert_eq!(searcher.worker.frame(2).killers, [None; 2]);
            assert_eq!(searcher.worker.frame(3).cutoff_count, 0);
        });
    }
}
