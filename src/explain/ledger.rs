//! The ledger of a position: what every family and every term adds to the static value.
//!
//! Every line is a whole number of 1/384 centipawn, so the lines add up exactly; the rounding is a line of its own.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

use serde::Serialize;

use crate::base::value::Value;
use crate::chess::{Bitboard, Color, Position};
use crate::eval::DetailedTrace;
use crate::eval::weights::RARE_HITS;
use crate::eval::{
    BUILT_IN, Family, Index, Model, PAWN_STEP, PHASE_MAXIMUM, QUARTERS_PER_CENTIPAWN,
    UNITS_PER_CENTIPAWN, Weight,
};

/// The standard error of a weight that was met once, in centipawns: that of a logistic regression at an even score, twice the
/// scale of the built-in weights. Hits in one game are alike, so the real error is greater.
const STANDARD_ERROR: f64 = 191.36;

/// A part of a value from white's view, in 1/384 centipawn. Displayed and serialised in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(into = "f64")]
pub struct Share(pub i32);

impl From<Share> for f64 {
    fn from(share: Share) -> Self {
        Self::from(share.0) / Self::from(UNITS_PER_CENTIPAWN)
    }
}

impl AddAssign for Share {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

/// Centipawns with a sign and two decimals.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = i64::from(UNITS_PER_CENTIPAWN);
        let percent = (i64::from(self.0).abs() * 200 + units) / (2 * units);
        let sign = match self.0.signum() * i32::from(percent > 0) {
            1 => "+",
            -1 => "-",
            _ => "",
        };
        f.pad(&format!("{sign}{}.{:02}", percent / 100, percent % 100))
    }
}

/// What one family adds to the value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FamilyLine {
    /// The family's key, as in weights files.
    pub family: &'static str,
    /// The family's name for people.
    pub title: &'static str,
    /// What white's features add.
    pub white: Share,
    /// What black's features add: negative where they are good for black.
    pub black: Share,
    pub sum: Share,
    /// The sum in 1/384 centipawn.
    pub exact: i32,
}

/// What one weight adds to the value, black's count subtracted from white's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Term {
    #[serde(skip)]
    #[doc(hidden)]
    pub index: Index,
    /// The family's key, as in weights files.
    pub family: &'static str,
    /// The feature in words.
    pub term: String,
    /// The squares where white has it.
    pub white: Vec<String>,
    /// The squares where black has it.
    pub black: Vec<String>,
    /// White's count minus black's.
    pub count: i32,
    /// The weight in the middlegame with as many pawns, in centipawns.
    pub middlegame: f64,
    /// The weight in the endgame with as many pawns, in centipawns.
    pub endgame: f64,
    pub sum: Share,
    /// The sum in 1/384 centipawn.
    pub exact: i32,
    /// How often the feature was met in training, if that is known ([`Ledger::count_hits`]).
    pub hits: Option<u64>,
    /// Whether it was met too rarely to be trained.
    pub rarely_seen: bool,
    /// The least standard error of the weight that its number of hits allows, in centipawns.
    pub standard_error: Option<f64>,
}

/// All parts of the static value of a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ledger {
    pub fen: String,
    /// From 0 (only kings and pawns) to `phase_maximum`: the share of the middlegame weights.
    pub phase: i32,
    /// The number of pawns of both sides: with more of them, some weights are greater and others smaller.
    pub pawns: i32,
    /// The phase of a full board.
    pub phase_maximum: i32,
    /// Units of the `exact` fields in a centipawn.
    pub units_per_centipawn: i32,
    /// One line for each family, in the order of [`Family::ALL`].
    pub families: Vec<FamilyLine>,
    /// Every term with a nonzero sum, the largest first.
    pub terms: Vec<Term>,
    /// What the rounding adds: towards zero, less than one centipawn.
    pub rounding: Share,
    /// The rounding in 1/384 centipawn.
    pub rounding_exact: i32,
    /// The static value in centipawns from white's view: the exact sum of the families and the rounding.
    pub total: Value,
}

/// The counts of one weight.
#[derive(Default)]
struct NetCount {
    count: i32,
    white: Bitboard,
    black: Bitboard,
}

impl Ledger {
    /// The ledger of a position with the built-in weights.
    pub fn of(position: &Position) -> Self {
        Self::by(&BUILT_IN, position)
    }

    /// Adds to each term how often it was met in training; `hits` are by index.
    #[doc(hidden)]
    pub fn count_hits(&mut self, hits: &[u64]) {
        for term in &mut self.terms {
            let hits = hits[term.index.get()];
            term.hits = Some(hits);
            term.rarely_seen = hits < RARE_HITS;
            term.standard_error = (hits > 0).then(|| STANDARD_ERROR / (hits as f64).sqrt());
        }
    }

    /// The ledger of a position with the weights of a model. That of a known draw is empty.
    pub fn by(model: &Model, position: &Position) -> Self {
        let accumulator = model.accumulator(position);
        let taper = accumulator.taper();
        let total = match position.turn() {
            Color::White => model.evaluate(position, &accumulator),
            Color::Black => -model.evaluate(position, &accumulator),
        };
        let share = |weight: Weight, count: i32| Share((weight.score() * count).tapered(taper));

        let mut families: Vec<FamilyLine> =
            Family::ALL.iter().map(|&f| FamilyLine::of(f)).collect();
        let mut counts: BTreeMap<Index, NetCount> = BTreeMap::new();
        let trace = if model.is_known_draw(position) {
            DetailedTrace::default()
        } else {
            DetailedTrace::of(position)
        };
        for term in trace.counts() {
            let line = &mut families[term.index.family() as usize];
            let net = counts.entry(term.index).or_default();
            let weight = model.weights()[term.index];
            match term.color {
                Color::White => {
                    line.white += share(weight, term.count);
                    net.count += term.count;
                    net.white |= term.squares;
                }
                Color::Black => {
                    line.black += share(weight, -term.count);
                    net.count -= term.count;
                    net.black |= term.squares;
                }
            }
        }
        for line in &mut families {
            line.exact = line.white.0 + line.black.0;
            line.sum = Share(line.exact);
        }

        let mut terms: Vec<Term> = counts
            .iter()
            .map(|(&index, net)| {
                let weight = model.weights()[index];
                Term::of(
                    index,
                    net,
                    taper.halves(weight.score()),
                    share(weight, net.count),
                )
            })
            .filter(|term| term.exact != 0)
            .collect();
        terms.sort_by_key(|term| -term.exact.abs());

        let exact: i32 = families.iter().map(|line| line.exact).sum();
        let rounding = Share(total * UNITS_PER_CENTIPAWN - exact);
        Self {
            fen: position.to_fen(),
            phase: taper.phase(),
            pawns: taper.pawns(),
            phase_maximum: PHASE_MAXIMUM,
            units_per_centipawn: UNITS_PER_CENTIPAWN,
            families,
            terms,
            rounding,
            rounding_exact: rounding.0,
            total,
        }
    }
}

impl FamilyLine {
    fn of(family: Family) -> Self {
        Self {
            family: family.declaration().name,
            title: family.declaration().title,
            white: Share(0),
            black: Share(0),
            sum: Share(0),
            exact: 0,
        }
    }
}

impl Term {
    fn of(index: Index, net: &NetCount, halves: [i32; 2], sum: Share) -> Self {
        let unit = f64::from(QUARTERS_PER_CENTIPAWN * PAWN_STEP);
        let [middlegame, endgame] = halves.map(|half| f64::from(half) / unit);
        let names = |squares: Bitboard| squares.into_iter().map(|s| s.to_string()).collect();
        Self {
            index,
            family: index.family().declaration().name,
            term: index.to_string(),
            white: names(net.white),
            black: names(net.black),
            count: net.count,
            middlegame,
            endgame,
            sum,
            exact: sum.0,
            hits: None,
            rarely_seen: false,
            standard_error: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{STANDARD_ERROR, Share};

    #[test]
    fn the_standard_error_is_that_of_the_built_in_weights() {
        let weights = include_str!("../eval/weights.txt");
        let scale = (weights.lines()).find_map(|line| line.strip_prefix("scale "));
        let scale: f64 = scale.and_then(|text| text.parse().ok()).expect("a scale");
        assert!((STANDARD_ERROR - 2.0 * scale).abs() < 0.01, "{scale}");
    }

    #[test]
    fn shares_are_displayed_in_centipawns() {
        let text = |units| Share(units).to_string();
        assert_eq!(text(0), "0.00");
        assert_eq!(text(384 * 1234), "+1234.00");
        assert_eq!(text(-128), "-0.33");
        assert_eq!(text(256), "+0.67");
        assert_eq!(text(-380), "-0.99");
        assert_eq!(text(4), "+0.01");
        assert_eq!(format!("{:>9}", Share(-38_400)), "  -100.00");
    }
}
