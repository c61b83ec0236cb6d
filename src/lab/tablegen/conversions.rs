//! Conversions: captures and promotions, which lead to a position of another table.
//! The slots of the remaining pieces are mapped once, so that a look-up only permutes squares.

use std::sync::Arc;

use super::geometry::{FLIP_RANKS, IMAGES};
use super::material::{MAX_PIECES, swapped};
use super::pawn_slice::{NO_MOVE, Status};
use super::solver_index::{CellIndex, SolverIndex, Squares};
use crate::chess::{Color, Move, Piece, Role};
use crate::tablebase::Material;

/// A solved table. Scores are from the view of the side to move, higher is better, and [`NO_MOVE`] is an illegal position.
pub trait SolvedTable: Send + Sync {
    /// The score of a draw.
    const DRAW: u16;

    fn index(&self) -> &SolverIndex;

    /// The score of a cell; `side` to move: 0 white.
    fn score(&self, cell: CellIndex, side: usize) -> u16;

    /// The score of the status of a cell.
    fn score_of(status: Status) -> u16;

    /// The score of a move for the side that plays it, from the score of the position after it.
    fn score_of_move(after: u16) -> u16;
}

/// From the positions of one material to those of another.
pub struct Conversion<T> {
    /// `None` for the two kings alone: a draw.
    table: Option<Arc<T>>,
    /// `[slot there]`: the slot here.
    slots: [usize; MAX_PIECES],
    pieces: usize,
    /// Whether white here is black there.
    is_swapped: bool,
}

impl<T: SolvedTable> Conversion<T> {
    /// The conversion to the material of `pieces` by slots, without those that are `None`; `find` returns its table.
    fn new(pieces: &[Option<Piece>], find: impl FnOnce(Material) -> Arc<T>) -> Self {
        let mut left: Vec<(usize, Piece)> = pieces
            .iter()
            .enumerate()
            .filter_map(|(slot, piece)| piece.map(|piece| (slot, piece)))
            .collect();
        let (material, is_swapped) =
            Material::from_pieces(&left.iter().map(|(_, piece)| *piece).collect::<Vec<_>>());
        let count = left.len();
        let mut slots = [0; MAX_PIECES];
        for (there, piece) in material.slots().into_iter().enumerate() {
            let wanted = if is_swapped { swapped(piece) } else { piece };
            if let Some(at) = left.iter().position(|(_, piece)| *piece == wanted) {
                slots[there] = left.remove(at).0;
            }
        }
        Self {
            table: (count > 2).then(|| find(material)),
            slots,
            pieces: count,
            is_swapped,
        }
    }

    /// The score after the conversion for `side`, to move: 0 white here. `squares` by slots here.
    #[inline]
    fn score(&self, squares: &Squares, side: usize) -> u16 {
        let Some(table) = &self.table else {
            return T::DRAW;
        };
        let mut there = [0; MAX_PIECES];
        let image = &IMAGES[usize::from(if self.is_swapped { FLIP_RANKS } else { 0 })];
        for (square, &slot) in there[..self.pieces].iter_mut().zip(&self.slots) {
            *square = image[usize::from(squares[slot])];
        }
        let cell = table.index().locate(&there);
        cell.map_or(NO_MOVE, |cell| {
            table.score(cell, side ^ usize::from(self.is_swapped))
        })
    }

    /// The score of the conversion for the side that plays it; `opponent`: 0 white.
    #[inline]
    pub fn score_of_move(&self, squares: &Squares, opponent: usize) -> u16 {
        T::score_of_move(self.score(squares, opponent))
    }
}

/// `[slot]`: the conversions of promotions of the pawn in this slot; empty for other pieces.
type Promotions<T> = Vec<Vec<Conversion<T>>>;

/// All conversions of a material.
pub struct Conversions<T> {
    /// `[captured slot]`; `None` for kings.
    pub captures: Vec<Option<Conversion<T>>>,
    /// `[captured slot][promoted slot]`
    pub captures_promoting: Vec<Promotions<T>>,
    /// `[promoted slot]`
    pub promotions: Promotions<T>,
}

impl<T: SolvedTable> Conversions<T> {
    /// `find` returns the solved table of a material.
    pub fn new(index: &SolverIndex, mut find: impl FnMut(Material) -> Arc<T>) -> Self {
        let pieces: Vec<Option<Piece>> = index.pieces.iter().copied().map(Some).collect();
        let without = |slot: usize| {
            let mut left = pieces.clone();
            left[slot] = None;
            left
        };
        let mut promotions = |pieces: &[Option<Piece>], side: Option<Color>| -> Promotions<T> {
            let slots = pieces.iter().enumerate().map(|(slot, piece)| match piece {
                Some(pawn)
                    if pawn.role() == Role::Pawn
                        && side.is_none_or(|color| color == pawn.color()) =>
                {
                    let conversions = Move::PROMOTIONS.map(|role| {
                        let mut after = pieces.to_vec();
                        after[slot] = Some(Piece::new(pawn.color(), role));
                        Conversion::new(&after, &mut find)
                    });
                    Vec::from(conversions)
                }
                _ => Vec::new(),
            });
            slots.collect()
        };
        let slots = 0..pieces.len();
        let captures_promoting = slots.clone().map(|slot| match slot {
            0 | 1 => Vec::new(),
            _ => promotions(&without(slot), Some(!index.pieces[slot].color())),
        });
        let captures_promoting = captures_promoting.collect();
        let promotions = promotions(&pieces, None);
        let captures =
            slots.map(|slot| (slot > 1).then(|| Conversion::new(&without(slot), &mut find)));
        Self {
            captures: captures.collect(),
            captures_promoting,
            promotions,
        }
    }
}
