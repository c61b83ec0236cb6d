//! Motifs that move an enemy piece or clear a line: deflection, attraction, interference, clearance.

use crate::chess::{Role, Square, attacks};

use super::attack::{
    attackers, attacks_of, is_defended, is_in_danger, is_slider, role_on, seen_by, value,
};
use super::kind::{Kind, Motif};
use super::line::Line;

pub(super) fn add(line: &Line, add: &mut impl FnMut(Option<Motif>)) {
    add(deflection(line));
    add(attraction(line));
    add(interference(line));
    add(clearance(line));
}

fn deflection(line: &Line) -> Option<Motif> {
    line.own().skip(1).find_map(|ply| {
        let (mv, reply, earlier) = (line.mv(ply), line.mv(ply - 1), line.mv(ply - 2));
        let (before, after) = (line.position(ply - 1), line.position(ply));
        let worthy = line.takes(ply) || mv.is_promotion();
        // To exchange the defender is no deflection.
        let price = value(line.role(ply - 2)) > line.captured(ply - 2).map_or(0, value);
        let lost = |square: Square| {
            attacks_of(before, reply.from()).contains(square)
                && !attacks_of(after, reply.to()).contains(square)
        };
        let is_forced = reply.to() == earlier.to() || before.in_check();
        // A knight that attacks king and piece is a fork.
        let is_fork = mv.from() == earlier.to() && line.role(ply) == Role::Knight;
        // What is worth more than its capturer can be taken whether it is defended or not.
        let is_guarded = line.captured(ply).map_or(0, value) <= value(line.role(ply));
        let is_found = worthy
            && price
            && is_forced
            && !is_fork
            && is_guarded
            && reply.from() != mv.to()
            && reply.to() != mv.to()
            && (lost(mv.to()) || mv.is_promotion() && lost(mv.from()));
        let guarded = if lost(mv.to()) { mv.to() } else { mv.from() };
        is_found.then(|| line.motif(Kind::Deflection, ply - 2, [reply.from(), guarded]))
    })
}

fn attraction(line: &Line) -> Option<Motif> {
    line.own().skip(1).find_map(|ply| {
        let (mv, reply, earlier) = (line.mv(ply), line.mv(ply - 1), line.mv(ply - 2));
        let role = line.role(ply - 1);
        if reply.to() != earlier.to() || !matches!(role, Role::King | Role::Queen | Role::Rook) {
            return None;
        }
        let after = line.position(ply + 1);
        if !attackers(after, reply.to(), line.side()).contains(mv.to()) {
            return None;
        }
        let works = role == Role::King
            || line
                .own()
                .filter(|&later| later > ply)
                .any(|later| line.mv(later).to() == reply.to());
        works.then(|| line.motif(Kind::Attraction, ply - 2, [reply.to(), reply.from()]))
    })
}

fn interference(line: &Line) -> Option<Motif> {
    let them = !line.side();
    line.own().skip(1).find_map(|ply| {
        let (mv, before) = (line.mv(ply), line.position(ply));
        if !line.takes(ply) || is_defended(before, mv.to(), them) || line.to(ply - 1) == mv.to() {
            return None;
        }
        [ply - 1, ply - 2].into_iter().find_map(|back| {
            let (blocked, earlier) = (line.to(back), line.position(back));
            let defenders = attackers(earlier, mv.to(), them);
            let blocker = line.mv(back).from();
            // A piece that gives up its own defence is deflected; a king only has to leave the check.
            let is_deflected = defenders.contains(blocker) && line.role(back) != Role::King;
            if blocked == mv.to() || is_deflected {
                return None;
            }
            let (cut, others): (Vec<Square>, Vec<Square>) =
                seen_by(line.side(), defenders.without(blocker)).partition(|&defender| {
                    role_on(earlier, defender).is_some_and(is_slider)
                        && attacks::between(defender, mv.to()).contains(blocked)
                });
            let defender = *cut.first().filter(|_| others.is_empty())?;
            Some(line.motif(Kind::Interference, ply - 2, [defender, mv.to(), blocked]))
        })
    })
}

fn clearance(line: &Line) -> Option<Motif> {
    line.own().skip(1).find_map(|ply| {
        let (mv, earlier) = (line.mv(ply), line.mv(ply - 2));
        let cleared = earlier.from();
        let is_found = line.captured(ply).is_none()
            && earlier.to() != mv.from()
            && !earlier.is_promotion()
            && is_slider(line.role(ply))
            && (mv.to() == cleared || attacks::between(mv.from(), mv.to()).contains(cleared))
            && line.mv(ply - 1).to() != mv.to();
        // A capture whose piece is safe afterwards is played for what it wins.
        let is_found = is_found
            && (!line.takes(ply - 2) || is_in_danger(line.position(ply - 1), earlier.to()));
        // The king drawn to a square and attacked there is an attraction.
        let after = line.position(ply + 1);
        let is_taken = line.mv(ply - 1).to() == earlier.to();
        let is_found = is_found
            && if is_taken {
                line.role(ply - 1) != Role::King
            } else {
                !after.in_check() || !line.position(ply - 1).in_check()
            };
        is_found.then(|| line.motif(Kind::Clearance, ply - 2, [mv.from(), cleared, mv.to()]))
    })
}
