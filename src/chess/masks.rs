//! Sets of squares for move generators: lines to a king, castling paths, attacks of a side, pawn moves by shifts.

use shakmaty::{Bitboard, File, Rank, Square, attacks};

/// `[king][sniper]`, see [`line`].
static LINES: [[Bitboard; 64]; 64] = make_lines();

/// `[square]`
static RAYS: [Rays; 64] = make_rays();

/// The attacks of sliders on an empty board.
#[derive(Clone, Copy, Debug)]
pub struct Rays {
    pub orthogonal: Bitboard,
    pub diagonal: Bitboard,
}

/// `[king]`
static REACHES: [Reach; 64] = make_reaches();

/// The squares from which a piece would attack a square beside the king on an empty board.
#[derive(Clone, Copy)]
struct Reach {
    knights: Bitboard,
    orthogonal: Bitboard,
    diagonal: Bitboard,
}

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

/// The squares between a king and a sniper, and the sniper's own; empty if no rank, file or diagonal joins them.
#[inline]
pub(crate) const fn line(king: Square, sniper: Square) -> Bitboard {
    LINES[king as usize][sniper as usize]
}

/// The attacks of sliders on an empty board from a square.
#[inline]
#[must_use]
pub const fn rays(square: Square) -> Rays {
    RAYS[square as usize]
}

/// The pieces of one side by how they move; queens are in both slider sets.
#[derive(Clone, Copy)]
pub(crate) struct SidePieces {
    pub(crate) pawns: Bitboard,
    pub(crate) knights: Bitboard,
    pub(crate) orthogonal: Bitboard,
    pub(crate) diagonal: Bitboard,
    pub(crate) king: Square,
}

impl SidePieces {
    /// Leaves out pieces that cannot attack a square beside this king, whatever stands in between.
    #[inline]
    pub(crate) fn near(self, king: Square) -> Self {
        let reach = &REACHES[king as usize];
        Self {
            knights: self.knights & reach.knights,
            orthogonal: self.orthogonal & reach.orthogonal,
            diagonal: self.diagonal & reach.diagonal,
            ..self
        }
    }

    /// Every square that these pieces attack.
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

/// The squares that decide whether a castling move is legal.
#[derive(Clone, Copy)]
pub(crate) struct Castle {
    /// The squares that the king crosses or reaches: they must not be attacked.
    pub(crate) king_path: Bitboard,
    /// The squares that king or rook crosses or reaches, without their own: they must be empty.
    pub(crate) path: Bitboard,
}

/// `[white][king's file][rook's file]`
static CASTLES: [[[Castle; 8]; 8]; 2] = make_castles();

const fn make_castles() -> [[[Castle; 8]; 8]; 2] {
    let none = Castle {
        king_path: Bitboard::EMPTY,
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
        let king_path = line(king_from, king_to);
        let path = king_path.0 | line(king_from, rook_from).0 | line(rook_from, rook_to).0;
        table[white as usize][king as usize][rook as usize] = Castle {
            king_path,
            path: Bitboard(path & !(1 << king_from as u64 | 1 << rook_from as u64)),
        };
        index += 1;
    }
    table
}

/// The castling of a king with a rook on its rank.
#[inline]
pub(crate) const fn castle<const WHITE: bool>(king: Square, rook: Square) -> &'static Castle {
    &CASTLES[WHITE as usize][king as usize & 7][rook as usize & 7]
}

const NOT_A_FILE: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H_FILE: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Every square, one rank forward.
#[inline]
pub(crate) const fn ahead<const WHITE: bool>(squares: Bitboard) -> Bitboard {
    Bitboard(if WHITE {
        squares.0 << 8
    } else {
        squares.0 >> 8
    })
}

/// The squares one step to the west; the mask keeps them from wrapping around the edge of the board.
#[inline(always)]
pub(crate) const fn west(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 & NOT_A_FILE) >> 1)
}

/// The squares one step to the east.
#[inline(always)]
pub(crate) const fn east(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 & NOT_H_FILE) << 1)
}

/// The squares that pawns attack to the west.
#[inline]
pub(crate) const fn ahead_west<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    let files = pawns.0 & NOT_A_FILE;
    Bitboard(if WHITE { files << 7 } else { files >> 9 })
}

/// The squares that pawns attack to the east.
#[inline]
pub(crate) const fn ahead_east<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    let files = pawns.0 & NOT_H_FILE;
    Bitboard(if WHITE { files << 9 } else { files >> 7 })
}

/// Every square that pawns attack.
#[inline]
pub(crate) const fn pawns_attack<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    Bitboard(ahead_west::<WHITE>(pawns).0 | ahead_east::<WHITE>(pawns).0)
}

/// The rank on which a side's pawns promote.
#[inline]
pub(crate) const fn last_rank<const WHITE: bool>() -> Bitboard {
    Bitboard::from_rank(if WHITE { Rank::Eighth } else { Rank::First })
}

/// The target squares of pawn moves, by kind of move.
#[derive(Clone, Copy)]
pub(crate) struct PawnTargets {
    pub(crate) pushes: Bitboard,
    pub(crate) doubles: Bitboard,
    /// Captures to the west and to the east.
    pub(crate) west: Bitboard,
    pub(crate) east: Bitboard,
}

impl PawnTargets {
    /// The moves of `pawns` to squares of `mask`.
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
            west: ahead_west::<WHITE>(pawns) & them & mask,
            east: ahead_east::<WHITE>(pawns) & them & mask,
        }
    }

    /// From the origin of a pawn's push to its target, in squares.
    #[inline]
    pub(crate) const fn step<const WHITE: bool>() -> i32 {
        if WHITE { 8 } else { -8 }
    }

    /// The number of moves; each promotion counts four times.
    #[inline]
    pub(crate) fn count<const WHITE: bool>(self) -> usize {
        // Pushes end on empty squares and captures do not: two sets fit into one word.
        let (one, other) = (self.pushes | self.west, self.doubles | self.east);
        let last = last_rank::<WHITE>();
        let mut moves = one.count() + other.count();
        if ((one | other) & last).any() {
            moves += 3 * ((one & last).count() + (other & last).count());
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORTHOGONAL: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

    /// Walks from a square up to the edge of the board or the first piece.
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

    fn slides(from: Square, directions: [(i32, i32); 4], occupied: Bitboard) -> Bitboard {
        let walks = directions.map(|direction| walk(from, direction, occupied));
        walks
            .into_iter()
            .fold(Bitboard::EMPTY, |all, one| all | one)
    }

    /// From every square, for every set of blockers.
    #[test]
    fn slider_attacks_equal_a_walk_square_by_square() {
        for square in Square::ALL {
            for (directions, attacks) in [
                (ORTHOGONAL, attacks::rook_attacks as fn(_, _) -> _),
                (DIAGONAL, attacks::bishop_attacks as fn(_, _) -> _),
            ] {
                let rays = slides(square, directions, Bitboard::EMPTY);
                // All subsets of the rays (carry-rippler).
                let mut occupied = Bitboard::EMPTY;
                loop {
                    let expected = slides(square, directions, occupied);
                    assert_eq!(attacks(square, occupied), expected, "{square} {occupied:?}");
                    // Pieces elsewhere change nothing.
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
    fn lines_rays_and_reaches_equal_walks() {
        for king in Square::ALL {
            let from_king = rays(king);
            let (orthogonal, diagonal) = (
                slides(king, ORTHOGONAL, Bitboard::EMPTY),
                slides(king, DIAGONAL, Bitboard::EMPTY),
            );
            assert_eq!(
                (from_king.orthogonal, from_king.diagonal),
                (orthogonal, diagonal)
            );
            let directions = ORTHOGONAL.into_iter().chain(DIAGONAL);
            for sniper in Square::ALL {
                let alone = Bitboard::from_square(sniper);
                let walk_to = directions
                    .clone()
                    .map(|direction| walk(king, direction, alone))
                    .find(|walk| walk.contains(sniper));
                assert_eq!(line(king, sniper), walk_to.unwrap_or(Bitboard::EMPTY));
                let beside = ORTHOGONAL.into_iter().chain(DIAGONAL);
                let beside: Vec<_> = beside
                    .filter_map(|direction| step(king, direction))
                    .collect();
                let attacks_beside = |directions: [(i32, i32); 4]| {
                    let seen = slides(sniper, directions, Bitboard::EMPTY);
                    beside.iter().any(|&square| seen.contains(square))
                };
                let reach = &REACHES[king as usize];
                assert_eq!(
                    reach.orthogonal.contains(sniper),
                    attacks_beside(ORTHOGONAL)
                );
                assert_eq!(reach.diagonal.contains(sniper), attacks_beside(DIAGONAL));
                let jumps = attacks::knight_attacks(sniper);
                assert_eq!(
                    reach.knights.contains(sniper),
                    beside.iter().any(|&square| jumps.contains(square))
                );
            }
        }
    }
}
