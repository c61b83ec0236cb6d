//! Why a king is mated, in words: each clause is proved, and together they name every square beside the king.

use shakmaty::{Bitboard, Chess, Position as _, Role, attacks};

use super::lines::ensure;
use super::words::{named_pieces, role, square};
use crate::checker::Proof;

/// The squares that a text names outside of `the rook on e8`.
fn bare_squares(text: &str) -> Bitboard {
    let words: Vec<&str> = text.split_whitespace().collect();
    let named = (0..words.len()).filter(|&place| place == 0 || words[place - 1] != "on");
    named
        .filter_map(|place| square(words[place]))
        .fold(Bitboard::EMPTY, Bitboard::with)
}

/// Pieces that attack the one that checks, and leave their king in check if they move away.
fn pinned(clause: &str, last: &Chess) -> Proof {
    let board = last.board();
    let king = board.king_of(last.turn()).expect("a king");
    let pieces = named_pieces(clause);
    ensure(!pieces.is_empty(), "no piece")?;
    for (_, _, square) in pieces {
        let mut thinner = board.clone();
        let piece = thinner.remove_piece_at(square).ok_or("no piece there")?;
        let attacks = attacks::attacks(square, piece, board.occupied());
        let checks =
            |board: &shakmaty::Board| board.attacks_to(king, !last.turn(), board.occupied());
        let is_pinned = (checks(&thinner) & !checks(board)).any();
        ensure(
            (attacks & last.checkers()).any() && is_pinned && piece.color == last.turn(),
            "it is not pinned, or takes nothing",
        )?;
    }
    Ok(())
}

/// Proves what stands behind `is mate:`.
pub fn prove(why: &str, last: &Chess) -> Proof {
    ensure(last.is_checkmate(), "no mate")?;
    let board = last.board();
    let king = board.king_of(last.turn()).expect("a king");
    let beside = attacks::king_attacks(king);
    let own = beside & board.by_color(last.turn());
    if why.contains(", and ") {
        let (why, clause) = why.split_once("; ").unwrap_or((why, ""));
        if !clause.is_empty() {
            pinned(clause.trim_end_matches('.'), last)?;
        }
        // Back rank and smothered mate: the king's own pieces stand ahead of it, or all around it.
        let (_, list) = why.split_once("own pieces on ").ok_or("no own pieces")?;
        let named = bare_squares(list.split(" leave").next().unwrap_or_default());
        let ahead = beside & !Bitboard::from_rank(king.rank());
        let needed = if why.contains("back rank") {
            ahead
        } else {
            beside
        };
        return ensure(named == needed && named.is_subset(own), "other pieces");
    }
    let occupied = board.occupied().without(king);
    let mut explained = Bitboard::EMPTY;
    for clause in why.trim_end_matches('.').split("; ") {
        if clause.contains("'s own ") {
            let named = bare_squares(clause);
            ensure(named.any() && named.is_subset(own), "no own piece there")?;
            let word = clause.split_whitespace().nth(2).unwrap_or_default();
            let of_role = role(word.trim_end_matches('s'));
            let is_role = of_role.is_none_or(|role| named.is_subset(board.by_role(role)));
            ensure(
                is_role && (of_role.is_some() || word == "pieces"),
                "another piece",
            )?;
            explained |= named;
            continue;
        }
        if clause.ends_with("pinned") {
            pinned(clause, last)?;
            continue;
        }
        let pieces = named_pieces(clause);
        let Some(((_, _, from), defended)) = pieces.split_first() else {
            return Err("no piece".to_owned());
        };
        let piece = board.piece_at(*from).ok_or("no piece there")?;
        ensure(
            piece.color != last.turn() && piece.role != Role::Pawn || clause.contains("pawn"),
            "another piece",
        )?;
        let reached = attacks::attacks(*from, piece, occupied);
        if clause.contains(" checks") {
            ensure(last.checkers().contains(*from), "no check")?;
        }
        let mut named = bare_squares(clause);
        named |= defended
            .iter()
            .map(|(_, _, square)| *square)
            .fold(Bitboard::EMPTY, Bitboard::with);
        ensure(
            named.is_subset(reached) && piece.color != last.turn(),
            "it does not guard that",
        )?;
        explained |= named;
    }
    ensure(
        explained == beside,
        "a square beside the king is not explained",
    )
}
