//! The policy: how likely each move is to be the best, by a weighted sum of its features (a linear softmax).
//!
//! The weights are fitted to the moves that Lucena's own alpha-beta search chooses (`lucena policy`).

use std::sync::LazyLock;

use crate::chess::{Move, Position, Square};

use super::policy_features::MoveContext;
pub use super::policy_rows::{PolicyError, WEIGHTS, name_of, parse, to_text};
use super::settings::{POLICY_TEMPERATURE, PRIOR_FLOOR};

/// The weights in use, and where they come from.
pub const TEXT: &str = include_str!("policy.txt");

/// `tests` check that the text is valid; without it all moves would be equally likely.
static BUILT_IN: LazyLock<Vec<f32>> =
    LazyLock::new(|| parse(TEXT).unwrap_or_else(|_| vec![0.0; WEIGHTS]));

/// The inputs of the policy besides the board.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    /// The best move of quiescence.
    pub best: Option<Move>,
    /// The square of the last move, if it captured.
    pub recapture: Option<Square>,
}

/// The features of a legal move.
pub fn features(position: &Position, hints: Hints, mv: Move) -> Vec<usize> {
    let mut found = Vec::new();
    MoveContext::new(position, hints.best, hints.recapture).each(mv, |index| found.push(index));
    found
}

/// The features of all legal moves, in the order of [`Position::legal_moves`].
pub fn all_features(position: &Position, hints: Hints) -> Vec<(Move, Vec<u16>)> {
    let context = MoveContext::new(position, hints.best, hints.recapture);
    let moves = position.legal_moves();
    let each = moves.iter().map(|&mv| {
        let mut found = Vec::new();
        context.each(mv, |index| found.push(index as u16));
        (mv, found)
    });
    each.collect()
}

/// A part of the score of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item {
    pub name: &'static str,
    pub weight: f32,
}

/// The score of a move, itemised: features with their weights, the greatest first.
pub fn itemise(position: &Position, hints: Hints, mv: Move) -> Vec<Item> {
    let item = |&index: &usize| Item {
        name: name_of(index),
        weight: BUILT_IN[index],
    };
    let mut items: Vec<Item> = features(position, hints, mv).iter().map(item).collect();
    items.sort_by(|one, other| other.weight.abs().total_cmp(&one.weight.abs()));
    items
}

/// Puts the probabilities of all legal moves into `priors`, the greatest first.
pub fn priors(position: &Position, hints: Hints, priors: &mut Vec<(Move, f32)>) {
    priors.clear();
    let weights = &*BUILT_IN;
    let context = MoveContext::new(position, hints.best, hints.recapture);
    for &mv in &position.legal_moves() {
        let mut score = 0.0;
        context.each(mv, |index| score += weights[index]);
        priors.push((mv, score));
    }
    let most = priors.iter().map(|&(_, score)| score);
    let most = most.fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for (_, score) in priors.iter_mut() {
        *score = ((*score - most) / POLICY_TEMPERATURE).exp();
        sum += *score;
    }
    let equal = PRIOR_FLOOR / priors.len().max(1) as f32;
    for (_, share) in priors.iter_mut() {
        *share = (1.0 - PRIOR_FLOOR).mul_add(*share / sum, equal);
    }
    // Stable: moves with equal shares keep their order.
    priors.sort_by(|one, other| other.1.total_cmp(&one.1));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).expect("a position")
    }

    #[test]
    fn the_built_in_policy_is_valid() {
        assert_eq!(parse(TEXT).err(), None);
    }

    #[test]
    fn priors_are_probabilities_in_order() {
        let start = position("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1");
        let mut found = Vec::new();
        priors(&start, Hints::default(), &mut found);
        assert_eq!(found.len(), start.legal_moves().len());
        let sum: f32 = found.iter().map(|&(_, prior)| prior).sum();
        assert!((sum - 1.0).abs() < 1e-4);
        assert!(found.windows(2).all(|pair| pair[0].1 >= pair[1].1));
    }

    #[test]
    fn features_are_those_of_the_mirrored_position() {
        let fens = [
            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1",
            "8/2P2k2/8/3pP3/8/8/1p3K2/2R5 w - d6 0 1",
        ];
        for fen in fens {
            let one = position(fen);
            let other = one.flip();
            for mv in &one.legal_moves() {
                let (from, to) = (mv.from().flip_vertical(), mv.to().flip_vertical());
                let mirrored = Move::new(from, to, mv.kind());
                let hints = Hints::default();
                assert_eq!(
                    features(&one, hints, *mv),
                    features(&other, hints, mirrored)
                );
            }
        }
    }

    #[test]
    fn a_score_is_the_sum_of_its_items() {
        let position = position("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
        let capture = position.parse_move("e4d5").expect("a move");
        let items = itemise(&position, Hints::default(), capture);
        assert!(
            items
                .iter()
                .any(|item| item.name == "capture that keeps material")
        );
        let mut found = Vec::new();
        priors(&position, Hints::default(), &mut found);
        assert_eq!(found[0].0, capture);
    }
}
