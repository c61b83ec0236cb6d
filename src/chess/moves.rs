//! Moves in sixteen bits (bits 0–5 from, 6–11 to, 12–15 kind), and lists of them. The bits are never zero, so an
//! `Option<Move>` takes sixteen bits as well. Castling is the king taking its own rook, as in Chess960.

use std::fmt;
use std::num::NonZeroU16;
use std::ops::Deref;

use arrayvec::ArrayVec;
use shakmaty::{File, Role, Square};

/// The kind of a move. Bit 2 marks captures, bit 3 promotions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MoveKind {
    Quiet = 0,
    DoublePush = 1,
    Castle = 2,
    Capture = 4,
    EnPassant = 5,
    KnightPromotion = 8,
    BishopPromotion = 9,
    RookPromotion = 10,
    QueenPromotion = 11,
    KnightCapturePromotion = 12,
    BishopCapturePromotion = 13,
    RookCapturePromotion = 14,
    QueenCapturePromotion = 15,
}

impl MoveKind {
    pub(super) const CAPTURE_BIT: u16 = 4;
    pub(super) const PROMOTION_BIT: u16 = 8;

    /// The kind with this code, 0 to 15; there are none with the codes 3, 6 and 7.
    const fn from_code(code: u16) -> Option<Self> {
        Some(match code {
            0 => Self::Quiet,
            1 => Self::DoublePush,
            2 => Self::Castle,
            4 => Self::Capture,
            5 => Self::EnPassant,
            8 => Self::KnightPromotion,
            9 => Self::BishopPromotion,
            10 => Self::RookPromotion,
            11 => Self::QueenPromotion,
            12 => Self::KnightCapturePromotion,
            13 => Self::BishopCapturePromotion,
            14 => Self::RookCapturePromotion,
            15 => Self::QueenCapturePromotion,
            _ => return None,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

impl Move {
    /// The roles a pawn can promote to, in the order of the kinds' codes.
    pub const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

    /// A move between two different squares. For castling `to` is the square of the own rook.
    #[inline]
    #[must_use]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        Self::pack(from as u16 | (to as u16) << 6 | (kind as u16) << 12)
    }

    #[inline]
    const fn pack(bits: u16) -> Self {
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            // Only a quiet move from a1 to a1, which is never generated.
            None => Self(NonZeroU16::MIN),
        }
    }

    /// The sixteen bits, never zero.
    #[inline]
    #[must_use]
    #[doc(hidden)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move with these bits, unless they are zero or have an unknown kind. It need not be legal anywhere.
    #[inline]
    #[must_use]
    #[doc(hidden)]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match (NonZeroU16::new(bits), MoveKind::from_code(bits >> 12)) {
            (Some(bits), Some(_)) => Some(Self(bits)),
            _ => None,
        }
    }

    #[inline]
    #[must_use]
    pub const fn from(self) -> Square {
        Square::new((self.bits() & 63) as u32)
    }

    /// The target square; for castling, the square of the own rook.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::new((self.bits() >> 6 & 63) as u32)
    }

    #[inline]
    #[must_use]
    pub const fn kind(self) -> MoveKind {
        match MoveKind::from_code(self.bits() >> 12) {
            Some(kind) => kind,
            None => MoveKind::Quiet,
        }
    }

    /// Whether the move captures, en passant included.
    #[inline]
    #[must_use]
    pub const fn is_capture(self) -> bool {
        self.bits() & MoveKind::CAPTURE_BIT << 12 != 0
    }

    #[inline]
    #[must_use]
    pub const fn is_promotion(self) -> bool {
        self.bits() & MoveKind::PROMOTION_BIT << 12 != 0
    }

    /// Whether the move is a capture or a promotion.
    #[inline]
    #[must_use]
    #[doc(hidden)]
    pub const fn is_noisy(self) -> bool {
        self.bits() >= MoveKind::CAPTURE_BIT << 12
    }

    #[inline]
    #[must_use]
    pub const fn is_castling(self) -> bool {
        self.bits() >> 12 == MoveKind::Castle as u16
    }

    /// The role that the pawn promotes to.
    #[inline]
    #[must_use]
    pub const fn promotion(self) -> Option<Role> {
        if self.is_promotion() {
            Some(Self::PROMOTIONS[(self.bits() >> 12 & 3) as usize])
        } else {
            None
        }
    }

    /// The king's square after castling, on the g or c file.
    #[inline]
    #[must_use]
    pub const fn castling_king_to(self) -> Square {
        let file = if self.to() as u8 > self.from() as u8 {
            File::G
        } else {
            File::C
        };
        Square::from_coords(file, self.from().rank())
    }

    /// The rook's square after castling, on the f or d file.
    #[inline]
    #[must_use]
    pub const fn castling_rook_to(self) -> Square {
        let file = if self.to() as u8 > self.from() as u8 {
            File::F
        } else {
            File::D
        };
        Square::from_coords(file, self.from().rank())
    }

    /// The move in UCI notation. Castling is the king's move (`e1g1`), or with `chess960` king takes rook (`e1h1`). In Chess960
    /// the former may be the text of another move: [`Position::uci`](super::Position::uci) avoids that.
    ///
    /// ```
    /// use lucena::chess::{Move, MoveKind, Square};
    /// let castle = Move::new(Square::E1, Square::H1, MoveKind::Castle);
    /// assert_eq!(castle.uci(false).to_string(), "e1g1");
    /// assert_eq!(castle.uci(true).to_string(), "e1h1");
    /// ```
    #[must_use]
    pub const fn uci(self, chess960: bool) -> UciText {
        UciText { mv: self, chess960 }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:?})", self.uci(true), self.kind())
    }
}

/// Displays a move in UCI notation.
#[derive(Clone, Copy, Debug)]
pub struct UciText {
    mv: Move,
    chess960: bool,
}

impl fmt::Display for UciText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mv, chess960 } = *self;
        let to = if mv.is_castling() && !chess960 {
            mv.castling_king_to()
        } else {
            mv.to()
        };
        write!(f, "{}{to}", mv.from())?;
        match mv.promotion() {
            Some(role) => write!(f, "{}", role.char()),
            None => Ok(()),
        }
    }
}

/// A list of moves without heap memory. No position has more than 218 legal moves.
#[derive(Clone)]
pub struct MoveList(ArrayVec<Move, { Self::CAPACITY }>);

impl MoveList {
    pub const CAPACITY: usize = 256;

    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        Self(ArrayVec::new_const())
    }

    /// Appends a move. A full list, which no position needs, stays as it is in release builds and panics in debug builds.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        let pushed = self.0.try_push(mv);
        debug_assert!(pushed.is_ok());
    }

    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

/// The moves of a list, one after the other.
#[derive(Clone, Debug)]
pub struct MoveIter(arrayvec::IntoIter<Move, { MoveList::CAPACITY }>);

impl Iterator for MoveIter {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for MoveIter {}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = MoveIter;

    fn into_iter(self) -> MoveIter {
        MoveIter(self.0.into_iter())
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
