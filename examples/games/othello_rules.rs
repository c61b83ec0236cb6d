//! The rules of Othello on small boards, fast: the squares from each square on are in a table.

/// The discs of the player to move and of the other player, on the middle of 8 × 8 squares: the edge stays empty, so that
/// no line runs over the side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    pub own: u64,
    pub other: u64,
}

pub const START: Board = Board {
    own: 1 << 28 | 1 << 35,
    other: 1 << 27 | 1 << 36,
};
/// Steps between neighbouring squares of a line; each is walked both ways.
const STEPS: [usize; 4] = [1, 7, 8, 9];

impl Board {
    /// The same discs, seen by the other player.
    pub fn passed(self) -> Self {
        Self {
            own: self.other,
            other: self.own,
        }
    }
}

/// The squares of a set.
pub fn bits(set: u64) -> impl Iterator<Item = usize> {
    let next = |&set: &u64| Some(set & set.wrapping_sub(1));
    std::iter::successors(Some(set), next)
        .take_while(|&set| set != 0)
        .map(|set| set.trailing_zeros() as usize)
}

pub struct Rules {
    pub squares: u64,
    pub corners: u64,
    quarters: [u64; 4],
    /// The squares from each square on, in four directions upward and four downward.
    rays: Vec<[u64; 8]>,
    /// Whether squares that are empty at the end count for the winner.
    empty_to_winner: bool,
}

impl Rules {
    /// The rules on `size` × `size` squares, an even number up to 6.
    pub fn new(size: usize, empty_to_winner: bool) -> Self {
        let low = (8 - size) / 2;
        let row = ((1 << size) - 1) << low;
        let squares = (low..low + size).map(|index| row << (8 * index)).sum();
        let ray = |square: usize, step: usize, upward: bool| {
            let shifted = |square: u64| {
                (if upward {
                    square << step
                } else {
                    square >> step
                }) & squares
            };
            let line = std::iter::successors(Some(1 << square), |&square| Some(shifted(square)));
            line.skip(1).take(size).sum()
        };
        let rays = |square| std::array::from_fn(|index| ray(square, STEPS[index % 4], index < 4));
        let (near, far) = (9 * low, 7 * (size - 1));
        let corners = [
            near,
            near + size - 1,
            near + 8 * (size - 1),
            near + far + 2 * (size - 1),
        ];
        Self {
            squares,
            corners: corners.iter().map(|corner| 1 << corner).sum(),
            quarters: [0, 4, 32, 36].map(|first| 0x0f0f_0f0f << first & squares),
            rays: (0..64).map(rays).collect(),
            empty_to_winner,
        }
    }

    pub fn empty(&self, board: Board) -> u64 {
        self.squares & !(board.own | board.other)
    }

    /// The squares on which the player to move can put a disc.
    pub fn moves(&self, board: Board) -> u64 {
        let Board { own, other } = board;
        let mut ends = 0;
        for step in STEPS {
            let (mut up, mut down) = (own << step & other, own >> step & other);
            // At most four discs can be enclosed on six squares.
            for _ in 0..3 {
                up |= up << step & other;
                down |= down >> step & other;
            }
            ends |= up << step | down >> step;
        }
        ends & self.empty(board)
    }

    /// The discs that a disc on a square turns.
    pub fn turned(&self, board: Board, square: usize) -> u64 {
        let Board { own, other } = board;
        let mut turned = 0;
        for (index, ray) in self.rays[square].into_iter().enumerate() {
            if index < 4 {
                // The carry runs over the other player's discs to the first square that has none.
                let end = (other | !ray).wrapping_add(1) & ray & own;
                turned |= end.wrapping_sub(u64::from(end != 0)) & ray;
            } else if let Some(end) = (ray & !other).checked_ilog2() {
                turned |= (1 << end & own).wrapping_neg() << 1 & ray;
            }
        }
        turned
    }

    /// The board after a disc on a square, seen by the other player.
    pub fn play(&self, board: Board, square: usize, turned: u64) -> Board {
        Board {
            own: board.other & !turned,
            other: board.own | turned | 1 << square,
        }
    }

    /// The boards after all moves.
    pub fn children(&self, board: Board) -> Vec<Board> {
        bits(self.moves(board))
            .map(|square| self.play(board, square, self.turned(board, square)))
            .collect()
    }

    /// The disc difference of a finished game.
    pub fn score(&self, board: Board) -> i32 {
        let difference = board.own.count_ones() as i32 - board.other.count_ones() as i32;
        let empty = self.empty(board).count_ones() as i32;
        difference + i32::from(self.empty_to_winner) * difference.signum() * empty
    }

    /// The parts of the board with an odd number of empty squares: whoever begins there also ends there.
    pub fn odd(&self, empty: u64) -> u64 {
        let odd = |quarter: &&u64| (empty & *quarter).count_ones() % 2 == 1;
        self.quarters.iter().filter(odd).sum()
    }

    /// What a player can do: moves, corners twice, and squares beside the other player's discs.
    pub fn chances(&self, board: Board) -> i32 {
        let (moves, other) = (self.moves(board), board.other);
        let beside = STEPS
            .iter()
            .fold(0, |all, step| all | other << step | other >> step);
        let moves = moves.count_ones() + (moves & self.corners).count_ones();
        (2 * moves + (beside & self.squares & !other).count_ones()) as i32
    }
}
