//! Motifs of timing: intermezzo, quiet and defensive moves, zugzwang, attacks on the king's side.

use crate::chess::{Move, Position, Role, Square, attacks};

use super::attack::{attacks_of, seen_by, value};
use super::kind::{Kind, Motif};
use super::line::{Line, captured};
use super::pawn::{is_far_advanced, of_move};

/// Fewer legal moves leave no choice.
const CHOICE: usize = 3;
/// A king on one of its first ranks should have pawns beside it.
const HOME_RANKS: u32 = 3;

pub(super) fn add(line: &Line, add: &mut impl FnMut(Option<Motif>)) {
    add(intermezzo(line));
    add(of_move(line, Kind::QuietMove, |ply| is_quiet(line, ply)));
    add(of_move(line, Kind::DefensiveMove, |ply| {
        is_defensive(line, ply)
    }));
    add(attacking_f2_f7(line));
    add(exposed_king(line));
    add(only_move(line));
}

/// The side could capture on a square, plays another move first, and captures there next. Squares: the square, the
/// capturer.
fn intermezzo(line: &Line) -> Option<Motif> {
    line.own().skip(1).find_map(|ply| {
        let mv = line.mv(ply);
        line.captured(ply)?;
        let earlier = line.mv(ply - 2);
        if earlier.to() == mv.to() || line.mv(ply - 1).to() == mv.to() {
            return None;
        }
        let (position, previous) = line.previous(ply - 2)?;
        let before = line.position(ply - 2);
        let could_take = |other: &&Move| other.to() == mv.to() && other.from() == mv.from();
        // In the middle of a line, of two captures either may come first, unless the opponent's own makes the other possible.
        let is_given_up = |position: &Position, previous: Move| {
            attacks_of(position, previous.from()).contains(earlier.to())
        };
        // A first capture that wins as much is the main move, not one in between.
        let worth = |ply: usize| line.captured(ply).map_or(0, value);
        if line.captured(ply - 2).is_some() && worth(ply - 2) >= worth(ply) {
            return None;
        }
        // A reply that gives up the defence of the square makes it a deflection.
        let reply = line.mv(ply - 1);
        let is_found = previous.to() == mv.to()
            && captured(position, previous).is_some()
            && before.legal_moves().iter().any(|other| could_take(&other))
            && !attacks_of(line.position(ply - 1), reply.from()).contains(mv.to())
            && (ply == 2 || line.captured(ply - 2).is_none() || is_given_up(position, previous));
        is_found.then(|| line.motif(Kind::Intermezzo, ply - 2, [mv.to(), mv.from()]))
    })
}

/// Neither a check nor a capture nor a promotion.
fn is_silent(line: &Line, ply: usize) -> bool {
    !line.mv(ply).is_noisy() && !line.position(ply + 1).in_check()
}

/// Whether the piece that moves attacks an enemy piece or pawn afterwards.
fn attacks_something(line: &Line, ply: usize) -> bool {
    let after = line.position(ply + 1);
    let attacked = attacks_of(after, line.to(ply)) & after.by_color(!line.side());
    !line.mv(ply).is_castling() && attacked.any()
}

/// A move in the middle of the line that makes no threat of its own: no check, no capture, nothing attacked, no pawn on
/// its way to promotion. Moves of the king and moves out of check are left out.
fn is_quiet(line: &Line, ply: usize) -> bool {
    ply + 1 < line.moves().len()
        && is_silent(line, ply)
        && line.role(ply) != Role::King
        && !line.position(ply).in_check()
        && !attacks_something(line, ply)
        && !is_far_advanced(line, ply)
}

/// A move that holds what has been won, where there was a choice: out of check, or without any threat at the end.
fn is_defensive(line: &Line, ply: usize) -> bool {
    let before = line.position(ply);
    let is_calm = !attacks_something(line, ply);
    let is_last = ply + 1 == line.moves().len();
    let is_defence = if before.in_check() {
        // In the middle of the line a counterattack is no defence.
        is_calm || ply == 0 || is_last && line.role(ply) == Role::King
    } else {
        is_last && is_calm && !is_far_advanced(line, ply)
    };
    is_defence && is_silent(line, ply) && !line.is_mate() && before.legal_moves().len() >= CHOICE
}

fn attacking_f2_f7(line: &Line) -> Option<Motif> {
    let square = line.side().fold_wb(Square::F7, Square::F2);
    line.own().find_map(|ply| {
        let (mv, before) = (line.mv(ply), line.position(ply));
        let king = before.king(!line.side());
        let is_found = mv.to() == square
            && line.captured(ply).is_some()
            && attacks::king_attacks(king).contains(square)
            && king == line.side().fold_wb(Square::E8, Square::E1);
        is_found.then(|| line.motif(Kind::AttackingF2F7, ply, [square, king]))
    })
}

/// The first move, where every other one allows mate at once.
fn only_move(line: &Line) -> Option<Motif> {
    let (only, before) = (*line.moves().first()?, line.position(0));
    let legal = before.legal_moves();
    let is_mated = |mv: &Move| {
        let after = before.play(*mv);
        let replies = after.legal_moves();
        let mates =
            |reply: &Move| after.gives_check(*reply) && after.play(*reply).legal_moves().is_empty();
        replies.iter().any(mates)
    };
    let is_only = legal.len() > 1 && legal.iter().filter(|&&mv| mv != only).all(is_mated);
    is_only.then(|| line.motif(Kind::OnlyMove, 0, [line.to(0)]))
}

/// A king near home without a pawn beside it is checked in the middle of the line.
fn exposed_king(line: &Line) -> Option<Motif> {
    let (them, first) = (!line.side(), line.position(0));
    let king = first.king(them);
    let home = them.fold_wb(king.rank() as u32, 7 - king.rank() as u32) < HOME_RANKS;
    let is_bare = (attacks::king_attacks(king) & first.pieces(them, Role::Pawn)).is_empty();
    let last = line.moves().len().saturating_sub(1);
    let mut middle = line.own().filter(|&ply| ply > 0 && ply < last);
    let ply = middle.find(|&ply| home && is_bare && line.position(ply + 1).in_check())?;
    let after = line.position(ply + 1);
    let checker = seen_by(line.side(), after.checkers()).next()?;
    Some(line.motif(Kind::ExposedKing, ply, [after.king(them), checker]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_intermezzo(fen: &str, moves: &str) -> bool {
        let position = Position::from_fen(fen).expect("a position");
        intermezzo(&Line::parse(&position, moves).expect("legal moves")).is_some()
    }

    #[test]
    fn an_intermezzo_is_no_choice_between_two_captures() {
        // The queen could take the bishop before the rook was taken.
        let fen = "4b2k/6p1/4p3/1pQp1rRp/2pP1q1P/2P2B1K/P5P1/8 w - - 7 33";
        assert!(!is_intermezzo(fen, "c5e7 f5g5 e7e8 h8h7 h4g5"));
        // The queen gave up the rook when it took the queen.
        let fen = "2r3k1/p2n3p/1p6/6p1/2qP4/1Q4B1/PP3P2/R5K1 w - - 2 28";
        let fen = fen.replace("2r3k1/p2n3p", "2r3k1/p6p");
        assert!(is_intermezzo(&fen, "a1c1 c4b3 c1c8 g8f7 a2b3"));
    }
}
