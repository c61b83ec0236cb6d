//! Why a mistake is one: sentences, and the concepts that the loss consists of.

use std::fmt::Write as _;

use super::verdict::{ReviewLimit, Verdict};
use crate::base::value::is_decisive;
use crate::chess::{Game, Move};
use crate::explain::{Concept, Explainer, Explanation, Question};
use crate::tablebase::Tablebases;

/// The nodes that explain a mistake: percent of the nodes of a position, and the least number.
const SHARE_NODES: u64 = 10;
const MIN_NODES: u64 = 1000;
/// Sentences after the first one.
const MAX_CLAIMS: usize = 2;
/// Kinds of claims that name the better move and give no reason.
const CLAIMS_WITHOUT_REASON: [&str; 6] = [
    "verdict",
    "both_playable",
    "point",
    "refusal",
    "line",
    "cost",
];

/// What a loss consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    Concept(Concept),
    /// One of the moves leads to mate.
    Mate,
    /// What the search saw beyond the ends of both lines.
    Beyond,
}

impl Cause {
    /// Every cause.
    pub fn all() -> impl Iterator<Item = Self> {
        let concepts = Concept::ALL.into_iter().map(Self::Concept);
        concepts.chain([Self::Mate, Self::Beyond])
    }

    /// The name in JSON.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Concept(concept) => concept.key(),
            Self::Mate => "mate",
            Self::Beyond => "beyond",
        }
    }

    /// The name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Concept(concept) => concept.title(),
            Self::Mate => "mate",
            Self::Beyond => "beyond the lines",
        }
    }
}

/// Why a move is a mistake.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reasons {
    /// What the loss consists of, in 1/384 centipawn at the ends of the two lines: only positive parts, the greatest first.
    /// A mate is one part of any size. Empty if the explanation finds no difference.
    pub shares: Vec<(Cause, i32)>,
    pub sentences: Vec<String>,
}

impl Reasons {
    /// Explains a mistake. There are sentences if the explanation, too, finds the best move better.
    pub fn find(
        game: &Game,
        played: Move,
        verdict: &Verdict,
        explainer: &mut Explainer,
        limit: ReviewLimit,
    ) -> Self {
        let effort = match limit {
            ReviewLimit::Nodes(nodes) => nodes,
            ReviewLimit::Depth(_) | ReviewLimit::MoveTime(_) => verdict.nodes,
        };
        explainer.set_nodes((effort * SHARE_NODES / 100).max(MIN_NODES));
        let best = verdict.best;
        let question = Question {
            mv: Some(played),
            against: Some(best),
            ..Question::default()
        };
        let mate = [verdict.best_score, verdict.played_score]
            .into_iter()
            .any(is_decisive);
        let beyond = |cause| Self {
            shares: vec![(cause, 1)],
            sentences: Vec::new(),
        };
        let cause = if mate { Cause::Mate } else { Cause::Beyond };
        // Only a search with tablebases has what they prove of both moves.
        let pieces = game.position().occupied().count() as u32;
        if pieces > Tablebases::embedded().max_pieces() {
            explainer.set_known(verdict.lines());
        }
        let Ok(explanation) = explainer.explain(game, question) else {
            return beyond(cause);
        };
        if explanation.comparison.better.moves.first() != Some(&best) {
            return beyond(cause);
        }
        let shares = if mate {
            vec![(cause, 1)]
        } else {
            shares(&explanation)
        };
        let gives_reason = |kind: &str| !CLAIMS_WITHOUT_REASON.contains(&kind);
        let claims = explanation
            .claims
            .into_iter()
            .filter(|claim| gives_reason(&claim.kind));
        Self {
            shares,
            sentences: claims.take(MAX_CLAIMS).map(|claim| claim.text).collect(),
        }
    }

    /// A line with the shares, then a line for each sentence.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (index, (cause, share)) in self.shares.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            let _ = write!(text, "{space}{} {share}", cause.key());
        }
        for sentence in &self.sentences {
            text.push('\n');
            text += sentence;
        }
        text
    }

    /// Reads such a text; `None` if it is damaged.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut lines = text.split('\n');
        let words: Vec<&str> = lines.next()?.split_whitespace().collect();
        let shares = words.chunks(2).map(|pair| {
            let [name, share] = pair else {
                return None;
            };
            let cause = Cause::all().find(|cause| cause.key() == *name)?;
            let share: i32 = share.parse().ok()?;
            (share > 0).then_some((cause, share))
        });
        Some(Self {
            shares: shares.collect::<Option<_>>()?,
            sentences: lines.map(str::to_owned).collect(),
        })
    }
}

/// The concepts in which the better line ends higher, and what lies beyond its end.
fn shares(explanation: &Explanation) -> Vec<(Cause, i32)> {
    let Some(account) = &explanation.account else {
        return vec![(Cause::Beyond, 1)];
    };
    let concepts = Concept::ALL.into_iter();
    let mut shares: Vec<(Cause, i32)> = concepts
        .map(|concept| (Cause::Concept(concept), account.get(concept).0))
        .chain([(Cause::Beyond, account.remainder.0)])
        .filter(|(_, share)| *share > 0)
        .collect();
    shares.sort_by_key(|&(cause, share)| (-share, cause));
    shares
}

#[cfg(test)]
mod tests {
    use super::super::verdict::Judge;
    use super::*;
    use crate::chess::Position;

    #[test]
    fn tablebases_prove_the_reasons_of_a_mistake() {
        let root = Position::from_fen("8/8/8/2K1p3/4Pk2/8/8/8 w - - 0 1").expect("a position");
        let (game, played) = (Game::new(root), root.find_move("Kd6").expect("a move"));
        let limit = ReviewLimit::Nodes(20_000);
        let mut judge = Judge::new(limit).expect("memory");
        let verdict = judge.verdict(&game, Some(played)).expect("a verdict");
        let mut explainer = Explainer::small(1).expect("memory");
        let reasons = Reasons::find(&game, played, &verdict, &mut explainer, limit);
        let proved = "1.Kd5 wins and 1.Kd6 loses: tablebases prove both.";
        let zugzwang = "After 1.Kd5 Black is in zugzwang: Black loses, but would win if it could pass; tablebases prove both.";
        assert_eq!(reasons.sentences, [proved, zugzwang]);
    }

    #[test]
    fn reasons_are_read_back() {
        let reasons = Reasons {
            shares: vec![(Cause::Concept(Concept::Material), 960), (Cause::Beyond, 7)],
            sentences: vec!["One.".into(), "Two.".into()],
        };
        assert_eq!(Reasons::from_text(&reasons.to_text()), Some(reasons));
        let none = Reasons::default();
        assert_eq!(Reasons::from_text(&none.to_text()), Some(none));
        for damaged in ["x", "material", "material x", "queen 3", "mate -1"] {
            assert_eq!(Reasons::from_text(damaged), None, "{damaged}");
        }
    }
}
