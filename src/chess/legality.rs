//! Whether one move is legal, for TT moves and killers, and whether it gives check.

use shakmaty::{Bitboard, CastlingSide, Color, Rank, Role, Square, attacks};

use super::board::Position;
use super::masks::castle;
use super::moves::{Move, MoveKind};

impl Position {
    /// Whether a move is legal; it may come from anywhere.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        let (from, to, kind, us) = (mv.from(), mv.to(), mv.kind(), self.turn);
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color() == us) else {
            return false;
        };
        let role = piece.role();
        if kind == MoveKind::Castle {
            let side = if to as u8 > from as u8 {
                CastlingSide::KingSide
            } else {
                CastlingSide::QueenSide
            };
            return role == Role::King
                && self.castling_rook(us, side) == Some(to)
                && match us {
                    Color::White => self.may_castle::<true>(from, to),
                    Color::Black => self.may_castle::<false>(from, to),
                };
        }
        if kind == MoveKind::EnPassant {
            return role == Role::Pawn
                && self.en_passant == Some(to)
                && attacks::pawn_attacks(us, from).contains(to)
                && self.en_passant_is_safe(from, to);
        }
        let fits = match self.piece_on(to) {
            Some(victim) => mv.is_capture() && victim.color() != us,
            None => !mv.is_capture(),
        };
        if !fits {
            return false;
        }
        let occupied = self.occupied();
        match role {
            Role::Pawn => {
                if mv.is_promotion() != (to.rank() == us.relative_rank(Rank::Eighth)) {
                    return false;
                }
                let push = from.offset(us.fold_wb(8, -8));
                let reaches = match kind {
                    MoveKind::DoublePush => {
                        from.rank() == us.relative_rank(Rank::Second)
                            && from.offset(us.fold_wb(16, -16)) == Some(to)
                            && push.is_some_and(|square| !occupied.contains(square))
                    }
                    _ if mv.is_capture() => attacks::pawn_attacks(us, from).contains(to),
                    _ => push == Some(to),
                };
                if !reaches {
                    return false;
                }
            }
            _ if mv.is_promotion() || kind == MoveKind::DoublePush => return false,
            Role::King => {
                return attacks::king_attacks(from).contains(to)
                    && (self.attackers_to(to, occupied.without(from)) & self.by_color(!us))
                        .is_empty();
            }
            _ => {
                if !attacks::attacks(from, shakmaty::Piece { color: us, role }, occupied)
                    .contains(to)
                {
                    return false;
                }
            }
        }
        let king = self.king(us);
        self.check_mask(king).contains(to)
            && (!self.pinned.contains(from) || attacks::ray(king, from).contains(to))
    }

    /// The squares on which a piece other than the king answers a check: all squares if there is no check, none in double check.
    #[inline]
    pub(super) fn check_mask(&self, king: Square) -> Bitboard {
        match self.checkers.first() {
            None => Bitboard::FULL,
            Some(_) if self.checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => attacks::between(king, checker) | self.checkers,
        }
    }

    /// Whether the path is empty, the king not in check and the rook not pinned. Attacks on the king's path are not tested.
    #[inline]
    pub(super) fn is_castling_open<const WHITE: bool>(&self, king: Square, rook: Square) -> bool {
        // In Chess960 the rook may be pinned along the back rank.
        (castle::<WHITE>(king, rook).path & self.occupied()).is_empty()
            && !self.in_check()
            && !self.pinned.contains(rook)
    }

    fn may_castle<const WHITE: bool>(&self, king: Square, rook: Square) -> bool {
        let through = self.occupied().without(king);
        self.is_castling_open::<WHITE>(king, rook)
            && (castle::<WHITE>(king, rook).king_path & self.attacked_by(!self.turn, through))
                .is_empty()
    }

    /// Whether a legal move gives check.
    #[must_use]
    pub fn gives_check(&self, mv: Move) -> bool {
        let (from, to, us) = (mv.from(), mv.to(), self.turn);
        let king = self.king(!us);
        let Some(piece) = self.piece_on(from) else {
            return false;
        };
        let bit = Bitboard::from_square;
        let (mut occupied, mut movers) =
            (self.occupied() ^ bit(from), self.by_color(us) ^ bit(from));
        let (mut role, mut landing) = (mv.promotion().unwrap_or(piece.role()), to);
        match mv.kind() {
            MoveKind::Castle => {
                // Only the rook can give check from its new square.
                occupied = (occupied ^ bit(to))
                    .with(mv.castling_king_to())
                    .with(mv.castling_rook_to());
                movers ^= bit(to);
                (role, landing) = (Role::Rook, mv.castling_rook_to());
            }
            MoveKind::EnPassant => occupied = (occupied ^ bit(to.xor(Square::A2))).with(to),
            _ => occupied.add(to),
        }
        let direct =
            attacks::attacks(landing, shakmaty::Piece { color: us, role }, occupied).contains(king);
        direct
            || (attacks::rook_attacks(king, occupied) & self.orthogonal() & movers).any()
            || (attacks::bishop_attacks(king, occupied) & self.diagonal() & movers).any()
    }
}
