//! Mates with a name, by the picture of the final position.

use crate::chess::{Bitboard, Color, Position, Rank, Role, Square, attacks};

use super::attack::{attackers, attacks_of, role_on};
use super::kind::{Kind, Motif};
use super::line::Line;

/// The final position of a line that ends with mate.
struct Picture<'a> {
    last: &'a Position,
    king: Square,
    /// The side that mates.
    side: Color,
    /// The piece that moved last, which may not check.
    to: Square,
    role: Role,
    checkers: Bitboard,
}

pub(super) fn add(line: &Line, add: &mut impl FnMut(Option<Motif>)) {
    if !line.is_mate() {
        return;
    }
    let last = line.last();
    let to = line.mv(line.moves().len() - 1).to();
    let Some(role) = role_on(last, to) else {
        return;
    };
    let picture = Picture {
        last,
        king: last.king(last.turn()),
        side: line.side(),
        to,
        role,
        checkers: last.checkers(),
    };
    let tests: [(Kind, fn(&Picture) -> Option<Vec<Square>>); 6] = [
        (Kind::BackRankMate, back_rank),
        (Kind::SmotheredMate, smothered),
        (Kind::AnastasiaMate, anastasia),
        (Kind::ArabianMate, arabian),
        (Kind::DovetailMate, dovetail),
        (Kind::HookMate, hook),
    ];
    for (kind, test) in tests {
        let ply = line.moves().len() - 1;
        add(test(&picture).map(|squares| line.motif(kind, ply, last, squares)));
    }
    add(bishops(&picture)
        .map(|(kind, squares)| line.motif(kind, line.moves().len() - 1, last, squares)));
}

impl Picture<'_> {
    fn escapes(&self) -> Bitboard {
        attacks::king_attacks(self.king)
    }
    fn own_blocks(&self) -> Bitboard {
        self.escapes() & self.last.by_color(!self.side)
    }
    fn is_edge_rank(&self) -> bool {
        matches!(self.king.rank(), Rank::First | Rank::Eighth)
    }
    fn is_edge_file(&self) -> bool {
        matches!(self.king.file() as u32, 0 | 7)
    }
    fn pieces(&self, role: Role) -> Bitboard {
        self.last.pieces(self.side, role)
    }
}

fn back_rank(p: &Picture) -> Option<Vec<Square>> {
    let back = (!p.side).fold_wb(Rank::First, Rank::Eighth);
    if p.king.rank() != back {
        return None;
    }
    let rank = Bitboard::from_rank(back);
    let checker = (p.checkers & rank & (p.pieces(Role::Rook) | p.pieces(Role::Queen))).first()?;
    let ahead = p.escapes() & !rank;
    let blocked = ahead & p.last.by_color(!p.side);
    (blocked == ahead
        || (!blocked.is_empty()
            && (ahead & !blocked)
                .into_iter()
                .all(|s| attackers(p.last, s, p.side).any())
            && blocked.count() + 1 >= ahead.count()))
    .then(|| vec![p.king, checker])
}

fn smothered(p: &Picture) -> Option<Vec<Square>> {
    let knight = (p.checkers & p.pieces(Role::Knight)).first()?;
    (p.escapes() & !p.last.by_color(!p.side))
        .is_empty()
        .then(|| vec![p.king, knight])
}

fn anastasia(p: &Picture) -> Option<Vec<Square>> {
    if !(p.is_edge_file() || p.is_edge_rank()) || !matches!(p.role, Role::Rook | Role::Queen) {
        return None;
    }
    let knight = p.pieces(Role::Knight).into_iter().find(|&n| {
        (attacks_of(p.last, n) & p.escapes()).count() == 2 && {
            let (df, dr) = (
                n.file().distance(p.king.file()),
                n.rank().distance(p.king.rank()),
            );
            (df, dr) == (3, 0) || (df, dr) == (0, 3)
        }
    })?;
    Some(vec![p.king, p.to, knight])
}

fn arabian(p: &Picture) -> Option<Vec<Square>> {
    if !(p.is_edge_file() && p.is_edge_rank()) || p.role != Role::Rook || p.king.distance(p.to) != 1
    {
        return None;
    }
    let knight = attackers(p.last, p.to, p.side) & p.pieces(Role::Knight);
    let knight = knight.into_iter().find(|&n| {
        n.file().distance(p.king.file()) == 2 && n.rank().distance(p.king.rank()) == 2
    })?;
    Some(vec![p.king, p.to, knight])
}

fn bishops(p: &Picture) -> Option<(Kind, Vec<Square>)> {
    let bishops = p.pieces(Role::Bishop);
    if bishops.count() < 2 || !p.checkers.is_subset(bishops) {
        return None;
    }
    if !bishops
        .into_iter()
        .all(|b| (attacks_of(p.last, b) & (p.escapes().with(p.king))).any())
    {
        return None;
    }
    let crosses = {
        let mut sides = bishops.into_iter().map(|b| b.file() < p.king.file());
        let first = sides.next()?;
        sides.any(|s| s != first)
    };
    let kind = if crosses {
        Kind::BodenMate
    } else {
        Kind::DoubleBishopMate
    };
    Some((kind, std::iter::once(p.king).chain(bishops).collect()))
}

fn dovetail(p: &Picture) -> Option<Vec<Square>> {
    if p.role != Role::Queen
        || p.is_edge_file()
        || p.is_edge_rank()
        || p.king.distance(p.to) != 1
        || p.king.file() == p.to.file()
        || p.king.rank() == p.to.rank()
    {
        return None;
    }
    let queen = attacks_of(p.last, p.to).with(p.to);
    let rest = p.escapes() & !queen;
    let blocked = rest
        .into_iter()
        .all(|s| p.last.by_color(!p.side).contains(s));
    blocked.then(|| vec![p.king, p.to])
}

fn hook(p: &Picture) -> Option<Vec<Square>> {
    if p.role != Role::Rook || p.king.distance(p.to) != 1 {
        return None;
    }
    let knight = (attackers(p.last, p.to, p.side) & p.pieces(Role::Knight))
        .into_iter()
        .find(|&n| n.distance(p.king) == 1)?;
    let pawn = (attackers(p.last, knight, p.side) & p.pieces(Role::Pawn)).first()?;
    p.own_blocks()
        .any()
        .then(|| vec![p.king, p.to, knight, pawn])
}
