//! Motifs on lines: discovered attack, skewer, pin, x-ray.

use crate::chess::{Role, attacks};

use super::attack::{
    attackers, attacks_of, is_defended, is_in_danger, is_slider, role_on, value, value_on,
};
use super::kind::{Kind, Motif};
use super::line::Line;
use super::mate::discovered_check;

pub(super) fn add(line: &Line, add: &mut impl FnMut(Option<Motif>)) {
    add(discovered_attack(line).or_else(|| discovered_check_as_attack(line)));
    add(skewer(line));
    add(pin(line));
    add(x_ray(line));
}

/// A piece moves out of the way of a slider of its own side, which captures next, or checks at once. Squares: the slider,
/// what it attacks, where the piece moved.
fn discovered_attack(line: &Line) -> Option<Motif> {
    line.own().skip(1).find_map(|ply| {
        let (mv, earlier) = (line.mv(ply), line.mv(ply - 2));
        let slider = line.role(ply);
        let reply = line.mv(ply - 1);
        let path = attacks::between(mv.from(), mv.to());
        let is_found = is_slider(slider)
            && line.captured(ply).is_some()
            && path.contains(earlier.from())
            && earlier.to() != mv.from()
            && earlier.from() != mv.to()
            && reply.to() != mv.to();
        is_found.then(|| {
            let after = line.position(ply - 1);
            line.motif(
                Kind::DiscoveredAttack,
                ply - 2,
                after,
                [mv.from(), mv.to(), earlier.to()],
            )
        })
    })
}

/// A discovered check is a discovered attack on the king, unless the piece that moved checks as well.
fn discovered_check_as_attack(line: &Line) -> Option<Motif> {
    let is_double = |check: &Motif| line.position(check.ply + 1).checkers().more_than_one();
    let check = discovered_check(line).filter(|check| !is_double(check))?;
    let squares = [check.squares[1], check.squares[0], check.squares[2]];
    let after = line.position(check.ply + 1);
    Some(line.motif(Kind::DiscoveredAttack, check.ply, after, squares))
}

/// A slider attacks a piece that must move, and captures what stood behind it. Squares: the slider, the piece in front,
/// the piece behind.
fn skewer(line: &Line) -> Option<Motif> {
    line.own().skip(1).find_map(|ply| {
        let (mv, reply) = (line.mv(ply), line.mv(ply - 1));
        let slider = line.role(ply);
        let front = role_on(line.position(ply - 1), reply.from())?;
        let is_found = is_slider(slider)
            && line.captured(ply).is_some()
            && attacks::between(mv.from(), mv.to()).contains(reply.from())
            && reply.to() != mv.to()
            && line.mv(ply - 2).to() == mv.from()
            && value(front) > value(slider).min(value_on(line.position(ply), mv.to()))
            && line.position(ply).see_ge(mv, 1)
            && !(line.is_mate() && ply + 1 == line.moves().len());
        is_found.then(|| {
            let before = line.position(ply - 1);
            line.motif(
                Kind::Skewer,
                ply - 2,
                before,
                [mv.from(), reply.from(), mv.to()],
            )
        })
    })
}

fn pin(line: &Line) -> Option<Motif> {
    line.own().find_map(|ply| {
        let after = line.position(ply + 1);
        let them = !line.side();
        let king = after.king(them);
        for pinned in after.pinned() & !after.by_role(Role::King) {
            let ray = attacks::ray(king, pinned);
            let pinner = (ray & after.by_color(line.side())).into_iter().find(|&s| {
                attacks_of(after, s).contains(pinned)
                    && !attacks::between(pinned, s).contains(king)
                    && attacks::between(king, s).contains(pinned)
            })?;
            let squares = [pinner, pinned, king];
            // The pinned piece does not take what it attacks.
            let role = role_on(after, pinned)?;
            let helpless = attacks_of(after, pinned) & after.by_color(line.side()) & !ray;
            let prevented = helpless
                .into_iter()
                .any(|s| value_on(after, s) > value(role) || !is_defended(after, s, line.side()));
            let lost = attackers(after, pinned, line.side()).any()
                && is_in_danger(after, pinned)
                && role != Role::Pawn
                && !(attacks_of(after, pinned).contains(pinner)
                    && value(role) <= value_on(after, pinner));
            if prevented || lost {
                return Some(line.motif(Kind::Pin, ply, after, squares));
            }
        }
        None
    })
}

/// A slider recaptures on a square that it attacked through the enemy piece that captured there. Squares: the slider,
/// the enemy piece, the square.
fn x_ray(line: &Line) -> Option<Motif> {
    line.own().skip(1).find_map(|ply| {
        let (mv, reply, earlier) = (line.mv(ply), line.mv(ply - 1), line.mv(ply - 2));
        let before = line.position(ply - 1);
        let is_found = line.captured(ply).is_some()
            && reply.to() == mv.to()
            && earlier.to() == mv.to()
            && line.role(ply) != Role::King
            && attacks::between(mv.from(), mv.to()).contains(reply.from());
        is_found.then(|| {
            line.motif(
                Kind::XRayAttack,
                ply - 2,
                before,
                [mv.from(), reply.from(), mv.to()],
            )
        })
    })
}
