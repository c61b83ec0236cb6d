//! Trials: is a concept a reason? Both moves are searched again without it, several times.
//!
//! The lead of a single search is noisy: in positions of the Strategic Test Suite it moves by about 20 centipawns when all
//! weights are scaled by one percent. So leads are means of several iterations, and searches are repeated with slightly
//! scaled weights: a concept is a reason only if every search without it leaves less than every search with it.

use super::concepts::Concept;
use super::explainer::{Explainer, MoveComparison, UNSCALED};
use super::rank::Ranked;
use crate::base::value::Value;
use crate::chess::{Game, Move};
use crate::search::root::RootMove;

/// A concept is a reason if it carries this share of the difference, and this many shown pawns.
const LEAST_SHARE: f64 = 0.5;
const LEAST_PAWNS: f64 = 0.3;
/// Reasons in an explanation, and concepts tried for them.
const MAX_REASONS: usize = 3;
const MAX_TRIALS: usize = 6;
/// The weights of the searches of a trial, in percent.
const SCALES: [i32; 3] = [UNSCALED, 98, 102];
/// Percent of the nodes of each search of a trial; with fewer nodes than this it proves nothing.
const SHARE_TRIAL: u64 = 3;
const LEAST_NODES: u64 = 1_200;
/// The lead is the mean of this many iterations.
const ITERATIONS: usize = 3;
/// The smallest lead of the better move, in centipawns, in every search with all concepts.
const LEAST_LEAD: f64 = 10.0;
/// The smallest gap, in centipawns, between the least of these leads and the greatest without a concept that is named.
const LEAST_GAP: f64 = 10.0;
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

    /// The mean lead in the last iterations of a search of both moves without some concepts, its weights scaled by
    /// `percent`; each lead limited to `most`. `None` if the search was stopped or too short.
    fn lead_without(
        &mut self,
        (game, pair): (&Game, [Move; 2]),
        (concepts, percent): (&[Concept], i32),
        nodes: u64,
        most: Value,
    ) -> Option<f64> {
        let iterations = self.iterations_without(game, pair, (concepts, percent), nodes);
        let leads = iterations.iter().filter_map(|lines| lead(lines, pair));
        let leads: Vec<Value> = leads.map(|lead| lead.clamp(-most, most)).collect();
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
        let leads = SCALES
            .map(|percent| self.lead_without((game, pair), (concepts, percent), part, Value::MAX));
        let sum: Option<f64> = leads.into_iter().sum();
        match sum {
            Some(sum) => Some((sum / SCALES.len() as f64).round() as Value),
            None => self.difference_without(game, pair, concepts, nodes),
        }
    }

    /// The concepts that are reasons: they carry a part of the difference, and without them the better move's lead
    /// shrinks in every search of both moves. The one that takes most of it comes first.
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
        let nodes = self.nodes() * SHARE_TRIAL / 100;
        if nodes < LEAST_NODES {
            return candidates.copied().take(MAX_REASONS).collect();
        }
        let of = (&comparison.game, [comparison.better.first(), worse.first()]);
        let mut least = f64::INFINITY;
        for percent in SCALES {
            let lead = self.lead_without(of, (&[], percent), nodes, MAX_LEAD);
            least = least.min(lead.unwrap_or(f64::NEG_INFINITY));
            if least < LEAST_LEAD {
                return Vec::new();
            }
        }
        let mut proved: Vec<(f64, Ranked)> = Vec::new();
        for ranked in candidates.take(MAX_TRIALS) {
            let mut gap = f64::INFINITY;
            for percent in SCALES {
                let left = self.lead_without(of, (&[ranked.concept], percent), nodes, MAX_LEAD);
                gap = gap.min(least - left.unwrap_or(f64::INFINITY));
                if gap < LEAST_GAP {
                    break;
                }
            }
            if gap >= LEAST_GAP {
                proved.push((gap, *ranked));
            }
        }
        proved.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let proved = proved.into_iter().take(MAX_REASONS);
        proved.map(|(_, ranked)| ranked).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn a_lead_is_the_mean_of_the_last_iterations() {
        assert_eq!(mean(&[90, 10, 20, 30]), Some(20.0));
        assert_eq!(mean(&[10, 20]), None, "too few iterations prove nothing");
    }

    /// A knight more is a lead because of material: without it less is left, whatever the scale.
    #[test]
    fn without_material_a_capture_leads_by_less_in_every_search() {
        let fen = "r1bqkb1r/pppp1ppp/2n5/4p3/4n3/3P1N2/PPP1BPPP/RNBQK2R w KQkq - 0 5";
        let position = Position::from_fen(fen).expect("a position");
        let pair = ["d3e4", "h2h3"].map(|text| position.parse_move(text).expect("a move"));
        let game = Game::new(position);
        let mut explainer = Explainer::small(10_000).expect("memory");
        let mut lead = |concepts: &[Concept], percent| {
            let lead = explainer.lead_without((&game, pair), (concepts, percent), 5_000, MAX_LEAD);
            lead.expect("a search")
        };
        let least = SCALES.map(|percent| lead(&[], percent));
        let most = SCALES.map(|percent| lead(&[Concept::Material], percent));
        for with_all in least {
            assert!(
                most.iter().all(|&left| with_all - left >= LEAST_GAP),
                "{least:?} {most:?}"
            );
        }
    }
}
