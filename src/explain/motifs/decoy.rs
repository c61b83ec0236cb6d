//! Motifs that move an enemy piece or clear a line: deflection, attraction, interference, clearance.

use crate::chess::{Role, attacks};

use super::attack::{attackers, attacks_of, is_defended, is_slider, role_on};
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
        let before = line.position(ply - 1);
        let after = line.position(ply);
        let worthy = line.captured(ply).is_some()
            || mv.is_promotion()
            || (line.is_mate() && ply + 1 == line.moves().len());
        let is_found = worthy
            && reply.to() != mv.to()
            && attacks_of(before, reply.from()).contains(mv.to())
            && !attacks_of(after, reply.to()).contains(mv.to())
            && (line.captured(ply - 1).is_some() && reply.to() == earlier.to()
                || before.in_check())
            && !is_defended(after, mv.to(), !line.side());
        is_found.then(|| line.motif(Kind::Deflection, ply - 2, before, [reply.from(), mv.to()]))
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
        works.then(|| {
            line.motif(
                Kind::Attraction,
                ply - 2,
                line.position(ply),
                [reply.to(), reply.from()],
            )
        })
    })
}

fn interference(line: &Line) -> Option<Motif> {
    line.own().skip(1).find_map(|ply| {
        let (mv, before) = (line.mv(ply), line.position(ply));
        line.captured(ply)?;
        if is_defended(before, mv.to(), !line.side()) {
            return None;
        }
        for back in [ply - 1, ply - 2] {
            let blocked = line.mv(back).to();
            let earlier = line.position(back);
            if blocked == mv.to() {
                continue;
            }
            let cut = attackers(earlier, mv.to(), !line.side())
                .into_iter()
                .find(|&d| {
                    role_on(earlier, d).is_some_and(is_slider)
                        && attacks::between(d, mv.to()).contains(blocked)
                        && role_on(before, d) == role_on(earlier, d)
                });
            if let Some(defender) = cut {
                return Some(line.motif(
                    Kind::Interference,
                    ply - 2,
                    earlier,
                    [blocked, defender, mv.to()],
                ));
            }
        }
        None
    })
}

fn clearance(line: &Line) -> Option<Motif> {
    line.own().skip(1).find_map(|ply| {
        let (mv, earlier) = (line.mv(ply), line.mv(ply - 2));
        if earlier.to() == mv.from() || line.captured(ply - 2).is_some() {
            return None;
        }
        let slider = is_slider(line.role(ply));
        let is_found = slider
            && (mv.to() == earlier.from()
                || attacks::between(mv.from(), mv.to()).contains(earlier.from()))
            && line.captured(ply).is_none()
            && line.mv(ply - 1).to() != mv.to();
        is_found.then(|| {
            line.motif(
                Kind::Clearance,
                ply - 2,
                line.position(ply),
                [earlier.from(), mv.from(), mv.to()],
            )
        })
    })
}
