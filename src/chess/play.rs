//! Playing moves: copy the position and change the copy. An observer receives every change of a piece's square, for
//! incremental evaluation.

use shakmaty::{Bitboard, CastlingSide, Color, Role, Square};

use super::board::{Position, castling_shift};
use super::key;
use super::moves::{Move, MoveKind};
use super::piece::Piece;

/// Receives the changes of the board while a move is played.
pub trait Observer {
    fn put(&mut self, piece: Piece, square: Square);
    fn remove(&mut self, piece: Piece, square: Square);
    /// Both in one, for a piece that only changes its square.
    #[inline]
    fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        self.remove(piece, from);
        self.put(piece, to);
    }
    /// Called last, with the position after the move.
    #[inline]
    fn settle(&mut self, _child: &Position) {}
}

impl Observer for () {
    #[inline]
    fn put(&mut self, _piece: Piece, _square: Square) {}
    #[inline]
    fn remove(&mut self, _piece: Piece, _square: Square) {}
}

impl Position {
    /// The position after a legal move. An illegal one panics in debug builds and gives an invalid position in others:
    /// a move that may be illegal is tested with [`Position::is_legal`] first.
    #[inline]
    #[must_use]
    pub fn play(&self, mv: Move) -> Self {
        self.play_observed(mv, &mut ())
    }

    /// As [`Position::play`], with an observer.
    #[inline]
    #[must_use]
    #[doc(hidden)]
    pub fn play_observed<O: Observer>(&self, mv: Move, observer: &mut O) -> Self {
        let mut child = *self;
        self.play_into(mv, &mut child, observer);
        child
    }

    /// Turns `child`, a copy of this position, into the position after a legal move. Saves a second copy.
    #[inline]
    #[doc(hidden)]
    pub fn play_into<O: Observer>(&self, mv: Move, child: &mut Self, observer: &mut O) {
        debug_assert!(self.is_legal(mv), "{mv:?} in {self:?}");
        let (from, to, us) = (mv.from(), mv.to(), self.turn);
        let Some(piece) = self.mailbox[from as usize] else {
            return;
        };

        if let Some(target) = self.en_passant {
            child.en_passant = None;
            child.key ^= key::of_en_passant(target.file());
        }
        child.halfmoves = self.halfmoves.saturating_add(1);
        child.fullmoves = self.fullmoves.saturating_add(u16::from(us == Color::Black));

        if mv.is_castling() {
            let rook = Piece::new(us, Role::Rook);
            child.remove(piece, from, observer);
            child.remove(rook, to, observer);
            child.put(piece, mv.castling_king_to(), observer);
            child.put(rook, mv.castling_rook_to(), observer);
        } else {
            if mv.is_capture() {
                let square = if mv.kind() == MoveKind::EnPassant {
                    to.xor(Square::A2)
                } else {
                    to
                };
                if let Some(victim) = self.mailbox[square as usize] {
                    child.remove(victim, square, observer);
                }
            }
            if let Some(role) = mv.promotion() {
                child.remove(piece, from, observer);
                child.put(Piece::new(us, role), to, observer);
            } else {
                child.move_piece(piece, from, to, observer);
            }
            if mv.is_capture() || piece.role() == Role::Pawn {
                child.halfmoves = 0;
            }
        }

        if self.has_castling_rights() {
            if piece.role() == Role::King {
                child.remove_castling_right(us, CastlingSide::KingSide);
                child.remove_castling_right(us, CastlingSide::QueenSide);
            }
            child.remove_castling_right_of(us, from);
            child.remove_castling_right_of(!us, to);
        }

        child.turn = !us;
        child.key ^= key::of_turn();
        child.update_checks();
        if mv.kind() == MoveKind::DoublePush {
            child.set_en_passant(from.xor(Square::A4));
        }
        observer.settle(child);
    }

    /// The position after a null move. The side to move must not be in check: in debug builds that panics, in others the
    /// position is invalid.
    #[must_use]
    pub fn play_null(&self) -> Self {
        debug_assert!(!self.in_check());
        let mut child = *self;
        if let Some(target) = self.en_passant {
            child.en_passant = None;
            child.key ^= key::of_en_passant(target.file());
        }
        child.halfmoves = self.halfmoves.saturating_add(1);
        child.fullmoves = self
            .fullmoves
            .saturating_add(u16::from(self.turn == Color::Black));
        child.turn = !self.turn;
        child.key ^= key::of_turn();
        child.update_checks();
        child
    }

    /// The key after a move, for prefetching; wrong after castling, en passant, a lost castling right or a new en passant
    /// square.
    #[inline]
    #[must_use]
    #[doc(hidden)]
    pub fn key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let mut after = self.key ^ key::of_turn();
        if let Some(piece) = self.mailbox[from as usize] {
            let placed = mv
                .promotion()
                .map_or(piece, |role| Piece::new(piece.color(), role));
            after ^= key::of_piece(piece, from) ^ key::of_piece(placed, to);
        }
        if let Some(victim) = self.mailbox[to as usize] {
            after ^= key::of_piece(victim, to);
        }
        if let Some(target) = self.en_passant {
            after ^= key::of_en_passant(target.file());
        }
        after
    }

    /// The key after a null move, for prefetching.
    #[inline]
    #[must_use]
    #[doc(hidden)]
    pub fn key_after_null(&self) -> u64 {
        let en_passant = self
            .en_passant
            .map_or(0, |target| key::of_en_passant(target.file()));
        self.key ^ key::of_turn() ^ en_passant
    }

    #[inline]
    fn remove<O: Observer>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        self.toggle(piece, square);
        self.mailbox[square as usize] = None;
        observer.remove(piece, square);
    }

    #[inline]
    fn put<O: Observer>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        self.toggle(piece, square);
        self.mailbox[square as usize] = Some(piece);
        observer.put(piece, square);
    }

    /// `remove` and `put` in one, with fewer key updates.
    #[inline]
    fn move_piece<O: Observer>(
        &mut self,
        piece: Piece,
        from: Square,
        to: Square,
        observer: &mut O,
    ) {
        let squares = Bitboard::from_square(from) | Bitboard::from_square(to);
        self.roles[piece.index() >> 1] ^= squares;
        self.colors[piece.index() & 1] ^= squares;
        self.update_keys(piece, key::of_piece(piece, from) ^ key::of_piece(piece, to));
        self.mailbox[from as usize] = None;
        self.mailbox[to as usize] = Some(piece);
        observer.moved(piece, from, to);
    }

    fn remove_castling_right(&mut self, color: Color, side: CastlingSide) {
        let right = 8 << castling_shift(side);
        if self.castling[color as usize] & right != 0 {
            self.castling[color as usize] &= !(15 << castling_shift(side));
            self.key ^= key::of_castling(color, side);
        }
    }

    /// Removes the castling right of the rook on this square, if it has one.
    #[inline]
    fn remove_castling_right_of(&mut self, color: Color, square: Square) {
        let rights = self.castling[color as usize];
        if rights == 0 || square.rank() != color.backrank() {
            return;
        }
        let right = 8 | square.file() as u8;
        if rights & 15 == right {
            self.remove_castling_right(color, CastlingSide::KingSide);
        } else if rights >> 4 == right {
            self.remove_castling_right(color, CastlingSide::QueenSide);
        }
    }
}
