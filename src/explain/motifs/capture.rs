//! Motifs of a capture: hanging piece, trapped piece, removal of the defender, sacrifice.

use crate::chess::{Move, Position, Role, Square};

use super::attack::{
    attacks_of, capture_gain, is_defended, is_in_danger, role_on, value, value_on,
};
use super::kind::{Kind, Motif};
use super::line::Line;
use super::line::captured;

/// The least material given up in a sacrifice, in centipawns.
const SACRIFICE: i32 = 200;

pub(super) fn add(line: &Line, add: &mut impl FnMut(Option<Motif>)) {
    add(hanging_piece(line));
    add(trapped_piece(line));
    add(capturing_defender(line));
    add(sacrifice(line));
}

/// The first move takes a piece that is not defended, and it is no recapture. Squares: the piece, the capturer.
fn hanging_piece(line: &Line) -> Option<Motif> {
    let (mv, before) = (*line.moves().first()?, line.position(0));
    let role = line.captured(0)?;
    if role == Role::Pawn || is_defended(before, mv.to(), !line.side()) {
        return None;
    }
    if let Some((position, previous)) = line.before() {
        let taken = captured(position, previous);
        if previous.to() == mv.to() && taken.is_some_and(|taken| value(taken) >= value(role)) {
            return None;
        }
    }
    let ends = line.moves().len() < 4 || line.balance(3) > line.balance(0);
    ends.then(|| line.motif(Kind::HangingPiece, 0, [mv.to(), mv.from()]))
}

/// Whether a piece of the side to move is attacked, and lost wherever it goes: a cheaper piece takes it, or nobody
/// defends it.
fn is_trapped(position: &Position, square: Square) -> bool {
    let role = role_on(position, square);
    let has_way_out = matches!(role, None | Some(Role::Pawn | Role::King));
    if has_way_out || position.in_check() || position.pinned().contains(square) {
        return false;
    }
    let lost_by_staying =
        is_in_danger(position, square) && capture_gain(&position.play_null(), square) > 0;
    let lost_by = |mv: &Move| {
        let (won, after) = (captured(position, *mv).map_or(0, value), position.play(*mv));
        won < value_on(position, square)
            && is_in_danger(&after, mv.to())
            && capture_gain(&after, mv.to()) > won
    };
    let legal = position.legal_moves();
    lost_by_staying && legal.iter().filter(|mv| mv.from() == square).all(lost_by)
}

/// A piece that is attacked and lost wherever it goes.
fn trapped_piece(line: &Line) -> Option<Motif> {
    line.own().skip(1).find_map(|ply| {
        let (mv, before) = (line.mv(ply), line.position(ply - 1));
        line.captured(ply).filter(|&role| role != Role::Pawn)?;
        let reply = line.mv(ply - 1);
        let square = if reply.to() == mv.to() {
            reply.from()
        } else {
            mv.to()
        };
        is_trapped(before, square).then(|| line.motif(Kind::TrappedPiece, ply - 2, [square]))
    })
}

/// The side takes a defender, and then what it has left without defence. Squares: the defender, what it defended.
fn capturing_defender(line: &Line) -> Option<Motif> {
    line.own().skip(1).find_map(|ply| {
        let (mv, earlier) = (line.mv(ply), line.mv(ply - 2));
        let (first, before) = (line.position(ply - 2), line.position(ply));
        if !line.takes(ply) || !line.takes(ply - 2) {
            return None;
        }
        // To win a queen for nothing is more than to win what it defended; and a piece that takes one thing after the other
        // later in a line removes no defender.
        let is_retaken = line.mv(ply - 1).to() == earlier.to();
        let is_found = mv.to() != earlier.to()
            && line.role(ply) != Role::King
            && line.mv(ply - 1).to() != mv.to()
            && attacks_of(first, earlier.to()).contains(mv.to())
            && role_on(first, mv.to()).is_some()
            && line.role(ply - 2) != Role::King
            && (is_retaken
                || (ply == 2 || mv.from() != earlier.to())
                    && value_on(first, earlier.to()) <= value_on(first, mv.to()))
            && !line.position(ply - 1).in_check()
            && !is_defended(before, mv.to(), !line.side());
        is_found.then(|| line.motif(Kind::CapturingDefender, ply - 2, [earlier.to(), mv.to()]))
    })
}

/// The side gives up at least two pawns' worth and does not win it back with its next move. Squares: where the opponent
/// moved last.
fn sacrifice(line: &Line) -> Option<Motif> {
    let start = line.balance(0);
    line.own().find_map(|ply| {
        let end = ply + 3;
        let is_lost = end <= line.moves().len() && start - line.balance(end) >= SACRIFICE;
        let promotes = line
            .moves()
            .iter()
            .skip(1)
            .step_by(2)
            .any(|mv| mv.is_promotion());
        (is_lost && !promotes).then(|| line.motif(Kind::Sacrifice, ply, [line.to(ply + 1)]))
    })
}
