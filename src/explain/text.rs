//! The ledger as a table: the largest terms, then the families, the rounding and the total.

use std::fmt;

use super::ledger::{Ledger, Term};

/// The number of terms in the first table.
const TERMS_SHOWN: usize = 10;

impl fmt::Display for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (phase, full, units) = (self.phase, self.phase_maximum, self.units_per_centipawn);
        writeln!(f, "All numbers are centipawns from white's view.")?;
        writeln!(
            f,
            "Phase {phase} of {full}: each weight is {phase}/{full} of its middlegame and {}/{full} of its endgame value with {} pawns.",
            full - phase,
            self.pawns
        )?;

        let shown = self.terms.len().min(TERMS_SHOWN);
        if shown > 0 {
            writeln!(f, "\nLargest terms ({shown} of {})", self.terms.len())?;
            writeln!(
                f,
                "{:<66}{:>6}{:>12}{:>12}{:>12}  where",
                "term", "count", "middlegame", "endgame", "sum"
            )?;
            for term in &self.terms[..shown] {
                writeln!(
                    f,
                    "{:<66}{:>+6}{:>12.2}{:>12.2}{:>12}  {}",
                    term.term,
                    term.count,
                    term.middlegame,
                    term.endgame,
                    term.sum,
                    places(term)
                )?;
            }
        }

        writeln!(
            f,
            "\n{:<40}{:>12}{:>12}{:>12}{:>12}",
            "family",
            "white",
            "black",
            "sum",
            format!("1/{units}")
        )?;
        for line in &self.families {
            writeln!(
                f,
                "{:<40}{:>12}{:>12}{:>12}{:>12}",
                line.title, line.white, line.black, line.sum, line.exact
            )?;
        }
        writeln!(
            f,
            "{:<64}{:>12}{:>12}",
            "rounding to whole centipawns, towards zero", self.rounding, self.rounding_exact
        )?;
        write!(f, "total {} (white's view)", self.total)
    }
}

/// The squares of a term by side.
fn places(term: &Term) -> String {
    [("white", &term.white), ("black", &term.black)]
        .iter()
        .filter(|(_, squares)| !squares.is_empty())
        .map(|(side, squares)| format!("{side} {}", squares.join(" ")))
        .collect::<Vec<_>>()
        .join(", ")
}
