//! The search of one node: principal-variation alpha-beta.
//! Uses: node, worker, picker, reduce, tt, chess, value. Used by: deepen.
//! Idea: numbered steps, each with its reason; what kind of node it is is a type.

use arrayvec::ArrayVec;

use crate::chess::{Move, Position, has_upcoming_repetition, is_repetition};
use crate::value::{
    Bound, DRAW, Depth, INFINITE, MAX_PLY, Value, is_decisive, is_loss, is_win, mate_in, mated_in,
};

use super::node::{Best, Node, OffPv, Searcher, Window};
use super::params;
use super::picker::Picker;
use super::reduce::{self, MoveFacts, NodeFacts};
use super::tt::{Record, TranspositionTable};

/// Quiet moves remembered at a node for the history.
const TRIED_CAPACITY: usize = 64;
/// Beyond this half-move clock a stored score may hide a draw: it gives no cutoff.
const CLOCK_TRUST: u16 = 90;

impl Searcher<'_> {
    /// The value of a position from the mover's view, `depth` plies deep; `None` when the search is to end.
    pub fn negamax<N: Node>(
        &mut self,
        position: &Position,
        ply: usize,
        mut depth: Depth,
        window: Window,
        cut_node: bool,
    ) -> Option<Value> {
        // 0 Contract.
        let Window {
            mut alpha,
            mut beta,
        } = window;
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(N::PV || alpha == beta - 1);
        debug_assert!(!(N::PV && cut_node));
        debug_assert_eq!(N::ROOT, ply == 0);
        let in_check = position.in_check();

        // A check must be answered: what lies behind it is looked at, not guessed.
        if in_check {
            depth = depth.max(0) + 1;
        }
        if depth <= 0 {
            return self.quiescence::<N::Child>(position, ply, Window { alpha, beta });
        }

        // 1 Stop, count, selective depth.
        self.worker.visit(self.job)?;
        self.worker.pv[ply].clear();
        if N::PV {
            self.worker.selective_depth = self.worker.selective_depth.max(ply + 1);
        }

        if !N::ROOT {
            // 2 Draws: by rule here, or one move away.
            if self.is_draw(position, ply) {
                return Some(DRAW);
            }
            if ply >= MAX_PLY - 1 {
                return Some(if in_check {
                    DRAW
                } else {
                    self.worker.evaluate(position, ply)
                });
            }
            if alpha < DRAW
                && has_upcoming_repetition(
                    position,
                    &self.worker.keys,
                    self.worker.reversible(position),
                    ply,
                )
            {
                alpha = DRAW;
                if alpha >= beta {
                    return Some(alpha);
                }
            }

            // 3 Mate distance: a shorter mate is known already.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return Some(alpha);
            }
        }

        // 4 Transposition table.
        let key = TranspositionTable::key_of(position);
        let hit = self.job.table.probe(key, ply);
        if !N::PV
            && let Some(hit) = hit
            && hit.depth >= depth
            && hit
                .bound
                .is_some_and(|bound| bound.decides(hit.score, beta))
            && position.halfmove_clock() < CLOCK_TRUST
        {
            return Some(hit.score);
        }
        let was_pv = N::PV || hit.is_some_and(|hit| hit.was_pv);
        let table_move = if N::ROOT {
            self.worker
                .root_moves
                .get(self.worker.line_start)
                .map(|root_move| root_move.mv)
        } else {
            hit.and_then(|hit| hit.best)
        };

        // 6 Static evaluation, sharpened by a stored score that says more.
        let evaluation = if in_check {
            None
        } else {
            Some(
                hit.and_then(|hit| hit.evaluation)
                    .unwrap_or_else(|| self.worker.evaluate(position, ply)),
            )
        };
        self.worker.frame_mut(ply).evaluation = evaluation;
        let improving = match (evaluation, self.worker.frame_two_before(ply).evaluation) {
            (Some(now), Some(before)) => now > before,
            (now, _) => now.is_some(),
        };
        let node = NodeFacts {
            depth,
            improving,
            pv: N::PV,
            cut_node,
        };

        if !N::PV
            && let Some(evaluation) = evaluation
        {
            let sharper = hit.filter(|hit| {
                hit.bound
                    .is_some_and(|bound| bound.decides(hit.score, evaluation))
            });
            let estimate = sharper.map_or(evaluation, |hit| hit.score);

            // 8 Reverse futility: so far above beta that no reply is expected to matter.
            if depth <= params::reverse_futility_depth()
                && !is_decisive(beta)
                && !is_decisive(estimate)
                && estimate - reduce::reverse_futility_margin(node) >= beta
            {
                return Some(estimate.midpoint(beta));
            }

            // 9 Null move: even passing keeps the mover above beta. Not twice running, not with pawns alone (zugzwang).
            if depth >= params::null_move_depth()
                && ply > 0
                && estimate >= beta
                && evaluation >= beta
                && !is_loss(beta)
                && self.worker.frame(ply - 1).played.is_some()
                && position.has_pieces(position.turn())
            {
                let reduced = depth - reduce::null_move_reduction(depth, estimate - beta);
                let score = self.pass(position, ply, reduced, beta, !cut_node)?;
                if score >= beta {
                    return Some(if is_win(score) { beta } else { score });
                }
            }
        }

        // 12 The moves.
        let best = self.moves::<N>(position, ply, node, Window { alpha, beta }, table_move)?;
        let Some(best) = best else {
            // 13 No move: mate or stalemate.
            return Some(if in_check { mated_in(ply) } else { DRAW });
        };

        // 15 Store. Lines after the first leave moves out, so that they say nothing of the position.
        if !(N::ROOT && self.worker.line_start > 0) {
            let record = Record {
                best: best.mv,
                score: best.score,
                bound: Some(best.bound(alpha, beta)),
                depth,
                evaluation,
                was_pv,
            };
            self.job.table.store(key, record, ply);
        }
        Some(best.score)
    }

    /// Whether the position is drawn by rule `ply` plies into the search.
    fn is_draw(&self, position: &Position, ply: usize) -> bool {
        let fifty =
            position.halfmove_clock() >= 100 && (!position.in_check() || position.has_legal_move());
        fifty
            || position.is_insufficient_material()
            || is_repetition(
                &self.worker.keys,
                position.key(),
                self.worker.reversible(position),
                ply,
            )
    }

    /// Searches the position after a null move with a closed window at beta.
    fn pass(
        &mut self,
        position: &Position,
        ply: usize,
        depth: Depth,
        beta: Value,
        cut_node: bool,
    ) -> Option<Value> {
        let child = position.play_null();
        self.job.table.prefetch(TranspositionTable::key_of(&child));
        let sums = self.worker.frame(ply).sums;
        self.worker.frame_mut(ply).played = None;
        self.worker.frame_mut(ply + 1).sums = sums;
        self.worker.keys.push(position.key());
        let cut_off = std::mem::replace(&mut self.worker.cut_off, self.worker.keys.len());
        let score = -self.negamax::<OffPv>(
            &child,
            ply + 1,
            depth,
            Window::closed(beta).flip(),
            cut_node,
        )?;
        self.worker.cut_off = cut_off;
        self.worker.leave();
        Some(score)
    }

    /// Step 12: searches the moves of a node; `Some(None)` where there is none.
    fn moves<N: Node>(
        &mut self,
        position: &Position,
        ply: usize,
        node: NodeFacts,
        window: Window,
        table_move: Option<Move>,
    ) -> Option<Option<Best>> {
        let Window { mut alpha, beta } = window;
        let color = position.turn();
        let mut picker = Picker::all(position, table_move, self.worker.frame(ply).killers);
        self.worker.frame_mut(ply + 1).killers = Default::default();
        let mut tried = ArrayVec::<Move, TRIED_CAPACITY>::new();
        let mut best: Option<Best> = None;
        let mut count = 0;

        let mut skip_quiets = false;

        while let Some(mv) = picker.next(position, &self.worker.histories, skip_quiets) {
            if N::ROOT && !self.is_root_candidate(mv) {
                continue;
            }
            count += 1;
            // Pruning: once something is found that does not lose, moves that promise nothing are left out.
            if !N::ROOT
                && best.is_some_and(|best| !is_loss(best.score))
                && position.has_pieces(color)
            {
                skip_quiets |= count >= reduce::late_move_limit(node);
                if skip_quiets && !mv.is_noisy() {
                    continue;
                }
                if node.depth <= params::exchange_depth()
                    && !position.see_ge(mv, reduce::exchange_margin(node.depth, !mv.is_noisy()))
                {
                    continue;
                }
            }
            self.job.table.prefetch(position.key_after(mv));
            let nodes_before = self.worker.nodes;
            let quiet = !mv.is_noisy();
            let history = if quiet {
                self.worker.histories.quiet(color, mv)
            } else {
                0
            };
            let child = self.worker.enter(position, mv, ply);
            let facts = MoveFacts {
                count,
                quiet,
                check: child.in_check(),
                history,
            };

            let score = self.search_child::<N>(&child, ply, node, Window { alpha, beta }, facts)?;
            self.worker.leave();

            if N::ROOT {
                self.note_root_move(
                    mv,
                    score,
                    Window { alpha, beta },
                    count,
                    self.worker.nodes - nodes_before,
                    node.depth,
                );
            }
            if best.is_none_or(|best| score > best.score) {
                best = Some(Best {
                    mv: best.and_then(|best| best.mv),
                    score,
                });
                if score > alpha {
                    best = Some(Best {
                        mv: Some(mv),
                        score,
                    });
                    if N::PV {
                        self.worker.extend_pv(ply, mv);
                    }
                    if score >= beta {
                        // 14 Histories.
                        if quiet {
                            self.reward(position, ply, mv, &tried, node.depth);
                        }
                        break;
                    }
                    alpha = score;
                }
            }
            if quiet {
                let _ = tried.try_push(mv);
            }
        }
        Some(best)
    }

    /// The score of a child, from the node's view: late moves first less deeply with a closed window, then, if they
    /// surprise, in full.
    fn search_child<N: Node>(
        &mut self,
        child: &Position,
        ply: usize,
        node: NodeFacts,
        window: Window,
        mv: MoveFacts,
    ) -> Option<Value> {
        let full = node.depth - 1;
        let closed = Window::closed(window.alpha + 1).flip();
        if mv.count == 1 {
            let cut_node = !N::PV && !node.cut_node;
            return if N::PV {
                Some(-self.negamax::<N::Child>(child, ply + 1, full, window.flip(), false)?)
            } else {
                Some(-self.negamax::<OffPv>(child, ply + 1, full, closed, cut_node)?)
            };
        }
        let reduction = if node.depth >= 2 && mv.count > 1 + i32::from(N::ROOT) {
            reduce::late_move_reduction(node, mv).min(full - 1).max(0)
        } else {
            0
        };
        let mut score = -self.negamax::<OffPv>(
            child,
            ply + 1,
            full - reduction,
            closed,
            reduction > 0 || !node.cut_node,
        )?;
        if reduction > 0 && score > window.alpha {
            score = -self.negamax::<OffPv>(child, ply + 1, full, closed, !node.cut_node)?;
        }
        if N::PV && score > window.alpha {
            score = -self.negamax::<N::Child>(child, ply + 1, full, window.flip(), false)?;
        }
        Some(score)
    }

    /// Whether a root move belongs to the line being searched.
    fn is_root_candidate(&self, mv: Move) -> bool {
        self.worker.root_moves[self.worker.line_start..]
            .iter()
            .any(|root_move| root_move.mv == mv)
    }

    /// Notes what a root move's search said.
    fn note_root_move(
        &mut self,
        mv: Move,
        score: Value,
        window: Window,
        count: i32,
        nodes: u64,
        depth: Depth,
    ) {
        let worker = &mut *self.worker;
        let selective_depth = worker.selective_depth as u32;
        let Some(root_move) = worker
            .root_moves
            .iter_mut()
            .find(|root_move| root_move.mv == mv)
        else {
            return;
        };
        root_move.nodes += nodes;
        if count == 1 || score > window.alpha {
            root_move.score = score;
            root_move.bound = match score {
                score if score >= window.beta => Bound::Lower,
                score if score <= window.alpha => Bound::Upper,
                _ => Bound::Exact,
            };
            root_move.depth = depth;
            root_move.selective_depth = selective_depth;
            root_move.pv.clear();
            root_move.pv.push(mv);
            let below = &worker.pv[1];
            let _ = root_move
                .pv
                .try_extend_from_slice(&below[..below.len().min(MAX_PLY - 1)]);
        } else {
            root_move.score = -INFINITE;
            root_move.bound = Bound::Upper;
        }
    }

    /// A quiet move refuted the node: it is a killer for its siblings and rises in the history.
    fn reward(&mut self, position: &Position, ply: usize, mv: Move, tried: &[Move], depth: Depth) {
        self.worker
            .histories
            .reward_quiet(position.turn(), mv, tried, depth);
        let killers = &mut self.worker.frame_mut(ply).killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}
