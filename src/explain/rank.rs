//! The order of concepts in an explanation.
//!
//! A plan is what a move changes at once, so concepts are ranked by the change that the move itself makes, and a little by
//! what its rival does not change. The sums at the ends of the lines decide only whether a concept is a reason, and its size.

use serde::Serialize;

use super::account::{Account, LineAccount};
use super::concepts::Concept;
use super::scale::Scale;

/// How much each concept differs at the ends of the lines of the best two moves, over positions of own games: root mean
/// squares in centipawns. Written by `cargo test --release --test explain -- --ignored spread`.
const SPREADS: &str = include_str!("spread.txt");
/// The weight of the difference between both moves at once, beside the change that the better one makes.
const WEIGHT_OF_RIVAL: f64 = 0.25;

/// A concept and its part of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ranked {
    #[serde(rename = "name")]
    pub concept: Concept,
    /// At the ends of the lines, for the better move, in shown pawns.
    pub difference: f64,
    /// The difference in units of its usual size.
    pub surprise: f64,
}

/// The usual size of a concept's difference, in centipawns.
fn spread(concept: Concept) -> f64 {
    let line = SPREADS
        .lines()
        .find_map(|line| line.strip_prefix(concept.key())?.strip_prefix(' '));
    line.and_then(|text| text.parse().ok())
        .unwrap_or(f64::INFINITY)
}

/// How much a centipawn of a concept counts for its rank: concepts that change with every move count less. Chosen by hand
/// for the themes of the Strategic Test Suite (docs/explain.md).
const fn weight(concept: Concept) -> f64 {
    match concept {
        Concept::KingActivity => 4.0,
        Concept::PassedPawns => 2.0,
        Concept::PawnStructure | Concept::KingAttack => 1.5,
        Concept::Space => 0.8,
        Concept::PieceActivity => 0.7,
        Concept::Threats => 0.5,
        _ => 1.0,
    }
}

/// All concepts, the one that explains a move most first; `account` is that of the better move.
pub fn rank(mv: &LineAccount, rival: &LineAccount, account: &Account, scale: Scale) -> Vec<Ranked> {
    let mut ranked: Vec<(f64, Ranked)> = Concept::ALL
        .into_iter()
        .map(|concept| {
            let share = account.get(concept);
            let change = |line: &LineAccount| f64::from(line.change(concept, 0));
            let own = change(mv);
            let key = weight(concept) * (own + WEIGHT_OF_RIVAL * (own - change(rival)));
            let ranked = Ranked {
                concept,
                difference: scale.pawns(share.0),
                surprise: (f64::from(share) / spread(concept) * 100.0).round() / 100.0,
            };
            (key, ranked)
        })
        .collect();
    ranked.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    ranked.into_iter().map(|(_, ranked)| ranked).collect()
}
