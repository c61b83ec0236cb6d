//! Correction histories: the average error of the static evaluation in positions that share a feature.
//!
//! The features are the pawns, the pieces of each side, the minor and the major pieces, and the last two moves. The
//! difference between search score and evaluation is averaged for each and added to the evaluation. Thread-local, and no
//! part of the evaluation itself.

use crate::base::sys::{LargeArray, prefetch};
use crate::base::value::{DRAW, Depth, EVALUATION_LIMIT, Value};
use crate::chess::{Color, Position};
use crate::eval::cannot_win;

use super::history::{Context, HistoryEntry, PieceTo};
use super::lone_king::lone_king_value;
use super::params;

/// Entries of each table per side.
const SIZE: usize = 16_384;
/// Bound of an entry, in 1/[`GRAIN`] centipawn.
const LIMIT: i32 = 8_192;
/// Units of an entry per centipawn.
const GRAIN: i32 = 256;

type Table = Box<[[HistoryEntry<LIMIT>; SIZE]]>;

pub struct Corrections {
    // each: [side to move][key]
    pawn: Table,
    white: Table,
    black: Table,
    minor: Table,
    major: Table,
    // [move two plies before][move before]
    continuation: LargeArray<[HistoryEntry<LIMIT>; PieceTo::COUNT]>,
}

fn table() -> Table {
    vec![[HistoryEntry::default(); SIZE]; 2].into_boxed_slice()
}

impl Corrections {
    pub fn new() -> Self {
        Self {
            pawn: table(),
            white: table(),
            black: table(),
            minor: table(),
            major: table(),
            continuation: LargeArray::new(
                [HistoryEntry::default(); PieceTo::COUNT],
                PieceTo::COUNT,
            ),
        }
    }

    /// Zeroes all entries.
    pub fn clear(&mut self) {
        let tables = [
            &mut self.pawn,
            &mut self.white,
            &mut self.black,
            &mut self.minor,
            &mut self.major,
        ];
        for table in tables {
            table.as_flattened_mut().fill(HistoryEntry::default());
        }
        self.continuation
            .as_flattened_mut()
            .fill(HistoryEntry::default());
    }

    /// Prefetches the entries of a position after the last two moves.
    #[inline]
    pub fn prefetch(&self, position: &Position, previous: [PieceTo; 2]) {
        let side = position.turn() as usize;
        prefetch(&self.pawn[side][index(position.pawn_key())]);
        prefetch(&self.white[side][index(position.non_pawn_key(Color::White))]);
        prefetch(&self.black[side][index(position.non_pawn_key(Color::Black))]);
        prefetch(&self.minor[side][index(u64::from(position.minor_key()))]);
        prefetch(&self.major[side][index(u64::from(position.major_key()))]);
        let [last, second_last] = previous.map(PieceTo::index);
        prefetch(&self.continuation[second_last][last]);
    }

    /// The corrected evaluation, in centipawns. The evaluation of a known draw is not corrected; against a lone king its value
    /// replaces the evaluation.
    pub fn correct(&self, evaluation: Value, context: &Context, position: &Position) -> Value {
        if params::lone_king()
            && let Some(value) = lone_king_value(position)
        {
            return value;
        }
        if is_known_draw(evaluation, position) {
            return DRAW;
        }
        let side = position.turn() as usize;
        let pawn = self.pawn[side][index(position.pawn_key())].get();
        let white = self.white[side][index(position.non_pawn_key(Color::White))].get();
        let black = self.black[side][index(position.non_pawn_key(Color::Black))].get();
        let minor = self.minor[side][index(u64::from(position.minor_key()))].get();
        let major = self.major[side][index(u64::from(position.major_key()))].get();
        let [last, second_last, fourth_last] = context.previous;
        let continuation = self.continuation[second_last.index()][last.index()].get();
        let continuation_4 = if params::correction_continuation_4() == 0 {
            0
        } else {
            self.continuation[fourth_last.index()][last.index()].get()
        };
        let sum = pawn * params::correction_pawn()
            + (white + black) * params::correction_non_pawn()
            + minor * params::correction_minor()
            + major * params::correction_major()
            + continuation * params::correction_continuation()
            + continuation_4 * params::correction_continuation_4();
        (evaluation + sum / (64 * GRAIN)).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }

    /// Updates the entries of a position whose search to this depth scored `error` centipawns above the corrected evaluation.
    pub fn update(&mut self, error: Value, depth: Depth, context: &Context, position: &Position) {
        if params::lone_king() && lone_king_value(position).is_some() {
            return;
        }
        let error = (error * depth).clamp(-32_768, 32_768);
        let bonus =
            (error * GRAIN / 64 * params::correction_rate() / 16).clamp(-LIMIT / 4, LIMIT / 4);
        let side = position.turn() as usize;
        self.pawn[side][index(position.pawn_key())].update(bonus);
        self.white[side][index(position.non_pawn_key(Color::White))].update(bonus);
        self.black[side][index(position.non_pawn_key(Color::Black))].update(bonus);
        self.minor[side][index(u64::from(position.minor_key()))].update(bonus);
        self.major[side][index(u64::from(position.major_key()))].update(bonus);
        let [last, second_last, fourth_last] = context.previous;
        self.continuation[second_last.index()][last.index()].update(bonus);
        if params::correction_continuation_4() != 0 {
            self.continuation[fourth_last.index()][last.index()].update(bonus);
        }
    }
}

/// Whether an evaluation is that of a known draw.
#[inline]
pub fn is_known_draw(evaluation: Value, position: &Position) -> bool {
    evaluation == DRAW && Color::ALL.iter().any(|&side| cannot_win(position, side))
}

#[inline]
const fn index(key: u64) -> usize {
    key as usize & (SIZE - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Bitboard;

    #[test]
    fn a_repeated_error_is_corrected_but_not_overcorrected() {
        let mut corrections = Corrections::new();
        let position = Position::startpos();
        let context = Context {
            color: position.turn(),
            threats: Bitboard::EMPTY,
            previous: Default::default(),
        };
        assert_eq!(corrections.correct(30, &context, &position), 30);
        for _ in 0..200 {
            let error = 100 - corrections.correct(0, &context, &position);
            corrections.update(error, 8, &context, &position);
        }
        let corrected = corrections.correct(0, &context, &position);
        assert!((60..=120).contains(&corrected), "{corrected}");
        let other = corrections.correct(0, &context, &position.flip());
        assert!(
            other < corrected / 2,
            "each side has its own tables: {other}"
        );
    }
}
