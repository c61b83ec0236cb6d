//! Trials: is a concept a reason? Both moves are searched again without it.
//!
//! The lead of a single iteration is noisy: in positions of the Strategic Test Suite it moves by about 40 centipawns when any
//! concept is taken out, whatever the concept adds at the ends of the lines. So leads are means of several iterations.

use super::concepts::Concept;
use super::explainer::{Explainer, MoveComparison};
use super::rank::Ranked;
use crate::base::value::Value;
use crate::chess::{Game, Move};
use crate::search::root::RootMove;

/// A concept is a reason if it carries this share of the difference, and this many shown pawns.
const LEAST_SHARE: f64 = 0.1;
const LEAST_PAWNS: f64 = 0.05;
/// Reasons in an explanation, and concepts tried for them.
const MAX_REASONS: usize = 3;
const MAX_TRIALS: usize = 4;
/// Percent of the nodes of each trial; with fewer nodes than this it proves nothing.
const SHARE_TRIAL: u64 = 5;
const LEAST_NODES: u64 = 2_000;
/// The lead is the mean of so many iterations.
const ITERATIONS: usize = 4;
/// The better move must lead by so many centipawns in a trial with all concepts.
const LEAST_LEAD: Value = 10;
/// Of that lead, at most this share may be left without a concept that is named.
const MOST_LEFT: f64 = 0.4;
/// Greater leads count as this, in centipawns.
const MAX_LEAD: Value = 200;

impl Explainer {
    /// Searches two moves with some concepts taken out of the evaluation: the score of the first minus that of the second, in
    /// centipawns. `None` if the search was stopped.
    #[doc(hidden)]
    pub fn difference_without(
        &mut self,
        game: &Game,
        pair: [Move; 2],
        concepts: &[Concept],
        nodes: u64,
    ) -> Option<Value> {
        lead(&self.search_without(game, pair, concepts, nodes), pair)
    }

    /// The same after each iteration of the search.
    fn leads_without(
        &mut self,
        comparison: &MoveComparison,
        pair: [Move; 2],
        concepts: &[Concept],
    ) -> Vec<Value> {
        let nodes = self.nodes() * SHARE_TRIAL / 100;
        let iterations = self.iterations_without(&comparison.game, pair, concepts, nodes);
        let leads = iterations.iter().filter_map(|lines| lead(lines, pair));
        leads.map(|lead| lead.clamp(-MAX_LEAD, MAX_LEAD)).collect()
    }

    /// The concepts that are reasons: they carry a part of the difference, and without them the better move's lead
    /// shrinks in a search of both moves.
    pub(super) fn proved(
        &mut self,
        comparison: &MoveComparison,
        concepts: &[Ranked],
        whole: f64,
    ) -> Vec<Ranked> {
        let candidates = concepts.iter().filter(|ranked| {
            ranked.difference >= LEAST_PAWNS && ranked.difference >= LEAST_SHARE * whole
        });
        let Some(worse) = &comparison.worse else {
            return Vec::new();
        };
        if self.nodes() * SHARE_TRIAL / 100 < LEAST_NODES {
            return candidates.copied().take(MAX_REASONS).collect();
        }
        let pair = [comparison.better.first(), worse.first()];
        let with_all = self.leads_without(comparison, pair, &[]);
        let mut proved = Vec::new();
        if mean(&with_all).is_none_or(|lead| lead < f64::from(LEAST_LEAD)) {
            return proved;
        }
        for ranked in candidates.take(MAX_TRIALS) {
            if proved.len() == MAX_REASONS {
                break;
            }
            let without = self.leads_without(comparison, pair, &[ranked.concept]);
            if shrinks(&with_all, &without) {
                proved.push(*ranked);
            }
        }
        proved
    }
}

/// The score of the first move minus that of the second.
fn lead(lines: &[RootMove], pair: [Move; 2]) -> Option<Value> {
    let score = |mv| {
        lines
            .iter()
            .find(|line| line.mv == mv)
            .map(|line| line.score)
    };
    Some(score(pair[0])? - score(pair[1])?)
}

/// The mean of the last leads; `None` if there are too few.
fn mean(leads: &[Value]) -> Option<f64> {
    let last = &leads[leads.len().checked_sub(ITERATIONS)?..];
    Some(last.iter().copied().map(f64::from).sum::<f64>() / ITERATIONS as f64)
}

/// Whether the lead shrinks enough, compared at the same depths.
fn shrinks(with_all: &[Value], without: &[Value]) -> bool {
    let depth = with_all.len().min(without.len());
    let (all, left) = (mean(&with_all[..depth]), mean(&without[..depth]));
    all.zip(left)
        .is_some_and(|(all, left)| all >= f64::from(LEAST_LEAD) && left <= MOST_LEFT * all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_shrinks_over_several_iterations_of_the_same_depths() {
        let all = [0, 40, 20, 30, 30];
        assert!(shrinks(&all, &[0, 0, 0, 10, 10]));
        assert!(
            !shrinks(&all, &[0, 30, 30, 30, 0]),
            "one iteration is not enough"
        );
        assert!(
            shrinks(&all, &[0, 0, 0, 10, 10, 300]),
            "only the same depths count"
        );
        assert!(
            !shrinks(&all, &[0, 0, 0]),
            "too few iterations prove nothing"
        );
        assert!(!shrinks(&[5; 4], &[-50; 4]), "a lead of 5 is none");
    }
}
