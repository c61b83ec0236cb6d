//! Material classes: piece values depend on the type of ending.

use super::axes::Axis;
use crate::chess::{Bitboard, Color, Position, Role};

/// The class of the material on the board, the same for both colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum MaterialClass {
    /// Only kings and pawns.
    Pawns,
    /// One bishop each, of opposite colours.
    OppositeBishops,
    /// Equally many minor pieces.
    Minors,
    /// More minor pieces on one side.
    UnequalMinors,
    /// One rook each.
    Rooks,
    /// Two or more rooks each.
    ManyRooks,
    /// Equally many rooks, and one bishop each, of opposite colours.
    RooksAndOppositeBishops,
    /// Equally many rooks, and minor pieces.
    RooksAndMinors,
    /// More rooks on one side.
    UnequalRooks,
    /// Equally many queens and no other pieces.
    Queens,
    /// More queens on one side.
    UnequalQueens,
    /// Equally many queens, and other pieces.
    QueensAndPieces,
}

/// How often the product of a role with itself counts: the pairs of pawns; of other roles every piece after the first, which
/// is the same up to two pieces. Three are rare in training games, and if their pairs counted, nine queens would be worth less
/// than none.
#[inline]
pub const fn own_product(role: Role, count: i32) -> i32 {
    match (role, count) {
        (_, 0) => 0,
        (Role::Pawn, _) => count * (count - 1) / 2,
        _ => count - 1,
    }
}

impl MaterialClass {
    /// Every class with its name, in order.
    const ALL: [(Self, &str); 12] = [
        (Self::Pawns, "pawn endings"),
        (Self::OppositeBishops, "opposite bishops"),
        (Self::Minors, "minor endings"),
        (Self::UnequalMinors, "unequal minors"),
        (Self::Rooks, "rook endings"),
        (Self::ManyRooks, "double rook endings"),
        (Self::RooksAndOppositeBishops, "rooks and opposite bishops"),
        (Self::RooksAndMinors, "rooks and minors"),
        (Self::UnequalRooks, "unequal rooks"),
        (Self::Queens, "queen endings"),
        (Self::UnequalQueens, "unequal queens"),
        (Self::QueensAndPieces, "queens and pieces"),
    ];

    pub fn of(position: &Position) -> Self {
        let count = |color, role| position.pieces(color, role).count();
        let each = |role| (count(Color::White, role), count(Color::Black, role));
        let (queens, rooks) = (each(Role::Queen), each(Role::Rook));
        let (knights, bishops) = (each(Role::Knight), each(Role::Bishop));
        let minors = (knights.0 + bishops.0, knights.1 + bishops.1);
        let only_opposite_bishops = minors == (1, 1) && has_opposite_bishops(position);
        if queens != (0, 0) {
            return if queens.0 != queens.1 {
                Self::UnequalQueens
            } else if rooks == (0, 0) && minors == (0, 0) {
                Self::Queens
            } else {
                Self::QueensAndPieces
            };
        }
        if rooks != (0, 0) {
            return if rooks.0 != rooks.1 {
                Self::UnequalRooks
            } else if only_opposite_bishops {
                Self::RooksAndOppositeBishops
            } else if minors != (0, 0) {
                Self::RooksAndMinors
            } else if rooks.0 == 1 {
                Self::Rooks
            } else {
                Self::ManyRooks
            };
        }
        if minors == (0, 0) {
            Self::Pawns
        } else if minors.0 != minors.1 {
            Self::UnequalMinors
        } else if only_opposite_bishops {
            Self::OppositeBishops
        } else {
            Self::Minors
        }
    }
}

/// Whether each side has exactly one bishop, and they are of opposite colours.
#[inline]
pub(super) fn has_opposite_bishops(position: &Position) -> bool {
    let bishops = position.by_role(Role::Bishop);
    let white = position.pieces(Color::White, Role::Bishop);
    let light = bishops & Bitboard::LIGHT_SQUARES;
    let dark = bishops & Bitboard::DARK_SQUARES;
    let one_each = light.any() && dark.any() && !light.more_than_one() && !dark.more_than_one();
    one_each && white.any() && white != bishops
}

/// The material class as an axis.
#[derive(Clone, Copy, Debug)]
pub struct Class;

impl Class {
    #[inline]
    pub const fn cell(class: MaterialClass) -> usize {
        class as usize
    }
}

impl Axis for Class {
    type Value = MaterialClass;
    const SIZE: usize = MaterialClass::ALL.len();

    fn label(cell: usize) -> String {
        MaterialClass::ALL[cell].1.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_is_recognised() {
        const EXAMPLES: [&str; 12] = [
            "4k3/p7/8/8/8/8/P7/4K3",
            "2b1k3/p7/8/8/8/8/P7/2B1K3",
            "1n2k3/p7/8/8/8/8/P7/2B1K3",
            "1nb1k3/p7/8/8/8/8/P7/2B1K3",
            "r3k3/p7/8/8/8/8/P7/4K2R",
            "r3k2r/p7/8/8/8/8/P7/R3K2R",
            "r1b1k3/p7/8/8/8/8/P7/2B1K2R",
            "r1bbk3/p7/8/8/8/8/P7/2B1K2R",
            "r3k3/p7/8/8/8/8/P7/2B1K3",
            "3qk3/p7/8/8/8/8/P7/3QK3",
            "3qk3/p7/8/8/8/8/P7/R3K2R",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        ];
        for (index, board) in EXAMPLES.iter().enumerate() {
            let position = Position::from_fen(&format!("{board} w - - 0 1")).unwrap();
            assert_eq!(MaterialClass::of(&position) as usize, index, "{board}");
            assert_eq!(MaterialClass::ALL[index].0 as usize, index);
            let flipped = position.flip();
            assert_eq!(
                MaterialClass::of(&flipped),
                MaterialClass::of(&position),
                "{board}"
            );
        }
        let same = Position::from_fen("2b1k3/p7/8/8/8/8/P7/3BK3 w - - 0 1").unwrap();
        assert_eq!(MaterialClass::of(&same), MaterialClass::Minors);
    }
}
