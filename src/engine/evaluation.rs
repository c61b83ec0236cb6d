//! A static evaluation as data and as text: the ledger and its summary, as `lucena eval` prints them.

use std::fmt;
use std::sync::{Arc, LazyLock};

use serde::Serialize;

use crate::chess::Game;
use crate::eval::weights::{FILE, hits};
use crate::eval::{BUILT_IN, Model};
use crate::explain::{Comparison, ConceptSum, Fact, Facts, Ledger, Line, Summary};
use crate::explain::{UNIT, end_text, picture, shown};

/// An evaluation: the ledger, and its summary.
#[derive(Clone, Debug, Serialize)]
pub struct EvalAnswer {
    #[serde(flatten)]
    pub ledger: Ledger,
    /// How the game has ended, if it has.
    pub end: Option<String>,
    /// Why the value is 0 whatever is on the board, if it is.
    pub known_draw: Option<String>,
    pub unit: &'static str,
    /// The total as a search would report it.
    pub shown_total: i32,
    pub concepts: Vec<ConceptAnswer>,
    pub lines: Vec<Line>,
    pub facts: Vec<Fact>,
}

/// A concept with its sums.
#[derive(Clone, Debug, Serialize)]
pub struct ConceptAnswer {
    pub title: &'static str,
    #[serde(flatten)]
    pub sum: ConceptSum,
    /// The net value in 1/384 centipawn.
    pub exact: i32,
}

/// With the built-in weights.
pub(super) static BUILT_IN_EVALUATOR: LazyLock<Evaluator> = LazyLock::new(Evaluator::new);

/// The weights that positions are evaluated with.
pub struct Evaluator {
    model: Option<Arc<Model>>,
    /// By index, how often each feature occurred in training, if that is known.
    hits: Option<Vec<u64>>,
}

impl Evaluator {
    /// An evaluator with the built-in weights.
    pub fn new() -> Self {
        Self::with_model(None, FILE)
    }

    /// An evaluator with these weights (`None`: the built-in ones); `text` is the file that they are from.
    pub fn with_model(model: Option<Arc<Model>>, text: &str) -> Self {
        Self {
            model,
            hits: Some(hits(text)),
        }
    }

    /// An evaluator with weights that do not come from a file.
    pub(super) const fn without_hits(model: Arc<Model>) -> Self {
        Self {
            model: Some(model),
            hits: None,
        }
    }

    pub fn model(&self) -> &Model {
        self.model.as_deref().unwrap_or(&BUILT_IN)
    }

    pub fn facts(&self, game: &Game) -> Facts {
        let mut facts = Facts::by(self.model(), game.position());
        if let Some(hits) = &self.hits {
            facts.count_hits(hits);
        }
        facts
    }

    /// The evaluation of a game's position.
    pub fn evaluate(&self, game: &Game) -> EvalAnswer {
        let facts = self.facts(game);
        let mut ledger = Ledger::by(self.model(), &facts.position);
        if let Some(hits) = &self.hits {
            ledger.count_hits(hits);
        }
        let concepts = facts.sums.lines.iter().map(|&sum| ConceptAnswer {
            title: sum.concept.title(),
            sum,
            exact: sum.net.0,
        });
        EvalAnswer {
            ledger,
            end: game.end().map(|end| end_text(end, &facts.position)),
            known_draw: facts.known_draw.clone(),
            unit: UNIT,
            shown_total: shown(facts.sums.total, &facts.position),
            concepts: concepts.collect(),
            lines: facts.lines(),
            facts: facts.facts,
        }
    }

    /// The evaluation as text: how the game has ended, the concepts, what counts most. The last line is
    /// `total <centipawns> (white's view, internal centipawns)`.
    #[doc(hidden)]
    pub fn summary(&self, game: &Game) -> String {
        let (facts, end) = (self.facts(game), game.end());
        Summary { facts, end }.to_string()
    }

    /// The whole ledger, without the hits of its terms.
    #[doc(hidden)]
    pub fn ledger(&self, game: &Game) -> Ledger {
        Ledger::by(self.model(), game.position())
    }

    /// The evaluation as an SVG picture: the board with the squares that count most, and the concepts as bars.
    #[doc(hidden)]
    pub fn picture(&self, game: &Game) -> String {
        picture(&self.facts(game), game.end())
    }

    /// What differs between two positions.
    #[doc(hidden)]
    pub fn compare(&self, one: &Game, other: &Game) -> Comparison {
        Comparison::of(&self.facts(one), &self.facts(other))
    }
}

impl fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Evaluator").finish_non_exhaustive()
    }
}

impl Default for Evaluator {
    fn default() -> Self {
        Self::new()
    }
}
