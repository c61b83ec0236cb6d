//! The WDL values of a solved table in memory, for the tables that convert into it: two values per byte.

use super::conversions::SolvedTable;
use super::pawn_slice::{NO_MOVE, PawnSlice, Status};
use super::solver_index::{CellIndex, SolverIndex};
use crate::tablebase::Material;

/// The four bits of an illegal placement.
const NO_POSITION: u8 = 7;
/// The score of a win for the side to move.
const WIN: u16 = 5;

/// WDL values of all placements, fifty-move rule included, captures resolved.
pub struct WdlStore {
    index: SolverIndex,
    /// `[file][slice][cell]`: white to move in the low four bits, black in the high ones.
    bytes: Vec<Vec<Vec<u8>>>,
}

impl WdlStore {
    /// An empty store.
    pub fn new(material: Material) -> Self {
        let index = SolverIndex::new(material);
        let bytes = vec![Vec::new(); index.files.len()];
        Self { index, bytes }
    }

    /// The bytes of a solved slice.
    pub fn pack(slice: &PawnSlice) -> Vec<u8> {
        let outcome = |side, cell| slice.status(side, cell).outcome().unwrap_or(NO_POSITION);
        (0..slice.index.cells())
            .map(|cell| outcome(0, cell) | outcome(1, cell) << 4)
            .collect()
    }

    /// Stores the packed slices of a file.
    pub fn set_file(&mut self, file: usize, slices: Vec<Vec<u8>>) {
        self.bytes[file] = slices;
    }
}

/// Scores are outcomes (see [`Status::outcome`]) plus one.
impl SolvedTable for WdlStore {
    const DRAW: u16 = 3;

    fn index(&self) -> &SolverIndex {
        &self.index
    }

    #[inline]
    fn score(&self, cell: CellIndex, side: usize) -> u16 {
        let byte = self.bytes[cell.file][cell.slice][cell.cell];
        match byte >> (4 * side) & 15 {
            NO_POSITION => NO_MOVE,
            outcome => u16::from(outcome) + 1,
        }
    }

    #[inline]
    fn score_of(status: Status) -> u16 {
        status
            .outcome()
            .map_or(NO_MOVE, |outcome| u16::from(outcome) + 1)
    }

    #[inline]
    fn score_of_move(after: u16) -> u16 {
        match after {
            NO_MOVE => NO_MOVE,
            score => WIN + 1 - score,
        }
    }
}
