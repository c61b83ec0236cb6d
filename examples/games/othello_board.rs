//! The rules of Othello on 6 × 6 squares.
#![allow(dead_code, reason = "no example uses all of it")]

/// The discs of the player to move and of the other player. The board is the middle of 8 × 8 squares, whose edge is always
/// empty, so that no line runs over the side of the board.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Othello {
    pub own: u64,
    pub other: u64,
}

pub const BOARD: u64 = 0x007e_7e7e_7e7e_7e00;
pub const CORNERS: u64 = 0x0042_0000_0000_4200;
/// Steps between neighbouring squares of a line; each is walked both ways.
const STEPS: [u32; 4] = [1, 7, 8, 9];

impl Othello {
    pub const START: Self = Self {
        own: 1 << 28 | 1 << 35,
        other: 1 << 27 | 1 << 36,
    };

    pub fn empty(&self) -> u64 {
        BOARD & !(self.own | self.other)
    }

    /// The squares on which the player to move can put a disc.
    pub fn moves(&self) -> u64 {
        let mut ends = 0;
        for step in STEPS {
            let (mut up, mut down) = (self.own << step & self.other, self.own >> step & self.other);
            // At most four discs can be enclosed on six squares.
            for _ in 0..3 {
                up |= up << step & self.other;
                down |= down >> step & self.other;
            }
            ends |= up << step | down >> step;
        }
        ends & self.empty()
    }

    /// The position after a disc on a square, which is a legal move.
    pub fn play(&self, square: u64) -> Self {
        let mut turned = 0;
        for step in STEPS {
            let (mut up, mut down) = (square << step & self.other, square >> step & self.other);
            for _ in 0..3 {
                up |= up << step & self.other;
                down |= down >> step & self.other;
            }
            if up << step & self.own != 0 {
                turned |= up;
            }
            if down >> step & self.own != 0 {
                turned |= down;
            }
        }
        Self {
            own: self.other & !turned,
            other: self.own | turned | square,
        }
    }

    pub fn pass(&self) -> Self {
        Self {
            own: self.other,
            other: self.own,
        }
    }

    /// The disc difference at the end; empty squares go to the winner.
    pub fn score(&self) -> i32 {
        let difference = self.own.count_ones() as i32 - self.other.count_ones() as i32;
        difference + difference.signum() * self.empty().count_ones() as i32
    }
}
