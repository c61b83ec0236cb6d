//! The final position of a line that ends with mate.

use crate::chess::{Bitboard, Color, Position, Rank, Role, Square, attacks};

use super::attack::{attackers, attacks_by, role_on, seen_by};
use super::line::Line;

pub(super) struct Picture<'a> {
    pub last: &'a Position,
    pub king: Square,
    /// The side that mates.
    pub side: Color,
    /// The piece that moved last.
    pub to: Square,
    pub role: Role,
}

impl<'a> Picture<'a> {
    /// `None` if the line does not end with mate.
    pub(super) fn of(line: &'a Line) -> Option<Self> {
        let last = line.last();
        if !line.is_mate() {
            return None;
        }
        let mv = line.moves().last()?;
        // Castling mates with the rook.
        let to = if mv.is_castling() {
            mv.castling_rook_to()
        } else {
            mv.to()
        };
        Some(Self {
            last,
            king: last.king(last.turn()),
            side: line.side(),
            to,
            role: role_on(last, to)?,
        })
    }

    /// The squares in the order in which the mating side sees them.
    pub(super) fn seen(&self, squares: Bitboard) -> impl Iterator<Item = Square> + use<> {
        seen_by(self.side, squares)
    }

    pub(super) fn first(&self, squares: Bitboard) -> Option<Square> {
        self.seen(squares).next()
    }

    /// The squares beside the king.
    pub(super) fn escapes(&self) -> Bitboard {
        attacks::king_attacks(self.king)
    }

    /// What a piece attacks with the king off the board.
    pub(super) fn attacks(&self, square: Square) -> Bitboard {
        let occupied = self.last.occupied().without(self.king);
        let piece = self.last.piece_on(square);
        piece.map_or(Bitboard::EMPTY, |piece| attacks_by(piece, square, occupied))
    }

    /// The pieces of the mated side.
    pub(super) fn theirs(&self) -> Bitboard {
        self.last.by_color(!self.side)
    }

    pub(super) fn pieces(&self, role: Role) -> Bitboard {
        self.last.pieces(self.side, role)
    }

    pub(super) fn is_edge_rank(&self) -> bool {
        matches!(self.king.rank(), Rank::First | Rank::Eighth)
    }

    pub(super) fn is_edge_file(&self) -> bool {
        matches!(self.king.file() as u32, 0 | 7)
    }

    /// Whether the piece that moved last checks.
    pub(super) fn checks(&self) -> bool {
        self.last.checkers().contains(self.to)
    }

    /// Whether the piece that moved last stands beside the king on its file or rank.
    pub(super) fn is_beside(&self) -> bool {
        self.king.distance(self.to) == 1 && !self.is_diagonal()
    }

    /// Whether the piece that moved last stands on neither the king's file nor its rank.
    pub(super) fn is_diagonal(&self) -> bool {
        self.king.file() != self.to.file() && self.king.rank() != self.to.rank()
    }

    /// A defender of the piece that moved last, of this role.
    pub(super) fn defender(&self, role: Role) -> Option<Square> {
        self.first(attackers(self.last, self.to, self.side) & self.pieces(role))
    }

    /// A piece of this role that checks, with or without having moved.
    pub(super) fn checker(&self, role: Role) -> Option<Square> {
        self.first(self.last.checkers() & self.pieces(role))
    }

    /// A piece of this role, not the one that moved last, without which the king would have a square.
    pub(super) fn guard(&self, role: Role) -> Option<Square> {
        let others = self.pieces(role).without(self.to);
        self.seen(others).find(|&square| self.needs(square))
    }

    /// One of these pieces without which the king would have a square, other than that of the piece that checks.
    pub(super) fn guard_beside(&self, pieces: Bitboard, checker: Square) -> Option<Square> {
        self.seen(pieces.without(checker))
            .find(|&square| self.takes_alone(square).without(checker).any())
    }

    /// Whether a piece alone takes a square from the king.
    pub(super) fn needs(&self, piece: Square) -> bool {
        self.takes_alone(piece).any()
    }

    /// The squares that a piece alone takes from the king.
    pub(super) fn takes_alone(&self, piece: Square) -> Bitboard {
        let occupied = self.last.occupied().without(self.king).without(piece);
        let free = self.escapes() & !self.theirs() & self.attacks(piece);
        let is_alone = |square: Square| {
            let others = self.last.attackers_to(square, occupied).without(piece);
            (others & self.last.by_color(self.side)).is_empty()
        };
        (free.into_iter().filter(|&square| is_alone(square))).fold(Bitboard::EMPTY, Bitboard::with)
    }
}
