//! Trials: is a concept a reason? Both moves are searched again with and without it.
//!
//! The lead of a single search is noisy: in positions of the Strategic Test Suite it moves by about 20 centipawns when all
//! weights are scaled by one percent, and from one depth to the next as much. So a trial compares leads of equal depth, over
//! several depths; a concept is a reason only if the better move leads by clearly less without it.

use std::io;
use std::sync::Arc;

use super::concepts::Concept;
use super::explainer::{Explainer, MoveComparison};
use super::rank::Ranked;
use crate::base::value::{MAX_DEPTH, Value};
use crate::chess::{Game, Move};
use crate::eval::{Model, Weights, load};
use crate::search::limits::Limits;
use crate::search::root::RootMove;

/// A concept is a reason if it carries this share of the difference, and this many shown pawns.
const MIN_SHARE: f64 = 0.3;
const MIN_PAWNS: f64 = 0.2;
/// Reasons in an explanation.
const MAX_REASONS: usize = 3;
/// Percent of the nodes of each search of a trial; with fewer nodes than this it proves nothing.
const SHARE_TRIAL: u64 = 8;
const MIN_NODES: u64 = 4_000;
/// Both moves are searched with all weights scaled by so many percent: two samples of the noise.
const TRIALS: [i32; 2] = [UNSCALED, 99];
/// A trial compares this many iterations of each scale, the last that both searches have completed.
const COMPARED: usize = 3;
/// The smallest mean lead of the better move with all concepts, in centipawns.
const MIN_LEAD: f64 = 10.0;
/// The least by which the mean lead shrinks without a concept that is named, in centipawns.
const MIN_LOSS: f64 = 30.0;
/// Without a concept that is named the lead shrinks in as many of all compared iterations.
const MIN_SHRUNK: f64 = 0.6;
/// Percent that leave the weights as they are.
const UNSCALED: i32 = 100;
/// Greater leads count as this, in centipawns.
const MAX_LEAD: Value = 200;
/// A lead for `blame` is the mean of searches with all weights scaled by this many percent, and in each the mean of so many
/// iterations.
const SCALES: [i32; 3] = [UNSCALED, 98, 102];
const ITERATIONS: usize = 3;

impl Explainer {
    /// Searches moves from scratch, with some concepts taken out of the evaluation.
    fn search_without(
        &mut self,
        game: &Game,
        moves: [Move; 2],
        concepts: &[Concept],
        nodes: u64,
    ) -> Vec<RootMove> {
        if !self.take_out(concepts, UNSCALED) {
            return Vec::new();
        }
        let mut limits = Limits::nodes(nodes);
        limits.search_moves = moves.to_vec();
        let lines = self.searcher.search_lines(game, limits, 2).to_vec();
        self.spent += self.searcher.nodes();
        self.put_back();
        lines
    }

    /// The same with all weights scaled by `percent`, one iteration after the other: the lines of each complete one.
    fn iterations_without(
        &mut self,
        game: &Game,
        moves: [Move; 2],
        (concepts, percent): (&[Concept], i32),
        nodes: u64,
    ) -> Vec<Vec<RootMove>> {
        let mut iterations = Vec::new();
        if !self.take_out(concepts, percent) {
            return iterations;
        }
        let mut rest = nodes;
        for depth in 1..=MAX_DEPTH {
            let mut limits = Limits::nodes(rest);
            limits.depth = Some(depth);
            limits.search_moves = moves.to_vec();
            let lines = self.searcher.search_lines(game, limits, 2).to_vec();
            self.spent += self.searcher.nodes();
            rest = rest.saturating_sub(self.searcher.nodes());
            let is_complete = lines.first().is_some_and(|line| line.depth == depth);
            if rest == 0 || !is_complete {
                break;
            }
            iterations.push(lines);
        }
        self.put_back();
        iterations
    }

    /// Clears the searcher and changes its weights; false if the memory for that is missing.
    fn take_out(&mut self, concepts: &[Concept], percent: i32) -> bool {
        if !concepts.is_empty() || percent != UNSCALED {
            let Ok(model) = without(self.model(), concepts, percent) else {
                return false;
            };
            self.searcher.set_model(Some(model));
        }
        self.searcher.new_game();
        true
    }

    /// Gives the searcher its weights again, and clears what it has stored with others.
    fn put_back(&mut self) {
        self.searcher.set_model(self.model.clone());
        self.searcher.new_game();
    }

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
    #[doc(hidden)]
    pub fn mean_lead_without(
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

    /// The leads of the first move without some concepts, the weights scaled by `percent`, iteration by iteration, each
    /// limited to [`MAX_LEAD`].
    fn leads_without(
        &mut self,
        (game, pair): (&Game, [Move; 2]),
        (concepts, percent): (&[Concept], i32),
        nodes: u64,
    ) -> Vec<Value> {
        let iterations = self.iterations_without(game, pair, (concepts, percent), nodes);
        let leads = iterations.iter().map_while(|lines| lead(lines, pair));
        leads.map(|lead| lead.clamp(-MAX_LEAD, MAX_LEAD)).collect()
    }

    /// Whether the nodes are enough for trials.
    pub(super) fn has_trials(&self) -> bool {
        self.nodes() * SHARE_TRIAL / 100 >= MIN_NODES
    }

    /// The concepts that are reasons: they carry a part of the difference, and without them the better move leads by less
    /// at equal depth. The one that takes most of the lead comes first. The trials take what is left of the nodes.
    pub(super) fn proved(
        &mut self,
        comparison: &MoveComparison,
        concepts: &[Ranked],
        whole: f64,
    ) -> Vec<Ranked> {
        let mut candidates = large(concepts, whole);
        let Some(worse) = &comparison.worse else {
            return Vec::new();
        };
        let nodes = self.nodes() * SHARE_TRIAL / 100;
        if !self.has_trials() {
            candidates.truncate(MAX_REASONS);
            return candidates;
        }
        candidates.sort_by(|one, other| other.difference.total_cmp(&one.difference));
        let is_affordable = |explainer: &Self, searches: usize| {
            explainer.spent() + searches as u64 * nodes <= explainer.nodes()
        };
        if candidates.is_empty() || !is_affordable(self, 2 * TRIALS.len()) {
            return Vec::new();
        }
        let of = (&comparison.game, [comparison.better.first(), worse.first()]);
        let with_all = TRIALS.map(|percent| self.leads_without(of, (&[], percent), nodes));
        if !with_all.iter().any(|leads| has_lead(leads)) {
            return Vec::new();
        }
        let mut proved: Vec<(f64, Ranked)> = Vec::new();
        for ranked in candidates {
            if !is_affordable(self, TRIALS.len()) {
                break;
            }
            let mut compared = Vec::new();
            for (with_all, percent) in with_all.iter().zip(TRIALS) {
                let left = self.leads_without(of, (&[ranked.concept], percent), nodes);
                compared.extend(last_common(with_all, &left).into_iter().flatten());
                // A first search with a greater lead leaves its nodes to another concept.
                if compared
                    .iter()
                    .map(|[one, other]| one - other)
                    .sum::<Value>()
                    <= 0
                {
                    break;
                }
            }
            let all = TRIALS.len() * COMPARED;
            if let Some(loss) = loss(&compared).filter(|_| compared.len() == all) {
                proved.push((loss, ranked));
            }
        }
        proved.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let proved = proved.into_iter().take(MAX_REASONS);
        proved.map(|(_, ranked)| ranked).collect()
    }
}

/// The concepts that carry a large part of the difference.
pub(super) fn large(concepts: &[Ranked], whole: f64) -> Vec<Ranked> {
    let is_large =
        |ranked: &&Ranked| ranked.difference >= MIN_PAWNS && ranked.difference >= MIN_SHARE * whole;
    concepts.iter().filter(is_large).copied().collect()
}

/// Whether the better move leads clearly at the last depths.
fn has_lead(leads: &[Value]) -> bool {
    let last = &leads[leads.len().saturating_sub(COMPARED)..];
    f64::from(last.iter().sum::<Value>()) >= MIN_LEAD * last.len() as f64
}

/// The leads of two searches at the last depths that both have completed; `None` if these are too few.
fn last_common(with_all: &[Value], left: &[Value]) -> Option<Vec<[Value; 2]>> {
    let common = with_all.len().min(left.len());
    let last = common.checked_sub(COMPARED)?..common;
    let pairs = with_all[last.clone()].iter().zip(&left[last]);
    Some(pairs.map(|(&one, &other)| [one, other]).collect())
}

/// By how much the mean lead shrinks from the first search to the second at equal depths. `None` if it does not shrink
/// clearly and almost everywhere, or if the first search has no clear lead.
fn loss(compared: &[[Value; 2]]) -> Option<f64> {
    let count = compared.len().max(1) as f64;
    let mean = |of: usize| f64::from(compared.iter().map(|pair| pair[of]).sum::<Value>()) / count;
    let shrunk = compared.iter().filter(|[one, other]| one > other).count() as f64;
    let is_clear = mean(0) >= MIN_LEAD && shrunk >= MIN_SHRUNK * count;
    let loss = mean(0) - mean(1);
    (is_clear && loss >= MIN_LOSS).then_some(loss)
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

/// A model without the weights of some concepts, the others scaled.
fn without(model: &Model, concepts: &[Concept], percent: i32) -> io::Result<Arc<Model>> {
    load::new_model(|| {
        let weights = Weights(model.weights().0.map(|pair| pair.scaled(percent)));
        let remove = |weights, concept: &Concept| concept.removed_from(&weights);
        concepts.iter().fold(weights, remove)
    })
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
        let with_all = [500, 60, 70, 60, 50];
        let compared = |left: &[Value]| last_common(&with_all, left);
        let pairs = vec![[60, 30], [70, 20], [60, 10]];
        assert_eq!(compared(&[0, 30, 20, 10]), Some(pairs.clone()));
        assert_eq!(compared(&[30, 20]), None, "too few depths");
        let mean = loss(&pairs).expect("a clear loss");
        assert!((mean - 130.0 / 3.0).abs() < 1e-9, "{mean}");
        assert_eq!(loss(&[[5, -200]; 3]), None, "there is no lead");
        let at_times = [[60, 90], [70, 90], [60, -200]];
        assert_eq!(loss(&at_times), None, "at one depth only");
        assert_eq!(loss(&[[60, 55]; 6]), None, "hardly any");
    }

    /// A knight more is a lead because of material: without it less is left.
    #[test]
    fn without_material_a_capture_leads_by_less() {
        let fen = "r1bqkb1r/pppp1ppp/2n5/4p3/4n3/3P1N2/PPP1BPPP/RNBQK2R w KQkq - 0 5";
        let position = Position::from_fen(fen).expect("a position");
        let pair = ["d3e4", "h2h3"].map(|text| position.parse_move(text).expect("a move"));
        let game = Game::new(position);
        let mut explainer = Explainer::small(10_000).expect("memory");
        let mut leads = |concepts: &[Concept]| {
            explainer.leads_without((&game, pair), (concepts, UNSCALED), 5_000)
        };
        let with_all = leads(&[]);
        let left = leads(&[Concept::Material]);
        let compared = last_common(&with_all, &left).expect("enough depths");
        assert!(loss(&compared).is_some(), "{with_all:?} {left:?}");
    }
}
