//! The index of a position in the solver: the file of the leading pawn, the pawn slice, and the cell in the slice.
//! Pawns move rarely and only forwards, so each placement of pawns is a slice of its own. A cell is a king pair and six bits
//! for each other piece, so that a quiet move changes six bits.

use super::geometry::{ALL, FLIP_FILES, FOLDED, IMAGES, Kings, NONE};
use super::material::MAX_PIECES;
use crate::chess::{Color, Piece, Role};
use crate::tablebase::Material;

/// Squares by slot.
pub type Squares = [u8; MAX_PIECES];

/// The index of a position, for either side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellIndex {
    /// 0 (a and h) to 3 (d and e); 0 without pawns.
    pub file: usize,
    /// The placement of pawns.
    pub slice: usize,
    /// The placement of all other pieces.
    pub cell: usize,
}

/// The index for one material.
pub struct SolverIndex {
    pub material: Material,
    /// The pieces by slots.
    pub pieces: Vec<Piece>,
    pub kings: &'static Kings,
    /// The number of pieces that are neither kings nor pawns.
    pub non_pawns: usize,
    /// The number of leading pawns.
    leading: usize,
    /// `[file][slice]`: pawn squares by slots.
    pub files: Vec<Vec<Vec<u8>>>,
    /// `[pawn squares, six bits each]`: the slice, or `u32::MAX`.
    numbers: Vec<u32>,
}

impl SolverIndex {
    pub fn new(material: Material) -> Self {
        let material = material.normalized();
        let pieces = material.slots();
        let pawns = material.pawns().iter().sum::<usize>();
        let lead = usize::from(material.lead() == Color::Black);
        let mut index = Self {
            material,
            non_pawns: pieces.len() - 2 - pawns,
            pieces,
            kings: if pawns == 0 { &FOLDED } else { &ALL },
            leading: material.pawns()[lead],
            files: Vec::new(),
            numbers: vec![u32::MAX; 1 << (6 * pawns)],
        };
        if pawns == 0 {
            index.files.push(vec![vec![]]);
            index.numbers[0] = 0;
            return index;
        }
        for file in 0..4 {
            let mut slices = Vec::new();
            for key in 0..1_usize << (6 * pawns) {
                let squares: Vec<u8> = (0..pawns)
                    .map(|slot| (key >> (6 * slot) & 63) as u8)
                    .collect();
                if index.is_slice(file, &squares) {
                    index.numbers[key] = slices.len() as u32;
                    slices.push(squares);
                }
            }
            index.files.push(slices);
        }
        index
    }

    /// Whether these squares are a slice of the file: sorted, distinct, and none on ranks 1 or 8.
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

    /// Bits of a cell below the king pair.
    #[inline]
    pub fn bits(&self) -> usize {
        6 * self.non_pawns
    }

    /// Cells per slice.
    pub fn cells(&self) -> usize {
        self.kings.squares.len() << self.bits()
    }

    /// The slice with these pawns, in any order.
    pub fn slice_of(&self, pawns: &[u8]) -> usize {
        let mut sorted = [0; MAX_PIECES];
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

    /// The index of the pieces on these squares by slots; `None` if the kings are adjacent.
    #[inline]
    pub fn locate(&self, squares: &Squares) -> Option<CellIndex> {
        let first_pawn = self.first_pawn();
        let (mut file, mut slice, mut symmetry) = (0, 0, 0);
        let pair;
        if self.leading == 0 {
            (pair, symmetry) = self.kings.find(squares[0], squares[1]);
        } else {
            let mut pawns = [0; MAX_PIECES];
            let pawns = &mut pawns[..self.pieces.len() - first_pawn];
            pawns.copy_from_slice(&squares[first_pawn..self.pieces.len()]);
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
        for piece in 0..self.non_pawns {
            cell |= usize::from(images[usize::from(squares[2 + piece])]) << (6 * piece);
        }
        Some(CellIndex { file, slice, cell })
    }

    /// The squares by slots of a cell in the slice with these pawns.
    #[inline]
    pub fn squares(&self, pawns: &[u8], cell: usize) -> Squares {
        let mut squares = [0; MAX_PIECES];
        let pair = self.kings.squares[cell >> self.bits()];
        squares[..2].copy_from_slice(&pair);
        for piece in 0..self.non_pawns {
            squares[2 + piece] = (cell >> (6 * piece) & 63) as u8;
        }
        for (slot, &square) in pawns.iter().enumerate() {
            squares[self.first_pawn() + slot] = square;
        }
        squares
    }

    /// Applies a symmetry to the bits of a cell below the king pair.
    #[inline]
    pub fn image(&self, pieces: usize, symmetry: u8) -> usize {
        let images = &IMAGES[usize::from(symmetry)];
        let squares = (0..self.non_pawns)
            .map(|piece| usize::from(images[pieces >> (6 * piece) & 63]) << (6 * piece));
        squares.sum()
    }

    /// The first slot of a pawn.
    #[inline]
    pub fn first_pawn(&self) -> usize {
        2 + self.non_pawns
    }

    pub fn is_pawn(&self, slot: usize) -> bool {
        self.pieces[slot].role() == Role::Pawn
    }
}
