//! The settings of the tree search and its constants.

use crate::base::value::Depth;

/// How moves are chosen and positions valued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// PUCT with the policy, and the evaluation after quiescence.
    #[default]
    Puct,
    /// UCT without knowledge: no policy, and random games to the end.
    Uct,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    pub variant: Variant,
    /// Depth in plies of the alpha-beta search that evaluates a new position; 0: only quiescence.
    pub rollout_depth: Depth,
}

/// The weight of the exploration term of PUCT with few visits.
pub const EXPLORATION: f32 = 0.9;
/// The weight grows with the logarithm of the visits divided by this.
pub const EXPLORATION_BASE: f32 = 12_000.0;
/// How fast the weight grows with that logarithm.
pub const EXPLORATION_GROWTH: f32 = 1.2;
/// How far the assumed value of a move without visits is below that of its node, times the square root of the prior of the
/// visited moves.
pub const FIRST_PLAY_REDUCTION: f32 = 0.2;
/// The weight of the exploration term of UCB1.
pub const UCB_EXPLORATION: f32 = 0.7;
/// The policy's scores are divided by this before they become probabilities.
pub const POLICY_TEMPERATURE: f32 = 1.6;
/// This share of the prior probability is spread evenly over all moves, so that every move is tried.
pub const PRIOR_FLOOR: f32 = 0.05;
/// A random game without a result after this many plies is a draw.
pub const RANDOM_GAME_PLIES: usize = 300;
