//! Why: what an evaluation is made of, as data and as text. Never searches and never prints.
//! Uses: eval, chess, value. Used by: uci, cli.
//! Idea: the facts come from the same walk that plays, so an explanation cannot differ from the score it explains.
//!
//! Reading order: `ledger` (the lines that add up to a score), `text` (the ledger as a table).

mod ledger;
mod text;

pub use ledger::{FamilyLine, Ledger, Share, Term};

use crate::chess::Position;
use crate::eval::Model;

/// The ledger of a position as a table of several lines, of which the last is `total <centipawns> (white's view)`.
#[must_use]
pub fn ledger_text(position: &Position) -> String {
    Ledger::of(position).to_string()
}

/// The same by weights that are not compiled in.
#[must_use]
pub fn ledger_text_by(model: &Model, position: &Position) -> String {
    Ledger::by(model, position).to_string()
}
