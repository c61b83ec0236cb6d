//! A solver of Othello that asks only whether the player to move can reach a goal.

use crate::othello_rules::{Board, Rules, bits};

/// With fewer empty squares there is no transposition table, and moves come by parity alone.
const FEW: u32 = 7;
/// With this many empty squares or more, moves are sorted by a short search, with fewer by the replies that they leave.
const MANY: u32 = 14;
/// Beyond any estimate.
const INFINITE: i32 = 1_000_000;

pub struct Solver {
    pub rules: Rules,
    /// Results by position, in pairs of entries. The bits of the empty edge hold the goal and whether it is reached.
    table: Vec<[u64; 2]>,
    pub nodes: u64,
}

impl Solver {
    /// A solver with 2 to the power of `bits` entries of 16 bytes in its table.
    pub fn new(rules: Rules, bits: u32) -> Self {
        Self {
            rules,
            table: vec![[0; 2]; 1 << bits],
            nodes: 0,
        }
    }

    /// The disc difference for the player to move by best play, between bounds that are halved.
    pub fn value(&mut self, board: Board) -> i32 {
        let most = self.rules.squares.count_ones() as i32;
        let (mut low, mut high) = (-most, most);
        while low < high {
            let goal = low + (high - low + 1) / 2;
            if self.reaches(board, goal) {
                low = goal;
            } else {
                high = goal - 1;
            }
        }
        low
    }

    /// An estimate by alpha-beta to a small depth, to sort moves.
    fn estimate(&mut self, board: Board, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        let passed = board.passed();
        if depth == 0 {
            let corners = |discs: u64| 8 * (discs & self.rules.corners).count_ones() as i32;
            let side = |board: Board| self.rules.chances(board) + corners(board.own);
            return side(board) - side(passed);
        }
        let moves = self.rules.moves(board);
        if moves == 0 && self.rules.moves(passed) == 0 {
            return 1000 * self.rules.score(board);
        } else if moves == 0 {
            return -self.estimate(passed, depth - 1, -beta, -alpha);
        }
        for square in bits(moves & self.rules.corners).chain(bits(moves & !self.rules.corners)) {
            let child = self
                .rules
                .play(board, square, self.rules.turned(board, square));
            alpha = alpha.max(-self.estimate(child, depth - 1, -beta, -alpha));
            if alpha >= beta {
                break;
            }
        }
        alpha
    }

    /// Whether the player to move can end with a difference of at least `goal`: a search with a null window, whose only
    /// results are yes and no. The other player's goal is then `1 - goal`.
    pub fn reaches(&mut self, board: Board, goal: i32) -> bool {
        let count = self.rules.empty(board).count_ones();
        if count < FEW {
            return self.reaches_soon(board, goal, false);
        }
        self.nodes += 1;
        if let Some(result) = self.known(board, goal) {
            return result;
        }
        let children = self.rules.children(board);
        if children.is_empty() {
            let passed = board.passed();
            let over = self.rules.moves(passed) == 0;
            return if over {
                self.rules.score(board) >= goal
            } else {
                !self.reaches(passed, 1 - goal)
            };
        }
        let refuted = |child: &Board| self.known(*child, 1 - goal) == Some(false);
        let result = children.iter().any(refuted)
            || self
                .sorted(board, children)
                .into_iter()
                .any(|child| !self.reaches(child, 1 - goal));
        self.store(board, goal, result);
        result
    }

    /// The boards after moves, the best first: those that leave the other player least.
    pub fn sorted(&mut self, board: Board, mut children: Vec<Board>) -> Vec<Board> {
        let count = self.rules.empty(board).count_ones();
        children.sort_by_cached_key(|&child| {
            if count >= MANY {
                self.estimate(child, (count - 9) / 3, -INFINITE, INFINITE)
            } else {
                let corner = (self.rules.empty(board) & child.other & self.rules.corners)
                    .count_ones() as i32;
                self.rules.chances(child) - 4 * corner
            }
        });
        children
    }

    /// What `reaches` returns, with few empty squares; `after_pass` if the other player could not move.
    fn reaches_soon(&mut self, board: Board, goal: i32, after_pass: bool) -> bool {
        self.nodes += 1;
        let empty = self.rules.empty(board);
        let (odd, mut moved) = (self.rules.odd(empty), false);
        for square in bits(empty & odd).chain(bits(empty & !odd)) {
            let turned = self.rules.turned(board, square);
            moved |= turned != 0;
            let child = self.rules.play(board, square, turned);
            if turned != 0 && !self.reaches_soon(child, 1 - goal, false) {
                return true;
            }
        }
        if !moved && (after_pass || empty == 0) {
            return self.rules.score(board) >= goal;
        }
        !moved && !self.reaches_soon(board.passed(), 1 - goal, true)
    }

    /// The first entry of a position's pair, and the entry for a result.
    fn entry(&self, board: Board, goal: i32, result: bool) -> (usize, [u64; 2]) {
        let mixed = board.own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ board.other.rotate_left(29);
        let hash = mixed.wrapping_mul(0xd6e8_feb8_6659_fd93);
        let slot = (hash >> (64 - self.table.len().ilog2())) as usize & !1;
        (
            slot,
            [
                board.own | (goal + 64) as u64,
                board.other | u64::from(result),
            ],
        )
    }

    fn known(&self, board: Board, goal: i32) -> Option<bool> {
        let (slot, wanted) = self.entry(board, goal, false);
        let same = |entry: &&[u64; 2]| entry[0] == wanted[0] && entry[1] & !1 == wanted[1];
        self.table[slot..slot + 2]
            .iter()
            .find(same)
            .map(|entry| entry[1] & 1 == 1)
    }

    /// Keeps the result of the position with more empty squares in the first entry, the latest other one in the second.
    fn store(&mut self, board: Board, goal: i32, result: bool) {
        let (slot, mut new) = self.entry(board, goal, result);
        let discs = |entry: [u64; 2]| ((entry[0] | entry[1]) & self.rules.squares).count_ones();
        if discs(new) <= discs(self.table[slot]) || self.table[slot] == [0; 2] {
            std::mem::swap(&mut new, &mut self.table[slot]);
        }
        self.table[slot + 1] = new;
    }
}
