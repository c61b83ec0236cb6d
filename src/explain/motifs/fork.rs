//! Double attacks by one piece.

use crate::chess::{Role, Square};

use super::attack::{
    attacks_of, is_defended, is_free, is_in_danger, role_on, seen_by, value, value_on,
};
use super::kind::{Kind, Motif};
use super::line::Line;

pub(super) fn add(line: &Line, add: &mut impl FnMut(Option<Motif>)) {
    add(fork(line));
}

/// One piece attacks two or more that are worth more than it or not defended, and cannot be taken at a profit. Squares:
/// the forking piece, then what it attacks, the most valuable first.
fn fork(line: &Line) -> Option<Motif> {
    let mut plies = line.own();
    plies.next_back();
    plies.into_iter().find_map(|ply| {
        let after = line.position(ply + 1);
        let from = line.to(ply);
        let forker = role_on(after, from)?;
        let is_traded = line.mv(ply + 1).to() == from && value(line.role(ply + 1)) <= value(forker);
        if is_traded || forker == Role::King || is_in_danger(after, from) || is_free(after, from) {
            return None;
        }
        let mut targets: Vec<Square> = seen_by(
            line.side(),
            attacks_of(after, from) & after.by_color(!line.side()),
        )
        .filter(|&target| match role_on(after, target) {
            Some(Role::Pawn) | None => false,
            // It takes the forking piece as well.
            Some(role) if value(role) == value(forker) => {
                !is_defended(after, target, !line.side())
                    && !attacks_of(after, target).contains(from)
            }
            Some(role) => value(role) > value(forker) || !is_defended(after, target, !line.side()),
        })
        .collect();
        if targets.len() < 2 {
            return None;
        }
        targets.sort_by_key(|&target| -value_on(after, target));
        let squares = std::iter::once(from).chain(targets);
        Some(line.motif(Kind::Fork, ply, squares))
    })
}
