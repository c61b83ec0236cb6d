//! The index of a position in a Syzygy file: a mixed-radix number with a digit for each group of pieces, the leading group
//! first, which also normalizes the symmetry. A digit is the index in the list of all placements of its group.

use std::sync::LazyLock;

use super::geometry::{ALL, NONE, above_diagonal};
use super::material::MAX_PIECES;
use super::solver_index::{SolverIndex, Squares};
use crate::chess::{Color, Piece};

/// [`PieceOrder::second`] without a second group of pawns.
pub const NO_SECOND: u8 = 15;

/// The order of the pieces of a subtable, and of the digits of its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceOrder {
    /// Slots of the solver index.
    pub slots: Vec<usize>,
    /// The digit of the leading group.
    pub lead: u8,
    /// The digit of the pawns of the other side, or [`NO_SECOND`].
    pub second: u8,
}

/// A group of pieces: a digit of the index.
struct Group {
    /// The first piece in the order.
    start: usize,
    pieces: usize,
    /// The number of placements.
    size: usize,
    factor: usize,
    /// `[digit]`: the squares. Except for the leading group, squares occupied by earlier groups are not counted.
    placements: Placements,
    is_second_pawns: bool,
}

enum Placements {
    Triples,
    Kings,
    Listed(Vec<[u8; MAX_PIECES]>),
}

/// The index of one subtable.
pub struct FileIndex<'a> {
    order: &'a PieceOrder,
    groups: Vec<Group>,
    /// The number of indices.
    pub entries: usize,
}

/// `[digit]`: three distinct squares, up to symmetry.
static TRIPLES: LazyLock<Vec<[u8; 3]>> = LazyLock::new(|| {
    let mut list = vec![[0; 3]; 31_332];
    for first in (0..64_u8).filter(|square| square & 7 < 4 && square >> 3 < 4) {
        for second in (0..64).filter(|&second| second != first) {
            for third in (0..64).filter(|&third| third != first && third != second) {
                let triple = [first, second, third];
                let side = triple
                    .map(above_diagonal)
                    .into_iter()
                    .find(|&above| above != 0);
                if side.is_none_or(|above| above < 0) {
                    list[triple_digit(triple)] = triple;
                }
            }
        }
    }
    list
});

/// `[digit]`: the squares of two kings, up to symmetry.
static KING_PAIRS: LazyLock<Vec<[u8; 2]>> = LazyLock::new(|| {
    let (mut list, mut diagonal) = (Vec::new(), Vec::new());
    for first in TRIANGLE {
        for second in 0..64 {
            let sides = [first, second].map(above_diagonal);
            if ALL.find(first, second).0 == NONE || sides[0] == 0 && sides[1] > 0 {
                continue;
            }
            let group = if sides == [0, 0] {
                &mut diagonal
            } else {
                &mut list
            };
            group.push([first, second]);
        }
    }
    list.append(&mut diagonal);
    list
});

/// b1 c1 d1 c2 d2 d3, then a1 b2 c3 d4.
const TRIANGLE: [u8; 10] = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27];

/// The digit of three squares in normalized symmetry.
fn triple_digit([first, second, third]: [u8; 3]) -> usize {
    let number = |square: u8| usize::from(square);
    let rank = |square: u8| usize::from(square >> 3);
    // The number of squares below the diagonal before this one.
    let lower = |square: u8| {
        (0..square)
            .filter(|&before| above_diagonal(before) < 0)
            .count()
    };
    let after_one = usize::from(second > first);
    let after_two = usize::from(third > first) + usize::from(third > second);
    let on = [first, second, third].map(|square| above_diagonal(square) == 0);
    match on {
        [false, ..] => {
            let triangle = TRIANGLE
                .iter()
                .position(|&square| square == first)
                .unwrap_or(0);
            triangle * 63 * 62 + (number(second) - after_one) * 62 + number(third) - after_two
        }
        [_, false, _] => {
            6 * 63 * 62 + rank(first) * 28 * 62 + lower(second) * 62 + number(third) - after_two
        }
        [_, _, false] => {
            6 * 63 * 62
                + 4 * 28 * 62
                + rank(first) * 7 * 28
                + (rank(second) - after_one) * 28
                + lower(third)
        }
        _ => {
            6 * 63 * 62
                + 4 * 28 * 62
                + 4 * 7 * 28
                + rank(first) * 42
                + (rank(second) - after_one) * 6
                + rank(third)
                - after_two
        }
    }
}

fn binomial(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, i| {
        if n < k {
            0
        } else {
            product * (n - i) / (i + 1)
        }
    })
}

/// All combinations of `k` of `n`, in the order of their numbers.
fn combinations(n: usize, k: usize) -> Vec<[u8; MAX_PIECES]> {
    let mut list = vec![[0; MAX_PIECES]; 1];
    for chosen in 1..=k {
        // Number = C(largest, k) + number of the others below it.
        let mut longer = Vec::with_capacity(binomial(n, chosen));
        for largest in 0..n {
            for others in &list[..binomial(largest, chosen - 1)] {
                let mut choice = *others;
                choice[chosen - 1] = largest as u8;
                longer.push(choice);
            }
        }
        list = longer;
    }
    list
}

/// The square with this rank among pawn squares: a2 47, h2 46, a3 45 … e7 0.
fn pawn_square(rank: usize) -> u8 {
    let down = 47 - rank;
    let (pair, along, right) = (down / 12, down % 12 / 2, down % 2);
    let file = if right == 1 { 7 - pair } else { pair };
    (8 * (along + 1) + file) as u8
}

/// All placements of the leading pawns with the first of them on this file.
fn leading_pawns(file: usize, pawns: usize) -> Vec<[u8; MAX_PIECES]> {
    let mut list = Vec::new();
    for along in 0..6 {
        let first = 47 - 12 * file - 2 * along;
        for others in combinations(first, pawns - 1) {
            let mut squares = [0; MAX_PIECES];
            squares[0] = pawn_square(first);
            for (square, &rank) in squares[1..pawns].iter_mut().zip(&others) {
                *square = pawn_square(usize::from(rank));
            }
            list.push(squares);
        }
    }
    list
}

impl<'a> FileIndex<'a> {
    /// The index of the subtable of a file (0 without pawns).
    pub fn new(index: &SolverIndex, file: usize, order: &'a PieceOrder) -> Self {
        let piece = |at: usize| index.pieces[order.slots[at]];
        let pawns = index.material.pawns();
        let mut lists: Vec<(usize, Placements, usize)> = Vec::new();
        let mut free = 64;
        let mut at = 0;
        if pawns == [0, 0] {
            if unique_pieces(index) >= 3 {
                lists.push((3, Placements::Triples, 31_332));
            } else {
                lists.push((2, Placements::Kings, 462));
            }
            at = lists[0].0;
        } else {
            let lead = usize::from(index.material.lead() == Color::Black);
            let list = leading_pawns(file, pawns[lead]);
            let size = list.len();
            lists.push((pawns[lead], Placements::Listed(list), size));
            at += pawns[lead];
            let second = pawns[1 - lead];
            if second > 0 {
                let list = combinations(48 - pawns[lead], second);
                let size = list.len();
                lists.push((second, Placements::Listed(list), size));
                at += second;
            }
        }
        free -= at;
        let has_second = pawns[0] > 0 && pawns[1] > 0;
        while at < order.slots.len() {
            let equal = (at..order.slots.len())
                .take_while(|&next| piece(next) == piece(at))
                .count();
            let list = combinations(free, equal);
            let size = list.len();
            lists.push((equal, Placements::Listed(list), size));
            at += equal;
            free -= equal;
        }
        let mut groups = Vec::new();
        let mut start = 0;
        for (at, (pieces, placements, size)) in lists.into_iter().enumerate() {
            groups.push(Group {
                start,
                pieces,
                size,
                factor: 0,
                placements,
                is_second_pawns: has_second && at == 1,
            });
            start += pieces;
        }
        let mut others = (if has_second { 2 } else { 1 })..groups.len();
        let mut product = 1;
        for digit in 0..groups.len() {
            let group = if digit == usize::from(order.lead) {
                0
            } else if has_second && digit == usize::from(order.second) {
                1
            } else {
                others.next().unwrap_or(0)
            };
            groups[group].factor = product;
            product *= groups[group].size;
        }
        Self {
            order,
            groups,
            entries: product,
        }
    }

    /// The squares, by slots of the solver index, at an index.
    #[inline]
    pub fn squares(&self, at: usize) -> Squares {
        let mut squares = [0; MAX_PIECES];
        // Squares occupied by earlier groups, in ascending order.
        let mut occupied = [64; MAX_PIECES];
        let mut count = 0;
        for group in &self.groups {
            let digit = at / group.factor % group.size;
            for i in 0..group.pieces {
                let mut square = match &group.placements {
                    Placements::Triples => TRIPLES[digit][i],
                    Placements::Kings => KING_PAIRS[digit][i],
                    Placements::Listed(list) => list[digit][i],
                };
                if group.is_second_pawns {
                    square += 8;
                }
                if group.start > 0 {
                    for &before in &occupied[..count] {
                        square += u8::from(before <= square);
                    }
                }
                squares[self.order.slots[group.start + i]] = square;
            }
            for i in 0..group.pieces {
                occupied[count] = squares[self.order.slots[group.start + i]];
                count += 1;
            }
            occupied[..count].sort_unstable();
        }
        squares
    }
}

/// The number of pieces without an equal one.
pub fn unique_pieces(index: &SolverIndex) -> usize {
    let is_unique =
        |piece: &&Piece| index.pieces.iter().filter(|other| other == piece).count() == 1;
    index.pieces.iter().filter(is_unique).count()
}

/// Reads a piece order from letters, white in upper case.
pub fn read_order(index: &SolverIndex, letters: &str, lead: u8, second: u8) -> Option<PieceOrder> {
    let mut free: Vec<usize> = (0..index.pieces.len()).collect();
    let mut slots = Vec::new();
    for letter in letters.chars() {
        let at = free
            .iter()
            .position(|&slot| index.pieces[slot].to_char() == letter)?;
        slots.push(free.remove(at));
    }
    free.is_empty().then_some(PieceOrder {
        slots,
        lead,
        second,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placement_lists_are_complete() {
        assert_eq!(KING_PAIRS.len(), 462);
        for (digit, triple) in TRIPLES.iter().enumerate() {
            assert_eq!(triple_digit(*triple), digit);
            assert!(triple[0] != triple[1] && triple[1] != triple[2] && triple[0] != triple[2]);
        }
        let sizes = |pawns| [0, 1, 2, 3].map(|file| leading_pawns(file, pawns).len());
        assert_eq!(sizes(1), [6, 6, 6, 6]);
        assert_eq!(sizes(2), [252, 180, 108, 36]);
        assert_eq!(sizes(3), [5201, 2645, 953, 125]);
        assert_eq!(sizes(4), [70315, 25375, 5491, 295]);
    }

    /// Material, letters, digits, file, index, squares in the order of the letters.
    #[test]
    fn indices_have_the_squares_that_readers_expect() {
        type Vector = (
            &'static str,
            &'static str,
            u8,
            u8,
            usize,
            usize,
            &'static [u8],
        );
        let vectors: [Vector; 8] = [
            ("KRvK", "KkR", 0, NO_SECOND, 0, 30410, &[0, 18, 3]),
            ("KRvK", "KkR", 0, NO_SECOND, 0, 10921, &[3, 51, 10]),
            ("KQvKR", "KrQk", 1, NO_SECOND, 0, 1_494_412, &[0, 23, 9, 37]),
            ("KBBvK", "kKBB", 0, NO_SECOND, 0, 870_229, &[52, 0, 9, 1]),
            ("KPPvK", "PPKk", 2, NO_SECOND, 0, 133_982, &[8, 9, 0, 29]),
            ("KPvKP", "PpKk", 3, 1, 1, 686_805, &[33, 41, 31, 55]),
            ("KRvKP", "pRKk", 3, NO_SECOND, 0, 543_004, &[24, 7, 1, 19]),
            ("KRvKP", "pKRk", 2, NO_SECOND, 3, 543_315, &[19, 3, 7, 26]),
        ];
        for (name, letters, lead, second, file, number, expected) in vectors {
            let index = SolverIndex::new(name.parse().expect("a name"));
            let order = read_order(&index, letters, lead, second).expect("an order");
            let found = FileIndex::new(&index, file, &order).squares(number);
            let mut wanted = [0; MAX_PIECES];
            for (slot, square) in order.slots.iter().zip(expected) {
                wanted[*slot] = *square;
            }
            assert_eq!(
                index.locate(&found),
                index.locate(&wanted),
                "{name} {letters} {found:?}"
            );
        }
    }
}
