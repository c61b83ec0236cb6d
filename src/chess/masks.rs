//! Sets of squares that generators share: lines to a king, castling paths, attacks of a whole side, pawns moved all at once.
//! Uses: shakmaty. Used by: board, movegen, legality, kernel.
//! Idea: what depends on two squares alone is looked up; what depends on pawns is a shift of the whole set.

use shakmaty::{Bitboard, File, Rank, Square, attacks};

/// `[king][sniper]`: the squares between, and the sniper's own; empty if no straight line leads from one to the other.
static LINES: [[Bitboard; 64]; 64] = make_lines();

/// `[square]`
static RAYS: [Rays; 64] = make_rays();

/// Where sliders on an otherwise empty board go.
#[derive(Clone, Copy, Debug)]
pub struct Rays {
    /// Along file and rank.
    pub orthogonal: Bitboard,
    /// Along the diagonals.
    pub diagonal: Bitboard,
}

/// `[king]`
static REACHES: [Reach; 64] = make_reaches();

/// From where men of a kind, on an otherwise empty board, look at a square beside the king.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    pub(crate) knights: Bitboard,
    pub(crate) orthogonal: Bitboard,
    pub(crate) diagonal: Bitboard,
}

#[allow(clippy::large_stack_arrays)] // The compiler's stack: it makes the table.
const fn make_lines() -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            let (king, sniper) = (Square::new(from), Square::new(to));
            if attacks::ray(king, sniper).0 != 0 {
                let between = attacks::between(king, sniper).0;
                table[from as usize][to as usize] = Bitboard(between | 1 << to);
            }
            to += 1;
        }
        from += 1;
    }
    table
}

const fn make_rays() -> [Rays; 64] {
    let mut table = [Rays {
        orthogonal: Bitboard::EMPTY,
        diagonal: Bitboard::EMPTY,
    }; 64];
    let mut index = 0;
    while index < 64 {
        let square = Square::new(index);
        table[index as usize] = Rays {
            orthogonal: attacks::rook_attacks(square, Bitboard::EMPTY),
            diagonal: attacks::bishop_attacks(square, Bitboard::EMPTY),
        };
        index += 1;
    }
    table
}

const fn make_reaches() -> [Reach; 64] {
    let mut table = [Reach {
        knights: Bitboard::EMPTY,
        orthogonal: Bitboard::EMPTY,
        diagonal: Bitboard::EMPTY,
    }; 64];
    let mut king = 0;
    while king < 64 {
        let reach = &mut table[king as usize];
        let mut steps = attacks::king_attacks(Square::new(king));
        while let Some(step) = steps.pop_front() {
            reach.knights.0 |= attacks::knight_attacks(step).0;
            reach.orthogonal.0 |= attacks::rook_attacks(step, Bitboard::EMPTY).0;
            reach.diagonal.0 |= attacks::bishop_attacks(step, Bitboard::EMPTY).0;
        }
        king += 1;
    }
    table
}

/// The squares between a king and a sniper, and the sniper's own; empty if they stand on no common line.
#[inline]
pub(crate) const fn line(king: Square, sniper: Square) -> Bitboard {
    LINES[king as usize][sniper as usize]
}

/// Where sliders on an otherwise empty board go from a square.
#[inline]
#[must_use]
pub const fn rays(square: Square) -> Rays {
    RAYS[square as usize]
}

/// The men of a side by how they move.
#[derive(Clone, Copy)]
pub(crate) struct Side {
    pub(crate) pawns: Bitboard,
    pub(crate) knights: Bitboard,
    pub(crate) orthogonal: Bitboard,
    pub(crate) diagonal: Bitboard,
    pub(crate) king: Square,
}

impl Side {
    /// Without the men that cannot attack a square beside this king, whatever stands in between.
    #[inline]
    #[must_use]
    pub(crate) fn near(self, king: Square) -> Self {
        let reach = &REACHES[king as usize];
        Self {
            knights: self.knights & reach.knights,
            orthogonal: self.orthogonal & reach.orthogonal,
            diagonal: self.diagonal & reach.diagonal,
            ..self
        }
    }

    /// Every square that this side, with pawns of this colour, attacks.
    #[inline]
    pub(crate) fn attacks<const WHITE: bool>(&self, occupied: Bitboard) -> Bitboard {
        let mut attacked = pawns_attack::<WHITE>(self.pawns) | attacks::king_attacks(self.king);
        for knight in self.knights {
            attacked |= attacks::knight_attacks(knight);
        }
        for slider in self.diagonal {
            attacked |= attacks::bishop_attacks(slider, occupied);
        }
        for slider in self.orthogonal {
            attacked |= attacks::rook_attacks(slider, occupied);
        }
        attacked
    }
}

/// The squares of a castling move.
#[derive(Clone, Copy)]
pub(crate) struct Castle {
    pub(crate) king_to: Square,
    pub(crate) rook_to: Square,
    /// Where the king passes and arrives.
    pub(crate) king_way: Bitboard,
    /// What king and rook pass or reach, their own squares left out: nothing may stand there.
    pub(crate) path: Bitboard,
}

/// `[white][king's file][rook's file]`
static CASTLES: [[[Castle; 8]; 8]; 2] = make_castles();

const fn make_castles() -> [[[Castle; 8]; 8]; 2] {
    let none = Castle {
        king_to: Square::A1,
        rook_to: Square::A1,
        king_way: Bitboard::EMPTY,
        path: Bitboard::EMPTY,
    };
    let mut table = [[[none; 8]; 8]; 2];
    let mut index = 0;
    while index < 128 {
        let (white, king, rook) = (index / 64, index / 8 % 8, index % 8);
        let rank = if white == 1 {
            Rank::First
        } else {
            Rank::Eighth
        };
        let (king_file, rook_file) = if rook > king {
            (File::G, File::F)
        } else {
            (File::C, File::D)
        };
        let (king_to, rook_to) = (
            Square::from_coords(king_file, rank),
            Square::from_coords(rook_file, rank),
        );
        let king_from = Square::from_coords(File::new(king), rank);
        let rook_from = Square::from_coords(File::new(rook), rank);
        let king_way = line(king_from, king_to);
        let path = king_way.0 | line(king_from, rook_from).0 | line(rook_from, rook_to).0;
        table[white as usize][king as usize][rook as usize] = Castle {
            king_to,
            rook_to,
            king_way,
            path: Bitboard(path & !(1 << king_from as u64 | 1 << rook_from as u64)),
        };
        index += 1;
    }
    table
}

/// How a king castles with a rook of its rank.
#[inline]
pub(crate) const fn castle<const WHITE: bool>(king: Square, rook: Square) -> &'static Castle {
    &CASTLES[WHITE as usize][king as usize & 7][rook as usize & 7]
}

const NOT_A_FILE: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H_FILE: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Squares moved one rank ahead.
#[inline]
pub(crate) const fn ahead<const WHITE: bool>(squares: Bitboard) -> Bitboard {
    Bitboard(if WHITE {
        squares.0 << 8
    } else {
        squares.0 >> 8
    })
}

/// Squares moved one rank back.
#[inline]
pub(crate) const fn back<const WHITE: bool>(squares: Bitboard) -> Bitboard {
    Bitboard(if WHITE {
        squares.0 >> 8
    } else {
        squares.0 << 8
    })
}

/// The squares beside these, to the left (towards the a file).
#[inline]
pub(crate) const fn left(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 & NOT_A_FILE) >> 1)
}

/// The squares beside these, to the right (towards the h file).
#[inline]
pub(crate) const fn right(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 & NOT_H_FILE) << 1)
}

/// The squares that pawns attack on their left.
#[inline]
pub(crate) const fn ahead_left<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    let files = pawns.0 & NOT_A_FILE;
    Bitboard(if WHITE { files << 7 } else { files >> 9 })
}

/// The squares that pawns attack on their right.
#[inline]
pub(crate) const fn ahead_right<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    let files = pawns.0 & NOT_H_FILE;
    Bitboard(if WHITE { files << 9 } else { files >> 7 })
}

/// Every square that pawns attack.
#[inline]
pub(crate) const fn pawns_attack<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    Bitboard(ahead_left::<WHITE>(pawns).0 | ahead_right::<WHITE>(pawns).0)
}

/// The rank on which a side's pawns promote.
#[inline]
pub(crate) const fn last_rank<const WHITE: bool>() -> Bitboard {
    Bitboard::from_rank(if WHITE { Rank::Eighth } else { Rank::First })
}

/// Where pawns may go, each set by the way they come.
#[derive(Clone, Copy)]
pub(crate) struct PawnTargets {
    pub(crate) pushes: Bitboard,
    pub(crate) doubles: Bitboard,
    pub(crate) left: Bitboard,
    pub(crate) right: Bitboard,
}

impl PawnTargets {
    /// The moves of these pawns to squares of the mask.
    #[inline]
    pub(crate) fn of<const WHITE: bool>(
        pawns: Bitboard,
        mask: Bitboard,
        occupied: Bitboard,
        them: Bitboard,
    ) -> Self {
        let third = Bitboard::from_rank(if WHITE { Rank::Third } else { Rank::Sixth });
        let pushes = ahead::<WHITE>(pawns) & !occupied;
        Self {
            pushes: pushes & mask,
            doubles: ahead::<WHITE>(pushes & third) & !occupied & mask,
            left: ahead_left::<WHITE>(pawns) & them & mask,
            right: ahead_right::<WHITE>(pawns) & them & mask,
        }
    }

    /// How many moves these are, each promotion counted four times.
    #[inline]
    pub(crate) fn count<const WHITE: bool>(self) -> usize {
        // Pushes end on empty squares and captures do not: two sets fit into one word.
        let (one, other) = (self.pushes | self.left, self.doubles | self.right);
        let last = last_rank::<WHITE>();
        let mut moves = one.count() + other.count();
        if ((one | other) & last).any() {
            moves += 3 * ((one & last).count() + (other & last).count());
        }
        moves
    }

    /// Those moves that leave one of these squares or reach one.
    #[inline]
    #[must_use]
    pub(crate) fn touching<const WHITE: bool>(self, squares: Bitboard) -> Self {
        let one_ahead = ahead::<WHITE>(squares);
        Self {
            pushes: self.pushes & (squares | one_ahead),
            doubles: self.doubles & (squares | ahead::<WHITE>(one_ahead)),
            left: self.left & (squares | ahead_left::<WHITE>(squares)),
            right: self.right & (squares | ahead_right::<WHITE>(squares)),
        }
    }

    /// These moves without those.
    #[inline]
    #[must_use]
    pub(crate) fn without(self, others: Self) -> Self {
        Self {
            pushes: self.pushes & !others.pushes,
            doubles: self.doubles & !others.doubles,
            left: self.left & !others.left,
            right: self.right & !others.right,
        }
    }
}

/// The members of a set, each as a set of its own.
#[inline]
pub(crate) fn singles(mut set: Bitboard) -> impl Iterator<Item = Bitboard> {
    std::iter::from_fn(move || {
        let single = Bitboard(set.0 & set.0.wrapping_neg());
        set ^= single;
        single.any().then_some(single)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    const SKEW: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

    /// Walks from a square until the board ends or something stands in the way.
    fn walk(from: Square, (file, rank): (i32, i32), occupied: Bitboard) -> Bitboard {
        let mut reached = Bitboard::EMPTY;
        let mut at = from;
        while let Some(next) = step(at, (file, rank)) {
            reached.add(next);
            if occupied.contains(next) {
                break;
            }
            at = next;
        }
        reached
    }

    fn step(from: Square, (file, rank): (i32, i32)) -> Option<Square> {
        let file = from.file() as i32 + file;
        let rank = from.rank() as i32 + rank;
        let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
        on_board.then(|| Square::from_coords(File::new(file as u32), Rank::new(rank as u32)))
    }

    fn slides(from: Square, ways: [(i32, i32); 4], occupied: Bitboard) -> Bitboard {
        let walks = ways.map(|way| walk(from, way, occupied));
        walks
            .into_iter()
            .fold(Bitboard::EMPTY, |all, one| all | one)
    }

    /// From every square, over every set of men that could stand in a slider's way: the tables that the whole house
    /// moves by.
    #[test]
    fn sliders_go_where_walking_goes() {
        for square in Square::ALL {
            for (ways, attacks) in [
                (STRAIGHT, attacks::rook_attacks as fn(_, _) -> _),
                (SKEW, attacks::bishop_attacks as fn(_, _) -> _),
            ] {
                let rays = slides(square, ways, Bitboard::EMPTY);
                // The next subset of the rays, by Marcel van Kervinck's way.
                let mut occupied = Bitboard::EMPTY;
                loop {
                    let expected = slides(square, ways, occupied);
                    assert_eq!(attacks(square, occupied), expected, "{square} {occupied:?}");
                    // Men elsewhere change nothing.
                    assert_eq!(attacks(square, occupied | !rays), expected, "{square}");
                    occupied.0 = occupied.0.wrapping_sub(rays.0) & rays.0;
                    if occupied.is_empty() {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn lines_rays_and_reaches_are_what_walking_says() {
        for king in Square::ALL {
            let from_king = rays(king);
            let (straight, skew) = (
                slides(king, STRAIGHT, Bitboard::EMPTY),
                slides(king, SKEW, Bitboard::EMPTY),
            );
            assert_eq!((from_king.orthogonal, from_king.diagonal), (straight, skew));
            let ways = STRAIGHT.into_iter().chain(SKEW);
            for sniper in Square::ALL {
                let alone = Bitboard::from_square(sniper);
                let way = ways
                    .clone()
                    .map(|way| walk(king, way, alone))
                    .find(|walk| walk.contains(sniper));
                assert_eq!(line(king, sniper), way.unwrap_or(Bitboard::EMPTY));
                let beside = STRAIGHT.into_iter().chain(SKEW);
                let beside: Vec<_> = beside.filter_map(|way| step(king, way)).collect();
                let looks = |ways: [(i32, i32); 4]| {
                    let seen = slides(sniper, ways, Bitboard::EMPTY);
                    beside.iter().any(|&square| seen.contains(square))
                };
                let reach = &REACHES[king as usize];
                assert_eq!(reach.orthogonal.contains(sniper), looks(STRAIGHT));
                assert_eq!(reach.diagonal.contains(sniper), looks(SKEW));
                let jumps = attacks::knight_attacks(sniper);
                assert_eq!(
                    reach.knights.contains(sniper),
                    beside.iter().any(|&square| jumps.contains(square))
                );
            }
        }
    }
}
