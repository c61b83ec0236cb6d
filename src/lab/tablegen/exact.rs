//! The outcome of every placement of a solved material, kept in memory for the tables that lead to it.
//! Uses: space, slice, geometry. Used by: seed, solve, verify.
//! Idea: two outcomes to a byte; a man lost or promoted is a renaming of slots, worked out once.

use std::sync::Arc;

use super::geometry::IMAGES;
use super::material::{MAX_MEN, Man};
use super::slice::Slice;
use super::space::{Space, Squares};
use crate::tablebase::Material;

/// An outcome's four bits for a placement that cannot be.
const NO_POSITION: u8 = 7;

/// Win-draw-loss values of all placements, fifty-move rule included, captures resolved.
pub struct Exact {
    /// The numbering.
    space: Space,
    /// `[file][slice][cell]`: white to move in the low four bits, black in the high ones.
    bytes: Vec<Vec<Vec<u8>>>,
}

impl Exact {
    /// A store without values yet.
    #[must_use]
    pub fn new(material: Material) -> Self {
        let space = Space::new(material);
        let bytes = vec![Vec::new(); space.files.len()];
        Self { space, bytes }
    }

    /// The outcomes of a solved slice as they are kept.
    #[must_use]
    pub fn pack(slice: &Slice) -> Vec<u8> {
        let outcome = |side, cell| slice.known(side, cell).outcome().unwrap_or(NO_POSITION);
        (0..slice.space.cells())
            .map(|cell| outcome(0, cell) | outcome(1, cell) << 4)
            .collect()
    }

    /// Takes the outcomes of all slices of a file.
    pub fn set_file(&mut self, file: usize, slices: Vec<Vec<u8>>) {
        self.bytes[file] = slices;
    }

    /// The outcome for the side to move (0 white); `None` where there is no position.
    #[inline]
    #[must_use]
    pub fn outcome(&self, squares: &Squares, side: usize) -> Option<u8> {
        let place = self.space.locate(squares)?;
        let byte = self.bytes[place.file][place.slice][place.cell];
        let outcome = byte >> (4 * side) & 15;
        (outcome != NO_POSITION).then_some(outcome)
    }

    /// How many bytes it takes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.iter().flatten().map(Vec::len).sum()
    }
}

/// The way from a placement of one material to the outcome of a placement of another.
pub struct Link {
    /// `None` for the two kings alone: a draw.
    exact: Option<Arc<Exact>>,
    /// `[slot there]`: the slot here.
    slots: [usize; MAX_MEN],
    men: usize,
    /// Whether white here is black there.
    is_swapped: bool,
}

impl Link {
    /// The material that is left of `men` when some are gone (`None`), and the way to it; `find` gives its outcomes.
    ///
    /// # Errors
    /// Those of `find`.
    pub fn new<E>(
        men: &[Option<Man>],
        find: impl FnOnce(Material) -> Result<Arc<Exact>, E>,
    ) -> Result<Self, E> {
        let left: Vec<(usize, Man)> = men
            .iter()
            .enumerate()
            .filter_map(|(slot, man)| man.map(|man| (slot, man)))
            .collect();
        let (material, is_swapped) =
            Material::from_men(&left.iter().map(|(_, man)| *man).collect::<Vec<_>>());
        let mut slots = [0; MAX_MEN];
        let mut free = left.clone();
        for (there, man) in material.slots().into_iter().enumerate() {
            let wanted = if is_swapped { man.swapped() } else { man };
            if let Some(at) = free.iter().position(|(_, man)| *man == wanted) {
                slots[there] = free.remove(at).0;
            }
        }
        let exact = match material.piece_count() {
            2 => None,
            _ => Some(find(material)?),
        };
        Ok(Self {
            exact,
            slots,
            men: left.len(),
            is_swapped,
        })
    }

    /// The outcome there for the side that is to move here (0 white); `None` where there is no position.
    #[inline]
    #[must_use]
    pub fn outcome(&self, squares: &Squares, side: usize) -> Option<u8> {
        let Some(exact) = &self.exact else {
            return Some(2);
        };
        let mut there = [0; MAX_MEN];
        let view = &IMAGES[if self.is_swapped { 2 } else { 0 }];
        for (square, &slot) in there[..self.men].iter_mut().zip(&self.slots) {
            *square = view[usize::from(squares[slot])];
        }
        exact.outcome(&there, side ^ usize::from(self.is_swapped))
    }
}
