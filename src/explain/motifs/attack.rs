//! Attack and exchange on single squares.

use crate::chess::{Bitboard, Color, Piece, Position, Role, Square, attacks, exchange_value};

/// More than all other pieces together.
pub(super) const KING_VALUE: i32 = 10_000;

/// The value of a role in centipawns; the king counts more than everything else.
pub(super) fn value(role: Role) -> i32 {
    match role {
        Role::King => KING_VALUE,
        other => exchange_value(other),
    }
}

/// The value of the piece on a square, 0 if it is empty.
pub(super) fn value_on(position: &Position, square: Square) -> i32 {
    let piece = position.piece_on(square);
    piece.map_or(0, |piece| value(piece.role()))
}

pub(super) fn role_on(position: &Position, square: Square) -> Option<Role> {
    position.piece_on(square).map(Piece::role)
}

pub(super) fn is_slider(role: Role) -> bool {
    matches!(role, Role::Bishop | Role::Rook | Role::Queen)
}

/// The squares that the piece on a square attacks.
pub(in crate::explain) fn attacks_of(position: &Position, square: Square) -> Bitboard {
    position.piece_on(square).map_or(Bitboard::EMPTY, |piece| {
        attacks_by(piece, square, position.occupied())
    })
}

/// The squares that a piece attacks from a square.
pub(super) fn attacks_by(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece.role() {
        Role::Pawn => attacks::pawn_attacks(piece.color(), square),
        Role::Knight => attacks::knight_attacks(square),
        Role::Bishop => attacks::bishop_attacks(square, occupied),
        Role::Rook => attacks::rook_attacks(square, occupied),
        Role::Queen => attacks::queen_attacks(square, occupied),
        Role::King => attacks::king_attacks(square),
    }
}

/// The pieces of a colour that attack a square.
pub(super) fn attackers(position: &Position, square: Square, color: Color) -> Bitboard {
    position.attackers_to(square, position.occupied()) & position.by_color(color)
}

/// Whether a colour's piece on a square is defended, also by a slider behind a piece that attacks it.
pub(super) fn is_defended(position: &Position, square: Square, color: Color) -> bool {
    let enemies = attackers(position, square, !color);
    let through = enemies & !position.by_role(Role::Knight);
    attackers(position, square, color).any()
        || through.into_iter().any(|enemy| {
            let occupied = position.occupied().without(enemy);
            (position.attackers_to(square, occupied) & position.by_color(color)).any()
        })
}

/// Whether a piece stands where it can be taken for nothing or for less than its value.
pub(super) fn is_in_danger(position: &Position, square: Square) -> bool {
    let Some(piece) = position.piece_on(square) else {
        return false;
    };
    let enemies = attackers(position, square, !piece.color());
    if enemies.is_empty() {
        return false;
    }
    let cheaper = |from: Square| value_on(position, from) < value(piece.role());
    !is_defended(position, square, piece.color()) || enemies.into_iter().any(cheaper)
}

/// The squares in the order in which a side sees them, so that mirrored positions have mirrored motifs.
pub(super) fn seen_by(side: Color, squares: Bitboard) -> impl Iterator<Item = Square> {
    let flip = move |square: Square| side.fold_wb(square, square.flip_vertical());
    side.fold_wb(squares, squares.flip_vertical())
        .into_iter()
        .map(flip)
}

/// The most that the side to move wins by captures on a square, in centipawns: both sides take by legal moves and stop
/// when going on would lose.
pub(super) fn capture_gain(position: &Position, square: Square) -> i32 {
    if attackers(position, square, position.turn()).is_empty() {
        return 0;
    }
    let captures = position.legal_moves();
    let captures = captures
        .iter()
        .filter(|mv| mv.to() == square && mv.is_capture());
    let gains = captures.map(|&mv| {
        let promoted = mv
            .promotion()
            .map_or(0, |role| value(role) - value(Role::Pawn));
        value_on(position, square) + promoted - capture_gain(&position.play(mv), square)
    });
    gains.max().unwrap_or(0).max(0)
}

/// Whether the side to move can take on a square without being retaken there.
pub(super) fn is_free(position: &Position, square: Square) -> bool {
    let takes = |position: &Position| {
        let legal = position.legal_moves().to_vec();
        legal
            .into_iter()
            .filter(move |mv| mv.to() == square && mv.is_capture())
    };
    attackers(position, square, position.turn()).any()
        && takes(position).any(|mv| takes(&position.play(mv)).next().is_none())
}
