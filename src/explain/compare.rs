//! Two evaluations side by side: which facts of the same piece, king or side differ, exact to the unit.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::concepts::Concept;
use super::facts::{Fact, Facts};
use super::ledger::Share;
use super::summary::{MIN_CENTIPAWNS, UNIT, column};
use super::topics::Topic;
use super::words;
use crate::base::text::plural;
use crate::base::value::Value;
use crate::chess::{Bitboard, Color, Position, Role, Square};
use crate::eval::UNITS_PER_CENTIPAWN;

/// A fact that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    pub concept: Concept,
    pub topic: Topic,
    /// Both facts in one sentence.
    pub text: String,
    /// The squares of the piece, pawn or king in the first and in the second position.
    pub from: Option<String>,
    pub to: Option<String>,
    /// The second value minus the first, from white's view.
    pub difference: Share,
    /// The difference in 1/384 centipawn.
    pub exact: i32,
}

/// The net of a concept in both positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConceptChange {
    pub concept: Concept,
    pub title: &'static str,
    pub first: Share,
    pub second: Share,
    pub difference: Share,
    /// The difference in 1/384 centipawn.
    pub exact: i32,
}

/// What differs between the evaluations of two positions. The concepts and the rounding add up to the difference of the
/// totals, and so do the changes, the small ones and the rounding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    pub first: String,
    pub second: String,
    pub first_total: Value,
    pub second_total: Value,
    /// Those that differ, the greatest difference first.
    pub concepts: Vec<ConceptChange>,
    /// Differences of five centipawns and more, the greatest first.
    pub changes: Vec<Change>,
    /// How many smaller differences there are, and their sum.
    pub small: usize,
    pub small_sum: Share,
    pub small_exact: i32,
    pub rounding_exact: i32,
    /// The units of the `exact` fields in a centipawn.
    pub units_per_centipawn: i32,
    /// What a centipawn is, in a sentence.
    pub unit: &'static str,
}

impl Comparison {
    /// What the second position has more than the first, from white's view.
    pub fn of(first: &Facts, second: &Facts) -> Self {
        let pairs = pair_pieces(&first.position, &second.position);
        let mut facts: BTreeMap<_, [Vec<&Fact>; 2]> = BTreeMap::new();
        for (which, side) in [first, second].into_iter().enumerate() {
            for fact in &side.facts {
                let subject = fact
                    .subject
                    .map(|square| match (which, pairs.get(&square)) {
                        (1, _) => (false, square),
                        (_, Some(&to)) => (false, to),
                        (_, None) => (true, square),
                    });
                let is_black = fact.side == Color::Black && fact.topic != Topic::Material;
                let key = (fact.concept, fact.topic, is_black, subject);
                facts.entry(key).or_default()[which].push(fact);
            }
        }
        let (mut changes, mut small, mut small_exact) = (Vec::new(), 0, 0);
        for [before, after] in facts.into_values() {
            let sum = |facts: &[&Fact]| facts.iter().map(|fact| fact.exact).sum::<i32>();
            let exact = sum(&after) - sum(&before);
            if exact == 0 {
                continue;
            }
            if exact.abs() < MIN_CENTIPAWNS * UNITS_PER_CENTIPAWN {
                small += 1;
                small_exact += exact;
                continue;
            }
            changes.extend(change(&before, &after, first, second, exact));
        }
        changes.sort_by_key(|change: &Change| -change.exact.abs());
        let lines = first.sums.lines.iter().zip(&second.sums.lines);
        let mut concepts: Vec<ConceptChange> = lines
            .map(|(one, other)| {
                let exact = other.net.0 - one.net.0;
                ConceptChange {
                    concept: one.concept,
                    title: one.concept.title(),
                    first: one.net,
                    second: other.net,
                    difference: Share(exact),
                    exact,
                }
            })
            .filter(|change| change.exact != 0)
            .collect();
        concepts.sort_by_key(|change| -change.exact.abs());
        Self {
            first: first.position.to_fen(),
            second: second.position.to_fen(),
            first_total: first.sums.total,
            second_total: second.sums.total,
            concepts,
            changes,
            small,
            small_sum: Share(small_exact),
            small_exact,
            rounding_exact: second.sums.rounding.0 - first.sums.rounding.0,
            units_per_centipawn: UNITS_PER_CENTIPAWN,
            unit: UNIT,
        }
    }
}

/// The pieces of the first position and where they stand in the second: on the same square, or else on the nearest one that
/// a piece of the same kind has come to.
fn pair_pieces(first: &Position, second: &Position) -> BTreeMap<Square, Square> {
    let mut pairs = BTreeMap::new();
    for (color, role) in Color::ALL
        .into_iter()
        .flat_map(|c| Role::ALL.map(|role| (c, role)))
    {
        let (old, new) = (first.pieces(color, role), second.pieces(color, role));
        pairs.extend((old & new).into_iter().map(|square| (square, square)));
        let (mut gone, mut come) = (old & !new, new & !old);
        let distance = |one: Square, other: Square| one.distance(other);
        while let Some((from, to)) = gone
            .into_iter()
            .flat_map(|from| come.into_iter().map(move |to| (from, to)))
            .min_by_key(|&(from, to)| distance(from, to))
        {
            pairs.insert(from, to);
            gone &= !Bitboard::from_square(from);
            come &= !Bitboard::from_square(to);
        }
    }
    pairs
}

/// One line for the facts before and after.
fn change(
    before: &[&Fact],
    after: &[&Fact],
    first: &Facts,
    second: &Facts,
    exact: i32,
) -> Option<Change> {
    let some = before.first().or(after.first())?;
    let all = |facts: &[&Fact]| {
        let texts: Vec<&str> = facts
            .iter()
            .map(|fact| fact.text.trim_end_matches('.'))
            .collect();
        texts.join("; ")
    };
    let subject = |facts: &[&Fact]| facts.first().and_then(|fact| fact.subject);
    let (from, to) = (subject(before), subject(after));
    let text = match (before, after) {
        ([], after) => format!("{}.", all(after)),
        (before, []) => format!("No longer: {}.", all(before)),
        ([one], [other]) if !one.state.is_empty() && some.topic != Topic::Material => {
            let name = match (from, to) {
                (Some(from), Some(to)) if from != to => {
                    format!("{} → {to}", words::piece_on(&first.position, from))
                }
                (_, Some(to)) => words::piece_on(&second.position, to),
                _ => words::side(one.side).to_owned(),
            };
            let states = if one.state == other.state {
                format!("{} in both, with another value", other.state)
            } else {
                format!("{} → {}", one.state, other.state)
            };
            format!(
                "{}, {}: {states}.",
                words::capital(&name),
                some.topic.title()
            )
        }
        ([_], [_]) if some.topic == Topic::Placement && from != to => {
            let (from, to) = (from.zip(to))?;
            let piece = words::piece_on(&first.position, from);
            format!("{} → {to}.", words::capital(&piece))
        }
        (before, after) => {
            let (old, new) = (all(before), all(after));
            if old == new {
                format!("{new}: the same, with another value.")
            } else {
                format!("{new}; before: {old}.")
            }
        }
    };
    Some(Change {
        concept: some.concept,
        topic: some.topic,
        text,
        from: from.map(|square| square.to_string()),
        to: to.map(|square| square.to_string()),
        difference: Share(exact),
        exact,
    })
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{UNIT}\n")?;
        writeln!(f, "first   {}\nsecond  {}\n", self.first, self.second)?;
        writeln!(
            f,
            "{:<28}{:>8}{:>8}{:>11}",
            "concept", "first", "second", "difference"
        )?;
        for line in &self.concepts {
            let (first, second) = (column(line.first), column(line.second));
            writeln!(
                f,
                "{:<28}{first}{second}{:>11}",
                line.title,
                column(line.difference)
            )?;
        }
        if !self.changes.is_empty() {
            writeln!(f, "\nWhat differs")?;
        }
        for change in &self.changes {
            writeln!(f, "{}  {}", column(change.difference), change.text)?;
        }
        if self.small > 0 {
            writeln!(
                f,
                "{}  {}",
                column(self.small_sum),
                plural(self.small, "smaller difference")
            )?;
        }
        let difference = self.second_total - self.first_total;
        writeln!(
            f,
            "\ntotal {} → {} (white's view): {difference:+}",
            self.first_total, self.second_total
        )
    }
}
