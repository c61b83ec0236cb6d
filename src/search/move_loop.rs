//! Step 11 of the search, the moves: pruning, extensions, late move reductions, principal variation search.

use crate::base::value::{Bound, Depth, INFINITE, MAX_PLY, Value, is_decisive, is_loss};
use crate::chess::{Move, Position};

use super::exchanges::{SearchExchanges, gained};
use super::history::{Tried, bonus};
use super::node::{Node, NodeResult, NonPv, Searcher, Window};
use super::params;
use super::picker::Picker;
use super::reduce::{self, MoveFacts, NodeFacts};
use super::tt::{TranspositionTable, TtEntry};

/// Centipawns above beta from which a cutoff gets a greater bonus.
const FAR_ABOVE: Value = 80;

/// The result of the moves of a node.
pub enum MoveLoop {
    Best(NodeResult),
    /// Multi-cut: the score to return. It comes from a reduced search, so that the node stores nothing.
    Multicut(Value),
    /// There is no move to search.
    NoMove,
}

/// The result of a singular search.
enum Extension {
    /// Extends by this many plies; negative: reduces.
    Plies(Depth),
    /// Multi-cut: the score to return.
    Cutoff(Value),
}

/// Nodes and depth of the search of a root move.
#[derive(Clone, Copy)]
struct Effort {
    nodes: u64,
    depth: Depth,
}

impl Searcher<'_> {
    /// Searches the moves of a node; `None` if the search must stop.
    #[expect(clippy::too_many_lines, reason = "one list of steps in order")]
    pub fn move_loop<N: Node>(
        &mut self,
        position: &Position,
        ply: usize,
        node: NodeFacts,
        window: Window,
        tt_move: Option<Move>,
        hit: Option<TtEntry>,
    ) -> Option<MoveLoop> {
        let Window { mut alpha, beta } = window;
        let color = position.turn();
        let context = self.worker.quiet_context(position, ply);
        let frame = self.worker.frame(ply);
        let mut picker = Picker::all(position, frame.threats, tt_move, frame.killers);
        let mut tried = Tried::default();
        let mut best: Option<NodeResult> = None;
        let (mut count, mut raised) = (0, 0);

        let mut skip_quiets = false;
        let excluded = self.worker.frame(ply).excluded;

        while let Some(mv) = picker.next(position, &self.worker.histories, &context, skip_quiets) {
            let is_excluded = Some(mv) == excluded || (N::ROOT && !self.is_root_candidate(mv));
            if is_excluded {
                continue;
            }
            count += 1;
            let quiet = !mv.is_noisy();
            let mut facts = MoveFacts {
                count,
                quiet,
                check: false,
                history: self.worker.histories.of(&context, position, mv),
                often_cut: self.worker.frame(ply + 1).cutoff_count >= params::often_cut(),
                raised,
            };
            if !N::ROOT
                && best.is_some_and(|best| !is_loss(best.score))
                && position.has_non_pawn_material(color)
            {
                skip_quiets |= is_late(position, node, mv, count);
                if skip_quiets && quiet {
                    continue;
                }
                let evaluation = self.worker.frame(ply).evaluation;
                match prune(
                    position,
                    &picker.exchanges,
                    node,
                    evaluation,
                    mv,
                    facts,
                    alpha,
                ) {
                    Pruning::None => {}
                    Pruning::Move => continue,
                    Pruning::AllQuiets => {
                        skip_quiets = true;
                        continue;
                    }
                }
            }
            let extension =
                match hit.filter(|hit| !N::ROOT && hit.best == Some(mv) && excluded.is_none()) {
                    Some(hit) => match self.extension(position, ply, node, hit, mv, beta)? {
                        Extension::Plies(plies) => plies,
                        Extension::Cutoff(score) => return Some(MoveLoop::Multicut(score)),
                    },
                    None => 0,
                };
            self.shared
                .tt
                .prefetch(TranspositionTable::key_after(position, mv));
            let nodes_before = self.worker.nodes;
            if N::ROOT && self.worker.id == 0 {
                let number = self.worker.line_start + count as usize;
                self.shared.report_current_move(node.depth, mv, number);
            }
            let mut child = *position;
            self.worker.make_move(position, mv, ply, &mut child);
            self.worker.frame_mut(ply).history = if quiet { facts.history } else { 0 };
            facts.check = child.in_check();
            // The TT entry of the next move is fetched while this one is searched.
            if let Some(next) = picker.look_ahead() {
                self.shared
                    .tt
                    .prefetch(TranspositionTable::key_after(position, next));
            }

            let extended = NodeFacts {
                depth: node.depth + extension,
                ..node
            };
            let best_score = best.map_or(-INFINITE, |best| best.score);
            let window = Window { alpha, beta };
            let score = self.search_child::<N>(&child, ply, extended, window, facts, best_score)?;
            self.worker.unmake_move();

            if N::ROOT {
                let effort = Effort {
                    nodes: self.worker.nodes - nodes_before,
                    depth: node.depth,
                };
                let reported = (count == 1 || score > alpha).then_some(score);
                self.update_root_move(mv, reported, window, effort);
            }
            if best.is_none_or(|best| score > best.score) {
                best = Some(NodeResult {
                    mv: best.and_then(|best| best.mv),
                    score,
                });
                if score > alpha {
                    best = Some(NodeResult {
                        mv: Some(mv),
                        score,
                    });
                    if N::PV {
                        self.worker.extend_pv(ply, mv);
                    }
                    if score >= beta {
                        self.worker.frame_mut(ply).cutoff_count += 1 + i32::from(tt_move.is_none());
                        let is_far_above = score > beta + FAR_ABOVE;
                        self.worker.histories.update(
                            &context,
                            position,
                            mv,
                            &tried,
                            node.depth,
                            is_far_above,
                        );
                        if quiet {
                            self.update_killers(ply, mv);
                        }
                        break;
                    }
                    alpha = score;
                    raised += i32::from(quiet);
                }
            }
            tried.push(mv);
        }
        Some(best.map_or(MoveLoop::NoMove, MoveLoop::Best))
    }

    /// The extension of the TT move by a search without it: more depth if all other moves stay below its score by a margin
    /// (singular extension), less if others are as good (negative extension), a cutoff if they reach beta (multi-cut).
    fn extension(
        &mut self,
        position: &Position,
        ply: usize,
        node: NodeFacts,
        hit: TtEntry,
        mv: Move,
        beta: Value,
    ) -> Option<Extension> {
        let is_candidate = node.depth >= params::singular_depth()
            && hit.depth + params::singular_tt_margin() >= node.depth
            && matches!(hit.bound, Some(Bound::Lower | Bound::Exact))
            && !is_decisive(hit.score)
            && ply < 2 * self.worker.root_depth as usize;
        if !is_candidate {
            return Some(Extension::Plies(0));
        }
        let singular_beta = reduce::singular_beta(hit.score, node);
        self.worker.frame_mut(ply).excluded = Some(mv);
        let window = Window::null(singular_beta);
        let score =
            self.negamax::<NonPv>(position, ply, (node.depth - 1) / 2, window, node.cut_node)?;
        self.worker.frame_mut(ply).excluded = None;
        Some(if score < singular_beta {
            let is_double = params::double_extension()
                && !node.pv
                && score < singular_beta - params::singular_double_margin();
            Extension::Plies(1 + Depth::from(is_double))
        } else if params::multicut() && singular_beta >= beta {
            Extension::Cutoff(singular_beta)
        } else if !params::negative_extension() {
            Extension::Plies(0)
        } else if hit.score >= beta {
            Extension::Plies(-2)
        } else {
            Extension::Plies(-Depth::from(node.cut_node))
        })
    }

    /// The score of a child, from the node's view. Late moves are first searched with reduced depth and a null window, and
    /// again if they fail high. `best_score` is that of the moves before.
    fn search_child<N: Node>(
        &mut self,
        child: &Position,
        ply: usize,
        node: NodeFacts,
        window: Window,
        mv: MoveFacts,
        best_score: Value,
    ) -> Option<Value> {
        let mut full = node.depth - 1;
        let null_window = Window::null(window.alpha + 1).flip();
        if mv.count == 1 {
            let cut_node = !N::PV && !node.cut_node;
            return if N::PV {
                Some(-self.negamax::<N::Child>(child, ply + 1, full, window.flip(), false)?)
            } else {
                Some(-self.negamax::<NonPv>(child, ply + 1, full, null_window, cut_node)?)
            };
        }
        let reduction =
            if node.depth >= params::reduction_depth() && mv.count > 1 + i32::from(N::ROOT) {
                reduce::late_move_reduction(node, mv).min(full - 1).max(0)
            } else {
                0
            };
        let mut score = -self.negamax::<NonPv>(
            child,
            ply + 1,
            full - reduction,
            null_window,
            reduction > 0 || !node.cut_node,
        )?;
        if reduction > 0 && score > window.alpha {
            let reduced = full - reduction;
            full = reduce::research_depth(full, score, best_score);
            if full > reduced {
                score =
                    -self.negamax::<NonPv>(child, ply + 1, full, null_window, !node.cut_node)?;
                let sign = i32::from(score >= window.beta) - i32::from(score <= window.alpha);
                if params::history_again() != 0 && mv.quiet && sign != 0 {
                    let bonus = sign * bonus(node.depth) * params::history_again() / 64;
                    self.worker.update_continuations(ply, bonus);
                }
            }
        }
        if N::PV && score > window.alpha {
            score = -self.negamax::<N::Child>(child, ply + 1, full, window.flip(), false)?;
        }
        Some(score)
    }

    /// Whether a root move may be the first of the current line.
    fn is_root_candidate(&self, mv: Move) -> bool {
        let remaining = &self.worker.root_moves[self.worker.line_start..];
        remaining
            .iter()
            .any(|root_move| root_move.mv == mv && root_move.rank == remaining[0].rank)
    }

    /// Updates a root move after its search; `None`: it did not raise alpha.
    fn update_root_move(&mut self, mv: Move, score: Option<Value>, window: Window, effort: Effort) {
        let worker = &mut *self.worker;
        let selective_depth = worker.selective_depth as u32;
        let mut root_moves = worker.root_moves.iter_mut();
        let Some(root_move) = root_moves.find(|root_move| root_move.mv == mv) else {
            return;
        };
        root_move.nodes += effort.nodes;
        let Some(score) = score else {
            root_move.score = -INFINITE;
            root_move.bound = Bound::Upper;
            return;
        };
        root_move.score = score;
        root_move.bound = NodeResult { mv: None, score }.bound(window.alpha, window.beta);
        root_move.depth = effort.depth;
        root_move.selective_depth = selective_depth;
        root_move.pv.clear();
        root_move.pv.push(mv);
        let below = &worker.pv[1];
        let below = &below[..below.len().min(MAX_PLY - 1)];
        let _ = root_move.pv.try_extend_from_slice(below);
    }

    fn update_killers(&mut self, ply: usize, mv: Move) {
        let killers = &mut self.worker.frame_mut(ply).killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}

/// Late move pruning: whether this move and the quiet ones after it come too late. It does not start at a check.
fn is_late(position: &Position, node: NodeFacts, mv: Move, count: i32) -> bool {
    params::late_move_pruning()
        && count >= reduce::lmp_count(node)
        && (mv.is_noisy() || !position.gives_check(mv))
}

/// What is pruned at a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pruning {
    None,
    Move,
    /// This move and all quiet moves after it.
    AllQuiets,
}

/// What is pruned at a move. Called once a move is found that does not lose.
fn prune(
    position: &Position,
    exchanges: &SearchExchanges,
    node: NodeFacts,
    evaluation: Option<Value>,
    mv: Move,
    facts: MoveFacts,
    alpha: Value,
) -> Pruning {
    let depth = node.depth;
    let loses = |margin| params::exchange_pruning() && !exchanges.see_ge(position, mv, margin);
    let is_pruned = if facts.quiet {
        // Late moves are pruned by their reduced depth.
        let lmr_depth = reduce::lmr_depth(node, facts);
        let is_futile = lmr_depth <= params::futility_depth()
            && !is_decisive(alpha)
            && evaluation.is_some_and(|evaluation| {
                evaluation + reduce::futility_margin(node, lmr_depth, facts.history) <= alpha
            })
            && !position.gives_check(mv);
        if is_futile {
            // Most moves after it have a worse history and a greater reduction.
            return Pruning::AllQuiets;
        }
        reduce::history_prunable(depth, facts.history)
            || loses(reduce::quiet_exchange_margin(lmr_depth))
    } else {
        let estimate = evaluation.map(|evaluation| {
            evaluation + gained(position, mv) + reduce::noisy_futility_margin(node, facts.history)
        });
        let is_futile = depth <= params::noisy_futility_depth()
            && !is_decisive(alpha)
            && estimate.is_some_and(|estimate| estimate <= alpha)
            && !position.gives_check(mv);
        is_futile
            || depth <= params::exchange_depth()
                && loses(reduce::noisy_exchange_margin(depth, facts.history))
    };
    if is_pruned {
        Pruning::Move
    } else {
        Pruning::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::limits::Limits;
    use crate::search::local::LocalSearcher;

    const NODE: NodeFacts = NodeFacts {
        depth: 6,
        cut_node: true,
        ..NodeFacts::TEST
    };

    fn find(position: &Position, uci: &str) -> Move {
        let moves = position.legal_moves();
        let found = moves.iter().find(|mv| mv.uci(false).to_string() == uci);
        *found.expect("a legal move")
    }

    #[test]
    fn a_multicut_stores_nothing() {
        // In check, so that no pruning of the node comes before; every answer wins.
        let fen = "4k3/8/8/8/1q6/8/5R2/QQ2K2R w - - 0 1";
        LocalSearcher::test_at(fen, Limits::none(), |mut searcher| {
            let position = searcher.shared.root;
            let key = TranspositionTable::key_of(&position);
            let entry = TtEntry {
                best: Some(find(&position, "b1b4")),
                score: 400,
                bound: Some(Bound::Lower),
                depth: NODE.depth - 1,
                evaluation: None,
                was_pv: false,
            };
            searcher.shared.tt.store(key, entry, 1);
            let window = Window::null(100);
            let score = searcher.negamax::<NonPv>(&position, 1, NODE.depth, window, true);
            assert_eq!(score, Some(reduce::singular_beta(400, NODE)));
            assert_eq!(searcher.shared.tt.probe(key, 1), Some(entry));
        });
    }

    #[test]
    fn a_futile_move_ends_the_quiet_moves_unless_it_gives_check() {
        let position = Position::from_fen("4k3/8/8/8/8/8/P7/R3K2R w - - 0 1").expect("a position");
        let at = |uci, evaluation| {
            let facts = MoveFacts {
                count: 3,
                quiet: true,
                check: false,
                history: 0,
                often_cut: false,
                raised: 0,
            };
            let mv = find(&position, uci);
            prune(
                &position,
                &SearchExchanges::default(),
                NODE,
                Some(evaluation),
                mv,
                facts,
                2_000,
            )
        };
        assert_eq!(at("a2a3", -2_000), Pruning::AllQuiets);
        assert_eq!(at("a2a3", 2_000), Pruning::None);
        assert_eq!(at("h1h8", -2_000), Pruning::None);
    }

    #[test]
    fn a_quiet_check_is_not_pruned_as_late() {
        let position = Position::from_fen("4k3/8/8/8/8/8/P7/R3K2R w - - 0 1").expect("a position");
        let late = |uci| is_late(&position, NODE, find(&position, uci), 100);
        assert!(late("a2a3") && !late("h1h8"));
        assert!(!is_late(&position, NODE, find(&position, "a2a3"), 1));
    }
}
