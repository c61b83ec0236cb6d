//! Draws that a material count does not see: a king in the corner holds against a rook pawn and the wrong bishop.

use crate::chess::{Bitboard, Color, File, Position, Rank, Role, Square, attacks};

/// The phase of the only piece that may be on the board, a bishop.
const MAX_PHASE: i32 = 1;
/// A pawn so many files from the rook file comes beside it by capturing the bishop.
const BISHOP_AWAY: u32 = 2;

/// Whether a side can win only by mistakes of the other one: all its pawns are on one rook file, it has nothing else but at
/// most one bishop, not of the colour of the corner where they promote, and the other king is in this corner or beside it.
///
/// No piece of that side but its king can attack the corner, and its king cannot while the other one is beside it. So the
/// other king can always step into the corner and never has to leave it. The other side may have pawns as well, where neither
/// they nor a capture of the bishop let a rook pawn change its file.
///
/// ```
/// use lucena::chess::{Color, Position};
/// use lucena::eval::cannot_win;
/// let position = Position::from_fen("6k1/8/6KP/7P/4B3/8/8/8 w - - 0 1").unwrap();
/// assert!(cannot_win(&position, Color::White));
/// ```
#[must_use]
pub fn cannot_win(position: &Position, side: Color) -> bool {
    let pawns = position.pieces(side, Role::Pawn);
    let bishops = position.pieces(side, Role::Bishop);
    let king = Bitboard::from_square(position.king(side));
    let is_bare = position.by_color(side) == pawns | bishops | king;
    if !is_bare || bishops.more_than_one() {
        return false;
    }
    let file = match pawns.first() {
        Some(pawn) if pawn.file() == File::A || pawn.file() == File::H => pawn.file(),
        _ => return false,
    };
    let corner = Square::from_coords(file, side.fold_wb(Rank::Eighth, Rank::First));
    let holder = position.king(!side);
    let others = position.by_color(!side).without(holder);
    let is_far = |square: Square| {
        let distance = square.file().distance(file);
        distance > BISHOP_AWAY || bishops.is_empty() && distance != 1
    };
    is_subset(pawns, Bitboard::from_file(file))
        && bishops
            .into_iter()
            .all(|bishop| bishop.is_light() != corner.is_light())
        && (holder == corner || attacks::king_attacks(corner).contains(holder))
        && is_subset(others, position.by_role(Role::Pawn))
        && others.into_iter().all(is_far)
}

/// Whether a position with this phase and this sum, positive for white, is a known draw.
#[inline]
pub(super) fn is_known(position: &Position, phase: i32, sum: i32) -> bool {
    phase <= MAX_PHASE && cannot_win(position, Color::from_white(sum > 0))
}

fn is_subset(squares: Bitboard, of: Bitboard) -> bool {
    (squares & !of).is_empty()
}
