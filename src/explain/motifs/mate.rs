//! Mate, checks by more than the piece that moved.

use super::attack::seen_by;
use super::kind::{Kind, Motif};
use super::line::Line;

pub(super) fn add(line: &Line, add: &mut impl FnMut(Option<Motif>)) {
    add(mate(line));
    add(double_check(line));
    add(discovered_check(line));
}

/// The line ends with mate. Squares: the king, then the pieces that check. Number: moves to mate.
fn mate(line: &Line) -> Option<Motif> {
    line.is_mate().then(|| {
        let (last, ply) = (line.last(), line.moves().len() - 1);
        let king = last.king(last.turn());
        let squares = std::iter::once(king).chain(seen_by(line.side(), last.checkers()));
        Motif {
            numbers: vec![ply as i32 / 2 + 1],
            ..line.motif(Kind::Mate, ply, squares)
        }
    })
}

/// Two pieces check at once. Squares: the king, then the pieces that check.
fn double_check(line: &Line) -> Option<Motif> {
    let mut plies = line.own();
    let ply = plies.find(|&ply| line.position(ply + 1).checkers().more_than_one())?;
    let after = line.position(ply + 1);
    let checkers = seen_by(line.side(), after.checkers());
    let squares = std::iter::once(after.king(after.turn())).chain(checkers);
    Some(line.motif(Kind::DoubleCheck, ply, squares))
}

/// A piece checks because another has moved out of its way. Squares: the king, the piece that checks, the piece that
/// moved.
pub(super) fn discovered_check(line: &Line) -> Option<Motif> {
    line.own().find_map(|ply| {
        let (after, to) = (line.position(ply + 1), line.to(ply));
        // Castling moves the rook as well.
        let moved = line
            .mv(ply)
            .is_castling()
            .then(|| line.mv(ply).castling_rook_to());
        let checkers = after.checkers().without(to);
        let checker = seen_by(line.side(), checkers).find(|&checker| Some(checker) != moved)?;
        let squares = [after.king(after.turn()), checker, to];
        Some(line.motif(Kind::DiscoveredCheck, ply, squares))
    })
}
