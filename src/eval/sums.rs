//! Sums of weights that are always added together, so that the evaluation looks up one number instead of several. They are
//! added up when a model is built; training and explanations use the single weights.

use super::families::{RookFile, RookForward, Threat};
use super::score::Score;
use super::weights::Weights;
use crate::chess::{Bitboard, Color, Role, Square};

/// One more than the most squares that a rook attacks ahead.
const AHEAD: usize = 8;
/// Who may have pawns on a file: neither side, white, black, both.
const OWNERS: usize = 4;
/// The cells of the axis [`FilesAway`](super::axes::FilesAway).
const AWAY: usize = 4;

/// The sums of one model.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    rooks: [[[[Score; AHEAD]; AWAY]; OWNERS]; 2], // [color][owners][away][ahead]
    threats: [[[Score; Attacked::COUNT]; 5]; 2],  // [to move][role][attacked]
}

impl Sums {
    pub(super) const fn of(weights: &Weights) -> Self {
        Self {
            rooks: rooks(weights),
            threats: threats(weights),
        }
    }

    /// [`RookForward`] and [`RookFile`] of one rook.
    #[inline(always)]
    pub(super) const fn rook(
        &self,
        color: Color,
        ahead: usize,
        owners: usize,
        away: usize,
    ) -> Score {
        self.rooks[color as usize][owners % OWNERS][away % AWAY][ahead % AHEAD]
    }

    /// The [`Threat`]s of several roles to one piece.
    #[inline(always)]
    pub(super) const fn threats(&self, is_to_move: bool, role: Role, attacked: Attacked) -> Score {
        let role = role as usize - Role::Pawn as usize;
        self.threats[is_to_move as usize][role][attacked.0 as usize]
    }
}

/// The cell of the axis [`FileState`](super::axes::FileState) for a side; `owners` is 1 if white has pawns on the file, plus 2
/// if black has.
pub(super) const fn file_state(color: Color, owners: usize) -> usize {
    let (white, black) = (owners % 2, owners / 2);
    let (own, enemy) = match color {
        Color::White => (white, black),
        Color::Black => (black, white),
    };
    if own != 0 { 2 } else { enemy }
}

const fn rooks(weights: &Weights) -> [[[[Score; AHEAD]; AWAY]; OWNERS]; 2] {
    let mut table = [[[[Score::ZERO; AHEAD]; AWAY]; OWNERS]; 2];
    let mut cell = 0;
    while cell < 2 * OWNERS * AWAY * AHEAD {
        let (place, ahead) = (cell / AHEAD, cell % AHEAD);
        let (color, owners, away) = (place / AWAY / OWNERS, place / AWAY % OWNERS, place % AWAY);
        let state = file_state(Color::ALL[1 - color], owners);
        table[color][owners][away][ahead] = weights.0[RookForward::at(ahead).get()]
            .score()
            .plus(weights.0[RookFile::at(state, away).get()].score());
        cell += 1;
    }
    table
}

const fn threats(weights: &Weights) -> [[[Score; Attacked::COUNT]; 5]; 2] {
    let mut table = [[[Score::ZERO; Attacked::COUNT]; 5]; 2];
    let mut cell = 0;
    while cell < 2 * 5 * Attacked::COUNT {
        let attacked = Attacked((cell % Attacked::COUNT) as u8);
        let (mover, role) = (cell / Attacked::COUNT / 5, cell / Attacked::COUNT % 5);
        let mut by = 0;
        while by < Role::ALL.len() {
            if attacked.is_by(Role::ALL[by]) {
                let index = Threat::at(
                    mover == 1,
                    Role::ALL[by],
                    Role::ALL[role],
                    attacked.defence(),
                );
                let sum = &mut table[mover][role][attacked.0 as usize];
                *sum = sum.plus(weights.0[index.get()].score());
            }
            by += 1;
        }
        cell += 1;
    }
    table
}

/// How a piece is attacked and defended.
#[derive(Clone, Copy, Debug)]
pub struct Attacked(u8);

impl Attacked {
    /// Every combination of attacking roles, one bit each, the pawn's lowest, and of a cell of the axis
    /// [`Defence`](super::axes::Defence) in the two highest bits.
    const COUNT: usize = 1 << u8::BITS;
    const DEFENCE: u32 = Role::ALL.len() as u32;

    #[inline]
    pub const fn is_by(self, role: Role) -> bool {
        self.0 >> (role as usize - Role::Pawn as usize) & 1 != 0
    }

    #[inline]
    pub const fn defence(self) -> usize {
        (self.0 >> Self::DEFENCE) as usize
    }
}

/// The [`Attacked`] of any square: eight sets of squares as eight bits for each square.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttackedSquares([[u8; 8]; 8]); // [rank][set], one bit for each file

impl AttackedSquares {
    /// `by_role` has the squares that each role attacks. Of the defences that have a square the last one counts.
    #[inline(always)]
    pub(super) fn new(by_role: [Bitboard; 6], [first, second, third]: [Bitboard; 3]) -> Self {
        let [pawn, knight, bishop, rook, queen, king] = by_role;
        let odd = third | first & !second;
        let high = third | second;
        let sets = [pawn, knight, bishop, rook, queen, king, odd, high];
        Self(by_rank(&sets.map(|set| set.0.to_le_bytes())))
    }

    #[inline(always)]
    pub(super) const fn on(&self, square: Square) -> Attacked {
        const ONE_OF_EACH: u64 = 0x0101_0101_0101_0101;
        /// Moves the lowest bit of the byte with number `n` to bit 56 + `n`.
        const GATHER: u64 = 0x0102_0408_1020_4080;
        let of_rank = u64::from_le_bytes(self.0[square.rank() as usize]);
        let of_square = of_rank >> square.file() as u32 & ONE_OF_EACH;
        Attacked((of_square.wrapping_mul(GATHER) >> 56) as u8)
    }
}

/// Sets of squares, by rank instead of by set. Not inlined, for the compiler vectorises it only on its own.
#[inline(never)]
fn by_rank(sets: &[[u8; 8]; 8]) -> [[u8; 8]; 8] {
    let mut ranks = [[0; 8]; 8];
    for rank in 0..8 {
        for set in 0..8 {
            ranks[rank][set] = sets[set][rank];
        }
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;

    #[test]
    fn attacked_squares_are_those_of_their_sets() {
        let mut random = Random::new(1, 0);
        for _ in 0..100 {
            let by_role = std::array::from_fn(|_| Bitboard(random.bits()));
            let defences = std::array::from_fn(|_| Bitboard(random.bits()));
            let squares = AttackedSquares::new(by_role, defences);
            for square in Bitboard::FULL {
                let attacked = squares.on(square);
                for role in Role::ALL {
                    assert_eq!(
                        attacked.is_by(role),
                        by_role[role as usize - 1].contains(square)
                    );
                }
                let last = (defences.iter()).rposition(|set| set.contains(square));
                assert_eq!(attacked.defence(), last.map_or(0, |number| number + 1));
            }
        }
    }
}
