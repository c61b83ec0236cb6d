//! A game in viriformat, which many chess programs read.
//!
//! 32 bytes for the start ([packed position](crate::chess::Packed), score 2, result 1, unused 1), then four bytes per
//! ply (move 2, score from White's view 2), then four zero bytes. A move is from 6 | to 6 | promotion 2 | kind 2;
//! castling is the king taking its own rook.

use thiserror::Error;

use crate::chess::{Move, MoveKind, PACKED_BYTES, Packed, PackedError, Position, Role, Square};

/// Bytes of the start position with its score and result.
pub const START_BYTES: usize = PACKED_BYTES + 4;
/// Bytes of a ply, and of the end mark.
pub const PLY_BYTES: usize = 4;
/// Offset of the result.
const RESULT_AT: usize = PACKED_BYTES + 2;

/// Kinds of moves in this format.
const ORDINARY: u16 = 0;
const EN_PASSANT: u16 = 1;
const CASTLE: u16 = 2;
const PROMOTION: u16 = 3;

/// The result of a game, with its code in the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum GameResult {
    BlackWins = 0,
    Draw = 1,
    WhiteWins = 2,
}

impl GameResult {
    /// All results, by their codes.
    pub const ALL: [Self; 3] = [Self::BlackWins, Self::Draw, Self::WhiteWins];

    /// White's points: 0, ½ or 1.
    pub const fn score(self) -> f32 {
        self as u8 as f32 / 2.0
    }
}

/// One ply of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    pub played: Move,
    /// The search score in centipawns from White's view.
    pub score: i16,
}

/// A game: its start position, result and plies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    pub start: Position,
    pub outcome: GameResult,
    pub plies: Vec<Ply>,
}

/// Why bytes are not a game.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum GameRecordError {
    /// Too few or too many bytes.
    #[error("the game is cut off or has no end mark")]
    Length,
    #[error("start position: {0}")]
    Start(#[from] PackedError),
    #[error("the result is not 0, 1 or 2")]
    GameResult,
    #[error("ply {0}: the move is not legal")]
    Illegal(usize),
}

impl GameRecord {
    /// The bytes of the game.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(START_BYTES + (self.plies.len() + 1) * PLY_BYTES);
        bytes.extend_from_slice(&self.start.pack());
        bytes.extend_from_slice(&[0, 0, self.outcome as u8, 0]);
        for ply in &self.plies {
            bytes.extend_from_slice(&encode(ply.played).to_le_bytes());
            bytes.extend_from_slice(&ply.score.to_le_bytes());
        }
        bytes.extend_from_slice(&[0; PLY_BYTES]);
        bytes
    }

    /// Reads a game and checks every move.
    ///
    /// # Errors
    /// [`GameRecordError`] if the bytes are not exactly one legal game.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, GameRecordError> {
        let (start, rest) = bytes
            .split_first_chunk::<PACKED_BYTES>()
            .ok_or(GameRecordError::Length)?;
        if bytes.len() < START_BYTES + PLY_BYTES {
            return Err(GameRecordError::Length);
        }
        let start = Position::unpack(start as &Packed)?;
        let code = usize::from(bytes[RESULT_AT]);
        let outcome = *GameResult::ALL
            .get(code)
            .ok_or(GameRecordError::GameResult)?;
        let (plies, left) = rest[START_BYTES - PACKED_BYTES..].as_chunks::<PLY_BYTES>();
        let Some(([0, 0, 0, 0], plies)) = plies.split_last() else {
            return Err(GameRecordError::Length);
        };
        if !left.is_empty() {
            return Err(GameRecordError::Length);
        }
        let mut position = start;
        let mut game = Vec::with_capacity(plies.len());
        for (number, &[low, high, score @ ..]) in (1..).zip(plies) {
            let played = decode(&position, u16::from_le_bytes([low, high]))
                .ok_or(GameRecordError::Illegal(number))?;
            position = position.play(played);
            game.push(Ply {
                played,
                score: i16::from_le_bytes(score),
            });
        }
        Ok(Self {
            start,
            outcome,
            plies: game,
        })
    }

    /// Number of plies in the bytes of a game.
    #[doc(hidden)]
    pub const fn plies_in(bytes: &[u8]) -> usize {
        (bytes.len() / PLY_BYTES).saturating_sub(START_BYTES / PLY_BYTES + 1)
    }

    /// The score of each ply in the bytes of a game.
    pub(super) fn scores_in(bytes: &[u8]) -> impl Iterator<Item = i16> {
        let plies = bytes.get(START_BYTES..).unwrap_or_default();
        let (plies, _) = plies.as_chunks::<PLY_BYTES>();
        let count = Self::plies_in(bytes);
        let scores = plies.iter().take(count);
        scores.map(|&[_, _, low, high]| i16::from_le_bytes([low, high]))
    }

    /// The result in the bytes of a game.
    #[doc(hidden)]
    pub fn outcome_in(bytes: &[u8]) -> Option<GameResult> {
        GameResult::ALL
            .get(usize::from(*bytes.get(RESULT_AT)?))
            .copied()
    }

    /// Every position in which a move was played, with its ply.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Ply)> {
        let mut next = self.start;
        self.plies.iter().map(move |&ply| {
            let position = next;
            next = position.play(ply.played);
            (position, ply)
        })
    }
}

/// The bits of a move in this format.
fn encode(mv: Move) -> u16 {
    let squares = mv.bits() & 0xfff;
    let kind = match mv.kind() {
        MoveKind::Castle => CASTLE,
        MoveKind::EnPassant => EN_PASSANT,
        _ if mv.is_promotion() => PROMOTION,
        _ => ORDINARY,
    };
    let promotion = mv
        .promotion()
        .map_or(0, |role| role as u16 - Role::Knight as u16);
    squares | promotion << 12 | kind << 14
}

/// The legal move with these bits; `None` if it is not legal.
fn decode(position: &Position, bits: u16) -> Option<Move> {
    let square = |shift: u32| Square::new(u32::from(bits >> shift & 63));
    let (from, to) = (square(0), square(6));
    let captures = position.piece_on(to).is_some();
    let kind = match bits >> 14 {
        CASTLE => MoveKind::Castle,
        EN_PASSANT => MoveKind::EnPassant,
        PROMOTION => match (bits >> 12 & 3, captures) {
            (0, false) => MoveKind::KnightPromotion,
            (1, false) => MoveKind::BishopPromotion,
            (2, false) => MoveKind::RookPromotion,
            (_, false) => MoveKind::QueenPromotion,
            (0, true) => MoveKind::KnightCapturePromotion,
            (1, true) => MoveKind::BishopCapturePromotion,
            (2, true) => MoveKind::RookCapturePromotion,
            (_, true) => MoveKind::QueenCapturePromotion,
        },
        _ if captures => MoveKind::Capture,
        _ if is_double_push(position, from, to) => MoveKind::DoublePush,
        _ => MoveKind::Quiet,
    };
    Some(Move::new(from, to, kind)).filter(|&mv| position.is_legal(mv))
}

fn is_double_push(position: &Position, from: Square, to: Square) -> bool {
    let is_pawn = position
        .piece_on(from)
        .is_some_and(|piece| piece.role() == Role::Pawn);
    is_pawn && from.file() == to.file() && (from as u8).abs_diff(to as u8) == 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;

    /// A game of random moves.
    fn random_game(fen: &str, random: &mut Random) -> GameRecord {
        let start = Position::from_fen(fen).expect("a position");
        let (mut position, mut plies) = (start, Vec::new());
        while plies.len() < 200 && position.has_legal_move() {
            let moves = position.legal_moves();
            let played = moves[random.below(moves.len())];
            plies.push(Ply {
                played,
                score: random.bits() as i16,
            });
            position = position.play(played);
        }
        GameRecord {
            start,
            outcome: GameResult::ALL[random.below(3)],
            plies,
        }
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        let mut random = Random::new(1, 1);
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "qnbnrkrb/pppppppp/8/8/8/8/PPPPPPPP/RKBRNNQB b DAge - 7 200",
            "1n1n4/P1P2k2/8/8/8/8/p1p2K2/1N1N4 w - - 0 1",
        ] {
            for _ in 0..20 {
                let game = random_game(fen, &mut random);
                let bytes = game.to_bytes();
                assert_eq!(GameRecord::from_bytes(&bytes).as_ref(), Ok(&game));
                assert_eq!(GameRecord::plies_in(&bytes), game.plies.len());
                assert_eq!(GameRecord::outcome_in(&bytes), Some(game.outcome));
                assert_eq!(
                    GameRecord::from_bytes(&bytes[..bytes.len() - 4]),
                    Err(GameRecordError::Length)
                );
            }
        }
    }

    #[test]
    fn the_bytes_are_viriformat() {
        let start = Position::startpos();
        let played = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
        let game = GameRecord {
            start,
            outcome: GameResult::WhiteWins,
            plies: vec![Ply { played, score: -2 }],
        };
        let mut bytes = vec![0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff];
        // Pawn 0, knight 1, bishop 2, queen 4, king 5, rook with castling right 6; Black adds 8.
        bytes.extend([
            0x16, 0x42, 0x25, 0x61, 0, 0, 0, 0, 0x88, 0x88, 0x88, 0x88, 0x9e, 0xca, 0xad, 0xe9,
        ]);
        bytes.extend([64, 0, 1, 0, 0, 0, 2, 0]);
        bytes.extend([0x0c, 0x07, 0xfe, 0xff, 0, 0, 0, 0]);
        assert_eq!(game.to_bytes(), bytes);
    }

    #[test]
    fn wrong_bytes_are_refused() {
        let game = random_game("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &mut Random::new(2, 0));
        let mut bytes = game.to_bytes();
        assert_eq!(GameRecord::from_bytes(&[]), Err(GameRecordError::Length));
        assert!(GameRecord::from_bytes(&bytes[1..]).is_err());
        bytes[RESULT_AT] = 3;
        assert_eq!(
            GameRecord::from_bytes(&bytes),
            Err(GameRecordError::GameResult)
        );
        bytes[RESULT_AT] = 0;
        bytes[START_BYTES + PLY_BYTES..][..2].copy_from_slice(&[9, 9]);
        assert_eq!(
            GameRecord::from_bytes(&bytes),
            Err(GameRecordError::Illegal(2))
        );
    }
}
