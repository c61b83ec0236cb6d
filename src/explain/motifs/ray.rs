//! Motifs on lines: discovered attack, skewer, pin, x-ray.

use crate::chess::{Position, Role, Square, attacks};

use super::attack::{
    attacks_of, is_defended, is_in_danger, is_slider, role_on, seen_by, value, value_on,
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

/// A piece moves out of the way of a slider of its own side, which captures next, or checks at once. If the reply takes
/// the piece, that may open the last part of the line.
fn discovered_attack(line: &Line) -> Option<Motif> {
    line.own().skip(1).find_map(|ply| {
        let (mv, earlier) = (line.mv(ply), line.mv(ply - 2));
        let slider = line.role(ply);
        let reply = line.mv(ply - 1);
        let path = attacks::between(mv.from(), mv.to());
        let is_found = is_slider(slider)
            && line.takes(ply)
            && path.contains(earlier.from())
            && earlier.to() != mv.from()
            && earlier.from() != mv.to()
            && reply.to() != mv.to();
        is_found.then(|| {
            let squares = [mv.from(), mv.to(), line.to(ply - 2)];
            line.motif(Kind::DiscoveredAttack, ply - 2, squares)
        })
    })
}

/// A discovered check is a discovered attack on the king, unless the piece that moved checks as well.
fn discovered_check_as_attack(line: &Line) -> Option<Motif> {
    let is_double = |check: &Motif| line.position(check.ply + 1).checkers().more_than_one();
    let check = discovered_check(line).filter(|check| !is_double(check))?;
    let squares = [check.squares[1], check.squares[0], check.squares[2]];
    // En passant may open the line of the pawn that was taken.
    let way = attacks::between(squares[0], squares[1]);
    if !way.contains(line.mv(check.ply).from()) {
        return None;
    }
    Some(line.motif(Kind::DiscoveredAttack, check.ply, squares))
}

/// A slider attacks a piece that must move, and captures what stood behind it.
fn skewer(line: &Line) -> Option<Motif> {
    line.own().skip(1).find_map(|ply| {
        let (mv, reply) = (line.mv(ply), line.mv(ply - 1));
        let slider = line.role(ply);
        let before = line.position(ply);
        let front = role_on(line.position(ply - 1), reply.from())?;
        // To exchange the slider for a defended piece of its value wins nothing.
        let is_worthy = value_on(before, mv.to()) > value(slider)
            || !is_defended(before, mv.to(), !line.side());
        let is_found = is_slider(slider)
            && line.takes(ply)
            && attacks::between(mv.from(), mv.to()).contains(reply.from())
            && reply.to() != mv.to()
            && line.mv(ply - 2).to() == mv.from()
            && value(front) > value(slider).min(value_on(before, mv.to()))
            && is_worthy
            && before.see_ge(mv, 1)
            && !(line.is_mate() && ply + 1 == line.moves().len());
        is_found.then(|| line.motif(Kind::Skewer, ply - 2, [mv.from(), reply.from(), mv.to()]))
    })
}

/// A piece that may not leave the line to its king, and therefore cannot take what it attacks, or is lost itself.
fn pin(line: &Line) -> Option<Motif> {
    line.own().find_map(|ply| {
        let after = line.position(ply + 1);
        let king = after.king(!line.side());
        seen_by(line.side(), after.pinned()).find_map(|pinned| {
            let pinner = pinner(after, pinned)?;
            (is_helpless(after, pinned) || is_lost(after, pinned, pinner))
                .then(|| line.motif(Kind::Pin, ply, [pinner, pinned, king]))
        })
    })
}

/// The slider that pins a piece of the side to move to its king.
fn pinner(position: &Position, pinned: Square) -> Option<Square> {
    let king = position.king(position.turn());
    let behind = attacks::ray(king, pinned) & position.by_color(!position.turn());
    behind.into_iter().find(|&square| {
        attacks_of(position, square).contains(pinned)
            && attacks::between(king, square).contains(pinned)
    })
}

/// Whether a pinned piece attacks something off the line that it could take but for the pin.
fn is_helpless(position: &Position, pinned: Square) -> bool {
    let (us, king) = (position.turn(), position.king(position.turn()));
    let targets =
        attacks_of(position, pinned) & position.by_color(!us) & !attacks::ray(king, pinned);
    targets.into_iter().any(|square| {
        value_on(position, square) > value_on(position, pinned)
            || !is_defended(position, square, !us)
    })
}

/// Whether a pinned piece is attacked and lost. One that attacks its pinner and is worth no more is not.
fn is_lost(position: &Position, pinned: Square, pinner: Square) -> bool {
    let is_traded = attacks_of(position, pinned).contains(pinner)
        && value_on(position, pinned) <= value_on(position, pinner);
    role_on(position, pinned) != Some(Role::Pawn) && is_in_danger(position, pinned) && !is_traded
}

/// A slider recaptures on a square that it attacked through the enemy piece that captured there.
fn x_ray(line: &Line) -> Option<Motif> {
    line.own().skip(1).find_map(|ply| {
        let (mv, reply, earlier) = (line.mv(ply), line.mv(ply - 1), line.mv(ply - 2));
        let is_found = line.takes(ply)
            && reply.to() == mv.to()
            && earlier.to() == mv.to()
            && line.role(ply) != Role::King
            && attacks::between(mv.from(), mv.to()).contains(reply.from());
        is_found.then(|| {
            line.motif(
                Kind::XRayAttack,
                ply - 2,
                [mv.from(), reply.from(), mv.to()],
            )
        })
    })
}
