//! The keys of the transposition table: those of positions, with the halfmove clock if it is high.

use super::tt::TranspositionTable;
use crate::base::random::GOLDEN_RATIO;
use crate::chess::{Move, Position, Role};

/// Above this halfmove clock the fifty-move rule affects scores, so that positions get entries of their own.
const START: u16 = 20;
/// Halfmove clocks that share an entry.
const STEP: u16 = 8;

/// What the halfmove clock changes in a key.
#[inline]
fn of_clock(clock: u16) -> u64 {
    let over = clock.saturating_sub(START);
    u64::from(over.div_ceil(STEP)).wrapping_mul(GOLDEN_RATIO)
}

impl TranspositionTable {
    /// The key of a position in this table: it depends on the halfmove clock if that is high.
    #[inline]
    #[must_use]
    pub fn key_of(position: &Position) -> u64 {
        position.key() ^ of_clock(position.halfmove_clock())
    }

    /// The key after a legal move, to prefetch its entry; wrong where [`Position::key_after`] is.
    #[inline]
    pub(super) fn key_after(position: &Position, mv: Move) -> u64 {
        let key = position.key_after(mv);
        let clock = position.halfmove_clock() + 1;
        if clock <= START || mv.is_noisy() || is_by_pawn(position, mv) {
            key
        } else {
            key ^ of_clock(clock)
        }
    }

    /// The key after a null move, to prefetch its entry.
    #[inline]
    pub(super) fn key_after_null(position: &Position) -> u64 {
        position.key_after_null() ^ of_clock(position.halfmove_clock() + 1)
    }
}

fn is_by_pawn(position: &Position, mv: Move) -> bool {
    (position.piece_on(mv.from())).is_some_and(|piece| piece.role() == Role::Pawn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_after_a_move_is_that_of_the_position() {
        for clock in [0, 19, 20, 21, 28, 29, 60] {
            for board in [
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - -",
                "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - -",
            ] {
                let position = Position::from_fen(&format!("{board} {clock} 60")).unwrap();
                for mv in position.legal_moves() {
                    let after = position.play(mv);
                    if after.ep_square().is_none() {
                        let key = TranspositionTable::key_of(&after);
                        assert_eq!(TranspositionTable::key_after(&position, mv), key, "{mv:?}");
                    }
                }
            }
        }
    }
}
