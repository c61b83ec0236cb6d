//! The scale of the numbers shown: pawns as a GUI shows them, so that 1.00 is an even chance to win.

use crate::chess::Position;
use crate::eval::{UNITS_PER_CENTIPAWN, material_count, normalise};

/// The factor from internal centipawns to shown pawns in one position. Differences use the factor of their own position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pawns_per_centipawn: f64,
}

impl Scale {
    pub fn of(position: &Position) -> Self {
        const CENTIPAWNS: i32 = 2000;
        let shown = normalise(CENTIPAWNS, material_count(position));
        Self {
            pawns_per_centipawn: f64::from(shown) / f64::from(CENTIPAWNS) / 100.0,
        }
    }

    /// Shown pawns of 1/384 centipawns.
    pub fn pawns(self, units: i32) -> f64 {
        f64::from(units) / f64::from(UNITS_PER_CENTIPAWN) * self.pawns_per_centipawn
    }
}
