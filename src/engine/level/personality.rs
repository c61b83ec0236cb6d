//! Personalities: small text files that change the weights of a level or of full strength.
//!
//! The first line is [`MAGIC`]; then come lines `name TEXT`, `about TEXT`, `times KEY FACTOR`, `plus KEY AMOUNT`,
//! `contempt CENTIPAWNS`, `trade CENTIPAWNS` and `book MOVES`. A key is a [`Feature`] or a [`Group`]; those of concepts
//! change the evaluation at full strength, too. Lines that begin with `#` are comments.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::feature::{Feature, Group};
use super::weights::RatedWeights;
use crate::base::text::{read_text, shortened};
use crate::base::value::Value;
use crate::engine::Style;
use crate::eval::load::new_model;
use crate::eval::weights::WEIGHTS;
use crate::eval::{Index, Model, Weights};
use crate::explain::Concept;

/// The first line of a file.
pub const MAGIC: &str = "lucena personality 1";
/// The greatest factor.
const MAX_TIMES: f32 = 5.0;
/// The greatest amount that is added to a weight.
const MAX_PLUS: f32 = 10.0;
/// The greatest weight after all lines.
const MAX_WEIGHT: f32 = 1000.0;
/// The greatest contempt and value of exchanges in centipawns.
const MAX_CENTIPAWNS: f32 = 100.0;
/// The greatest size of a file in bytes.
const MAX_BYTES: u64 = 1 << 16;

/// The changes of a personality.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Personality {
    pub name: String,
    pub about: String,
    times: Vec<(Feature, f32)>,
    plus: Vec<(Feature, f32)>,
    pub style: Style,
    /// The last move of the book; `None`: as the options say.
    pub book_moves: Option<u16>,
}

/// What is wrong with a file.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PersonalityError {
    #[error("{0}: {1}")]
    Io(PathBuf, String),
    #[error("line 1: not a personality of this version (\"{MAGIC}\" expected)")]
    Version,
    #[error(
        "line {0}: expected name, about, times, plus, contempt, trade or book and a value, found `{1}`"
    )]
    Line(usize, String),
    #[error("line {0}: there is no feature or group `{1}`")]
    Feature(usize, String),
    #[error("line {0}: {1}: expected a number from {2} to {3}, found `{4}`")]
    Number(usize, &'static str, f32, f32, String),
    #[error("line {0}: {1}: expected a whole number, found `{2}`")]
    Fraction(usize, &'static str, String),
}

impl Personality {
    /// Reads a file.
    ///
    /// # Errors
    /// [`PersonalityError`] names the file, or the first line at fault.
    pub fn load(path: &Path) -> Result<Self, PersonalityError> {
        let refused = |error: io::Error| PersonalityError::Io(path.to_owned(), error.to_string());
        Self::parse(&read_text(path, MAX_BYTES).map_err(refused)?)
    }

    /// Reads a text.
    ///
    /// # Errors
    /// [`PersonalityError`] names the first line at fault.
    pub fn parse(text: &str) -> Result<Self, PersonalityError> {
        let mut lines = (1..).zip(text.lines().map(str::trim_end));
        if lines.next().is_none_or(|(_, line)| line != MAGIC) {
            return Err(PersonalityError::Version);
        }
        let mut found = Self::default();
        for (number, line) in lines {
            if !line.is_empty() && !line.starts_with('#') {
                found.read(number, line)?;
            }
        }
        Ok(found)
    }

    fn read(&mut self, number: usize, line: &str) -> Result<(), PersonalityError> {
        let unknown = || PersonalityError::Line(number, shortened(line, 40));
        let (key, rest) = line.split_once(' ').ok_or_else(unknown)?;
        let value = |name, text: &str, low: f32, high: f32| {
            let found = text.parse().ok();
            let found = found.filter(|found: &f32| (low..=high).contains(found));
            let shown = shortened(text, 20);
            found.ok_or(PersonalityError::Number(number, name, low, high, shown))
        };
        let whole = |name, low: f32, high: f32| {
            let found = value(name, rest, low, high)?;
            let fraction = || PersonalityError::Fraction(number, name, shortened(rest, 20));
            Some(found)
                .filter(|found| found.fract() == 0.0)
                .ok_or_else(fraction)
        };
        match key {
            "name" => rest.clone_into(&mut self.name),
            "about" => {
                let between = if self.about.is_empty() { "" } else { " " };
                self.about += between;
                self.about += rest;
            }
            "times" | "plus" => {
                let (name, amount) = rest.split_once(' ').ok_or_else(unknown)?;
                let group = Group::ALL.into_iter().find(|group| group.name() == name);
                let features: Vec<Feature> = match (group, Feature::from_key(name)) {
                    (Some(group), _) => Feature::of(group).collect(),
                    (None, Some(feature)) => vec![feature],
                    (None, None) => {
                        let name = shortened(name, 40);
                        return Err(PersonalityError::Feature(number, name));
                    }
                };
                if key == "times" {
                    let factor = value("times", amount, -MAX_TIMES, MAX_TIMES)?;
                    self.times
                        .extend(features.into_iter().map(|one| (one, factor)));
                } else {
                    let more = value("plus", amount, -MAX_PLUS, MAX_PLUS)?;
                    self.plus
                        .extend(features.into_iter().map(|one| (one, more)));
                }
            }
            "contempt" => {
                let contempt = whole("contempt", -MAX_CENTIPAWNS, MAX_CENTIPAWNS)?;
                self.style.contempt = Some(contempt as Value);
            }
            "trade" => {
                let trade = whole("trade", -MAX_CENTIPAWNS, MAX_CENTIPAWNS)?;
                self.style.trade = trade as Value;
            }
            "book" => self.book_moves = Some(whole("book", 0.0, 1000.0)? as u16),
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// Changes the weights of a level.
    pub(super) fn apply(&self, weights: &mut RatedWeights) {
        for (feature, factor) in &self.times {
            weights.features[*feature] *= factor;
        }
        for (feature, more) in &self.plus {
            weights.features[*feature] += more;
        }
        // Lines may name a feature many times.
        for value in &mut weights.features.0 {
            *value = value.clamp(-MAX_WEIGHT, MAX_WEIGHT);
        }
    }

    /// Whether it changes the evaluation at full strength.
    pub fn changes_evaluation(&self) -> bool {
        let judges = |(feature, _): &(Feature, f32)| feature.group() == Group::Judges;
        self.times.iter().any(judges)
    }

    /// A model with the factors of the concepts; `base` has the weights without them (`None`: the built-in ones).
    ///
    /// # Errors
    /// There is no memory for a thread.
    #[doc(hidden)]
    pub fn model(&self, base: Option<&Model>) -> io::Result<Arc<Model>> {
        new_model(|| self.evaluation(base.map_or(&WEIGHTS, Model::weights)))
    }

    /// The weights of the evaluation with the factors of the concepts. Factors below 0 count as 0.
    pub fn evaluation(&self, weights: &Weights) -> Weights {
        let mut factors = [1.0; Concept::ALL.len()];
        for (factor, concept) in factors.iter_mut().zip(Concept::ALL) {
            let own = self.times.iter();
            let own = own.filter(|(feature, _)| feature.key() == concept.key());
            let own = own.filter(|(feature, _)| feature.group() == Group::Judges);
            *factor = own.map(|(_, times)| times.max(0.0)).product();
        }
        let mut changed = weights.clone();
        for index in Index::all() {
            for (part, concept) in changed[index].0.iter_mut().zip(Concept::of_parts(index)) {
                *part = (f32::from(*part) * factors[concept as usize]).round() as i16;
            }
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(lines: &str) -> String {
        let parsed = Personality::parse(&format!("{MAGIC}\n{lines}\n"));
        parsed.map_or_else(|error| error.to_string(), |_| String::new())
    }

    #[test]
    fn errors_name_the_line_and_the_field() {
        assert!(fault("name A\nfoo 1").starts_with("line 3: expected name, "));
        assert_eq!(
            fault("times foo 2"),
            "line 2: there is no feature or group `foo`"
        );
        assert_eq!(
            fault("# text\ntimes check nan"),
            "line 3: times: expected a number from -5 to 5, found `nan`"
        );
        assert_eq!(
            fault("contempt 20.7"),
            "line 2: contempt: expected a whole number, found `20.7`"
        );
        assert!(fault("contempt 101").contains("contempt: expected"));
        assert!(fault("trade -101").contains("trade: expected"));
        assert_eq!(Personality::parse("x"), Err(PersonalityError::Version));
    }

    #[test]
    fn concepts_change_the_evaluation_and_nothing_else_does() {
        let weights = &WEIGHTS;
        let plain = Personality::parse(&format!("{MAGIC}\nplus check 1\n")).expect("good");
        assert!(!plain.changes_evaluation());
        assert_eq!(plain.evaluation(weights), *weights);
        let calm = Personality::parse(&format!("{MAGIC}\ntimes king_attack 0\n")).expect("good");
        assert!(calm.changes_evaluation());
        let expected = Concept::KingAttack.removed_from(weights);
        assert_eq!(calm.evaluation(weights), expected);
    }
}
