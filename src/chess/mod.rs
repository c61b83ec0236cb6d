//! The rules of chess: position, moves, keys, exchanges, draws, perft. No input or output, no heuristics.
//! Uses: nothing of the house; shakmaty's squares, bitboards and attack tables. Used by: every room above.
//! Idea: a position is a small value; a move makes a child and nothing is ever undone.
//!
//! Reading order: `piece`, `moves`, `board`, `fen`, `movegen`, `play`, `legality`, `checks`, `see`, `draw`, `packed`,
//! `perft`, `kernel`, `san`. Masks that several share are in `masks`.

mod board;
mod checks;
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

pub use board::Position;
pub use checks::Checks;
pub use draw::{has_upcoming_repetition, is_repetition};
pub use fen::FenError;
pub use game::{Game, MoveError};
pub use masks::{Rays, rays};
pub use movegen::GenType;
pub use moves::{Move, MoveKind, MoveList};
pub use packed::{PACKED_BYTES, Packed, PackedError};
pub use piece::Piece;
pub use play::Observer;
pub use see::exchange_value;
pub use shakmaty::san::{San, SanPlus};
pub use shakmaty::{Bitboard, CastlingSide, Color, File, Rank, Role, Square, attacks};
