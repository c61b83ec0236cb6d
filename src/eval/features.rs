//! The features: what is true of a position, said once.
//! Uses: chess, families, sink. Used by: the sinks.
//! Idea: one generic walk tells every fact to a sink; nothing is counted anywhere else.

use super::families::{Material, Mobility, PieceSquare};
use super::sink::{Black, Side, Sink, White};
use crate::chess::{Bitboard, Position, Role, Square, attacks};

/// Tells `sink` everything the evaluation knows of a position.
#[inline]
pub fn features<S: Sink>(position: &Position, sink: &mut S) {
    sink.piece_square(position);
    pieces::<White, S>(position, sink);
    pieces::<Black, S>(position, sink);
}

/// Tells the material and piece-square features one by one; the incremental sums hold what this adds up to.
pub(super) fn scratch_piece_square<S: Sink>(position: &Position, sink: &mut S) {
    scratch_side::<White, S>(position, sink);
    scratch_side::<Black, S>(position, sink);
}

fn scratch_side<C: Side, S: Sink>(position: &Position, sink: &mut S) {
    for role in Role::ALL {
        let pieces = position.pieces(C::COLOR, role);
        if role != Role::King && pieces.any() {
            sink.add::<C>(Material::at(role), pieces.count() as i32, pieces);
        }
        for square in pieces {
            let index = PieceSquare::at(role, C::relative(square));
            sink.add::<C>(index, 1, Bitboard::from_square(square));
        }
    }
}

/// The features of one side's officers.
#[inline(always)]
fn pieces<C: Side, S: Sink>(position: &Position, sink: &mut S) {
    let occupied = position.occupied();
    let enemy_pawns = position.pieces(<C::Enemy as Side>::COLOR, Role::Pawn);
    let safe = !(position.by_color(C::COLOR) | pawn_attacks::<C::Enemy>(enemy_pawns));

    let mut each = |role: Role, attacks: fn(Square, Bitboard) -> Bitboard| {
        for square in position.pieces(C::COLOR, role) {
            let mobility = (attacks(square, occupied) & safe).count();
            sink.add::<C>(
                Mobility::at(role, mobility),
                1,
                Bitboard::from_square(square),
            );
        }
    };
    each(Role::Knight, |square, _| attacks::knight_attacks(square));
    each(Role::Bishop, attacks::bishop_attacks);
    each(Role::Rook, attacks::rook_attacks);
    each(Role::Queen, attacks::queen_attacks);
}

/// Every square that the pawns of one side attack. The masks keep them from running around the edge of the board.
#[inline]
fn pawn_attacks<C: Side>(pawns: Bitboard) -> Bitboard {
    const NOT_FILE_A: Bitboard = Bitboard(0xfefe_fefe_fefe_fefe);
    const NOT_FILE_H: Bitboard = Bitboard(0x7f7f_7f7f_7f7f_7f7f);
    let (west, east) = (pawns & NOT_FILE_A, pawns & NOT_FILE_H);
    if C::SIGN > 0 {
        west.shift(7) | east.shift(9)
    } else {
        west.shift(-9) | east.shift(-7)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pawns_attack_together_what_they_attack_alone() {
        fn check<C: Side>() {
            let squares: Vec<Square> = Bitboard::FULL.into_iter().collect();
            for pair in squares.windows(2) {
                let pawns: Bitboard = pair.iter().copied().collect();
                let slow = attacks::pawn_attacks(C::COLOR, pair[0])
                    | attacks::pawn_attacks(C::COLOR, pair[1]);
                assert_eq!(pawn_attacks::<C>(pawns), slow);
            }
        }
        check::<White>();
        check::<Black>();
    }
}
