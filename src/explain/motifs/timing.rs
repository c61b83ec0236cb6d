//! Motifs of timing: intermezzo, quiet and defensive moves, zugzwang, attacks on the king's side.

use crate::chess::{Rank, Role, Square, attacks};

use super::attack::attacks_of;
use super::kind::{Kind, Motif};
use super::line::{Line, captured};
use super::pawn::of_move;

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
        let is_found = previous.to() == mv.to()
            && captured(position, previous).is_some()
            && before
                .legal_moves()
                .iter()
                .any(|m| m.to() == mv.to() && m.from() == mv.from());
        is_found.then(|| line.motif(Kind::Intermezzo, ply - 2, before, [mv.to(), mv.from()]))
    })
}

fn is_quiet(line: &Line, ply: usize) -> bool {
    let (mv, after) = (line.mv(ply), line.position(ply + 1));
    ply + 1 < line.moves().len()
        && !line.position(ply).in_check()
        && !mv.is_noisy()
        && !mv.is_castling()
        && !after.in_check()
        && line.role(ply) != Role::Pawn
        && (attacks_of(after, mv.to()) & after.by_color(!line.side()) & !after.by_role(Role::Pawn))
            .is_empty()
}

fn is_defensive(line: &Line, ply: usize) -> bool {
    let mv = line.mv(ply);
    ply + 1 == line.moves().len()
        && !mv.is_noisy()
        && !line.position(ply + 1).in_check()
        && !line.is_mate()
}

fn attacking_f2_f7(line: &Line) -> Option<Motif> {
    let square = line.side().fold_wb(Square::F7, Square::F2);
    line.own().find_map(|ply| {
        let (mv, before) = (line.mv(ply), line.position(ply));
        let king = before.king(!line.side());
        let is_found = mv.to() == square
            && line.captured(ply).is_some()
            && attacks::king_attacks(king).contains(square)
            && king.rank() == line.side().fold_wb(Rank::Eighth, Rank::First);
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
