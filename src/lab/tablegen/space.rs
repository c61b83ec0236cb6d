//! The working numbering of placements: a file of the leading pawn, a slice of pawns, a cell of kings and pieces.
//! Uses: geometry, material. Used by: slice, seed, solve, exact, statistics, layout.
//! Idea: pawns change rarely and only forwards, so each placement of pawns is a slice of its own; inside a slice a cell is
//! a pair of kings and six bits for each piece, and a quiet move is the change of six bits.

use super::geometry::{ALL, FLIP_FILES, FOLDED, IMAGES, Kings, NONE};
use super::material::{MAX_MEN, Man};
use crate::chess::{Color, Role};
use crate::tablebase::Material;

/// Squares by slot.
pub type Squares = [u8; MAX_MEN];

/// Where a placement is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// 0 (a and h) to 3 (d and e); 0 without pawns.
    pub file: usize,
    /// The placement of pawns, within the file.
    pub slice: usize,
    /// The placement of kings and pieces, within the slice.
    pub cell: usize,
}

/// The numbering for one material.
pub struct Space {
    /// Whose it is.
    pub material: Material,
    /// The men by slots.
    pub men: Vec<Man>,
    /// The pairs of kings in use.
    pub kings: &'static Kings,
    /// How many slots after the kings are pieces.
    pub pieces: usize,
    /// How many of the pawns lead.
    leading: usize,
    /// `[file][slice]`: the squares of the pawns, by slots.
    pub files: Vec<Vec<Vec<u8>>>,
    /// `[squares of the pawns, six bits each]`: the slice; `u32::MAX` where there is none.
    numbers: Vec<u32>,
}

impl Space {
    /// The numbering for this material.
    #[must_use]
    pub fn new(material: Material) -> Self {
        let material = material.normalized();
        let men = material.slots();
        let pawns = material.pawns().iter().sum::<usize>();
        let lead = usize::from(material.lead() == Color::Black);
        let mut space = Self {
            material,
            pieces: men.len() - 2 - pawns,
            men,
            kings: if pawns == 0 { &FOLDED } else { &ALL },
            leading: material.pawns()[lead],
            files: Vec::new(),
            numbers: vec![u32::MAX; 1 << (6 * pawns)],
        };
        if pawns == 0 {
            space.files.push(vec![vec![]]);
            space.numbers[0] = 0;
            return space;
        }
        for file in 0..4 {
            let mut slices = Vec::new();
            for key in 0..1_usize << (6 * pawns) {
                let squares: Vec<u8> = (0..pawns)
                    .map(|slot| (key >> (6 * slot) & 63) as u8)
                    .collect();
                if space.is_slice(file, &squares) {
                    space.numbers[key] = slices.len() as u32;
                    slices.push(squares);
                }
            }
            space.files.push(slices);
        }
        space
    }

    /// Whether these pawns are a slice of the file: in their order, none on the edge ranks, none on another.
    fn is_slice(&self, file: u8, pawns: &[u8]) -> bool {
        let folded = |square: u8| (square & 7).min(7 - (square & 7));
        let (leading, others) = pawns.split_at(self.leading);
        let is_sorted = |group: &[u8]| group.windows(2).all(|two| two[0] < two[1]);
        let is_apart = others.iter().all(|square| !leading.contains(square));
        let is_first = leading[1..]
            .iter()
            .all(|&square| folded(square) >= file && (square & 7 != file || square > leading[0]));
        pawns.iter().all(|&square| (8..56).contains(&square))
            && leading[0] & 7 == file
            && is_first
            && is_sorted(&leading[1..])
            && is_sorted(others)
            && is_apart
    }

    /// How many bits of a cell's number are squares of pieces.
    #[inline]
    #[must_use]
    pub fn bits(&self) -> usize {
        6 * self.pieces
    }

    /// How many cells a slice has.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.kings.squares.len() << self.bits()
    }

    /// The slice of a file that has these pawns, if their order is restored.
    #[must_use]
    pub fn slice_of(&self, pawns: &[u8]) -> usize {
        let mut sorted = [0; MAX_MEN];
        let sorted = &mut sorted[..pawns.len()];
        sorted.copy_from_slice(pawns);
        sorted[1..self.leading].sort_unstable();
        sorted[self.leading..].sort_unstable();
        self.numbers[Self::key(sorted)] as usize
    }

    fn key(pawns: &[u8]) -> usize {
        let squares = pawns.iter().enumerate();
        squares
            .map(|(slot, &square)| usize::from(square) << (6 * slot))
            .sum()
    }

    /// Where a placement is kept: squares by slots. `None` if the kings touch.
    #[inline]
    #[must_use]
    pub fn locate(&self, squares: &Squares) -> Option<Place> {
        let first_pawn = 2 + self.pieces;
        let (mut file, mut slice, mut symmetry) = (0, 0, 0);
        let pair;
        if self.leading == 0 {
            (pair, symmetry) = self.kings.find(squares[0], squares[1]);
        } else {
            let mut pawns = [0; MAX_MEN];
            let pawns = &mut pawns[..self.men.len() - first_pawn];
            pawns.copy_from_slice(&squares[first_pawn..self.men.len()]);
            let folded = |square: u8| (square & 7).min(7 - (square & 7));
            let lead = (0..self.leading)
                .min_by_key(|&slot| (folded(pawns[slot]), pawns[slot] & 7, pawns[slot]))
                .unwrap_or(0);
            pawns.swap(0, lead);
            file = usize::from(folded(pawns[0]));
            if pawns[0] & 7 > 3 {
                symmetry = FLIP_FILES;
                for pawn in &mut *pawns {
                    *pawn ^= 7;
                }
            }
            slice = self.slice_of(pawns);
            let images = &IMAGES[usize::from(symmetry)];
            pair = self
                .kings
                .find(
                    images[usize::from(squares[0])],
                    images[usize::from(squares[1])],
                )
                .0;
        }
        if pair == NONE {
            return None;
        }
        let images = &IMAGES[usize::from(symmetry)];
        let mut cell = usize::from(pair) << self.bits();
        for piece in 0..self.pieces {
            cell |= usize::from(images[usize::from(squares[2 + piece])]) << (6 * piece);
        }
        Some(Place { file, slice, cell })
    }

    /// The squares by slots of a cell, in the slice with these pawns.
    #[inline]
    #[must_use]
    pub fn squares(&self, pawns: &[u8], cell: usize) -> Squares {
        let mut squares = [0; MAX_MEN];
        let pair = self.kings.squares[cell >> self.bits()];
        squares[..2].copy_from_slice(&pair);
        for piece in 0..self.pieces {
            squares[2 + piece] = (cell >> (6 * piece) & 63) as u8;
        }
        for (slot, &square) in pawns.iter().enumerate() {
            squares[2 + self.pieces + slot] = square;
        }
        squares
    }

    /// The number of a cell's pieces as a symmetry shows them.
    #[inline]
    #[must_use]
    pub fn image(&self, pieces: usize, symmetry: u8) -> usize {
        let images = &IMAGES[usize::from(symmetry)];
        let squares = (0..self.pieces)
            .map(|piece| usize::from(images[pieces >> (6 * piece) & 63]) << (6 * piece));
        squares.sum()
    }

    /// Whether the slot holds a pawn.
    #[must_use]
    pub fn is_pawn(&self, slot: usize) -> bool {
        self.men[slot].role == Role::Pawn
    }
}
