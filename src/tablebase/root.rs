//! Ranking of root moves by tablebases, with the halfmove clock and repetitions of the game taken into account.
//! Moves that keep the result have equal rank, so that the search chooses among them, unless the win makes no progress:
//! then the shortest DTZ ranks first.

use crate::base::value::{DRAW, TABLEBASE_WIN, Value, mate_in, mated_in};
use crate::chess::{CastlingSide, Color, Move, Position, Role};

use super::material::Material;
use super::probe::Tablebases;
use super::{Dtz, Metric, Wdl};

/// The rank of a win that is safe from the fifty-move rule; greater than any DTZ and halfmove clock together.
const WIN_RANK: i32 = 1 << 18;
/// From this halfmove clock on, wins are ranked by DTZ.
const DTZ_RANK_CLOCK: i32 = 10;
/// A win with DTZ and halfmove clock up to this sum is safe from the fifty-move rule, even if the DTZ is rounded.
const SAFE_PLIES: i32 = 99;
/// The fifty-move rule, in plies.
const FIFTY_MOVES: i32 = 100;
/// The most plies that are subtracted from a tablebase score.
const MAX_SCORE_PLIES: i32 = 200;
/// Score of a cursed win, in centipawns above a draw.
const CURSED: Value = 2;

/// A position and the part of the game that matters for repetitions.
#[derive(Clone, Copy)]
pub struct RootPosition<'a> {
    pub position: &'a Position,
    /// Keys of the earlier positions, newest last.
    pub earlier: &'a [u64],
    /// Index in `earlier` of the first position that can still be repeated.
    pub repetition_start: usize,
    /// Whether the fifty-move rule applies.
    pub fifty_move_rule: bool,
}

/// A root move with its tablebase values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    pub mv: Move,
    /// Higher is better. Moves of equal rank keep the result equally well.
    pub rank: i32,
    /// The result for the side to move, with the halfmove clock and repetitions.
    pub wdl: Wdl,
    /// DTZ with the sign of [`super::Dtz`]; 1 for a winning capture, pawn move or mate.
    pub dtz: Option<i32>,
    /// `None` if the DTZ is rounded and one more ply would make a draw by the fifty-move rule.
    pub score: Option<Value>,
}

/// All root moves with their tablebase values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootRanking {
    pub moves: Vec<RankedMove>,
    /// DTZ, or WDL if a DTZ table is missing.
    pub metric: Metric,
}

impl RootRanking {
    #[must_use]
    pub fn best_rank(&self) -> i32 {
        self.moves
            .iter()
            .map(|ranked| ranked.rank)
            .max()
            .unwrap_or_default()
    }
}

/// The score of a result that is known `ply` plies from the root.
#[must_use]
pub const fn score(wdl: Wdl, ply: i32) -> Value {
    let ply = if ply > MAX_SCORE_PLIES {
        MAX_SCORE_PLIES
    } else {
        ply
    };
    match wdl {
        Wdl::Win => TABLEBASE_WIN - ply,
        Wdl::CursedWin => DRAW + CURSED,
        Wdl::Draw => DRAW,
        Wdl::BlessedLoss => DRAW - CURSED,
        Wdl::Loss => ply - TABLEBASE_WIN,
    }
}

/// Whether DTZ is the distance to mate: without pawns, against a bare king, and if any capture draws.
#[must_use]
pub fn dtz_is_dtm(position: &Position) -> bool {
    let material = Material::of(position).normalized();
    let bare = position.by_color(Color::White).count() == 1
        || position.by_color(Color::Black).count() == 1;
    let heavy = (position.by_role(Role::Queen) | position.by_role(Role::Rook)).any();
    bare && !material.has_pawns()
        && (material.piece_count() == 3 || (material.piece_count() == 4 && !heavy))
}

impl Tablebases {
    /// Ranks root moves, by DTZ or else by WDL; `None` if tables are missing or `stopped` returns true.
    #[must_use]
    #[doc(hidden)]
    pub fn rank_moves(
        &self,
        root: &RootPosition<'_>,
        moves: &[Move],
        stopped: &dyn Fn() -> bool,
    ) -> Option<RootRanking> {
        // A castling right matters only after a move that keeps it.
        if root.position.occupied().count() as u32 > self.max_pieces() {
            return None;
        }
        self.rank_by_dtz(root, moves, stopped)
            .or_else(|| self.rank_by_wdl(root, moves, stopped))
    }

    /// The result of best play for the side to move, with the halfmove clock counted; `None` if no table has it.
    #[must_use]
    #[doc(hidden)]
    pub fn wdl_by_clock(&self, position: &Position) -> Option<Wdl> {
        let wdl = self.wdl(position)?;
        if wdl == Wdl::Draw || position.halfmove_clock() == 0 {
            return Some(wdl);
        }
        let root = RootPosition::alone(position);
        let ranking = self.rank_moves(&root, &position.legal_moves(), &|| false);
        let results = ranking.iter().flat_map(|found| &found.moves);
        let best = results
            .map(|ranked| ranked.wdl)
            .max_by_key(|&wdl| wdl as i8);
        // With the last ply before the rule no move is worth more than a draw.
        Some(match best.unwrap_or(wdl) {
            Wdl::Draw if wdl > Wdl::Draw => Wdl::CursedWin,
            Wdl::Draw => Wdl::BlessedLoss,
            best => best,
        })
    }

    fn rank_by_dtz(
        &self,
        root: &RootPosition<'_>,
        moves: &[Move],
        stopped: &dyn Fn() -> bool,
    ) -> Option<RootRanking> {
        let clock = i32::from(root.position.halfmove_clock());
        let by_dtz = clock >= DTZ_RANK_CLOCK || root.has_repeated();
        let is_dtm = dtz_is_dtm(root.position);
        let ranked = moves.iter().map(|&mv| {
            if stopped() {
                return None;
            }
            let Dtz {
                plies: dtz,
                rounded,
            } = self.dtz_after(root, mv)?;
            // A win by repeating a position ranks below all other wins.
            let repeats = dtz > 0 && root.times_seen(&root.position.play(mv)) > 0;
            let rank = rank(dtz, clock, by_dtz || is_dtm || repeats);
            let wdl = result(dtz, clock).with_rule50(root.fifty_move_rule);
            let score = match wdl {
                Wdl::Win if is_dtm => mate_in(odd(dtz)),
                Wdl::Loss if is_dtm => mated_in(odd(-dtz - 1) + 1),
                wdl => score(wdl, dtz.abs()),
            };
            let is_open = rounded && root.fifty_move_rule && dtz.abs() + clock == FIFTY_MOVES;
            Some(RankedMove {
                mv,
                rank,
                wdl,
                dtz: Some(dtz),
                score: (!is_open).then_some(score),
            })
        });
        Some(RootRanking {
            moves: ranked.collect::<Option<_>>()?,
            metric: Metric::Dtz,
        })
    }

    /// The DTZ of playing a move, for the side that plays it.
    fn dtz_after(&self, root: &RootPosition<'_>, mv: Move) -> Option<Dtz> {
        let exactly = |plies| {
            Some(Dtz {
                plies,
                rounded: false,
            })
        };
        let child = root.position.play(mv);
        if child.in_check() && !child.has_legal_move() {
            return exactly(1);
        }
        let probed = self.without_castling(&child)?;
        if child.halfmove_clock() == 0 {
            return exactly(match -self.wdl(&probed)? {
                Wdl::Win => 1,
                Wdl::CursedWin => FIFTY_MOVES + 1,
                Wdl::Draw => 0,
                Wdl::BlessedLoss => -FIFTY_MOVES - 1,
                Wdl::Loss => -1,
            });
        }
        if root.is_draw(&child) {
            return exactly(0);
        }
        let dtz = self.dtz(&probed)?;
        let plies = -dtz.plies - dtz.plies.signum();
        Some(Dtz { plies, ..dtz })
    }

    /// The position to probe: without castling rights, which tables do not have. A side that wins without its rights also wins
    /// with them, at least as fast. Any other result may depend on them: `None`.
    fn without_castling(&self, position: &Position) -> Option<Position> {
        if !position.has_castling_rights() {
            return Some(*position);
        }
        let may_castle = |color| {
            let mut sides = CastlingSide::ALL.into_iter();
            sides.any(|side| position.castling_rook(color, side).is_some())
        };
        let owner = match Color::ALL.map(may_castle) {
            [true, false] => Color::White,
            [false, true] => Color::Black,
            _ => return None,
        };
        let fen = position.to_fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        let text = [&fields[..2], &["-"], &fields[3..]].concat().join(" ");
        let without = Position::from_fen(&text).ok()?;
        let wdl = self.wdl(&without)?;
        let of_owner = if without.turn() == owner { wdl } else { -wdl };
        (of_owner == Wdl::Win).then_some(without)
    }

    fn rank_by_wdl(
        &self,
        root: &RootPosition<'_>,
        moves: &[Move],
        stopped: &dyn Fn() -> bool,
    ) -> Option<RootRanking> {
        let ranked = moves.iter().map(|&mv| {
            if stopped() {
                return None;
            }
            let child = root.position.play(mv);
            let wdl = if child.in_check() && !child.has_legal_move() {
                Wdl::Win
            } else if root.is_draw(&child) {
                Wdl::Draw
            } else {
                (-self.wdl(&self.without_castling(&child)?)?).with_rule50(root.fifty_move_rule)
            };
            Some(RankedMove {
                mv,
                rank: WIN_RANK / 2 * wdl as i32,
                wdl,
                dtz: None,
                score: Some(score(wdl, 0)),
            })
        });
        Some(RootRanking {
            moves: ranked.collect::<Option<_>>()?,
            metric: Metric::Wdl,
        })
    }
}

impl<'a> RootPosition<'a> {
    /// A position without a known game, with the fifty-move rule.
    #[must_use]
    pub const fn alone(position: &'a Position) -> Self {
        Self {
            position,
            earlier: &[],
            repetition_start: 0,
            fifty_move_rule: true,
        }
    }

    /// Whether the position after a move, if it is not mate, is drawn by the fifty-move rule or by repetition.
    fn is_draw(&self, child: &Position) -> bool {
        (i32::from(child.halfmove_clock()) >= FIFTY_MOVES && self.fifty_move_rule)
            || self.times_seen(child) > 1
    }

    /// How often the position after a move has occurred in the game.
    fn times_seen(&self, child: &Position) -> usize {
        let before = (child.halfmove_clock() as usize).saturating_sub(1);
        let reversible = self.reversible(before) + 1;
        let seen =
            |distance: &usize| self.earlier[self.earlier.len() + 1 - distance] == child.key();
        (4..=reversible).step_by(2).filter(seen).count()
    }

    /// The number of earlier positions that a position with this halfmove clock may repeat.
    fn reversible(&self, clock: usize) -> usize {
        clock.min(self.earlier.len() - self.repetition_start)
    }

    /// Whether any position since the last capture or pawn move has occurred twice.
    fn has_repeated(&self) -> bool {
        let reversible = self.reversible(self.position.halfmove_clock() as usize);
        let line = &self.earlier[self.earlier.len() - reversible..];
        let repeats = |index: usize, key: u64| line[..index].contains(&key);
        repeats(line.len(), self.position.key())
            || (0..line.len()).any(|index| repeats(index, line[index]))
    }
}

/// The rank of a DTZ with this halfmove clock. Unless `by_dtz`, all safe wins are equal, and so are safe losses.
const fn rank(dtz: i32, clock: i32, by_dtz: bool) -> i32 {
    if dtz > 0 {
        if dtz + clock <= SAFE_PLIES && !by_dtz {
            WIN_RANK
        } else {
            WIN_RANK - (dtz + clock)
        }
    } else if dtz < 0 {
        if -2 * dtz + clock < FIFTY_MOVES && !by_dtz {
            -WIN_RANK
        } else {
            -WIN_RANK + (clock - dtz)
        }
    } else {
        0
    }
}

/// The result of a DTZ with this halfmove clock.
const fn result(dtz: i32, clock: i32) -> Wdl {
    if dtz > 0 {
        if dtz + clock <= FIFTY_MOVES {
            Wdl::Win
        } else {
            Wdl::CursedWin
        }
    } else if dtz < 0 {
        if clock - dtz <= FIFTY_MOVES {
            Wdl::Loss
        } else {
            Wdl::BlessedLoss
        }
    } else {
        Wdl::Draw
    }
}

/// Rounds up to an odd number: the winner mates with its own move.
const fn odd(plies: i32) -> usize {
    (plies | 1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_wins_rank_above_draws_and_the_longest_losses_below() {
        // Tables of seven pieces have DTZ above 1,000.
        for clock in [0, 99, i32::from(u16::MAX)] {
            for dtz in [1, 100, 101, 1_100] {
                for by_dtz in [false, true] {
                    assert!(rank(dtz, clock, by_dtz) > 0, "{dtz} {clock}");
                    assert!(rank(-dtz, clock, by_dtz) < 0, "{dtz} {clock}");
                }
            }
        }
    }
}
