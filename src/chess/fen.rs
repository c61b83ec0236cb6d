//! Reading and writing FENs. shakmaty decides what a legal position is; errors name the FEN field at fault.

use std::num::NonZeroU32;
use std::str::FromStr;

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::{
    Board, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, FromSetup, Position as _,
    PositionError, PositionErrorKinds, Setup,
};
use thiserror::Error;

use super::board::Position;
use super::piece::Piece;

/// Why a text is not a legal position.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FenError {
    #[error("FEN: expected 4 to 6 fields separated by spaces")]
    Shape,
    #[error("FEN field 1 (pieces): expected eight ranks of eight squares")]
    Board,
    /// Pieces in hand or marked as promoted (Crazyhouse), or a count of checks (Three-check).
    #[error("FEN: {0} belong to other variants of chess")]
    Variant(&'static str),
    #[error("FEN field 2 (side to move): not w or b")]
    Turn,
    #[error("FEN field 3 (castling): expected -, KQkq or rook files")]
    Castling,
    #[error(
        "FEN field 4 (en passant): expected - or the square behind a pawn that just moved two squares"
    )]
    EnPassant,
    #[error("FEN field 5 (halfmove clock): not a number up to 65535")]
    HalfmoveClock,
    #[error("FEN field 6 (move number): not a number up to 65535")]
    Fullmoves,
    #[error("FEN field 1 (pieces): each side must have exactly one king")]
    Kings,
    #[error("FEN field 1 (pieces): a pawn stands on the first or last rank")]
    PawnsOnBackrank,
    #[error("FEN field 1 (pieces): more pieces than promotions allow")]
    TooMuchMaterial,
    #[error("FEN field 2 (side to move): the side not to move is in check")]
    OppositeCheck,
    #[error("FEN field 1 (pieces): no move can have given this check")]
    ImpossibleCheck,
}

impl FenError {
    /// The FEN field at fault, from 1; `None` if it is the whole.
    #[must_use]
    pub const fn field(&self) -> Option<usize> {
        Some(match self {
            Self::Shape | Self::Variant(_) => return None,
            Self::Board
            | Self::Kings
            | Self::PawnsOnBackrank
            | Self::TooMuchMaterial
            | Self::ImpossibleCheck => 1,
            Self::Turn | Self::OppositeCheck => 2,
            Self::Castling => 3,
            Self::EnPassant => 4,
            Self::HalfmoveClock => 5,
            Self::Fullmoves => 6,
        })
    }
}

impl From<ParseFenError> for FenError {
    fn from(error: ParseFenError) -> Self {
        match error {
            ParseFenError::InvalidFen => Self::Shape,
            ParseFenError::InvalidRemainingChecks => Self::Variant("check counts"),
            ParseFenError::InvalidPocket => Self::Variant("pieces in hand"),
            ParseFenError::InvalidBoard => Self::Board,
            ParseFenError::InvalidTurn => Self::Turn,
            ParseFenError::InvalidCastling => Self::Castling,
            ParseFenError::InvalidEpSquare => Self::EnPassant,
            ParseFenError::InvalidHalfmoveClock => Self::HalfmoveClock,
            ParseFenError::InvalidFullmoves => Self::Fullmoves,
        }
    }
}

impl From<PositionError<Chess>> for FenError {
    fn from(error: PositionError<Chess>) -> Self {
        let kinds = error.kinds();
        let kings = PositionErrorKinds::EMPTY_BOARD
            | PositionErrorKinds::MISSING_KING
            | PositionErrorKinds::TOO_MANY_KINGS;
        if kinds.intersects(kings) {
            Self::Kings
        } else if kinds.contains(PositionErrorKinds::PAWNS_ON_BACKRANK) {
            Self::PawnsOnBackrank
        } else if kinds.contains(PositionErrorKinds::TOO_MUCH_MATERIAL) {
            Self::TooMuchMaterial
        } else if kinds.contains(PositionErrorKinds::OPPOSITE_CHECK) {
            Self::OppositeCheck
        } else if kinds.contains(PositionErrorKinds::INVALID_EP_SQUARE) {
            Self::EnPassant
        } else {
            Self::ImpossibleCheck
        }
    }
}

impl FromStr for Position {
    type Err = FenError;

    /// As [`Position::from_fen`].
    fn from_str(text: &str) -> Result<Self, FenError> {
        Self::from_fen(text)
    }
}

impl Position {
    /// The start position of standard chess.
    #[must_use]
    pub fn startpos() -> Self {
        Self::from_chess(&Chess::default())
    }

    /// Parses a FEN of four to six fields. Castling rights may be `KQkq`, X-FEN or rook files (Shredder-FEN); rights
    /// without king and rook in place are dropped.
    ///
    /// # Errors
    /// [`FenError`] names the field at fault.
    ///
    /// ```
    /// use lucena::chess::{FenError, Position};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K -").unwrap();
    /// assert_eq!(position.to_fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    /// assert_eq!(Position::from_fen("8/8/8/8/8/8/8/4K3 w - - 0 1"), Err(FenError::Kings));
    /// for ninth in ["", "4K3", "RNBQKBNR"] {
    ///     let fen = format!("4k3/8/8/8/8/8/8/4K3/{ninth} w - - 0 1");
    ///     assert_eq!(Position::from_fen(&fen), Err(FenError::Board));
    /// }
    /// ```
    pub fn from_fen(text: &str) -> Result<Self, FenError> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        if !(4..=6).contains(&fields.len()) {
            return Err(FenError::Shape);
        }
        // shakmaty reads a ninth rank as pieces in hand.
        let is_rank = |text: &str| {
            let has_digit = text.contains(|letter: char| letter.is_ascii_digit());
            text.is_empty() || text.len() == 8 || has_digit
        };
        if fields[0].split('/').nth(8).is_some_and(is_rank) {
            return Err(FenError::Board);
        }
        let setup = Fen::from_ascii(fields.join(" ").as_bytes())?.into_setup();
        let variant = [
            (setup.pockets.is_some(), "pieces in hand"),
            (setup.promoted.any(), "pieces marked as promoted (~)"),
            (setup.remaining_checks.is_some(), "check counts"),
        ];
        if let Some((_, what)) = variant.into_iter().find(|(found, _)| *found) {
            return Err(FenError::Variant(what));
        }
        let limit = u32::from(u16::MAX);
        if setup.halfmoves > limit {
            return Err(FenError::HalfmoveClock);
        }
        if setup.fullmoves.get() > limit {
            return Err(FenError::Fullmoves);
        }
        let chess = Chess::from_setup(setup, CastlingMode::Chess960)
            .or_else(PositionError::ignore_invalid_castling_rights)?;
        Ok(Self::from_chess(&chess))
    }

    /// Converts from shakmaty.
    #[must_use]
    #[doc(hidden)]
    pub fn from_chess(chess: &Chess) -> Self {
        let mut position = Self::empty();
        for (square, piece) in chess.board() {
            let piece = Piece::new(piece.color, piece.role);
            position.toggle(piece, square);
            position.mailbox[square as usize] = Some(piece);
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = chess.castles().rook(color, side) {
                    position.add_castling_right(color, side, rook.file());
                }
            }
        }
        position.halfmoves = chess.halfmoves().min(u32::from(u16::MAX)) as u16;
        position.fullmoves = chess.fullmoves().get().min(u32::from(u16::MAX)) as u16;
        position.set_turn(chess.turn());
        position.update_checks();
        if let Some(target) = chess.ep_square(EnPassantMode::Always) {
            position.set_en_passant(target);
        }
        position
    }

    /// Converts to shakmaty, for its notations and tablebases.
    #[must_use]
    #[doc(hidden)]
    pub fn to_chess(&self) -> Chess {
        Chess::from_setup(self.to_setup(), CastlingMode::Chess960)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_too_much_material)
            .unwrap_or_default()
    }

    /// The FEN of six fields. Castling rights are `KQkq`, or rook files where that would be ambiguous (X-FEN).
    #[must_use]
    pub fn to_fen(&self) -> String {
        Fen::try_from_setup(self.to_setup())
            .map_or_else(|lossy| lossy.ignore().to_string(), |fen| fen.to_string())
    }

    fn to_setup(self) -> Setup {
        let mut setup = Setup::empty();
        let mut board = Board::empty();
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                board.set_piece_at(
                    square,
                    shakmaty::Piece {
                        color: piece.color(),
                        role: piece.role(),
                    },
                );
            }
        }
        setup.board = board;
        setup.turn = self.turn;
        setup.castling_rights = Color::ALL
            .into_iter()
            .flat_map(|color| CastlingSide::ALL.map(|side| self.castling_rook(color, side)))
            .flatten()
            .collect();
        setup.ep_square = self.en_passant;
        setup.halfmoves = u32::from(self.halfmoves);
        setup.fullmoves = NonZeroU32::new(u32::from(self.fullmoves)).unwrap_or(NonZeroU32::MIN);
        setup
    }
}
