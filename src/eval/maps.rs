//! Attack maps: the attacked squares of a position, computed once for evaluation and search.

use super::side::{Black, Side, White};
use crate::chess::{Bitboard, Color, Position, Role, Square, attacks};

/// The squares that each side attacks: by role, at all and twice. Squares of own pieces are included (they are defended);
/// pins and checks are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttackMaps {
    by: [[Bitboard; 6]; 2], // [color][role]
    cover: [Cover; 2],      // [color]
}

/// The squares that one side attacks at all and twice, while its pieces are added one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cover {
    all: Bitboard,
    twice: Bitboard,
    /// The squares that the pieces of the role being added attack.
    by_role: Bitboard,
}

impl Cover {
    /// Adds a piece of the role being added.
    #[inline(always)]
    pub(super) fn add(&mut self, attacked: Bitboard) {
        self.twice |= self.all & attacked;
        self.all |= attacked;
        self.by_role |= attacked;
    }
}

/// The squares that a knight, bishop, rook or queen attacks.
#[inline(always)]
pub(super) fn attacks_of(role: Role, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Knight => attacks::knight_attacks(square),
        Role::Bishop => attacks::bishop_attacks(square, occupied),
        Role::Rook => attacks::rook_attacks(square, occupied),
        _ => attacks::queen_attacks(square, occupied),
    }
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
    pub fn of(position: &Position) -> Self {
        let mut maps = Self::of_pawns_and_kings(position);
        for color in Color::ALL {
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                let mut cover = maps.cover(color);
                for square in position.pieces(color, role) {
                    cover.add(attacks_of(role, square, position.occupied()));
                }
                maps.set(color, role, cover);
            }
        }
        maps
    }

    /// The attacks of pawns and kings alone, to which [`Self::set`] adds those of the other pieces.
    #[inline(always)]
    pub(super) fn of_pawns_and_kings(position: &Position) -> Self {
        let mut maps = Self {
            by: [[Bitboard::EMPTY; 6]; 2],
            cover: [Cover {
                all: Bitboard::EMPTY,
                twice: Bitboard::EMPTY,
                by_role: Bitboard::EMPTY,
            }; 2],
        };
        maps.add_pawns_and_king::<White>(position);
        maps.add_pawns_and_king::<Black>(position);
        maps
    }

    #[inline(always)]
    fn add_pawns_and_king<C: Side>(&mut self, position: &Position) {
        let pawns = position.pieces(C::COLOR, Role::Pawn);
        let by_pawns = C::pawn_attacks(pawns);
        let by_king = attacks::king_attacks(position.king(C::COLOR));
        let cover = &mut self.cover[C::COLOR as usize];
        cover.all = by_pawns | by_king;
        cover.twice = C::pawn_attacks_twice(pawns) | by_pawns & by_king;
        let by = &mut self.by[C::COLOR as usize];
        by[Role::Pawn as usize - 1] = by_pawns;
        by[Role::King as usize - 1] = by_king;
    }

    /// What a colour attacks so far, with no pieces of the next role.
    #[inline(always)]
    pub(super) const fn cover(&self, color: Color) -> Cover {
        Cover {
            by_role: Bitboard::EMPTY,
            ..self.cover[color as usize]
        }
    }

    /// Sets what a colour attacks after the pieces of a role were added to its [`Self::cover`].
    #[inline(always)]
    pub(super) const fn set(&mut self, color: Color, role: Role, cover: Cover) {
        self.by[color as usize][role as usize - 1] = cover.by_role;
        self.cover[color as usize] = cover;
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
        self.cover[color as usize].all
    }

    /// The squares that a colour attacks with two pieces or more.
    #[inline(always)]
    pub const fn twice(&self, color: Color) -> Bitboard {
        self.cover[color as usize].twice
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
