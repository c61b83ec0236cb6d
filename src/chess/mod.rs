//! The rules of chess and Chess960: positions, moves, keys, static exchange evaluation, draws, notations. Squares, bitboards
//! and attack tables are shakmaty's.
//!
//! A [`Position`] is a small value; playing a move returns a new one, so no move is ever taken back.

mod board;
mod checks;
mod chess960;
mod draw;
mod fen;
mod fen_file;
mod game;
mod key;
mod legality;
pub(crate) mod masks;
pub(crate) mod movegen;
mod moves;
mod packed;
mod piece;
mod play;
mod san;
mod see;
mod words;

pub use board::Position;
#[doc(hidden)]
pub use checks::Checks;
#[doc(hidden)]
pub use draw::{has_upcoming_repetition, is_repetition};
pub use fen::FenError;
#[doc(hidden)]
pub use fen_file::{FenFileError, read_fen_file};
pub use game::{Game, GameEnd, MoveError};
#[doc(hidden)]
pub use masks::{Rays, rays};
#[doc(hidden)]
pub use movegen::GenType;
pub use moves::{Move, MoveIter, MoveKind, MoveList, UciText};
#[doc(hidden)]
pub use packed::{PACKED_BYTES, Packed, PackedError};
pub use piece::Piece;
pub(crate) use piece::role_name;
#[doc(hidden)]
pub use play::Observer;
#[doc(hidden)]
pub use see::{ExchangeValues, Exchanges, RoundValues, exchange_value};
#[doc(hidden)]
pub use shakmaty::attacks;
#[doc(no_inline)]
pub use shakmaty::san::{San, SanPlus};
#[doc(no_inline)]
pub use shakmaty::{Bitboard, CastlingSide, Color, File, Rank, Role, Square};
#[doc(hidden)]
pub use words::without_number;
pub use words::{MoveTextError, WordsError};
