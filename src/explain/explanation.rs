//! An explanation: the claims about two moves, in order, with the numbers that they are parts of.

use std::fmt;

use serde::Serialize;

use super::account::Account;
use super::claim::Claim;
use super::concepts::Concept;
use super::counter::{empty_capture, regained};
use super::development;
use super::explainer::{ExplainError, Explainer, MoveComparison, Question};
use super::notation::{self, sans};
use super::perpetual;
use super::rank::{Ranked, rank};
use super::reasons;
use super::scale::Scale;
use super::story::Story;
use super::tactics;
use super::trial::large;
use super::verdict::{
    PLAYABLE, UNPROVED, UNSEEN, better_move, is_decided, ordered, refusal, verdict,
};
use super::winnings;
use crate::base::value::{Value, moves_to_mate};
use crate::chess::{Game, Position};
use crate::eval::{material_count, normalise, win_draw_loss};
use crate::search::report::ReportedScore;

/// Sentences of a text.
pub(super) const MAX_SENTENCES: usize = 5;

/// A score as it is shown, for the side to move: normalised centipawns, or `mate` and a number of moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ShownScore {
    Centipawns(Value),
    Mate(String),
}

impl ShownScore {
    pub fn of(position: &Position, score: Value) -> Self {
        moves_to_mate(score).map_or_else(
            || {
                let shown = ReportedScore::from(normalise(score, material_count(position)));
                Self::Centipawns(shown.centipawns())
            },
            |moves| Self::Mate(format!("mate {moves}")),
        )
    }
}

/// A line that was compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineView {
    #[serde(rename = "move")]
    pub mv: String,
    pub score: ShownScore,
    /// The moves to a quiet position, in SAN.
    pub moves: Vec<String>,
    /// How many of them the search of both moves found.
    pub searched: usize,
}

/// Why one move is better than another.
///
/// Scores are for the side to move, in centipawns as a GUI shows them; differences, surprises and claims speak for the
/// better move.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    pub fen: String,
    /// The better move, in SAN.
    pub best: String,
    /// The move asked about, in SAN.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its score.
    pub score: ShownScore,
    /// The chances to win, draw and lose with that score in self-play at 500 nodes a move, per mille.
    pub wdl: [u16; 3],
    /// The line of the better move, then that of the other.
    pub lines: Vec<LineView>,
    pub claims: Vec<Claim>,
    pub concepts: Vec<Ranked>,
    /// What the search saw beyond the ends of the lines, in shown pawns.
    pub remainder: f64,
    /// The identity in 1/384 centipawn of the search's own scale.
    #[doc(hidden)]
    pub account: Option<Account>,
    /// The depth in plies and the nodes of the searches.
    pub depth: i32,
    pub nodes: u64,
    #[serde(skip)]
    #[doc(hidden)]
    pub comparison: MoveComparison,
}

impl Explainer {
    /// Explains a move, or the best one.
    ///
    /// # Errors
    /// [`ExplainError`] if there is nothing to explain.
    ///
    /// ```
    /// use lucena::chess::{Game, Position};
    /// use lucena::explain::{Explainer, Question};
    ///
    /// let position = Position::from_fen("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1")?;
    /// let mut explainer = Explainer::new(10_000)?;
    /// let explanation = explainer.explain(&Game::new(position), Question::default())?;
    /// assert_eq!(explanation.best, "Rd8#");
    /// assert_eq!(explanation.claims[0].kind, "back_rank_mate");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(
        &mut self,
        game: &Game,
        question: Question,
    ) -> Result<Explanation, ExplainError> {
        let comparison = self.compare(game, question)?;
        Ok(self.explanation(comparison))
    }

    /// The claims about a comparison.
    #[doc(hidden)]
    pub fn explanation(&mut self, comparison: MoveComparison) -> Explanation {
        let root = *comparison.root();
        let scale = Scale::of(&root);
        let concepts = match (&comparison.account, &comparison.worse) {
            (Some(account), Some(worse)) => rank(&comparison.better, worse, account, scale),
            _ => Vec::new(),
        };
        let mut claims =
            if let (Some(account), Some(worse)) = (&comparison.account, &comparison.worse) {
                let mut stories = vec![
                    Story::of(&comparison, &comparison.better, true),
                    Story::of(&comparison, worse, false),
                ];
                if !comparison.asked_is_better() {
                    stories.reverse();
                }
                let whole = scale.pawns(account.difference.0);
                self.compared(&comparison, &stories, &concepts, account, whole, scale)
            } else {
                let story = Story::of(&comparison, &comparison.better, true);
                let mate = tactics::mate(&root, &story);
                std::iter::once(tactics::only_move(&comparison))
                    .chain(mate)
                    .collect()
            };
        for (claim, id) in claims.iter_mut().zip(1..) {
            claim.id = id;
        }
        let asked = comparison.asked_line();
        let line = |line: &super::account::LineAccount| LineView {
            mv: root.san(line.first()).to_string(),
            score: ShownScore::of(&root, line.score),
            moves: sans(&root, &line.moves),
            searched: line.searched,
        };
        let remainder =
            (comparison.account.as_ref()).map_or(0.0, |account| scale.pawns(account.remainder.0));
        Explanation {
            fen: root.to_fen(),
            best: root.san(comparison.better.first()).to_string(),
            mv: root.san(comparison.asked).to_string(),
            score: ShownScore::of(&root, asked.score),
            wdl: win_draw_loss(asked.score, material_count(&root)),
            lines: std::iter::once(&comparison.better)
                .chain(&comparison.worse)
                .map(line)
                .collect(),
            claims,
            concepts,
            remainder,
            account: comparison.account.clone(),
            depth: comparison.depth,
            nodes: self.spent(),
            comparison,
        }
    }

    /// The capture that was asked about, if it wins nothing; or the one that seems to answer the move that wins material, or the
    /// better move, and why it does not.
    fn counters(
        &mut self,
        comparison: &MoveComparison,
        stories: &[Story],
        claims: &[Claim],
    ) -> Option<Claim> {
        let [better, worse] = ordered(stories);
        let material = claims.iter().find(|claim| claim.kind == "material");
        if let Some(claim) = material {
            let best = comparison.root().san(better.line.first()).to_string();
            let is_of_better = claim.line.first() == Some(&best);
            let story = if is_of_better { better } else { worse };
            let found = self.counter(comparison, story, claim.ply, false);
            if found.is_some() || is_of_better && claim.ply == 0 {
                return found;
            }
            if !is_of_better {
                let found = self.counter_of_reply(comparison, worse);
                return found.or_else(|| self.counter(comparison, better, 0, true));
            }
        } else if let Some(claim) = empty_capture(comparison, worse).filter(|_| claims.is_empty()) {
            return Some(claim);
        }
        // What the line gives up and wins back is no gain, but a claim of material names such a line already.
        let is_new = material.is_none();
        self.counter_of(comparison, better)
            .or_else(|| is_new.then(|| regained(comparison, better))?)
            .or_else(|| self.counter_of_reply(comparison, worse))
    }

    /// Both moves are playable: what each threatens, or else what speaks for it, and a capture that fails after the move asked
    /// about.
    fn either(
        &mut self,
        comparison: &MoveComparison,
        verdict: Claim,
        stories: &[Story],
    ) -> Vec<Claim> {
        let threats = self.threats_of(&comparison.game, stories);
        let points = reasons::points(self.model(), stories);
        let mut claims = vec![verdict];
        for (index, story) in stories.iter().enumerate() {
            let of = |found: &[(usize, Claim)]| {
                let found = found.iter().find(|found| found.0 == index);
                found.map(|(_, claim)| claim.clone())
            };
            let other = stories.get(1 - index);
            let found = perpetual::claim(story)
                .or_else(|| development::promotion(story, other?))
                .or_else(|| of(&threats))
                .or_else(|| of(&points));
            let found = found.or_else(|| development::claim(story, other?));
            let exchange = || development::exchange(&comparison.game, story, other?);
            claims.extend(found.or_else(exchange));
        }
        let found = empty_capture(comparison, &stories[0]);
        let found = found.or_else(|| self.counter_of(comparison, &stories[0]));
        claims.extend(found.or_else(|| regained(comparison, &stories[0])));
        claims
    }

    /// What the better move threatens or does, if no reason is proved for it.
    fn point_of_better(&mut self, game: &Game, stories: &[Story], is_alone: bool) -> Option<Claim> {
        let better = stories.iter().position(|story| story.is_better)?;
        let threats = self.threats_of(game, stories);
        let points = reasons::points(self.model(), stories);
        let points = points.into_iter().filter(|_| is_alone);
        let mut found = threats.into_iter().chain(points);
        let found = found.find(|found| found.0 == better);
        let found = found.map(|(_, claim)| claim);
        found.or_else(|| {
            let other = stories.get(1 - better).filter(|_| is_alone)?;
            let better = &stories[better];
            development::claim(better, other).or_else(|| development::exchange(game, better, other))
        })
    }

    fn refusal(
        &mut self,
        comparison: &MoveComparison,
        stories: &[Story],
        whole: f64,
        why: &str,
    ) -> Vec<Claim> {
        let mut claims = refusal(comparison, stories, whole, why);
        if claims[0].kind == "both_playable" {
            let mut claims = self.either(comparison, claims.remove(0), stories);
            claims.splice(1..1, self.won_by_best(comparison, stories));
            return claims;
        }
        claims
    }

    /// What the best move wins by force, if no move was asked about.
    fn won_by_best(&mut self, comparison: &MoveComparison, stories: &[Story]) -> Option<Claim> {
        let claim = winnings::of_best(comparison, stories)?;
        (!self.is_unforced(comparison, stories, &claim)).then_some(claim)
    }

    fn compared(
        &mut self,
        comparison: &MoveComparison,
        stories: &[Story],
        concepts: &[Ranked],
        account: &Account,
        whole: f64,
        scale: Scale,
    ) -> Vec<Claim> {
        let mut claims = tactics::claims(comparison, stories, whole);
        claims.retain(|claim| !self.is_unforced(comparison, stories, claim));
        let has = |claims: &[Claim], kinds: &[&str]| {
            let mut said = claims.iter().map(|claim| claim.kind.as_str());
            said.any(|kind| kinds.contains(&kind))
        };
        let root = comparison.root();
        if has(&claims, &["tablebase"]) || claims.iter().any(tactics::is_mate) {
            let why = self.pawn_ending(root, stories);
            let differ = tactics::results_differ(stories);
            let why = why.or_else(|| differ.then(|| self.zugzwang(root, stories)).flatten());
            claims.splice(1..1, why);
            let best = root.san(comparison.better.first()).to_string();
            let names_best =
                (claims.first()).is_some_and(|claim| claim.line.first() == Some(&best));
            let verdict = better_move(comparison, stories);
            if comparison.is_given {
                claims.extend(verdict);
            } else if !names_best {
                claims.splice(..0, verdict);
            }
            return claims;
        }
        let verdict = verdict(comparison, stories, whole);
        if whole < PLAYABLE {
            return self.either(comparison, verdict, stories);
        }
        // Both moves win, or both lose: that comes first, and no evaluation is a reason.
        let is_decided = verdict.kind == "both_playable" || is_decided(stories);
        // The trials take what is left of the nodes.
        let proved = if account.carries_reasons() && !is_decided {
            self.proved(comparison, concepts, whole)
        } else {
            Vec::new()
        };
        let counter = self.counters(comparison, stories, &claims);
        if verdict.kind != "both_playable" {
            claims.extend(self.searched_zugzwang(root, stories, &claims, whole));
        }
        if is_decided {
            if claims.is_empty() {
                claims.extend(self.won_by_best(comparison, stories));
            }
            claims.insert(0, verdict);
            claims.extend(counter);
            return claims;
        }
        let has_facts = !claims.is_empty();
        let best = root.san(comparison.better.first()).to_string();
        let names_best = claims.first().is_some_and(|claim| {
            matches!(claim.kind.as_str(), "draw" | "material") && claim.line.first() == Some(&best)
        });
        if comparison.is_given || !names_best {
            claims.insert(0, verdict);
        }
        if has_facts {
            claims.extend(counter.clone());
        }
        if account.carries_reasons() {
            let (model, has_trials) = (self.model(), self.has_trials());
            // Material is named by the pieces.
            let is_named = has(&claims, &["material"]);
            let is_new = |ranked: &&Ranked| !(is_named && ranked.concept == Concept::Material);
            let proved: Vec<Ranked> = proved.iter().filter(is_new).copied().collect();
            let others: Vec<Ranked> = concepts.iter().filter(is_new).copied().collect();
            let candidates = (&proved[..], &others[..], has_trials);
            let (reasons, cost) = reasons::claims(model, comparison, stories, candidates, scale);
            if reasons.is_empty() && !has_facts {
                // What a move costs does not say why it is better.
                let mut claims = self.refusal(comparison, stories, whole, UNPROVED);
                let large = large(&others, whole);
                let greatest = (large.iter())
                    .max_by(|one, other| one.difference.total_cmp(&other.difference))
                    .filter(|_| claims[0].kind == "refusal");
                let found = greatest.and_then(|greatest| {
                    reasons::difference(self.model(), ordered(stories), greatest, whole)
                });
                if claims[0].kind == "refusal" {
                    let point = self.point_of_better(&comparison.game, stories, found.is_none());
                    let fork = tactics::fork_of_reply(comparison, stories);
                    let first = fork.into_iter().chain(counter);
                    claims.splice(1..1, first.chain(point).chain(found));
                }
                return claims;
            }
            claims.extend(reasons);
            if !has_facts {
                claims.extend(counter);
                claims.extend(self.point_of_better(&comparison.game, stories, false));
            }
            let room = MAX_SENTENCES - usize::from(cost.is_some());
            claims.truncate(room);
            claims.extend(cost);
        } else if !has_facts {
            let mut claims = self.refusal(comparison, stories, whole, UNSEEN);
            if claims[0].kind == "refusal" {
                let point = self.point_of_better(&comparison.game, stories, true);
                let fork = tactics::fork_of_reply(comparison, stories);
                claims.splice(1..1, fork.into_iter().chain(counter).chain(point));
            }
            return claims;
        }
        claims
    }
}

/// The sentences, at most five, a line each.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let claims = self.claims.iter().take(MAX_SENTENCES);
        let texts: Vec<&str> = claims.map(|claim| claim.text.as_str()).collect();
        f.write_str(&texts.join("\n"))
    }
}

impl Explanation {
    /// The first sentence.
    pub fn short(&self) -> &str {
        self.claims.first().map_or("", |claim| &claim.text)
    }

    /// What can be said if a longer search prefers the move asked about, and this one the other: that they differ by little.
    /// `None` if they do not.
    #[doc(hidden)]
    pub fn either_is_playable(&self) -> Option<String> {
        let claim = self.claims.first()?;
        let (text, whole) = (&claim.text, claim.numbers.get("whole"));
        if claim.kind != "both_playable" {
            return None;
        }
        Some(match (text.rsplit_once(": "), whole) {
            (Some((_, playable)), Some(&whole)) => {
                let other = self.comparison.better.first();
                let other = notation::numbered(self.comparison.root(), other);
                let one = self.numbered_move();
                let amount = notation::pawns(whole);
                format!("{one} and {other} differ by {amount}: {playable}")
            }
            _ => text.clone(),
        })
    }

    /// The move asked about with its number: `14.Rd1`.
    pub fn numbered_move(&self) -> String {
        notation::numbered(self.comparison.root(), self.comparison.asked)
    }
}
