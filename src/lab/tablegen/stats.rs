//! The numbers of won, drawn and lost positions of a table, and their DTZ.
//! Positions are counted as in the published statistics: all symmetric images count, and equal pieces are distinguished.

use std::fmt;

use super::geometry::REFLECT;
use super::pawn_slice::{FIFTY_MOVES, PawnSlice, Status};

/// The results with one side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideStats {
    /// `[DTZ in plies]`: the number of wins.
    pub wins: Vec<u64>,
    /// `[DTZ in plies]`: the number of losses; 0 is mate.
    pub losses: Vec<u64>,
    pub draws: u64,
}

impl SideStats {
    fn count(&mut self, status: Status, weight: u64) {
        let (list, plies) = match status {
            Status::Win(plies) => (&mut self.wins, plies),
            Status::Loss(plies) => (&mut self.losses, plies),
            Status::Unknown | Status::Recheck => {
                self.draws += weight;
                return;
            }
            Status::Illegal => return,
        };
        let plies = usize::from(plies);
        if list.len() <= plies {
            list.resize(plies + 1, 0);
        }
        list[plies] += weight;
    }

    fn add(&mut self, other: &Self) {
        for (mine, theirs) in [
            (&mut self.wins, &other.wins),
            (&mut self.losses, &other.losses),
        ] {
            mine.resize(mine.len().max(theirs.len()), 0);
            for (sum, count) in mine.iter_mut().zip(theirs) {
                *sum += count;
            }
        }
        self.draws += other.draws;
    }

    /// `[wins, cursed wins, draws, blessed losses, losses]`
    #[must_use]
    pub fn outcomes(&self) -> [u64; 5] {
        let split = |list: &[u64]| {
            let (plain, cursed) = list.split_at(list.len().min(usize::from(FIFTY_MOVES) + 1));
            [plain, cursed].map(|part| part.iter().sum::<u64>())
        };
        let ([wins, cursed], [losses, blessed]) = (split(&self.wins), split(&self.losses));
        [wins, cursed, self.draws, blessed, losses]
    }

    /// The greatest DTZ of wins and of losses, in plies; 0 without any.
    #[must_use]
    pub fn longest(&self) -> [usize; 2] {
        [&self.wins, &self.losses]
            .map(|list| list.iter().rposition(|&count| count > 0).unwrap_or(0))
    }
}

/// The results of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableStats {
    /// `[side to move]`: 0 white.
    pub sides: [SideStats; 2],
}

impl TableStats {
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.sides.iter_mut().zip(&other.sides) {
            mine.add(theirs);
        }
    }

    /// Halves the sum of [`Self::twice`] of all slices.
    pub fn halve(&mut self) {
        for side in &mut self.sides {
            side.draws /= 2;
            for count in side.wins.iter_mut().chain(&mut side.losses) {
                *count /= 2;
            }
        }
    }

    /// Twice the counts of a slice, since a position whose mirror image also has an index counts a half for each.
    #[must_use]
    pub fn twice(slice: &PawnSlice, file: usize) -> Self {
        let index = slice.index;
        let mut sum = Self::default();
        // With leading pawns on both of the mirrored files, the mirror image has an index too.
        let has_image = slice.pawns.iter().enumerate().any(|(slot, square)| {
            let leads = index.pieces[index.first_pawn() + slot].color() == index.material.lead();
            leads && usize::from(square & 7) == 7 - file
        });
        let permutations: u64 = index
            .material
            .pawns()
            .iter()
            .map(|&pawns| (1..=pawns as u64).product::<u64>())
            .product();
        let weight = permutations * if has_image { 1 } else { 2 };
        let mask = (1 << index.bits()) - 1;
        for cell in 0..index.cells() {
            let pieces = cell & mask;
            let mut weight = weight;
            if index.kings.is_diagonal[cell >> index.bits()] {
                let is_own_image = index.image(pieces, REFLECT) == pieces;
                weight = if is_own_image { 2 } else { 1 };
            }
            for (side, stats) in sum.sides.iter_mut().enumerate() {
                stats.count(slice.status(side, cell), weight);
            }
        }
        sum
    }
}

impl fmt::Display for TableStats {
    /// For both sides to move: wins, cursed wins, draws, blessed losses, losses, longest win, longest loss.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (side, stats) in self.sides.iter().enumerate() {
            if side > 0 {
                formatter.write_str(",")?;
            }
            for count in stats.outcomes() {
                write!(formatter, "{count},")?;
            }
            let [win, loss] = stats.longest();
            write!(formatter, "{win},{loss}")?;
        }
        Ok(())
    }
}
