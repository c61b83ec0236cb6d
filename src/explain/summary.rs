//! Facts as text: the concepts, the facts that count most, the total.

use std::fmt;

use serde::Serialize;

use super::concepts::{Concept, ConceptSums};
use super::facts::{Fact, Facts};
use super::ledger::Share;
use super::topics::Topic;
use crate::base::text::plural;
use crate::base::value::Value;
use crate::chess::{Bitboard, Color, GameEnd, Piece, Position};
use crate::eval::weights::RARE_HITS;
use crate::eval::{UNITS_PER_CENTIPAWN, material_count, normalise};

/// The greatest number of lines shown.
const LINES_SHOWN: usize = 10;
/// Lines of less than this many centipawns are summed up.
pub(super) const MIN_CENTIPAWNS: i32 = 5;

/// What the numbers of an evaluation are, in a sentence.
pub const UNIT: &str = "Numbers are internal centipawns from White's view: removing a pawn changes the evaluation by 100 on \
    average. Scores that a search reports are normalised, so that +100 is an even chance to win.";

/// An evaluation as a summary.
#[derive(Clone, Debug)]
pub struct Summary {
    pub facts: Facts,
    /// How the game has ended; the evaluation then has no meaning.
    pub end: Option<GameEnd>,
}

/// The sentence about a game that has ended.
pub fn end_text(end: GameEnd, position: &Position) -> String {
    match (end, position.turn()) {
        (GameEnd::Checkmate, Color::White) => {
            "The game is over: checkmate. Black has won.".to_owned()
        }
        (GameEnd::Checkmate, Color::Black) => {
            "The game is over: checkmate. White has won.".to_owned()
        }
        (end, _) => format!("The game is over: {end}."),
    }
}

/// The total as a search would report it for this material: from white's view, normalised.
pub fn shown(total: Value, position: &Position) -> Value {
    normalise(total, material_count(position))
}

/// A position with a smaller score, in normalised centipawns, is level.
const LEVEL: Value = 30;

/// Which side is better, from a normalised score of White's.
fn verdict(shown: Value) -> &'static str {
    if shown.abs() < LEVEL {
        "The position is level."
    } else if shown > 0 {
        "White is better."
    } else {
        "Black is better."
    }
}

/// One line of a summary: a fact, or the facts of one topic about both kings or both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    pub concept: Concept,
    pub topic: Topic,
    pub text: String,
    pub squares: Vec<String>,
    /// What it adds from white's view.
    pub value: Share,
    /// The value in 1/384 centipawn.
    pub exact: i32,
    /// Whether a main feature was met too rarely in training to be sure.
    pub rarely_seen: bool,
    /// The places of its facts in [`Facts::facts`].
    pub facts: Vec<usize>,
}

impl Facts {
    /// The evaluation in lines, the greatest first. Facts that both kings or both sides always have are one line, and facts
    /// of the same kind that cancel out are left out. The lines add up to the concepts.
    pub fn lines(&self) -> Vec<Line> {
        let mut left: Vec<usize> = (0..self.facts.len()).collect();
        let mut lines = Vec::new();
        while let Some(&first) = left.first() {
            left.remove(0);
            let fact = &self.facts[first];
            let other = left
                .iter()
                .position(|&other| self.is_shown_with(fact, &self.facts[other]));
            let mut facts = vec![first];
            facts.extend(other.map(|place| left.remove(place)));
            facts.sort_by_key(|&place| self.facts[place].side == Color::Black);
            lines.extend(self.line(fact, facts));
        }
        lines.sort_by_key(|line: &Line| -line.exact.abs());
        lines
    }

    /// Whether a fact is shown in one line with a fact of the other side.
    fn is_shown_with(&self, fact: &Fact, other: &Fact) -> bool {
        if (fact.concept, fact.topic, !fact.side) != (other.concept, other.topic, other.side) {
            return false;
        }
        let role = |fact: &Fact| {
            fact.subject
                .and_then(|square| self.position.piece_on(square))
        };
        let role = |fact: &Fact| role(fact).map(Piece::role);
        let cancels = fact.exact == -other.exact && role(fact) == role(other);
        fact.topic.is_of_both_sides() || fact.topic != Topic::Material && cancels
    }

    fn line(&self, first: &Fact, places: Vec<usize>) -> Option<Line> {
        let facts = || places.iter().map(|&place| &self.facts[place]);
        let exact: i32 = facts().map(|fact| fact.exact).sum();
        let squares = facts().fold(Bitboard::EMPTY, |all, fact| all | fact.squares);
        let mut texts: Vec<&str> = facts().map(|fact| fact.text.as_str()).collect();
        // Of two sentences the sign of the sum alone does not say whom it favours.
        if texts.len() > 1 {
            texts.push(if exact > 0 {
                "Together this favours White."
            } else {
                "Together this favours Black."
            });
        }
        let rarely_seen = facts().any(|fact| fact.hits.is_some_and(|hits| hits < RARE_HITS));
        (exact != 0).then_some(Line {
            concept: first.concept,
            topic: first.topic,
            text: texts.join(" "),
            squares: squares
                .into_iter()
                .map(|square| square.to_string())
                .collect(),
            value: Share(exact),
            exact,
            rarely_seen,
            facts: places,
        })
    }
}

/// The lines worth showing, and the others.
pub(super) fn main_lines(lines: &[Line]) -> (&[Line], &[Line]) {
    let least = MIN_CENTIPAWNS * UNITS_PER_CENTIPAWN;
    let large = lines.partition_point(|line| line.exact.abs() >= least);
    lines.split_at(large.min(LINES_SHOWN))
}

/// A value with one decimal, in the width of a column.
pub(super) fn column(share: Share) -> String {
    let tenths = (i64::from(share.0).abs() * 20 + i64::from(UNITS_PER_CENTIPAWN))
        / (2 * i64::from(UNITS_PER_CENTIPAWN));
    let sign = match share.0.signum() * i32::from(tenths > 0) {
        1 => "+",
        -1 => "-",
        _ => "",
    };
    format!("{:>8}", format!("{sign}{}.{}", tenths / 10, tenths % 10))
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Facts { position, sums, .. } = &self.facts;
        if let Some(end) = self.end {
            writeln!(f, "{}", end_text(end, position))?;
            writeln!(
                f,
                "The numbers below are what the evaluation would be if it went on.\n"
            )?;
        }
        if let Some(draw) = &self.facts.known_draw {
            writeln!(f, "A known draw: {draw}.\n")?;
        }
        // Of a finished game a search reports its result.
        if self.end.is_none() && self.facts.known_draw.is_none() {
            let shown = shown(sums.total, position);
            writeln!(
                f,
                "{} As a search score this is {shown:+}.\n",
                verdict(shown)
            )?;
        }
        writeln!(f, "{UNIT}\n")?;
        table(f, sums)?;
        let lines = self.facts.lines();
        let (main, others) = main_lines(&lines);
        if !main.is_empty() {
            writeln!(f, "\nWhat counts most")?;
        }
        for line in main {
            let rare = if line.rarely_seen {
                " (rarely seen)"
            } else {
                ""
            };
            writeln!(f, "{}  {}{rare}", column(line.value), line.text)?;
        }
        if !others.is_empty() {
            let rest = Share(others.iter().map(|line| line.exact).sum());
            let things = plural(others.len(), "smaller thing");
            writeln!(f, "{}  {things}", column(rest))?;
        }
        let total = sums.total;
        writeln!(f)?;
        writeln!(f, "total {total} (white's view, internal centipawns)")
    }
}

/// The concepts as a table.
fn table(f: &mut fmt::Formatter<'_>, sums: &ConceptSums) -> fmt::Result {
    writeln!(
        f,
        "{:<28}{:>8}{:>8}{:>8}",
        "concept", "White", "Black", "net"
    )?;
    let empty = Share(0);
    for line in &sums.lines {
        let is_empty = [line.white, line.black] == [empty; 2];
        if !is_empty || line.concept == Concept::Material {
            let (white, black) = (column(line.white), column(line.black));
            writeln!(
                f,
                "{:<28}{white}{black}{}",
                line.concept.title(),
                column(line.net)
            )?;
        }
    }
    writeln!(
        f,
        "{:<44}{}",
        "rounding to whole centipawns",
        column(sums.rounding)
    )
}
