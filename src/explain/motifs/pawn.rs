//! Pawns on their way to the last rank, en passant, castling, and other motifs of one move.

use crate::chess::{MoveKind, Role};

use super::kind::{Kind, Motif};
use super::line::Line;

const SIXTH_RANK: u32 = 5;

pub(super) fn add(line: &Line, add: &mut impl FnMut(Option<Motif>)) {
    add(of_move(line, Kind::Promotion, |ply| {
        line.mv(ply).is_promotion()
    }));
    add(of_move(line, Kind::UnderPromotion, |ply| {
        is_under_promotion(line, ply)
    }));
    add(of_move(line, Kind::AdvancedPawn, |ply| {
        is_advanced(line, ply)
    }));
    add(of_move(line, Kind::EnPassant, |ply| {
        line.mv(ply).kind() == MoveKind::EnPassant
    }));
    add(of_move(line, Kind::Castling, |ply| {
        line.mv(ply).is_castling()
    }));
}

/// The first move of the side with a property.
pub(super) fn of_move(line: &Line, kind: Kind, is: impl Fn(usize) -> bool) -> Option<Motif> {
    let ply = line.own().find(|&ply| is(ply))?;
    Some(line.motif(kind, ply, [line.to(ply)]))
}

fn is_under_promotion(line: &Line, ply: usize) -> bool {
    // A rook or bishop that mates could as well be a queen.
    match line.mv(ply).promotion() {
        None | Some(Role::Queen) => false,
        Some(Role::Knight) => true,
        Some(_) => !(line.is_mate() && ply + 1 == line.moves().len()),
    }
}

/// A pawn moves to the seventh rank or promotes.
fn is_advanced(line: &Line, ply: usize) -> bool {
    line.role(ply) == Role::Pawn && rank(line, ply) > SIXTH_RANK
}

/// A pawn moves to the sixth rank or beyond.
pub(super) fn is_far_advanced(line: &Line, ply: usize) -> bool {
    line.role(ply) == Role::Pawn && rank(line, ply) >= SIXTH_RANK
}

/// The rank that a move goes to, from 0, counted from the own side.
fn rank(line: &Line, ply: usize) -> u32 {
    let rank = line.mv(ply).to().rank() as u32;
    line.side().fold_wb(rank, 7 - rank)
}
