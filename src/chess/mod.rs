//! The rules of chess and Chess960: positions, moves, keys, static exchange evaluation, draws, notations. Squares, bitboards
//! and attack tables are shakmaty's.
//!
//! A [`Position`] is a small value; playing a move returns a new one, so no move is ever taken back.

mod board;
mod checks;
mod chess960;
mod draw;
mod fen;
mod game;
mod key;
mod legality;
pub(crate) mod masks;
mod movegen;
mod moves;
mod packed;
mod piece;
mod play;
mod san;
mod see;
mod words;

pub use board::Position;
pub use checks::Checks;
pub use draw::{has_upcoming_repetition, is_repetition};
pub use fen::FenError;
pub use game::{Game, GameEnd, MoveError};
pub use masks::{Rays, rays};
pub use movegen::GenType;
pub use moves::{Move, MoveKind, MoveList};
pub use packed::{PACKED_BYTES, Packed, PackedError};
pub use piece::Piece;
pub use play::Observer;
pub use see::{Exchanges, exchange_value};
pub use shakmaty::san::{San, SanPlus};
pub use shakmaty::{Bitboard, CastlingSide, Color, File, Rank, Role, Square, attacks};
pub use words::{MoveTextError, WordsError, without_number};
