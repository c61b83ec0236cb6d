//! Lines that tables prove: to mate, or as far as distances are known.
//! Uses: probe, root, chess. Used by: engine, cli.
//! Idea: the winner takes the shortest way to the next capture or pawn move, the loser the longest, again and again until
//! mate.

use crate::chess::{Move, Position};

use super::Metric;
use super::probe::Tablebases;
use super::root::{RankedMove, RootPosition};

impl Tablebases {
    /// How many moves of a line from a decided position keep its result, as far as distances are known.
    #[must_use]
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

    /// Goes on from a decided position to mate, as far as distances are known, with at most so many moves.
    #[must_use]
    pub fn best_line(
        &self,
        position: &Position,
        fifty_move_rule: bool,
        most: usize,
        stopped: &dyn Fn() -> bool,
    ) -> Vec<Move> {
        let mut position = *position;
        let mut line = Vec::new();
        while line.len() < most {
            let Some(mv) = self.shortest(&position, fifty_move_rule, stopped) else {
                break;
            };
            line.push(mv);
            position = position.play(mv);
        }
        line
    }

    /// The move on the shortest way to win or the longest to lose; `None` where the game is over, drawn, or not known.
    fn shortest(
        &self,
        position: &Position,
        fifty_move_rule: bool,
        stopped: &dyn Fn() -> bool,
    ) -> Option<Move> {
        let situation = RootPosition {
            position,
            earlier: &[],
            repetition_start: 0,
            fifty_move_rule,
        };
        let legal = position.legal_moves();
        let ranking = self.rank_moves(&situation, &legal, stopped)?;
        if ranking.by != Metric::Dtz {
            return None;
        }
        let wins = ranking.best() > 0;
        let key = |judged: &RankedMove| {
            let dtz = judged.dtz.unwrap_or_default();
            // Of several captures or pawn moves the one after which the next is nearest, or furthest for the loser.
            let child = position.play(judged.mv);
            let mates = child.in_check() && !child.has_legal_move();
            let next = if child.halfmove_clock() == 0 && dtz != 0 && !mates {
                self.dtz(&child).map_or(0, |dtz| dtz.plies.abs())
            } else {
                0
            };
            // Where all moves lose, the most negative is the longest.
            if wins {
                (dtz <= 0, dtz, next)
            } else {
                (false, dtz, -next)
            }
        };
        if ranking.best() == 0 {
            return None;
        }
        ranking
            .moves
            .iter()
            .min_by_key(|judged| key(judged))
            .map(|judged| judged.mv)
    }
}
