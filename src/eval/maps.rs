//! Attack maps: the attacked squares of a position, computed once for evaluation and search.

use super::side::{Black, Side, White};
use crate::chess::{Bitboard, Color, Position, Role, Square, attacks};

/// More non-pawn pieces than a side can have; a power of two, so that a masked number is in range.
const PIECES: usize = 16;

/// The squares that each side attacks: by role, at all and twice. Squares of own pieces are included (they are defended);
/// pins and checks are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttackMaps {
    by: [[Bitboard; 6]; 2],          // [color][role]
    all: [Bitboard; 2],              // [color]
    twice: [Bitboard; 2],            // [color]
    pieces: [[Bitboard; PIECES]; 2], // [color][number]
}

impl AttackMaps {
    /// The maps of a position.
    ///
    /// ```
    /// use lucena::chess::{Color, Position, Role, Square};
    /// use lucena::eval::AttackMaps;
    /// let maps = AttackMaps::of(&Position::startpos());
    /// assert!(maps.by(Color::White, Role::Knight).contains(Square::F3));
    /// assert!(maps.twice(Color::White).contains(Square::F3));
    /// assert!(!maps.all(Color::Black).contains(Square::F3));
    /// ```
    #[inline]
    pub fn of(position: &Position) -> Self {
        let mut maps = Self {
            by: [[Bitboard::EMPTY; 6]; 2],
            all: [Bitboard::EMPTY; 2],
            twice: [Bitboard::EMPTY; 2],
            pieces: [[Bitboard::EMPTY; PIECES]; 2],
        };
        maps.read(position);
        maps
    }

    /// Replaces the maps by those of another position. (Entries of pieces that it lacks keep old values.)
    #[inline]
    pub fn read(&mut self, position: &Position) {
        self.add::<White>(position);
        self.add::<Black>(position);
    }

    #[inline(always)]
    fn add<C: Side>(&mut self, position: &Position) {
        let color = C::COLOR as usize;
        let occupied = position.occupied();
        let pawns = position.pieces(C::COLOR, Role::Pawn);
        let by_pawns = C::pawn_attacks(pawns);
        let by_king = attacks::king_attacks(position.king(C::COLOR));
        let mut all = by_pawns | by_king;
        let mut twice = C::pawn_attacks_twice(pawns) | by_pawns & by_king;
        let mut number = 0;
        let mut each = |role: Role, attacks: fn(Square, Bitboard) -> Bitboard| {
            let mut by_role = Bitboard::EMPTY;
            for square in position.pieces(C::COLOR, role) {
                let attacked = attacks(square, occupied);
                twice |= all & attacked;
                all |= attacked;
                by_role |= attacked;
                self.pieces[color][number % PIECES] = attacked;
                number += 1;
            }
            self.by[color][role as usize - 1] = by_role;
        };
        each(Role::Knight, |square, _| attacks::knight_attacks(square));
        each(Role::Bishop, attacks::bishop_attacks);
        each(Role::Rook, attacks::rook_attacks);
        each(Role::Queen, attacks::queen_attacks);
        self.by[color][Role::Pawn as usize - 1] = by_pawns;
        self.by[color][Role::King as usize - 1] = by_king;
        self.all[color] = all;
        self.twice[color] = twice;
    }

    /// The same as [`Self::all`] without maps, in half the time.
    #[inline]
    pub fn all_of(position: &Position, color: Color) -> Bitboard {
        let pawns = position.pieces(color, Role::Pawn);
        let by_pawns = match color {
            Color::White => White::pawn_attacks(pawns),
            Color::Black => Black::pawn_attacks(pawns),
        };
        let mut all = by_pawns | attacks::king_attacks(position.king(color));
        let (own, occupied) = (position.by_color(color), position.occupied());
        for square in position.pieces(color, Role::Knight) {
            all |= attacks::knight_attacks(square);
        }
        for square in own & position.diagonal() {
            all |= attacks::bishop_attacks(square, occupied);
        }
        for square in own & position.orthogonal() {
            all |= attacks::rook_attacks(square, occupied);
        }
        all
    }

    /// The squares that a colour attacks with a role.
    #[inline(always)]
    pub const fn by(&self, color: Color, role: Role) -> Bitboard {
        self.by[color as usize][role as usize - 1]
    }

    /// The squares that a colour attacks.
    #[inline(always)]
    pub const fn all(&self, color: Color) -> Bitboard {
        self.all[color as usize]
    }

    /// The squares that a colour attacks with two pieces or more.
    #[inline(always)]
    pub const fn twice(&self, color: Color) -> Bitboard {
        self.twice[color as usize]
    }

    /// The squares that one non-pawn piece attacks. Knights are numbered first, then bishops, rooks and queens, each in the
    /// order of squares.
    #[inline(always)]
    pub(super) const fn piece(&self, color: Color, number: usize) -> Bitboard {
        self.pieces[color as usize][number % PIECES]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_agree_with_the_attackers_of_each_square() {
        for board in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R",
            "3qkq2/1q4q1/8/8/8/8/1Q4Q1/3QKQ2",
        ] {
            let position = Position::from_fen(&format!("{board} w - - 0 1")).unwrap();
            let maps = AttackMaps::of(&position);
            for color in Color::ALL {
                assert_eq!(maps.all(color), AttackMaps::all_of(&position, color));
            }
            for (square, color) in Bitboard::FULL
                .into_iter()
                .flat_map(|square| Color::ALL.map(|color| (square, color)))
            {
                let all = position.attackers_to(square, position.occupied());
                let attackers = all & position.by_color(color);
                assert_eq!(maps.all(color).contains(square), attackers.any());
                assert_eq!(
                    maps.twice(color).contains(square),
                    attackers.more_than_one()
                );
                for role in Role::ALL {
                    let of_role = attackers & position.by_role(role);
                    assert_eq!(maps.by(color, role).contains(square), of_role.any());
                }
            }
        }
    }
}
