//! How many positions of a table are won, drawn and lost, and how long it takes.
//! Uses: slice, space, geometry. Used by: the workshop, cli.
//! Idea: each position counts once for all its views, equal men told apart; so counted, the numbers are published for every
//! table, and they prove a solver.

use std::fmt;

use super::geometry::REFLECT;
use super::slice::{FIFTY_MOVES, Known, Slice};

/// The positions of one side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// `[plies]`: wins with so many plies to the next capture, pawn move or mate.
    pub wins: Vec<u64>,
    /// `[plies]`: losses; 0 is mate.
    pub losses: Vec<u64>,
    /// Draws.
    pub draws: u64,
}

impl Tally {
    fn count(&mut self, known: Known, weight: u64) {
        let (list, plies) = match known {
            Known::Win(plies) => (&mut self.wins, plies),
            Known::Loss(plies) => (&mut self.losses, plies),
            Known::Open | Known::Look => {
                self.draws += weight;
                return;
            }
            Known::Illegal => return,
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

    /// The longest win and the longest loss, in plies; 0 if there is none.
    #[must_use]
    pub fn longest(&self) -> [usize; 2] {
        [&self.wins, &self.losses]
            .map(|list| list.iter().rposition(|&count| count > 0).unwrap_or(0))
    }
}

/// The positions of a table, by side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// `[side to move]`, 0 the first side of the name.
    pub sides: [Tally; 2],
}

impl Statistics {
    /// Adds another part of the same table.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.sides.iter_mut().zip(&other.sides) {
            mine.add(theirs);
        }
    }

    /// The numbers are twice the truth as long as parts are added: a position with two views in the numbering counts
    /// one for each. This makes them true.
    pub fn halve(&mut self) {
        for tally in &mut self.sides {
            tally.draws /= 2;
            for count in tally.wins.iter_mut().chain(&mut tally.losses) {
                *count /= 2;
            }
        }
    }

    /// Twice the numbers of a slice.
    #[must_use]
    pub fn twice(slice: &Slice, file: usize) -> Self {
        let space = slice.space;
        let mut sum = Self::default();
        // Pawns on both files of the pair: the mirror image is in the numbering too.
        let has_image = slice.pawns.iter().enumerate().any(|(slot, square)| {
            let leads = space.men[2 + space.pieces + slot].color == space.material.lead();
            leads && usize::from(square & 7) == 7 - file
        });
        let orders: u64 = space
            .material
            .pawns()
            .iter()
            .map(|&pawns| (1..=pawns as u64).product::<u64>())
            .product();
        let weight = orders * if has_image { 1 } else { 2 };
        let mask = (1 << space.bits()) - 1;
        for cell in 0..space.cells() {
            let pieces = cell & mask;
            let mut weight = weight;
            if space.kings.is_diagonal[cell >> space.bits()] {
                let is_own_image = space.image(pieces, REFLECT) == pieces;
                weight = if is_own_image { 2 } else { 1 };
            }
            for (side, tally) in sum.sides.iter_mut().enumerate() {
                tally.count(slice.known(side, cell), weight);
            }
        }
        sum
    }
}

impl fmt::Display for Statistics {
    /// Two sides in a line: wins, cursed wins, draws, blessed losses, losses, longest win, longest loss.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (side, tally) in self.sides.iter().enumerate() {
            if side > 0 {
                formatter.write_str(",")?;
            }
            for count in tally.outcomes() {
                write!(formatter, "{count},")?;
            }
            let [win, loss] = tally.longest();
            write!(formatter, "{win},{loss}")?;
        }
        Ok(())
    }
}
