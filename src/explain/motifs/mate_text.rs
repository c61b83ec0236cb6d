//! Why a king is mated: what takes each square beside it.

use std::cmp::Reverse;

use crate::chess::{Bitboard, Color, Position, Role, Square, attacks};

use super::attack::{attacks_by, role_on, seen_by};
use crate::explain::words::{join, role, side, squares};

/// The pieces that check, the pieces that guard squares beside the king, and the king's own pieces in its way, as clauses.
/// Every square beside the king is named once. The side to move is mated.
pub(in crate::explain) fn why_mate(last: &Position) -> String {
    let (us, them) = (!last.turn(), last.turn());
    let king = last.king(them);
    let beside = attacks::king_attacks(king);
    let blocked = beside & last.by_color(them);
    let mut free = beside & !blocked;
    // The king does not shield the squares behind it.
    let occupied = last.occupied().without(king);
    let attacked = |square: Square| {
        let piece = last.piece_on(square);
        piece.map_or(Bitboard::EMPTY, |piece| attacks_by(piece, square, occupied))
    };
    let mut clauses = Vec::new();
    for checker in seen_by(us, last.checkers()) {
        let guarded = attacked(checker) & free;
        let also = match guards(last, us, guarded) {
            text if text.is_empty() => text,
            text if text.contains(" and defends") => format!(", {text}"),
            text => format!(" and {text}"),
        };
        clauses.push(format!("{} checks{also}", named(last, checker)));
        free &= !guarded;
    }
    while free.any() {
        let others = last.by_color(us) & !last.checkers();
        let (piece, guarded) = seen_by(us, others)
            .map(|piece| (piece, attacked(piece) & free))
            .min_by_key(|(_, guarded)| Reverse(guarded.count()))
            .unwrap_or((king, Bitboard::EMPTY));
        if guarded.is_empty() {
            break;
        }
        clauses.push(format!(
            "{} {}",
            named(last, piece),
            guards(last, us, guarded)
        ));
        free &= !guarded;
    }
    clauses.extend(own_pieces(last, them, blocked));
    clauses.extend(pinned(last));
    clauses.join("; ")
}

/// Why the pieces that attack the one that checks cannot take it: they are pinned.
pub(super) fn pinned(last: &Position) -> Option<String> {
    let (us, them) = (!last.turn(), last.turn());
    let mut checkers = last.checkers().into_iter();
    let (Some(checker), None) = (checkers.next(), checkers.next()) else {
        return None;
    };
    let takers = last.attackers_to(checker, last.occupied()) & last.by_color(them);
    let takers = takers & last.pinned();
    let names: Vec<String> = seen_by(us, takers.without(last.king(them)))
        .map(|square| named(last, square))
        .collect();
    match names.len() {
        0 => None,
        1 => Some(format!("{} is pinned", names[0])),
        _ => Some(format!("{} are pinned", join(&names))),
    }
}

/// `guards f8 and h8` and `defends the rook on g7`.
fn guards(last: &Position, us: Color, guarded: Bitboard) -> String {
    let own = last.by_color(us);
    let empty = guarded & !own;
    let defended: Vec<String> = seen_by(us, guarded & own)
        .map(|square| named(last, square))
        .collect();
    let mut parts = Vec::new();
    if empty.any() {
        parts.push(format!("guards {}", squares(empty)));
    }
    if !defended.is_empty() {
        parts.push(format!("defends {}", defended.join(" and ")));
    }
    parts.join(" and ")
}

/// `Black's own pawns block f7 and g7`.
fn own_pieces(last: &Position, them: Color, blocked: Bitboard) -> Option<String> {
    let name = side(them);
    let square = blocked.first()?;
    if blocked.more_than_one() {
        let is_pawn = blocked.is_subset(last.pieces(them, Role::Pawn));
        let noun = if is_pawn { "pawns" } else { "pieces" };
        return Some(format!("{name}'s own {noun} block {}", squares(blocked)));
    }
    let piece = role_on(last, square).map_or("piece", role);
    Some(format!("{name}'s own {piece} blocks {square}"))
}

/// `the rook on e8`.
fn named(position: &Position, square: Square) -> String {
    let piece = role_on(position, square).map_or("piece", role);
    format!("the {piece} on {square}")
}
