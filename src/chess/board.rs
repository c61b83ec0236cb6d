//! The position: bitboards and a mailbox side by side, with keys, checkers and pins; 192 bytes, copied for every move.

use std::fmt;
use std::hash::{Hash, Hasher};

use shakmaty::{Bitboard, CastlingSide, Color, File, Rank, Role, Square, attacks};

use super::key;
use super::masks::{line, rays};
use super::piece::Piece;

/// A position of standard chess or Chess960. The side not to move is never in check.
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
    /// By colour: 8 + the rook's file, or 0 without the right; king side in the low nibble, queen side in the high one.
    pub(super) castling: [u8; 2],
    /// The square behind the pawn, set only if an en passant capture is legal.
    pub(super) en_passant: Option<Square>,
    pub(super) turn: Color,
}

const _: () = assert!(size_of::<Position>() == 192);

/// The shift of a side's nibble in a byte of `castling`.
pub(super) const fn castling_shift(side: CastlingSide) -> u32 {
    match side {
        CastlingSide::KingSide => 0,
        CastlingSide::QueenSide => 4,
    }
}

// Whether a role is part of a key: all bits or none, by role index.
const PAWN_KEY: [u64; 6] = [!0, 0, 0, 0, 0, 0];
const MINOR_KEY: [u32; 6] = [0, !0, !0, 0, 0, !0];
const MAJOR_KEY: [u32; 6] = [0, 0, 0, !0, !0, !0];

impl Position {
    /// An empty board with white to move, to be filled.
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

    /// All pieces, pawns included.
    #[inline]
    #[must_use]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.colors[0].0 | self.colors[1].0)
    }

    /// All pieces of a colour, pawns included.
    #[inline]
    #[must_use]
    pub const fn by_color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    #[inline]
    #[must_use]
    pub const fn by_role(&self, role: Role) -> Bitboard {
        self.roles[role as usize - 1]
    }

    #[inline]
    #[must_use]
    pub const fn pieces(&self, color: Color, role: Role) -> Bitboard {
        Bitboard(self.by_color(color).0 & self.by_role(role).0)
    }

    /// Rooks and queens of both colours.
    #[inline]
    #[must_use]
    #[doc(hidden)]
    pub const fn orthogonal(&self) -> Bitboard {
        Bitboard(self.by_role(Role::Rook).0 | self.by_role(Role::Queen).0)
    }

    /// Bishops and queens of both colours.
    #[inline]
    #[must_use]
    #[doc(hidden)]
    pub const fn diagonal(&self) -> Bitboard {
        Bitboard(self.by_role(Role::Bishop).0 | self.by_role(Role::Queen).0)
    }

    /// Whether a colour has a piece other than king and pawns.
    #[inline]
    #[must_use]
    #[doc(hidden)]
    pub const fn has_non_pawn_material(&self, color: Color) -> bool {
        self.by_color(color).0 & !(self.by_role(Role::Pawn).0 | self.by_role(Role::King).0) != 0
    }

    #[inline]
    #[must_use]
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square as usize]
    }

    #[inline]
    #[must_use]
    pub const fn king(&self, color: Color) -> Square {
        Square::new(self.pieces(color, Role::King).0.trailing_zeros() & 63)
    }

    /// The pieces that give check to the side to move.
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

    /// The pieces of the side to move that are pinned to its king.
    #[inline]
    #[must_use]
    pub const fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The Zobrist key: Polyglot's numbers, with the en passant file only if a capture is legal (see
    /// [`Game::book_key`](super::Game::book_key)).
    #[inline]
    #[must_use]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The key of the pawns of both colours.
    #[inline]
    #[must_use]
    #[doc(hidden)]
    pub const fn pawn_key(&self) -> u64 {
        self.pawn_key
    }

    /// The key of one colour's pieces other than pawns.
    #[inline]
    #[must_use]
    #[doc(hidden)]
    pub const fn non_pawn_key(&self, color: Color) -> u64 {
        self.non_pawn_keys[color as usize]
    }

    /// The key of kings, knights and bishops.
    #[inline]
    #[must_use]
    #[doc(hidden)]
    pub const fn minor_key(&self) -> u32 {
        self.minor_key
    }

    /// The key of kings, rooks and queens.
    #[inline]
    #[must_use]
    #[doc(hidden)]
    pub const fn major_key(&self) -> u32 {
        self.major_key
    }

    /// Plies since the last capture or pawn move (rule50).
    #[inline]
    #[must_use]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmoves
    }

    /// The move number, from 1, as in a FEN.
    #[inline]
    #[must_use]
    pub const fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    /// The target square of an en passant capture, if one is legal.
    #[inline]
    #[must_use]
    pub const fn ep_square(&self) -> Option<Square> {
        self.en_passant
    }

    /// The rook of a castling right, if the colour has the right.
    ///
    /// ```
    /// use lucena::chess::{CastlingSide, Color, Position, Square};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
    /// let rook = |side| position.castling_rook(Color::White, side);
    /// assert_eq!(rook(CastlingSide::KingSide), Some(Square::H1));
    /// assert_eq!(rook(CastlingSide::QueenSide), None);
    /// # Ok::<(), lucena::chess::FenError>(())
    /// ```
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

    #[inline]
    #[must_use]
    #[doc(hidden)]
    pub const fn has_castling_rights(&self) -> bool {
        self.castling[0] | self.castling[1] != 0
    }

    /// The pieces of both colours that attack a square, with `occupied` as blockers.
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

    /// Adds or removes a piece in bitboards and keys; the caller updates the mailbox.
    #[inline]
    pub(super) fn toggle(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::from_square(square);
        self.roles[piece.index() >> 1] ^= bit;
        self.colors[piece.index() & 1] ^= bit;
        self.update_keys(piece, key::of_piece(piece, square));
    }

    /// Toggles the Zobrist number of a piece's square (or of two, for a move) in the keys that count the piece.
    #[inline]
    pub(super) fn update_keys(&mut self, piece: Piece, number: u64) {
        let (role, color) = (piece.index() >> 1, piece.index() & 1);
        self.key ^= number;
        self.pawn_key ^= number & PAWN_KEY[role];
        self.non_pawn_keys[color] ^= number & !PAWN_KEY[role];
        self.minor_key ^= number as u32 & MINOR_KEY[role];
        self.major_key ^= number as u32 & MAJOR_KEY[role];
    }

    /// Computes the checkers and the pinned pieces of the side to move: the lines from its king to each enemy slider that
    /// would attack it on an empty board.
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
            let blockers = line(king, sniper) & occupied.without(sniper);
            if blockers.is_empty() {
                checkers.add(sniper);
            } else if !blockers.more_than_one() {
                pinned |= blockers;
            }
        }
        self.checkers = checkers & them;
        self.pinned = pinned & us;
    }

    /// Whether the en passant capture from `from` to `target` leaves the own king out of check.
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

    /// Sets the en passant square and its part of the key, if the side to move has a legal capture there.
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

    /// Whether neither side can ever mate: bare kings, a single minor piece, or only bishops on squares of one colour.
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

    /// The position with colours swapped and the board flipped vertically.
    #[must_use]
    #[doc(hidden)]
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
                    flipped.add_castling_right(!color, side, rook.file());
                }
            }
        }
        flipped.halfmoves = self.halfmoves;
        flipped.fullmoves = self.fullmoves;
        flipped.set_turn(!self.turn);
        flipped.update_checks();
        if let Some(target) = self.en_passant {
            flipped.set_en_passant(target.flip_vertical());
        }
        flipped
    }

    pub(super) fn set_turn(&mut self, color: Color) {
        if self.turn != color {
            self.turn = color;
            self.key ^= key::of_turn();
        }
    }

    /// Adds a castling right that the colour does not have yet.
    pub(super) fn add_castling_right(&mut self, color: Color, side: CastlingSide, rook: File) {
        self.castling[color as usize] |= (8 | rook as u8) << castling_shift(side);
        self.key ^= key::of_castling(color, side);
    }
}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key);
    }
}

impl fmt::Display for Position {
    /// A diagram with white at the bottom: letters as in a FEN, dots for empty squares.
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
