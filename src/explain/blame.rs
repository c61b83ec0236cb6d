//! What a choice rests on: concepts are taken out of the evaluation, and both moves are searched again. Every difference is
//! the mean of several searches, since the lead of a single one is noisy.

use std::fmt;

use serde::Serialize;

use super::claim::{Claim, Source};
use super::concepts::Concept;
use super::explainer::{ExplainError, Explainer, MoveComparison, Question};
use super::notation::{numbered, pawns};
use super::scale::Scale;
use super::verdict::{PLAYABLE, thousands};
use super::words::number;
use crate::base::value::{Value, is_decisive};
use crate::chess::Game;
use crate::eval::UNITS_PER_CENTIPAWN;

/// Concepts that are tried together.
const MAX_TOGETHER: usize = 3;
/// This many concepts are tried in pairs: those that alone change the difference most.
const TRIED_IN_PAIRS: usize = 5;
/// The searches without one set of concepts have this part of the nodes.
const PARTS: u64 = 8;

/// The difference of two moves without one concept.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Without {
    #[serde(rename = "name")]
    pub concept: Concept,
    /// The better move's score minus the other's, in shown pawns.
    pub difference: f64,
}

/// The smallest set of concepts without which the other move is chosen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Blame {
    pub fen: String,
    /// The move that is chosen, in SAN.
    pub best: String,
    /// The move that it is compared with.
    pub other: String,
    /// The difference of their scores with all concepts, in shown pawns: the mean of several searches. One longer search may
    /// see another.
    pub difference: f64,
    /// The nodes of these searches together; 0 if no concept was tried.
    pub nodes: u64,
    /// The concepts: one, or two or three of the five that matter most; empty if none of these sets decides.
    pub concepts: Vec<Concept>,
    /// What is left of the difference without them.
    pub without_them: Option<f64>,
    /// The difference without each concept alone, the smallest first.
    pub without: Vec<Without>,
    pub claims: Vec<Claim>,
}

impl Explainer {
    /// Finds the smallest set of concepts without which another move is chosen: the move of the question, or the second
    /// best.
    ///
    /// # Errors
    /// [`ExplainError`] if there is nothing to explain.
    pub fn blame(&mut self, game: &Game, question: Question) -> Result<Blame, ExplainError> {
        let comparison = self.compare(game, question)?;
        let nodes = (self.nodes() / PARTS).max(1);
        let scale = Scale::of(comparison.root());
        let Some(worse) = &comparison.worse else {
            let claim = super::tactics::only_move(&comparison);
            return Ok(Blame::without_concepts(&comparison, claim));
        };
        let pair = [comparison.better.first(), worse.first()];
        let root = comparison.root();
        let [best, other] = pair.map(|mv| numbered(root, mv));
        let shown = |difference: Value| scale.pawns(difference * UNITS_PER_CENTIPAWN);
        let whole = shown(comparison.better.score - worse.score);
        let lines = [&comparison.better, worse];
        if lines
            .iter()
            .any(|line| line.proven.is_some() || is_decisive(line.score))
        {
            let text = format!(
                "A mate or a tablebase decides between {best} and {other}, not a concept of the evaluation."
            );
            let claim = Claim::new("blame", Source::Search, text);
            return Ok(Blame::without_concepts(&comparison, claim));
        }
        if whole < PLAYABLE {
            let amount = pawns(whole);
            let text = format!("{best} and {other} differ by {amount}: both are playable.");
            let claim = Claim::new("both_playable", Source::Search, text);
            let claim = claim.with_number("whole", whole);
            return Ok(Blame {
                difference: whole,
                ..Blame::without_concepts(&comparison, claim)
            });
        }
        let mut try_without = |concepts: &[Concept]| {
            let difference = self.mean_lead_without(game, pair, concepts, nodes);
            difference.ok_or(ExplainError::Stopped)
        };
        let all = try_without(&[])?;
        let mut alone = Vec::new();
        for concept in Concept::ALL {
            alone.push((try_without(&[concept])?, concept));
        }
        alone.sort_unstable();
        let mut decisive =
            (shown(all) >= PLAYABLE && alone[0].0 <= 0).then(|| (alone[0].0, vec![alone[0].1]));
        if decisive.is_none() && shown(all) >= PLAYABLE {
            let likely: Vec<Concept> = alone.iter().map(|&(_, concept)| concept).collect();
            decisive = smallest_set(&likely[..TRIED_IN_PAIRS], &mut try_without)?;
        }
        let (without_them, concepts) = match decisive {
            Some((left, concepts)) => (Some(shown(left)), concepts),
            None => (None, Vec::new()),
        };
        let text = sentence([&best, &other], shown(all), &concepts, without_them);
        let mut claim = Claim::new("blame", Source::Search, text).with_number("whole", shown(all));
        claim.id = 1;
        if let Some(left) = without_them {
            claim = claim.with_number("left", left);
        }
        Ok(Blame {
            fen: root.to_fen(),
            best: root.san(pair[0]).to_string(),
            other: root.san(pair[1]).to_string(),
            difference: shown(all),
            nodes,
            concepts,
            without_them,
            without: alone
                .into_iter()
                .map(|(difference, concept)| Without {
                    concept,
                    difference: shown(difference),
                })
                .collect(),
            claims: vec![claim],
        })
    }
}

/// The first pair of concepts that decides, or else the first triple.
fn smallest_set(
    likely: &[Concept],
    try_without: &mut impl FnMut(&[Concept]) -> Result<Value, ExplainError>,
) -> Result<Option<(Value, Vec<Concept>)>, ExplainError> {
    let mut sets: Vec<Vec<Concept>> = likely.iter().map(|&concept| vec![concept]).collect();
    for _ in 1..MAX_TOGETHER {
        let mut larger = Vec::new();
        for set in &sets {
            let last = likely
                .iter()
                .position(|concept| set.last() == Some(concept));
            for &concept in likely.iter().skip(last.map_or(0, |last| last + 1)) {
                larger.push([set.as_slice(), &[concept]].concat());
            }
        }
        let mut found: Option<(Value, Vec<Concept>)> = None;
        for set in &larger {
            let left = try_without(set)?;
            if left <= 0 && found.as_ref().is_none_or(|(least, _)| left < *least) {
                found = Some((left, set.clone()));
            }
        }
        if found.is_some() {
            return Ok(found);
        }
        sets = larger;
    }
    Ok(None)
}

fn sentence(
    [best, other]: [&String; 2],
    difference: f64,
    concepts: &[Concept],
    left: Option<f64>,
) -> String {
    let titles: Vec<&str> = concepts.iter().map(|concept| concept.title()).collect();
    let names = titles.join(", ");
    match (left, concepts) {
        _ if difference <= 0.0 => format!(
            "Shorter searches prefer {other} to {best}, so no concept can be found: more nodes may help."
        ),
        _ if difference < PLAYABLE => format!(
            "Shorter searches put {best} only {} ahead of {other}, so no concept can be found: more nodes may help.",
            pawns(difference)
        ),
        (None, _) => format!(
            "{best} stays ahead of {other} without any one concept, and without any two or three of the five that matter most."
        ),
        (Some(left), [_]) => format!(
            "{best} rests most on {names}: without it {other} is {} ahead, with it {} behind.",
            pawns(left),
            pawns(difference)
        ),
        (Some(left), _) => format!(
            "{best} rests on {} concepts together ({names}): without them {other} is {} ahead, with them {} behind.",
            number(titles.len()),
            pawns(left),
            pawns(difference)
        ),
    }
}

impl Blame {
    /// For a choice that no concept decides.
    fn without_concepts(comparison: &MoveComparison, mut claim: Claim) -> Self {
        let root = comparison.root();
        let other = comparison.worse.as_ref();
        claim.id = 1;
        Self {
            fen: root.to_fen(),
            best: root.san(comparison.better.first()).to_string(),
            other: other.map_or(String::new(), |line| root.san(line.first()).to_string()),
            difference: 0.0,
            nodes: 0,
            concepts: Vec::new(),
            without_them: None,
            without: Vec::new(),
            claims: vec![claim],
        }
    }
}

impl fmt::Display for Blame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<&str> = self
            .claims
            .iter()
            .map(|claim| claim.text.as_str())
            .collect();
        f.write_str(&texts.join("\n"))?;
        // What changes a lead that the shorter searches do not see is noise.
        if self.difference < PLAYABLE || self.without.is_empty() {
            return Ok(());
        }
        let Self { best, other, .. } = self;
        let (lead, nodes) = (self.difference, thousands(self.nodes));
        write!(
            f,
            "\nAfter {nodes} positions {best} leads {other} by {lead:.2}; without one concept:"
        )?;
        for without in &self.without {
            let title = without.concept.title();
            write!(f, "\n{:+.2} without {title}", without.difference)?;
        }
        Ok(())
    }
}
