//! Mates with a name, by the picture of the final position. The squares of each: the king, the piece that mates, and the
//! pieces that the picture needs beside it.

use crate::chess::{Bitboard, Rank, Role, Square, attacks};

use super::attack::attackers;
use super::kind::{Kind, Motif};
use super::line::Line;
use super::picture::Picture;

type Test = fn(&Picture) -> Option<Vec<Square>>;

const TESTS: [(Kind, Test); 16] = [
    (Kind::BackRankMate, back_rank),
    (Kind::SmotheredMate, smothered),
    (Kind::AnastasiaMate, anastasia),
    (Kind::ArabianMate, arabian),
    (Kind::BodenMate, boden),
    (Kind::DoubleBishopMate, double_bishop),
    (Kind::DovetailMate, dovetail),
    (Kind::HookMate, hook),
    (Kind::OperaMate, opera),
    (Kind::PillsburysMate, pillsbury),
    (Kind::MorphysMate, morphy),
    (Kind::TriangleMate, triangle),
    (Kind::KillBoxMate, kill_box),
    (Kind::VukovicMate, vukovic),
    (Kind::BlindSwineMate, blind_swine),
    (Kind::BalestraMate, balestra),
];

pub(super) fn add(line: &Line, add: &mut impl FnMut(Option<Motif>)) {
    let Some(picture) = Picture::of(line) else {
        return;
    };
    let ply = line.moves().len() - 1;
    for (kind, test) in TESTS {
        let squares = test(&picture);
        add(squares.map(|squares| line.motif(kind, ply, squares)));
    }
}

/// A rook or queen mates along the back rank, and the squares ahead of the king are taken by its own pieces alone.
fn back_rank(p: &Picture) -> Option<Vec<Square>> {
    let back = (!p.side).fold_wb(Rank::First, Rank::Eighth);
    if p.king.rank() != back {
        return None;
    }
    let rank = Bitboard::from_rank(back);
    let heavy = p.pieces(Role::Rook) | p.pieces(Role::Queen);
    let checker = p.first(p.last.checkers() & rank & heavy)?;
    let ahead = p.escapes() & !rank;
    let works = |square: Square| {
        p.theirs().contains(square) && attackers(p.last, square, p.side).is_empty()
    };
    (ahead.into_iter())
        .all(works)
        .then(|| [p.king, checker].into_iter().chain(p.seen(ahead)).collect())
}

/// A knight mates a king with its own pieces on every square beside it.
fn smothered(p: &Picture) -> Option<Vec<Square>> {
    let knight = p.first(p.last.checkers() & p.pieces(Role::Knight))?;
    let is_walled_in = p.escapes().is_subset(p.theirs());
    is_walled_in.then(|| {
        [p.king, knight]
            .into_iter()
            .chain(p.seen(p.escapes()))
            .collect()
    })
}

/// A rook or queen mates on the edge; beside the king stands a piece of its own, and beyond that a knight.
fn anastasia(p: &Picture) -> Option<Vec<Square>> {
    if !p.is_edge_file() || !p.checks() || !matches!(p.role, Role::Rook | Role::Queen) {
        return None;
    }
    let rank = Bitboard::from_rank(p.king.rank());
    let blocker = p.first(p.escapes() & p.theirs() & rank)?;
    let knight = p.seen(p.pieces(Role::Knight) & rank).find(|&knight| {
        knight.file().distance(p.king.file()) == 3
            && attacks::between(knight, p.king).contains(blocker)
            && p.needs(knight)
    })?;
    Some(vec![p.king, p.to, knight, blocker])
}

/// A rook mates beside a king in the corner, defended by a knight two files and two ranks from the king.
fn arabian(p: &Picture) -> Option<Vec<Square>> {
    if p.role != Role::Rook || !(p.is_edge_file() && p.is_edge_rank()) || !p.is_beside() {
        return None;
    }
    let defenders = attackers(p.last, p.to, p.side) & p.pieces(Role::Knight);
    let knight = p.seen(defenders).find(|&knight| {
        let (files, ranks) = (
            knight.file().distance(p.king.file()),
            knight.rank().distance(p.king.rank()),
        );
        (files, ranks) == (2, 2)
    })?;
    Some(vec![p.king, p.to, knight])
}

/// The bishops that mate without help from another piece.
fn bishops(p: &Picture) -> Option<Vec<Square>> {
    let near = p.escapes().with(p.king);
    let helps = |&square: &Square| (p.attacks(square) & near).any();
    let bishops = p.pieces(Role::Bishop);
    let others = p.last.by_color(p.side) & !bishops;
    let is_alone = !others.into_iter().any(|square| helps(&square));
    (p.role == Role::Bishop && bishops.more_than_one() && is_alone)
        .then(|| p.seen(bishops).filter(helps).collect())
}

/// Whether the side's bishops stand on both sides of the king's file.
fn is_crossing(p: &Picture) -> bool {
    let is_left = |bishop: &Square| bishop.file() < p.king.file();
    let bishops = p.pieces(Role::Bishop);
    let left = bishops.into_iter().filter(is_left).count();
    0 < left && left < bishops.count()
}

/// The bishops mate from both sides of the king, without help.
fn boden(p: &Picture) -> Option<Vec<Square>> {
    let bishops = bishops(p).filter(|_| is_crossing(p))?;
    Some(std::iter::once(p.king).chain(bishops).collect())
}

/// The bishops mate from one side of the king, without help.
fn double_bishop(p: &Picture) -> Option<Vec<Square>> {
    let bishops = bishops(p).filter(|_| !is_crossing(p))?;
    Some(std::iter::once(p.king).chain(bishops).collect())
}

/// A queen mates diagonally beside the king; the two squares that it does not reach are taken by the king's own pieces,
/// and no other piece takes a square from the king.
fn dovetail(p: &Picture) -> Option<Vec<Square>> {
    let is_inside = !p.is_edge_file() && !p.is_edge_rank();
    let is_diagonal = p.king.distance(p.to) == 1 && p.is_diagonal();
    if p.role != Role::Queen || !is_inside || !is_diagonal {
        return None;
    }
    let rest = p.escapes() & !p.attacks(p.to).with(p.to);
    let is_alone = p.escapes().without(p.to).into_iter().all(|square| {
        let attackers = attackers(p.last, square, p.side);
        attackers.without(p.to).is_empty()
    });
    (rest.is_subset(p.theirs()) && is_alone)
        .then(|| [p.king, p.to].into_iter().chain(p.seen(rest)).collect())
}

/// A rook mates beside the king, defended by a knight beside the king, which a pawn defends; a piece of its own stands in
/// the king's way.
fn hook(p: &Picture) -> Option<Vec<Square>> {
    if p.role != Role::Rook || p.king.distance(p.to) != 1 {
        return None;
    }
    let knights = attackers(p.last, p.to, p.side) & p.pieces(Role::Knight);
    let knight = p.first(knights & p.escapes())?;
    let pawn = p.first(attackers(p.last, knight, p.side) & p.pieces(Role::Pawn))?;
    let is_blocked = (p.escapes() & p.theirs()).any();
    is_blocked.then(|| vec![p.king, p.to, knight, pawn])
}

/// A rook mates beside the king, defended by a bishop.
fn opera(p: &Picture) -> Option<Vec<Square>> {
    let bishop = p.defender(Role::Bishop)?;
    (p.role == Role::Rook && p.is_beside()).then(|| vec![p.king, p.to, bishop])
}

/// A rook checks, and a bishop takes another square than the rook's from the king; in an opera mate not the bishop that
/// defends the rook.
fn pillsbury(p: &Picture) -> Option<Vec<Square>> {
    let rook = p.checker(Role::Rook)?;
    let is_beside = p.king.distance(rook) == 1;
    let idle = if is_beside {
        attackers(p.last, rook, p.side)
    } else {
        Bitboard::EMPTY
    };
    let bishop = p.guard_beside(p.pieces(Role::Bishop) & !idle, rook)?;
    Some(vec![p.king, rook, bishop])
}

/// A bishop checks, not by a pawn's move, and a rook shuts the king in along a line: it takes two squares or more from it,
/// one of them alone and without a bishop on it.
fn morphy(p: &Picture) -> Option<Vec<Square>> {
    let bishop = p.checker(Role::Bishop).filter(|_| p.role != Role::Pawn)?;
    let shuts_in = |rook: &Square| {
        let taken = p.attacks(*rook) & p.escapes() & !p.theirs();
        let is_alone = (p.takes_alone(*rook) & !p.pieces(Role::Bishop)).any();
        taken.more_than_one() && is_alone
    };
    let rooks = p.pieces(Role::Rook).into_iter().filter(shuts_in);
    let rook = p.seen(rooks.fold(Bitboard::EMPTY, Bitboard::with)).next()?;
    Some(vec![p.king, bishop, rook])
}

/// A queen mates beside the king, defended by a rook two squares from it in a line.
fn triangle(p: &Picture) -> Option<Vec<Square>> {
    if p.role != Role::Queen || p.king.distance(p.to) != 1 {
        return None;
    }
    let rooks = attackers(p.last, p.to, p.side) & p.pieces(Role::Rook);
    let rook = p.seen(rooks).find(|rook| {
        let is_in_line = rook.file() == p.to.file() || rook.rank() == p.to.rank();
        is_in_line && rook.distance(p.to) == 2 && rook.distance(p.king) <= 2
    })?;
    Some(vec![p.king, p.to, rook])
}

/// A rook beside the king and a queen that defends it, two squares from the king, mate.
fn kill_box(p: &Picture) -> Option<Vec<Square>> {
    let beside = |rook: &Square| {
        let is_straight = rook.file() == p.king.file() || rook.rank() == p.king.rank();
        rook.distance(p.king) == 1 && is_straight
    };
    let rook = p.seen(p.pieces(Role::Rook)).find(beside)?;
    let queens = attackers(p.last, rook, p.side) & p.pieces(Role::Queen);
    let queen = p.seen(queens).find(|queen| {
        queen.distance(p.king) == 2
            && queen.distance(rook) == 2
            && queen.file() != rook.file()
            && queen.rank() != rook.rank()
    })?;
    Some(vec![p.king, rook, queen])
}

/// A rook mates beside a king on the edge, defended by another piece, and a knight on the same line takes the squares on both sides.
fn vukovic(p: &Picture) -> Option<Vec<Square>> {
    let is_edge = p.is_edge_file() || p.is_edge_rank();
    if p.role != Role::Rook || !is_edge || !p.is_beside() {
        return None;
    }
    let knight = p.seen(p.pieces(Role::Knight)).find(|&knight| {
        let is_in_line = (knight.file() == p.king.file() && p.to.file() == p.king.file())
            || (knight.rank() == p.king.rank() && p.to.rank() == p.king.rank());
        is_in_line && knight.distance(p.king) == 2 && p.needs(knight)
    })?;
    let defenders = attackers(p.last, p.to, p.side).without(knight);
    Some(vec![p.king, p.to, knight, p.first(defenders)?])
}

/// Two rooks side by side mate, one beside the king and defended by the other.
fn blind_swine(p: &Picture) -> Option<Vec<Square>> {
    let rooks = attackers(p.last, p.to, p.side) & p.pieces(Role::Rook);
    let other = p.seen(rooks).find(|&rook| rook.distance(p.to) == 1)?;
    let is_found = p.role == Role::Rook && p.checks() && p.king.distance(p.to) == 1;
    is_found.then(|| vec![p.king, p.to, other])
}

/// A bishop mates, and a queen takes the other squares from the king. A bishop beside the king that the queen
/// defends mates in another way.
fn balestra(p: &Picture) -> Option<Vec<Square>> {
    let queen = p.guard(Role::Queen)?;
    let free = p.escapes().without(p.to) & !p.theirs() & !p.attacks(p.to);
    let is_all = free.is_subset(p.attacks(queen));
    let is_supported = p.king.distance(p.to) == 1 && p.defender(Role::Queen).is_some();
    (p.role == Role::Bishop && p.checks() && is_all && !is_supported)
        .then(|| vec![p.king, p.to, queen])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn a_knight_that_is_not_needed_names_no_mate() {
        let is_anastasia = |fen: &str| {
            let position = Position::from_fen(fen).expect("a position");
            let line = Line::parse(&position, "e1h1").expect("a legal line");
            let mut found = false;
            add(&line, &mut |motif| {
                found |= motif.is_some_and(|motif| motif.kind == Kind::AnastasiaMate);
            });
            found
        };
        assert!(is_anastasia("8/4N1pk/8/8/8/8/8/K3R3 w - - 0 1"));
        // The rook and the pawn guard its squares as well.
        assert!(!is_anastasia("2R5/4N1pk/8/5P2/8/8/8/K3R3 w - - 0 1"));
    }
}
