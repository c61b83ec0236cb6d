//! Known draws: a king in the corner against rook pawns and the wrong bishop.

use crate::chess::{Bitboard, Color, File, Position, Rank, Role, Square, attacks};

/// The phase of the only piece that may be on the board, a bishop.
const MAX_PHASE: i32 = 1;
/// A pawn this many files from the rook file can get to the neighbouring file by capturing the bishop.
const BISHOP_AWAY: u32 = 2;

/// Whether a side cannot force a win: it has only pawns on one rook file, and at most a bishop that does not control the
/// corner where they promote, and the defending king is in that corner or beside it.
///
/// Only the attacking king could attack the corner, and kings cannot stand side by side. So the defending king can always
/// step into the corner and never has to leave it. The defender may have pawns where no rook pawn can capture one, even after
/// one of them has captured the bishop.
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
    let defender = position.king(!side);
    let others = position.by_color(!side).without(defender);
    let is_far = |square: Square| {
        let distance = square.file().distance(file);
        distance > BISHOP_AWAY || bishops.is_empty() && distance != 1
    };
    is_subset(pawns, Bitboard::from_file(file))
        && bishops
            .into_iter()
            .all(|bishop| bishop.is_light() != corner.is_light())
        && (defender == corner || attacks::king_attacks(corner).contains(defender))
        && is_subset(others, position.by_role(Role::Pawn))
        && others.into_iter().all(is_far)
}

/// Whether one side has a bare king, the other only pawns and at most a bishop, and neither can win.
#[inline]
pub fn is_dead_draw(position: &Position, phase: i32) -> bool {
    phase <= MAX_PHASE
        && Color::ALL.iter().any(|&side| {
            position.by_color(!side) == Bitboard::from_square(position.king(!side))
                && cannot_win(position, side)
        })
}

/// Whether a position with this phase and this sum, positive for white, is a known draw.
#[inline]
pub(super) fn is_known(position: &Position, phase: i32, sum: i32) -> bool {
    phase <= MAX_PHASE && cannot_win(position, Color::from_white(sum > 0))
}

fn is_subset(squares: Bitboard, of: Bitboard) -> bool {
    (squares & !of).is_empty()
}
