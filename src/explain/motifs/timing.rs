//! Motifs of timing: intermezzo, quiet and defensive moves, zugzwang, attacks on the king's side.

use crate::chess::{Move, Role, Square, attacks};

use super::attack::attacks_of;
use super::kind::{Kind, Motif};
use super::line::{Line, captured};
use super::pawn::{is_far_advanced, of_move, target};

/// Fewer legal moves leave no choice.
const CHOICE: usize = 3;

pub(super) fn add(line: &Line, add: &mut impl FnMut(Option<Motif>)) {
    add(intermezzo(line));
    add(of_move(line, Kind::QuietMove, |ply| is_quiet(line, ply)));
    add(of_move(line, Kind::DefensiveMove, |ply| {
        is_defensive(line, ply)
    }));
    add(attacking_f2_f7(line));
    add(exposed_king(line));
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
        // A reply that gives up the defence of the square makes it a deflection.
        let reply = line.mv(ply - 1);
        let is_found = previous.to() == mv.to()
            && captured(position, previous).is_some()
            && before.legal_moves().iter().any(|other| could_take(&other))
            && !attacks_of(line.position(ply - 1), reply.from()).contains(mv.to());
        is_found.then(|| line.motif(Kind::Intermezzo, ply - 2, before, [mv.to(), mv.from()]))
    })
}

/// Neither a check nor a capture nor a promotion.
fn is_silent(line: &Line, ply: usize) -> bool {
    !line.mv(ply).is_noisy() && !line.position(ply + 1).in_check()
}

/// Whether the piece that moves attacks an enemy piece or pawn afterwards.
fn attacks_something(line: &Line, ply: usize) -> bool {
    let after = line.position(ply + 1);
    let attacked = attacks_of(after, target(line, ply)) & after.by_color(!line.side());
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
        is_found.then(|| {
            line.motif(
                Kind::AttackingF2F7,
                ply,
                line.position(ply + 1),
                [square, king],
            )
        })
    })
}

fn exposed_king(line: &Line) -> Option<Motif> {
    let first = line.position(0);
    let them = !line.side();
    let king = first.king(them);
    let shelter = attacks::king_attacks(king) & first.pieces(them, Role::Pawn);
    let checks = line
        .own()
        .filter(|&ply| line.position(ply + 1).in_check())
        .count();
    let is_found = shelter.is_empty()
        && checks > 0
        && !line.is_mate()
        && king.rank() as u32 > 1
        && (king.rank() as u32) < 6;
    is_found.then(|| line.motif(Kind::ExposedKing, 0, first, [king]))
}
