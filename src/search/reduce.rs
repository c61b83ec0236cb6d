//! Margins and reductions: pure functions of the facts of a node and a move.

use crate::base::value::{Depth, Value, is_decisive};
use crate::eval::PHASE_MAXIMUM;

use super::params;

/// The facts of a node.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, Copy, Debug)]
pub struct NodeFacts {
    /// Remaining depth in plies.
    pub depth: Depth,
    /// Whether the evaluation is higher than at the last turn of the same side, or there is none of that turn.
    pub improving: bool,
    pub pv: bool,
    /// Whether a beta cutoff is expected.
    pub cut_node: bool,
    /// Whether the evaluation fell for the opponent since its last turn.
    pub opponent_worsening: bool,
    /// Whether this is or was a PV node.
    pub was_pv: bool,
    /// Whether the TT move is noisy.
    pub noisy_tt_move: bool,
    pub no_tt_move: bool,
    /// Centipawns by which the evaluation is corrected, without sign.
    pub correction: Value,
    /// History of the opponent's last move.
    pub prior_history: i32,
    /// Game phase, 0 to [`PHASE_MAXIMUM`].
    pub phase: i32,
    /// In PV nodes how much narrower the window is than the root's, in 1/64 of the root's.
    pub narrow: i32,
    /// Centipawns by which the evaluation is below alpha, 0 to [`BELOW_LIMIT`].
    pub below: Value,
    /// Centipawns by which the evaluation improved since the mover's last turn, within [`IMPROVEMENT_LIMIT`].
    pub improvement: Value,
}

/// The greatest distance below alpha that counts, in centipawns.
pub const BELOW_LIMIT: Value = 400;
/// The greatest change of the evaluation that counts, in centipawns.
pub const IMPROVEMENT_LIMIT: Value = 150;

#[cfg(test)]
impl NodeFacts {
    /// A node of depth 8 off the PV.
    pub const TEST: Self = Self {
        depth: 8,
        improving: false,
        pv: false,
        cut_node: false,
        opponent_worsening: false,
        was_pv: false,
        noisy_tt_move: false,
        no_tt_move: false,
        correction: 0,
        prior_history: 0,
        phase: PHASE_MAXIMUM / 2,
        narrow: 0,
        below: 0,
        improvement: 0,
    };
}

/// The facts of a move before its search.
#[derive(Clone, Copy, Debug)]
pub struct MoveFacts {
    /// Its number in the move loop, from 1.
    pub count: i32,
    pub quiet: bool,
    pub check: bool,
    pub history: i32,
    /// Whether the child nodes before had many cutoffs.
    pub often_cut: bool,
    /// How many quiet moves before raised alpha.
    pub raised: i32,
}

/// A reduction of one ply.
const PLY: i32 = 1024;

/// The score that all other moves must stay below for the TT move to be singular.
pub fn singular_beta(tt_score: Value, node: NodeFacts) -> Value {
    let was_pv = i32::from(node.was_pv && !node.pv);
    let margin = params::singular_margin()
        + was_pv * params::singular_was_pv()
        + i32::from(node.noisy_tt_move) * params::singular_noisy();
    tt_score - margin * node.depth / 16 - node.correction * params::singular_correction() / 64
}

/// The score of a beta cutoff, moved towards beta by a share in 1/64; a decisive score stays.
pub fn towards_beta(score: Value, beta: Value, share: i32) -> Value {
    if is_decisive(score) || is_decisive(beta) {
        score
    } else {
        (score * (64 - share) + beta * share) / 64
    }
}

/// A margin of pruning at this phase, in centipawns: material counts for more in an ending.
fn at_phase(margin: Value, phase: i32) -> Value {
    let below = PHASE_MAXIMUM / 2 - phase.min(PHASE_MAXIMUM);
    margin + margin * params::margin_phase() * below / 1024
}

/// Margin of reverse futility pruning above beta, in centipawns.
pub fn reverse_futility_margin(node: NodeFacts) -> Value {
    let margin = params::reverse_futility_base() + params::reverse_futility_margin() * node.depth
        - i32::from(node.improving) * params::reverse_futility_improving()
        - i32::from(node.opponent_worsening) * params::reverse_futility_worsening()
        + node.prior_history * params::reverse_futility_history() / 1024
        + node.correction * params::reverse_futility_correction() / 64;
    at_phase(margin, node.phase)
}

/// Centipawns above beta that the static evaluation must have for a null move.
pub fn null_move_eval_margin(node: NodeFacts) -> Value {
    params::null_move_eval_margin()
        - params::null_move_eval_margin_depth() * node.depth
        - i32::from(node.improving) * params::null_move_eval_margin_improving()
        + node.prior_history * params::null_move_eval_margin_history() / 1024
}

/// Reduction of a null move in plies, the move itself included.
pub fn null_move_reduction(depth: Depth, above_beta: Value) -> Depth {
    (params::null_move_base() + params::null_move_factor() * depth) / PLY
        + (above_beta / params::null_move_eval_divisor()).clamp(0, 3)
}

/// Margin of futility pruning of a quiet move below alpha, in centipawns.
pub fn futility_margin(node: NodeFacts, lmr_depth: Depth, history: i32) -> Value {
    let margin = params::futility_base()
        + params::futility_margin() * lmr_depth
        + params::futility_history() * history / 1024
        + i32::from(node.improving) * params::futility_improving();
    at_phase(margin, node.phase)
}

/// Margin of `ProbCut` above beta, in centipawns.
pub fn probcut_margin(node: NodeFacts) -> Value {
    let improving = i32::from(node.improving) * params::probcut_improving();
    at_phase(params::probcut_margin() - improving, node.phase)
}

/// Margin of futility pruning of a noisy move below alpha, in centipawns, besides what it gains.
pub fn noisy_futility_margin(node: NodeFacts, history: i32) -> Value {
    let margin = params::noisy_futility_base()
        + params::noisy_futility_margin() * node.depth
        + history / params::noisy_futility_divisor();
    at_phase(margin, node.phase)
}

/// Whether a quiet move is pruned by its history.
pub fn history_prunable(depth: Depth, history: i32) -> bool {
    depth <= params::history_pruning_depth() && history < -params::history_pruning_margin() * depth
}

/// Reduced depth of the first search of a late move, in plies.
pub fn lmr_depth(node: NodeFacts, mv: MoveFacts) -> Depth {
    (node.depth - 1 - late_move_reduction(node, mv)).max(0)
}

/// The SEE value below which a quiet move is pruned, in centipawns; never positive.
pub fn quiet_exchange_margin(lmr_depth: Depth) -> Value {
    -params::exchange_quiet_margin() * lmr_depth * lmr_depth
}

/// The SEE value below which a noisy move is pruned, in centipawns; lower with a good history.
pub fn noisy_exchange_margin(depth: Depth, history: i32) -> Value {
    let margin = params::exchange_noisy_margin() * depth;
    -margin - (history / params::exchange_history_divisor()).clamp(-margin, margin)
}

/// The number of the first move, from 1, from which on late move pruning skips quiet moves.
pub fn lmp_count(node: NodeFacts) -> i32 {
    let count = params::lmp_base() + params::lmp_factor() * node.depth * node.depth;
    if node.improving {
        count / 16
    } else {
        count / 16 * params::lmp_not_improving() / 64
    }
}

/// Reduction of the first search of a late move, in plies; never negative.
pub fn late_move_reduction(node: NodeFacts, mv: MoveFacts) -> Depth {
    let mut reduction = params::reduction_base()
        + params::reduction_factor() * log2(node.depth) / 256 * log2(mv.count) / 256;
    reduction -= i32::from(node.pv) * params::reduction_pv();
    reduction += i32::from(node.cut_node) * params::reduction_cut_node();
    reduction += i32::from(!node.improving) * params::reduction_not_improving();
    reduction -= i32::from(mv.check) * params::reduction_check();
    reduction += i32::from(mv.often_cut) * params::reduction_often_cut();
    reduction -= i32::from(node.was_pv && !node.pv) * params::reduction_was_pv();
    reduction += i32::from(node.noisy_tt_move) * params::reduction_noisy_tt_move();
    reduction += i32::from(node.no_tt_move) * params::reduction_no_tt_move();
    reduction -= node.correction * params::reduction_correction();
    reduction += mv.raised * params::reduction_raised();
    reduction += node.narrow * params::reduction_narrow() / 64;
    reduction += node.below * params::reduction_below();
    reduction -= node.improvement * params::reduction_improvement();
    let history = if params::reduction_by_history() {
        mv.history
    } else {
        0
    };
    if mv.quiet {
        reduction -= history * PLY / params::reduction_history();
    } else {
        reduction = reduction * params::reduction_noisy() / 64
            - history * PLY / params::reduction_noisy_history();
    }
    (reduction / PLY).max(0)
}

/// Depth in plies of the re-search of a reduced move with `score`, where `best` is the best score so far and `full` the
/// depth without reduction.
pub fn research_depth(full: Depth, score: Value, best: Value) -> Depth {
    let deeper = params::do_deeper_margin() + params::do_deeper_factor() * full;
    let shallower = params::do_shallower_factor() * full;
    if !params::research_by_margin() {
        full
    } else if score > best + deeper {
        full + 1
    } else if score < best + shallower {
        full - 1
    } else {
        full
    }
}

/// Binary logarithm of a count from 1, in 1/256.
fn log2(count: i32) -> i32 {
    const SIZE: usize = 256;
    const TABLE: [i32; SIZE] = {
        let mut table = [0; SIZE];
        let mut index = 1;
        while index < SIZE {
            table[index] = fixed_log2(index as u64);
            index += 1;
        }
        table
    };
    TABLE[(count as usize).min(SIZE - 1)]
}

/// Binary logarithm in 1/256, bit by bit: squaring the mantissa doubles its logarithm.
const fn fixed_log2(number: u64) -> i32 {
    let whole = number.ilog2();
    let mut mantissa = (number << 32) >> whole;
    let (mut logarithm, mut bit) = (whole as i32 * 256, 128);
    while bit > 0 {
        mantissa = ((mantissa as u128 * mantissa as u128) >> 32) as u64;
        if mantissa >= 2 << 32 {
            mantissa >>= 1;
            logarithm += bit;
        }
        bit /= 2;
    }
    logarithm
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODE: NodeFacts = NodeFacts::TEST;
    const MOVE: MoveFacts = MoveFacts {
        count: 10,
        quiet: true,
        check: false,
        history: 0,
        often_cut: false,
        raised: 0,
    };

    #[test]
    fn the_logarithm_is_right() {
        for count in 1..256 {
            let exact = f64::from(count).log2() * 256.0;
            assert!((f64::from(log2(count)) - exact).abs() <= 1.0, "{count}");
        }
        assert_eq!(log2(100_000), log2(255));
    }

    #[test]
    fn reductions_grow_with_depth_and_count_and_are_never_negative() {
        for depth in 1..100 {
            for count in 1..100 {
                let reduce = |depth, count| {
                    late_move_reduction(NodeFacts { depth, ..NODE }, MoveFacts { count, ..MOVE })
                };
                assert!(reduce(depth, count) >= 0);
                assert!(reduce(depth, count) <= reduce(depth + 1, count));
                assert!(reduce(depth, count) <= reduce(depth, count + 1));
                let pv = late_move_reduction(
                    NodeFacts {
                        depth,
                        pv: true,
                        ..NODE
                    },
                    MoveFacts { count, ..MOVE },
                );
                assert!(pv <= reduce(depth, count));
                let good_history = late_move_reduction(
                    NodeFacts { depth, ..NODE },
                    MoveFacts {
                        count,
                        history: 16_384,
                        ..MOVE
                    },
                );
                assert!((0..=reduce(depth, count)).contains(&good_history));
            }
        }
    }

    #[test]
    fn higher_scores_are_searched_again_to_higher_depth() {
        for depth in 1..60 {
            for best in [-300, 0, 300] {
                let again = |above| research_depth(depth, best + above, best);
                assert_eq!((again(1_000), again(0)), (depth + 1, depth - 1));
                assert!((0..600).all(|above| again(above) <= again(above + 1)));
            }
        }
    }

    #[test]
    fn many_child_cutoffs_reduce_more() {
        let often_cut = MoveFacts {
            often_cut: true,
            ..MOVE
        };
        assert!(late_move_reduction(NODE, often_cut) > late_move_reduction(NODE, MOVE));
    }

    #[test]
    fn deeper_and_improving_nodes_try_more_moves() {
        for depth in 1..20 {
            let limit = |depth, improving| {
                lmp_count(NodeFacts {
                    depth,
                    improving,
                    ..NODE
                })
            };
            assert!(1 <= limit(depth, false) && limit(depth, false) < limit(depth + 1, false));
            assert!(limit(depth, false) < limit(depth, true));
        }
    }

    #[test]
    fn margins_grow_with_depth_and_shrink_when_improving() {
        for depth in 1..20 {
            let margin = |depth, improving| {
                reverse_futility_margin(NodeFacts {
                    depth,
                    improving,
                    ..NODE
                })
            };
            assert!(margin(depth, false) < margin(depth + 1, false));
            assert!(margin(depth, true) < margin(depth, false) && margin(depth, true) >= 0);
            let probcut = |improving| probcut_margin(NodeFacts { improving, ..NODE });
            assert!(0 < probcut(true) && probcut(true) <= probcut(false));
            let noisy =
                |depth, history| noisy_futility_margin(NodeFacts { depth, ..NODE }, history);
            assert!(noisy(depth, 0) <= noisy(depth + 1, 0));
            assert!(noisy(depth, 0) < noisy(depth, 1000));
            assert!(null_move_reduction(depth, 0) <= null_move_reduction(depth + 1, 0));
            assert!(null_move_reduction(depth, 0) <= null_move_reduction(depth, 500));
        }
    }
}
