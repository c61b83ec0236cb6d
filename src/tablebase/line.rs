//! Principal variations proven by tablebases: to mate, or as far as DTZ tables are available.

use crate::chess::{Move, Position};

use super::Metric;
use super::probe::Tablebases;
use super::root::{RankedMove, RootPosition};

impl Tablebases {
    /// The number of first moves of a line that keep the result of a won or lost position, as far as DTZ is known.
    #[must_use]
    #[doc(hidden)]
    pub fn count_sound_moves(
        &self,
        position: &Position,
        line: &[Move],
        stopped: &dyn Fn() -> bool,
    ) -> usize {
        let mut position = *position;
        let Some(mut before) = self.dtz(&position) else {
            return 0;
        };
        for (index, &mv) in line.iter().enumerate() {
            if stopped() || !position.is_legal(mv) {
                return index;
            }
            let child = position.play(mv);
            let mated = child.in_check() && !child.has_legal_move();
            let Some(after) = self.dtz(&child) else {
                return index;
            };
            if !mated && before.plies.signum() != -after.plies.signum() {
                return index;
            }
            (position, before) = (child, after);
        }
        line.len()
    }

    /// The best line from a won or lost position to mate, as far as DTZ is known, with at most `max_moves` moves. The
    /// winner minimises DTZ, the loser maximises it.
    #[must_use]
    #[doc(hidden)]
    pub fn best_line(
        &self,
        position: &Position,
        fifty_move_rule: bool,
        max_moves: usize,
        stopped: &dyn Fn() -> bool,
    ) -> Vec<Move> {
        let mut position = *position;
        let mut line = Vec::new();
        while line.len() < max_moves {
            let Some(mv) = self.best_move(&position, fifty_move_rule, stopped) else {
                break;
            };
            line.push(mv);
            position = position.play(mv);
        }
        line
    }

    /// The winning move with the smallest DTZ or the losing one with the greatest; `None` if the game is over, drawn or DTZ
    /// is unknown.
    fn best_move(
        &self,
        position: &Position,
        fifty_move_rule: bool,
        stopped: &dyn Fn() -> bool,
    ) -> Option<Move> {
        let root = RootPosition {
            position,
            earlier: &[],
            repetition_start: 0,
            fifty_move_rule,
        };
        let legal = position.legal_moves();
        let ranking = self.rank_moves(&root, &legal, stopped)?;
        if ranking.metric != Metric::Dtz {
            return None;
        }
        let wins = ranking.best_rank() > 0;
        let key = |ranked: &RankedMove| {
            let dtz = ranked.dtz.unwrap_or_default();
            // Of several captures or pawn moves, prefer the DTZ of the position after them.
            let child = position.play(ranked.mv);
            let mates = child.in_check() && !child.has_legal_move();
            let next = if child.halfmove_clock() == 0 && dtz != 0 && !mates {
                self.dtz(&child).map_or(0, |dtz| dtz.plies.abs())
            } else {
                0
            };
            // If all moves lose, the most negative DTZ is the longest.
            if wins {
                (dtz <= 0, dtz, next)
            } else {
                (false, dtz, -next)
            }
        };
        if ranking.best_rank() == 0 {
            return None;
        }
        ranking
            .moves
            .iter()
            .min_by_key(|ranked| key(ranked))
            .map(|ranked| ranked.mv)
    }
}
