//! Claims: what an explanation says, each with what proves it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::notation::{pieces_on, sans};
use crate::chess::{Move, Position, Square};

/// What proves a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The rules: it can be seen on the board.
    Board,
    /// The scores of the search.
    Search,
    /// The static evaluation at the ends of the lines.
    Ledger,
    Tablebase,
}

/// One statement of an explanation. All views (text, JSON, pictures) show the same claims.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Claim {
    /// The number in the order of rank, from 1.
    pub id: usize,
    /// `mate`, `material`, the name of a motif or of a concept, or one of `only_move`, `tablebase`, `draw`, `verdict`,
    /// `both_playable`, `refusal`, `difference`, `line`, `counter`, `cost`, `threat`, `zugzwang`, `pawn_ending`,
    /// `blame`.
    pub kind: String,
    pub source: Source,
    /// The index in `line` of the move that makes it true.
    pub ply: usize,
    pub squares: Vec<String>,
    /// The pieces on these squares.
    pub pieces: Vec<String>,
    /// The moves that lead there from the position explained, in SAN.
    pub line: Vec<String>,
    /// The numbers in the text and what they are parts of.
    pub numbers: BTreeMap<&'static str, f64>,
    /// One sentence.
    pub text: String,
}

impl Claim {
    /// A claim without squares and numbers.
    #[doc(hidden)]
    pub fn new(kind: impl Into<String>, source: Source, text: impl Into<String>) -> Self {
        Self {
            id: 0,
            kind: kind.into(),
            source,
            ply: 0,
            squares: Vec::new(),
            pieces: Vec::new(),
            line: Vec::new(),
            numbers: BTreeMap::new(),
            text: text.into(),
        }
    }

    /// Sets the line; the claim is true after its last move, or after the one with index `ply`.
    #[must_use]
    #[doc(hidden)]
    pub fn on_line(mut self, root: &Position, moves: &[Move], ply: usize) -> Self {
        self.line = sans(root, moves);
        self.ply = ply;
        self
    }

    /// Sets the squares and what stands on them.
    #[must_use]
    #[doc(hidden)]
    pub fn at(mut self, position: &Position, squares: &[Square]) -> Self {
        self.squares = squares.iter().map(ToString::to_string).collect();
        self.pieces = pieces_on(position, squares);
        self
    }

    #[must_use]
    #[doc(hidden)]
    pub fn with_number(mut self, name: &'static str, number: f64) -> Self {
        // Two decimals, as in the text; never a negative zero.
        self.numbers
            .insert(name, (number * 100.0).round() / 100.0 + 0.0);
        self
    }
}
