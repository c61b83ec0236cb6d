//! What searches found the static evaluation to be wrong by.
//! Uses: history, chess, sys, value. Used by: worker, negamax, quiescence.
//! Idea: positions that share a feature (their pawns, the men of a side, the last moves) are misjudged alike; the
//! difference between search and evaluation is kept for each and added the next time. A search-side line: no part of the
//! evaluation.

use crate::base::sys::{LargeArray, prefetch};
use crate::base::value::{Depth, EVALUATION_LIMIT, Value};
use crate::chess::{Color, Position};

use super::history::{Context, Entry, PieceTo};
use super::params;

/// Entries of each table and side.
const SIZE: usize = 16_384;
/// The bound of an entry, in units of 1/[`GRAIN`] centipawn.
const LIMIT: i32 = 8_192;
/// Units of an entry in a centipawn of one table's correction.
const GRAIN: i32 = 256;

type Table = Box<[[Entry<LIMIT>; SIZE]]>;

/// The corrections that one thread has learned.
pub struct Corrections {
    // each: [side to move][key]
    pawn: Table,
    white: Table,
    black: Table,
    minor: Table,
    major: Table,
    // [move two plies before][move before]
    continuation: LargeArray<[Entry<LIMIT>; PieceTo::COUNT]>,
}

fn table() -> Table {
    vec![[Entry::default(); SIZE]; 2].into_boxed_slice()
}

impl Corrections {
    pub fn new() -> Self {
        Self {
            pawn: table(),
            white: table(),
            black: table(),
            minor: table(),
            major: table(),
            continuation: LargeArray::new([Entry::default(); PieceTo::COUNT], PieceTo::COUNT),
        }
    }

    /// Forgets all, and keeps the memory.
    pub fn forget(&mut self) {
        let tables = [
            &mut self.pawn,
            &mut self.white,
            &mut self.black,
            &mut self.minor,
            &mut self.major,
        ];
        for table in tables {
            table.as_flattened_mut().fill(Entry::default());
        }
        self.continuation.as_flattened_mut().fill(Entry::default());
    }

    /// Has the entries for a position on their way from memory before they are asked for.
    #[inline]
    pub fn prefetch(&self, position: &Position, before: [PieceTo; 2]) {
        let side = position.turn() as usize;
        prefetch(&self.pawn[side][index(position.pawn_key())]);
        prefetch(&self.white[side][index(position.non_pawn_key(Color::White))]);
        prefetch(&self.black[side][index(position.non_pawn_key(Color::Black))]);
        prefetch(&self.minor[side][index(u64::from(position.minor_key()))]);
        prefetch(&self.major[side][index(u64::from(position.major_key()))]);
        let [before, two_before] = before.map(PieceTo::index);
        prefetch(&self.continuation[two_before][before]);
    }

    /// An evaluation with what is known against it, in centipawns.
    pub fn correct(&self, evaluation: Value, context: &Context, position: &Position) -> Value {
        let side = position.turn() as usize;
        let pawn = self.pawn[side][index(position.pawn_key())].get();
        let white = self.white[side][index(position.non_pawn_key(Color::White))].get();
        let black = self.black[side][index(position.non_pawn_key(Color::Black))].get();
        let minor = self.minor[side][index(u64::from(position.minor_key()))].get();
        let major = self.major[side][index(u64::from(position.major_key()))].get();
        let [before, two_before, ..] = context.before;
        let continuation = self.continuation[two_before.index()][before.index()].get();
        let sum = pawn * params::correction_pawn()
            + (white + black) * params::correction_non_pawn()
            + minor * params::correction_minor()
            + major * params::correction_major()
            + continuation * params::correction_continuation();
        (evaluation + sum / (64 * GRAIN)).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }

    /// A search of this depth found `error` centipawns more than the corrected evaluation.
    pub fn learn(&mut self, error: Value, depth: Depth, context: &Context, position: &Position) {
        let bonus = (error * depth * GRAIN / 64).clamp(-LIMIT / 4, LIMIT / 4);
        let side = position.turn() as usize;
        self.pawn[side][index(position.pawn_key())].update(bonus);
        self.white[side][index(position.non_pawn_key(Color::White))].update(bonus);
        self.black[side][index(position.non_pawn_key(Color::Black))].update(bonus);
        self.minor[side][index(u64::from(position.minor_key()))].update(bonus);
        self.major[side][index(u64::from(position.major_key()))].update(bonus);
        let [before, two_before, ..] = context.before;
        self.continuation[two_before.index()][before.index()].update(bonus);
    }
}

/// The place of a key in a table.
#[inline]
const fn index(key: u64) -> usize {
    key as usize & (SIZE - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Bitboard;

    #[test]
    fn an_error_seen_often_is_corrected_and_no_more() {
        let mut corrections = Corrections::new();
        let position = Position::startpos();
        let context = Context {
            color: position.turn(),
            threats: Bitboard::EMPTY,
            before: Default::default(),
        };
        assert_eq!(corrections.correct(30, &context, &position), 30);
        for _ in 0..200 {
            let error = 100 - corrections.correct(0, &context, &position);
            corrections.learn(error, 8, &context, &position);
        }
        let learned = corrections.correct(0, &context, &position);
        assert!((60..=120).contains(&learned), "{learned}");
        let other = corrections.correct(0, &context, &position.flip());
        assert!(
            other < learned / 2,
            "the other side has its own tables: {other}"
        );
    }
}
