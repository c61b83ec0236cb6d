//! Trials: is a concept a reason? Both moves are searched again with and without it.
//!
//! The lead of a single search is noisy: in positions of the Strategic Test Suite it moves by about 20 centipawns when all
//! weights are scaled by one percent, and from one depth to the next as much. So a trial compares leads of equal depth, over
//! several depths; a concept is a reason only if the better move leads by clearly less without it.

use super::concepts::Concept;
use super::explainer::{Explainer, MoveComparison, UNSCALED};
use super::rank::Ranked;
use crate::base::value::Value;
use crate::chess::{Game, Move};
use crate::search::root::RootMove;

/// A concept is a reason if it carries this share of the difference, and this many shown pawns.
const LEAST_SHARE: f64 = 0.5;
const LEAST_PAWNS: f64 = 0.3;
/// Reasons in an explanation.
const MAX_REASONS: usize = 3;
/// Percent of the nodes of each search of a trial; with fewer nodes than this it proves nothing.
const SHARE_TRIAL: u64 = 10;
const LEAST_NODES: u64 = 4_000;
/// A trial compares this many iterations, the last that both searches have completed.
const COMPARED: usize = 4;
/// The smallest mean lead of the better move with all concepts, in centipawns.
const LEAST_LEAD: f64 = 10.0;
/// The least by which the mean lead shrinks without a concept that is named, in centipawns.
const LEAST_LOSS: f64 = 30.0;
/// Greater leads count as this, in centipawns.
const MAX_LEAD: Value = 200;
/// A lead for `blame` is the mean of searches with all weights scaled by this many percent, and in each the mean of so many
/// iterations.
const SCALES: [i32; 3] = [UNSCALED, 98, 102];
const ITERATIONS: usize = 3;

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

    /// The mean lead in the last iterations of a search of both moves without some concepts, its weights scaled by
    /// `percent`. `None` if the search was stopped or too short.
    fn lead_without(
        &mut self,
        (game, pair): (&Game, [Move; 2]),
        (concepts, percent): (&[Concept], i32),
        nodes: u64,
    ) -> Option<f64> {
        let iterations = self.iterations_without(game, pair, (concepts, percent), nodes);
        let leads = iterations.iter().filter_map(|lines| lead(lines, pair));
        let leads: Vec<Value> = leads.collect();
        mean(&leads)
    }

    /// The mean lead of the first move over all scales without some concepts, in centipawns; each search has a part of the
    /// nodes. With nodes for a few iterations only it is that of a single search. `None` if the search was stopped.
    pub(super) fn mean_lead_without(
        &mut self,
        game: &Game,
        pair: [Move; 2],
        concepts: &[Concept],
        nodes: u64,
    ) -> Option<Value> {
        let part = (nodes / SCALES.len() as u64).max(1);
        let leads =
            SCALES.map(|percent| self.lead_without((game, pair), (concepts, percent), part));
        let sum: Option<f64> = leads.into_iter().sum();
        match sum {
            Some(sum) => Some((sum / SCALES.len() as f64).round() as Value),
            None => self.difference_without(game, pair, concepts, nodes),
        }
    }

    /// The leads of the first move without some concepts, iteration by iteration, each limited to [`MAX_LEAD`].
    fn leads_without(
        &mut self,
        (game, pair): (&Game, [Move; 2]),
        concepts: &[Concept],
        nodes: u64,
    ) -> Vec<Value> {
        let iterations = self.iterations_without(game, pair, (concepts, UNSCALED), nodes);
        let leads = iterations.iter().map_while(|lines| lead(lines, pair));
        leads.map(|lead| lead.clamp(-MAX_LEAD, MAX_LEAD)).collect()
    }

    /// The concepts that are reasons: they carry a part of the difference, and without them the better move leads by less
    /// at equal depth. The one that takes most of the lead comes first. The trials take what is left of the nodes.
    pub(super) fn proved(
        &mut self,
        comparison: &MoveComparison,
        concepts: &[Ranked],
        whole: f64,
    ) -> Vec<Ranked> {
        let is_large = |ranked: &&Ranked| {
            ranked.difference >= LEAST_PAWNS && ranked.difference >= LEAST_SHARE * whole
        };
        let mut candidates: Vec<Ranked> = concepts.iter().filter(is_large).copied().collect();
        let Some(worse) = &comparison.worse else {
            return Vec::new();
        };
        let nodes = self.nodes() * SHARE_TRIAL / 100;
        if nodes < LEAST_NODES {
            candidates.truncate(MAX_REASONS);
            return candidates;
        }
        let affordable = self.nodes().saturating_sub(self.spent()) / nodes;
        candidates.sort_by(|one, other| other.difference.total_cmp(&one.difference));
        candidates.truncate(affordable.saturating_sub(1) as usize);
        if candidates.is_empty() {
            return Vec::new();
        }
        let of = (&comparison.game, [comparison.better.first(), worse.first()]);
        let with_all = self.leads_without(of, &[], nodes);
        let mut proved: Vec<(f64, Ranked)> = Vec::new();
        for ranked in candidates {
            let left = self.leads_without(of, &[ranked.concept], nodes);
            if let Some(loss) = loss(&with_all, &left).filter(|&loss| loss >= LEAST_LOSS) {
                proved.push((loss, ranked));
            }
        }
        proved.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let proved = proved.into_iter().take(MAX_REASONS);
        proved.map(|(_, ranked)| ranked).collect()
    }
}

/// By how much the mean lead shrinks from the first search to the second, over the last depths that both have completed.
/// `None` if these are too few, if the first search has no clear lead, or if at most depths the lead does not shrink.
fn loss(with_all: &[Value], left: &[Value]) -> Option<f64> {
    let common = with_all.len().min(left.len());
    let last = common.checked_sub(COMPARED)?..common;
    let (with_all, left) = (&with_all[last.clone()], &left[last]);
    let mean = |leads: &[Value]| f64::from(leads.iter().sum::<Value>()) / COMPARED as f64;
    let shrunk = with_all.iter().zip(left).filter(|(one, other)| one > other);
    let is_loss = mean(with_all) >= LEAST_LEAD && 2 * shrunk.count() >= COMPARED;
    is_loss.then(|| mean(with_all) - mean(left))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn a_lead_is_the_mean_of_the_last_iterations() {
        assert_eq!(mean(&[90, 10, 20, 30]), Some(20.0));
        assert_eq!(mean(&[10, 20]), None, "too few iterations prove nothing");
    }

    #[test]
    fn a_loss_compares_the_last_common_depths() {
        let with_all = [500, 60, 70, 60, 50, 900];
        assert_eq!(loss(&with_all, &[0, 20, 30, 20, 10]), Some(40.0));
        assert_eq!(loss(&with_all, &[20, 30, 20]), None, "too few depths");
        assert_eq!(loss(&[5; 4], &[-200; 4]), None, "there is no lead");
        let once = [60, 70, 60, -200];
        assert_eq!(loss(&with_all[1..5], &once), None, "at one depth only");
    }

    /// A knight more is a lead because of material: without it less is left.
    #[test]
    fn without_material_a_capture_leads_by_less() {
        let fen = "r1bqkb1r/pppp1ppp/2n5/4p3/4n3/3P1N2/PPP1BPPP/RNBQK2R w KQkq - 0 5";
        let position = Position::from_fen(fen).expect("a position");
        let pair = ["d3e4", "h2h3"].map(|text| position.parse_move(text).expect("a move"));
        let game = Game::new(position);
        let mut explainer = Explainer::small(10_000).expect("memory");
        let mut leads =
            |concepts: &[Concept]| explainer.leads_without((&game, pair), concepts, 5_000);
        let with_all = leads(&[]);
        let left = leads(&[Concept::Material]);
        let loss = loss(&with_all, &left).expect("a lead");
        assert!(loss >= LEAST_LOSS, "{with_all:?} {left:?}");
    }
}
