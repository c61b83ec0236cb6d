//! The numbering of placements in the files.
//! Uses: geometry, material, space. Used by: values, orders, file, verify.
//! Idea: a number is a mixed-radix sum over groups of men (a lead group that takes up the symmetry, then equal men); each
//! group's own number is looked up in a list of its placements.

use std::sync::LazyLock;

use super::geometry::{ALL, NONE, above_diagonal};
use super::material::{MAX_MEN, Man};
use super::space::{Space, Squares};
use crate::chess::Color;

/// No second group of pawns.
pub const NO_SLOT: u8 = 15;

/// In which order the men of a subtable stand, and where its leading groups go in the number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The men, by slots of the space.
    pub men: Vec<usize>,
    /// The place of the lead group among the digits of the number.
    pub lead: u8,
    /// That of the second group of pawns, or [`NO_SLOT`].
    pub second: u8,
}

/// A digit of the number.
struct Group {
    /// The first of the group's men in the order.
    start: usize,
    men: usize,
    size: usize,
    factor: usize,
    /// `[number]`: the squares; those of later groups still to be moved up past men before them.
    list: Placements,
    is_second_pawns: bool,
}

enum Placements {
    Triples,
    Kings,
    Listed(Vec<[u8; MAX_MEN]>),
}

/// The numbering of one subtable.
pub struct Numbering<'a> {
    order: &'a Order,
    groups: Vec<Group>,
    /// How many numbers there are.
    pub entries: usize,
}

/// `[number]`: three men on different squares, one of each class of views.
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
                    list[triple_number(triple)] = triple;
                }
            }
        }
    }
    list
});

/// `[number]`: two kings that do not touch, one of each class of views.
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

/// The number of three men in listed order, seen in the normal view.
fn triple_number([first, second, third]: [u8; 3]) -> usize {
    let number = |square: u8| usize::from(square);
    let rank = |square: u8| usize::from(square >> 3);
    // The squares below the diagonal, counted from a1.
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

/// Ways to choose.
fn binomial(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, i| {
        if n < k {
            0
        } else {
            product * (n - i) / (i + 1)
        }
    })
}

/// All ways to choose `k` of `n`, in the order of their numbers.
fn choices(n: usize, k: usize) -> Vec<[u8; MAX_MEN]> {
    let mut list = vec![[0; MAX_MEN]; 1];
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

/// The square whose rank among pawn squares this is: a2 47, h2 46, a3 45 … e7 0.
fn pawn_square(rank: usize) -> u8 {
    let down = 47 - rank;
    let (pair, along, right) = (down / 12, down % 12 / 2, down % 2);
    let file = if right == 1 { 7 - pair } else { pair };
    (8 * (along + 1) + file) as u8
}

/// The placements of the leading pawns, the first of them on this file.
fn leading_pawns(file: usize, pawns: usize) -> Vec<[u8; MAX_MEN]> {
    let mut list = Vec::new();
    for along in 0..6 {
        let first = 47 - 12 * file - 2 * along;
        for others in choices(first, pawns - 1) {
            let mut squares = [0; MAX_MEN];
            squares[0] = pawn_square(first);
            for (square, &rank) in squares[1..pawns].iter_mut().zip(&others) {
                *square = pawn_square(usize::from(rank));
            }
            list.push(squares);
        }
    }
    list
}

impl<'a> Numbering<'a> {
    /// The numbering of the subtable for a file (0 without pawns) with its men in this order.
    #[must_use]
    pub fn new(space: &Space, file: usize, order: &'a Order) -> Self {
        let man = |at: usize| space.men[order.men[at]];
        let pawns = space.material.pawns();
        let mut lists: Vec<(usize, Placements, usize)> = Vec::new();
        let mut free = 64;
        let mut at = 0;
        if pawns == [0, 0] {
            if unique_men(space) >= 3 {
                lists.push((3, Placements::Triples, 31_332));
            } else {
                lists.push((2, Placements::Kings, 462));
            }
            at = lists[0].0;
        } else {
            let lead = usize::from(space.material.lead() == Color::Black);
            let list = leading_pawns(file, pawns[lead]);
            let size = list.len();
            lists.push((pawns[lead], Placements::Listed(list), size));
            at += pawns[lead];
            let second = pawns[1 - lead];
            if second > 0 {
                let list = choices(48 - pawns[lead], second);
                let size = list.len();
                lists.push((second, Placements::Listed(list), size));
                at += second;
            }
        }
        free -= at;
        let has_second = pawns[0] > 0 && pawns[1] > 0;
        while at < order.men.len() {
            let men = (at..order.men.len())
                .take_while(|&next| man(next) == man(at))
                .count();
            let list = choices(free, men);
            let size = list.len();
            lists.push((men, Placements::Listed(list), size));
            at += men;
            free -= men;
        }
        let mut groups = Vec::new();
        let mut start = 0;
        for (at, (men, list, size)) in lists.into_iter().enumerate() {
            groups.push(Group {
                start,
                men,
                size,
                factor: 0,
                list,
                is_second_pawns: has_second && at == 1,
            });
            start += men;
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

    /// The squares, by slots of the space, of a number.
    #[inline]
    #[must_use]
    pub fn squares(&self, number: usize) -> Squares {
        let mut squares = [0; MAX_MEN];
        // Squares taken by the groups before, in rising order.
        let mut taken = [64; MAX_MEN];
        let mut count = 0;
        for group in &self.groups {
            let digit = number / group.factor % group.size;
            for i in 0..group.men {
                let mut square = match &group.list {
                    Placements::Triples => TRIPLES[digit][i],
                    Placements::Kings => KING_PAIRS[digit][i],
                    Placements::Listed(list) => list[digit][i],
                };
                if group.is_second_pawns {
                    square += 8;
                }
                if group.start > 0 {
                    for &before in &taken[..count] {
                        square += u8::from(before <= square);
                    }
                }
                squares[self.order.men[group.start + i]] = square;
            }
            for i in 0..group.men {
                taken[count] = squares[self.order.men[group.start + i]];
                count += 1;
            }
            taken[..count].sort_unstable();
        }
        squares
    }
}

/// How many men are the only ones of their kind.
#[must_use]
pub fn unique_men(space: &Space) -> usize {
    let is_unique = |man: &&Man| space.men.iter().filter(|other| other == man).count() == 1;
    space.men.iter().filter(is_unique).count()
}

/// The order whose men these letters are (capitals: white), as lists of published files write it.
#[must_use]
pub fn read_order(space: &Space, letters: &str, lead: u8, second: u8) -> Option<Order> {
    let mut free: Vec<usize> = (0..space.men.len()).collect();
    let mut men = Vec::new();
    for letter in letters.chars() {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        let at = free.iter().position(|&slot| {
            let man = space.men[slot];
            man.color == color && man.role.upper_char() == letter.to_ascii_uppercase()
        })?;
        men.push(free.remove(at));
    }
    free.is_empty().then_some(Order { men, lead, second })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_complete() {
        assert_eq!(KING_PAIRS.len(), 462);
        for (number, triple) in TRIPLES.iter().enumerate() {
            assert_eq!(triple_number(*triple), number);
            assert!(triple[0] != triple[1] && triple[1] != triple[2] && triple[0] != triple[2]);
        }
        let sizes = |pawns| [0, 1, 2, 3].map(|file| leading_pawns(file, pawns).len());
        assert_eq!(sizes(1), [6, 6, 6, 6]);
        assert_eq!(sizes(2), [252, 180, 108, 36]);
        assert_eq!(sizes(3), [5201, 2645, 953, 125]);
        assert_eq!(sizes(4), [70315, 25375, 5491, 295]);
    }

    /// Material, letters, digits, file, number, squares in the order of the letters.
    #[test]
    fn numbers_stand_for_the_squares_that_readers_expect() {
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
            ("KRvK", "KkR", 0, NO_SLOT, 0, 30410, &[0, 18, 3]),
            ("KRvK", "KkR", 0, NO_SLOT, 0, 10921, &[3, 51, 10]),
            ("KQvKR", "KrQk", 1, NO_SLOT, 0, 1_494_412, &[0, 23, 9, 37]),
            ("KBBvK", "kKBB", 0, NO_SLOT, 0, 870_229, &[52, 0, 9, 1]),
            ("KPPvK", "PPKk", 2, NO_SLOT, 0, 133_982, &[8, 9, 0, 29]),
            ("KPvKP", "PpKk", 3, 1, 1, 686_805, &[33, 41, 31, 55]),
            ("KRvKP", "pRKk", 3, NO_SLOT, 0, 543_004, &[24, 7, 1, 19]),
            ("KRvKP", "pKRk", 2, NO_SLOT, 3, 543_315, &[19, 3, 7, 26]),
        ];
        for (name, letters, lead, second, file, number, expected) in vectors {
            let space = Space::new(name.parse().expect("a name"));
            let order = read_order(&space, letters, lead, second).expect("an order");
            let numbering = Numbering::new(&space, file, &order);
            let found = numbering.squares(number);
            let mut wanted = [0; MAX_MEN];
            for (slot, square) in order.men.iter().zip(expected) {
                wanted[*slot] = *square;
            }
            assert_eq!(
                space.locate(&found),
                space.locate(&wanted),
                "{name} {letters} {found:?}"
            );
        }
    }
}
