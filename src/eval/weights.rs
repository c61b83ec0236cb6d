//! The weights that are compiled in.
//! Uses: families, model. Used by: eval.
//! Idea: no weight is chosen by hand. Until the first generation is learned from Lucena's own games there is only the
//! plain start: pieces are worth 1, 3, 3, 5 and 9 pawns, and nothing else is worth anything.

use super::families::Material;
use super::model::Weights;
use super::score::{Pair, QUARTERS_PER_CENTIPAWN};
use crate::chess::Role;

/// The weights in use.
pub const WEIGHTS: Weights = starting();

/// Generation zero, from which learning begins.
#[must_use]
pub const fn starting() -> Weights {
    const PAWNS: [(Role, i16); 5] = [
        (Role::Pawn, 1),
        (Role::Knight, 3),
        (Role::Bishop, 3),
        (Role::Rook, 5),
        (Role::Queen, 9),
    ];
    let mut weights = Weights::ZERO;
    let mut next = 0;
    while next < PAWNS.len() {
        let (role, pawns) = PAWNS[next];
        let quarters = pawns * 100 * QUARTERS_PER_CENTIPAWN as i16;
        weights.0[Material::at(role).get()] = Pair::constant(quarters);
        next += 1;
    }
    weights
}
