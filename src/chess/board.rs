//! The position: 192 bytes, copied for every move, never changed while its children live.
//! Uses: piece, key, masks. Used by: the rest of chess and every room above.
//! Idea: bitboards and a mailbox side by side, with the keys, the checkers and the pins that everyone asks for.

use std::fmt;

use shakmaty::{Bitboard, CastlingSide, Color, File, Rank, Role, Square, attacks};

use super::key;
use super::masks::{line, rays};
use super::piece::Piece;

/// A chess position, standard or Chess960. The side to move is never able to take the king.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Position {
    pub(super) roles: [Bitboard; 6],
    pub(super) colors: [Bitboard; 2],
    pub(super) mailbox: [Option<Piece>; 64],
    pub(super) key: u64,
    pub(super) pawn_key: u64,
    pub(super) non_pawn_keys: [u64; 2],
    pub(super) checkers: Bitboard,
    pub(super) pinned: Bitboard,
    pub(super) minor_key: u32,
    pub(super) major_key: u32,
    pub(super) halfmoves: u16,
    pub(super) fullmoves: u16,
    /// Per colour: low nibble king side, high nibble queen side; 8 + the rook's file, or 0 without the right.
    pub(super) castling: [u8; 2],
    /// The square behind the pawn, set only where a legal en-passant capture exists.
    pub(super) en_passant: Option<Square>,
    pub(super) turn: Color,
}

const _: () = assert!(size_of::<Position>() == 192);

/// The nibble of a castling byte that holds a side's right.
pub(super) const fn castling_shift(side: CastlingSide) -> u32 {
    match side {
        CastlingSide::KingSide => 0,
        CastlingSide::QueenSide => 4,
    }
}

/// Which keys a role counts in: all bits or none, by role index.
const PAWN_KEY: [u64; 6] = [!0, 0, 0, 0, 0, 0];
const MINOR_KEY: [u32; 6] = [0, !0, !0, 0, 0, !0];
const MAJOR_KEY: [u32; 6] = [0, 0, 0, !0, !0, !0];

impl Position {
    /// An empty board, to be filled; white to move.
    pub(super) fn empty() -> Self {
        Self {
            roles: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            mailbox: [None; 64],
            key: key::of_turn(),
            pawn_key: 0,
            non_pawn_keys: [0; 2],
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            minor_key: 0,
            major_key: 0,
            halfmoves: 0,
            fullmoves: 1,
            castling: [0; 2],
            en_passant: None,
            turn: Color::White,
        }
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// All men.
    #[inline]
    #[must_use]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.colors[0].0 | self.colors[1].0)
    }

    /// All men of a colour.
    #[inline]
    #[must_use]
    pub const fn by_color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// All men of a role.
    #[inline]
    #[must_use]
    pub const fn by_role(&self, role: Role) -> Bitboard {
        self.roles[role as usize - 1]
    }

    /// The men of a colour and role.
    #[inline]
    #[must_use]
    pub const fn pieces(&self, color: Color, role: Role) -> Bitboard {
        Bitboard(self.by_color(color).0 & self.by_role(role).0)
    }

    /// Pieces that move on files and ranks: rooks and queens.
    #[inline]
    #[must_use]
    pub const fn orthogonal(&self) -> Bitboard {
        Bitboard(self.by_role(Role::Rook).0 | self.by_role(Role::Queen).0)
    }

    /// Pieces that move on diagonals: bishops and queens.
    #[inline]
    #[must_use]
    pub const fn diagonal(&self) -> Bitboard {
        Bitboard(self.by_role(Role::Bishop).0 | self.by_role(Role::Queen).0)
    }

    /// Whether a colour has anything besides king and pawns.
    #[inline]
    #[must_use]
    pub const fn has_non_pawn_material(&self, color: Color) -> bool {
        self.by_color(color).0 & !(self.by_role(Role::Pawn).0 | self.by_role(Role::King).0) != 0
    }

    /// The man on a square.
    #[inline]
    #[must_use]
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square as usize]
    }

    /// The square of a colour's king.
    #[inline]
    #[must_use]
    pub const fn king(&self, color: Color) -> Square {
        Square::new(self.pieces(color, Role::King).0.trailing_zeros() & 63)
    }

    /// The men that give check to the side to move.
    #[inline]
    #[must_use]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    #[must_use]
    pub const fn in_check(&self) -> bool {
        self.checkers.0 != 0
    }

    /// The mover's own men that shield its king from a slider.
    #[inline]
    #[must_use]
    pub const fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The key of the whole position: Polyglot's, but for the en-passant corner told in `Game::book_key`.
    #[inline]
    #[must_use]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The key of the pawns alone.
    #[inline]
    #[must_use]
    pub const fn pawn_key(&self) -> u64 {
        self.pawn_key
    }

    /// The key of one colour's men that are not pawns.
    #[inline]
    #[must_use]
    pub const fn non_pawn_key(&self, color: Color) -> u64 {
        self.non_pawn_keys[color as usize]
    }

    /// The key of kings, knights and bishops.
    #[inline]
    #[must_use]
    pub const fn minor_key(&self) -> u32 {
        self.minor_key
    }

    /// The key of kings, rooks and queens.
    #[inline]
    #[must_use]
    pub const fn major_key(&self) -> u32 {
        self.major_key
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    #[must_use]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmoves
    }

    /// The number of the move, from 1, as a FEN counts it.
    #[inline]
    #[must_use]
    pub const fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    /// The square on which a pawn can be taken in passing, if that capture is legal for some pawn.
    #[inline]
    #[must_use]
    pub const fn ep_square(&self) -> Option<Square> {
        self.en_passant
    }

    /// The square of the rook with which a colour may still castle on a side.
    #[inline]
    #[must_use]
    pub const fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let nibble = self.castling[color as usize] >> castling_shift(side) & 15;
        if nibble & 8 == 0 {
            return None;
        }
        Some(Square::from_coords(
            File::new((nibble & 7) as u32),
            color.backrank(),
        ))
    }

    /// Whether any castling right is left.
    #[inline]
    #[must_use]
    pub const fn has_castling_rights(&self) -> bool {
        self.castling[0] | self.castling[1] != 0
    }

    /// The men of both colours that attack a square, given what is occupied.
    #[inline]
    #[must_use]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        attacks::pawn_attacks(Color::Black, square) & self.pieces(Color::White, Role::Pawn)
            | attacks::pawn_attacks(Color::White, square) & self.pieces(Color::Black, Role::Pawn)
            | attacks::knight_attacks(square) & self.by_role(Role::Knight)
            | attacks::king_attacks(square) & self.by_role(Role::King)
            | attacks::rook_attacks(square, occupied) & self.orthogonal()
            | attacks::bishop_attacks(square, occupied) & self.diagonal()
    }

    /// Puts or takes away a man in bitboards and keys (the mailbox is the caller's).
    #[inline]
    pub(super) fn toggle(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::from_square(square);
        self.roles[piece.index() >> 1] ^= bit;
        self.colors[piece.index() & 1] ^= bit;
        self.shift_keys(piece, key::of_piece(piece, square));
    }

    /// Brings a change of one man's place, or of two places of the same man, into the keys it counts in.
    #[inline]
    pub(super) fn shift_keys(&mut self, piece: Piece, number: u64) {
        let (role, color) = (piece.index() >> 1, piece.index() & 1);
        self.key ^= number;
        self.pawn_key ^= number & PAWN_KEY[role];
        self.non_pawn_keys[color] ^= number & !PAWN_KEY[role];
        self.minor_key ^= number as u32 & MINOR_KEY[role];
        self.major_key ^= number as u32 & MAJOR_KEY[role];
    }

    /// Finds the checkers and the pinned men of the side to move: the lines from its king to each enemy slider that
    /// would see it on an empty board.
    #[inline]
    pub(super) fn update_checks(&mut self) {
        let us = self.by_color(self.turn);
        let them = self.by_color(!self.turn);
        let king = self.king(self.turn);
        let occupied = us | them;
        let mut checkers = attacks::pawn_attacks(self.turn, king) & self.by_role(Role::Pawn)
            | attacks::knight_attacks(king) & self.by_role(Role::Knight);
        let mut pinned = Bitboard::EMPTY;
        let rays = rays(king);
        let snipers = rays.orthogonal & self.orthogonal() | rays.diagonal & self.diagonal();
        for sniper in snipers & them {
            let shield = line(king, sniper) & occupied.without(sniper);
            if shield.is_empty() {
                checkers.add(sniper);
            } else if !shield.more_than_one() {
                pinned |= shield;
            }
        }
        self.checkers = checkers & them;
        self.pinned = pinned & us;
    }

    /// Whether the pawn on `from` may take in passing on `target` without leaving its king in check.
    #[inline]
    pub(super) fn en_passant_is_safe(&self, from: Square, target: Square) -> bool {
        let king = self.king(self.turn);
        let victim = target.xor(Square::A2);
        let bits = |square| Bitboard::from_square(square);
        let occupied = self.occupied() ^ bits(from) ^ bits(victim) ^ bits(target);
        let them = self.by_color(!self.turn);
        let sliders = attacks::rook_attacks(king, occupied) & self.orthogonal()
            | attacks::bishop_attacks(king, occupied) & self.diagonal();
        let steppers = self.checkers & !bits(victim) & !self.orthogonal() & !self.diagonal();
        (sliders & them | steppers).is_empty()
    }

    /// Sets the en-passant square of the side to move if some capture there is legal, and its part of the key.
    #[inline]
    pub(super) fn set_en_passant(&mut self, target: Square) {
        let capturers =
            attacks::pawn_attacks(!self.turn, target) & self.pieces(self.turn, Role::Pawn);
        if capturers
            .into_iter()
            .any(|from| self.en_passant_is_safe(from, target))
        {
            self.en_passant = Some(target);
            self.key ^= key::of_en_passant(target.file());
        }
    }

    /// Whether neither side can ever give mate: bare kings, or one minor piece, or bishops all on squares of one colour.
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        let heavy = self.by_role(Role::Pawn) | self.orthogonal();
        if heavy.any() {
            return false;
        }
        let knights = self.by_role(Role::Knight);
        let bishops = self.by_role(Role::Bishop);
        if knights.any() {
            return bishops.is_empty() && !knights.more_than_one();
        }
        (bishops & Bitboard::LIGHT_SQUARES).is_empty()
            || (bishops & Bitboard::DARK_SQUARES).is_empty()
    }

    /// The same position with the colours changed and the board turned upside down.
    #[must_use]
    pub fn flip(&self) -> Self {
        let mut flipped = Self::empty();
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                let (piece, square) = (
                    Piece::new(!piece.color(), piece.role()),
                    square.flip_vertical(),
                );
                flipped.toggle(piece, square);
                flipped.mailbox[square as usize] = Some(piece);
            }
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = self.castling_rook(color, side) {
                    flipped.grant_castling(!color, side, rook.file());
                }
            }
        }
        flipped.halfmoves = self.halfmoves;
        flipped.fullmoves = self.fullmoves;
        flipped.pass_turn_to(!self.turn);
        flipped.update_checks();
        if let Some(target) = self.en_passant {
            flipped.set_en_passant(target.flip_vertical());
        }
        flipped
    }

    /// Makes `color` the side to move.
    pub(super) fn pass_turn_to(&mut self, color: Color) {
        if self.turn != color {
            self.turn = color;
            self.key ^= key::of_turn();
        }
    }

    /// Gives a castling right that is not there yet.
    pub(super) fn grant_castling(&mut self, color: Color, side: CastlingSide, rook: File) {
        self.castling[color as usize] |= (8 | rook as u8) << castling_shift(side);
        self.key ^= key::of_castling(color, side);
    }
}

impl fmt::Display for Position {
    /// The board as text, white at the bottom: letters as in a FEN, dots for empty squares.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let letter = self
                    .piece_on(Square::from_coords(file, rank))
                    .map_or('.', Piece::to_char);
                write!(f, "{letter}{}", if file == File::H { '\n' } else { ' ' })?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.to_fen())
    }
}
