//! Judging the moves of a game's position by tables.
//! Uses: probe, material, chess, value. Used by: engine, cli, line.
//! Idea: the tables say which moves keep the result, the game's clock and repetitions included; among those that do, the
//! search may choose what is natural, unless the game has stood still: then the shortest way is taken.

use crate::base::value::{DRAW, TABLEBASE_WIN, Value, mate_in, mated_in};
use crate::chess::{Move, Position, Role};

use super::material::Material;
use super::probe::Tablebases;
use super::{Metric, Wdl};

/// The rank of a move that wins, safe from the fifty-move rule.
pub const WINS: i32 = 1_000;
/// A clock this high, in plies, ends the freedom to win in any way.
const PATIENCE: i32 = 10;
/// A win whose next capture or pawn move lies within this many plies on the clock is safe from the fifty-move rule, even
/// if the distance was rounded.
const SAFE_PLIES: i32 = 99;
/// The plies after which the rule gives a draw.
const FIFTY_MOVES: i32 = 100;
/// The most plies by which a proven score is lowered for its distance.
const MOST_PLIES: i32 = 200;
/// Drawn by the fifty-move rule alone: this much better or worse than a draw.
const CURSED: Value = 2;

/// A position and what the rules ask of its past.
#[derive(Clone, Copy)]
pub struct RootPosition<'a> {
    /// The position.
    pub position: &'a Position,
    /// Keys of the positions before it, newest last.
    pub earlier: &'a [u64],
    /// How many of them, from the oldest, cannot be repeated any more.
    pub repetition_start: usize,
    /// Whether the fifty-move rule holds.
    pub fifty_move_rule: bool,
}

/// What the tables say of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// The higher the better. Moves of equal rank keep the result equally well.
    pub rank: i32,
    /// What it comes to for the mover, game and rule included.
    pub wdl: Wdl,
    /// Plies to the next capture, pawn move or mate, with the sign of [`super::Dtz`]; 1 for a move that is one itself.
    pub dtz: Option<i32>,
    /// The score to show.
    pub score: Value,
}

/// What the tables say of all moves of a position, in the order of the moves given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootRanking {
    /// The moves.
    pub moves: Vec<RankedMove>,
    /// Whether distances were known, or win, draw and loss alone.
    pub by: Metric,
}

impl RootRanking {
    /// The best rank.
    #[must_use]
    pub fn best(&self) -> i32 {
        self.moves
            .iter()
            .map(|judged| judged.rank)
            .max()
            .unwrap_or_default()
    }
}

/// What win, draw or loss, proven `ply` plies from the root, is worth.
#[must_use]
pub const fn score(wdl: Wdl, ply: i32) -> Value {
    let ply = if ply > MOST_PLIES { MOST_PLIES } else { ply };
    match wdl {
        Wdl::Win => TABLEBASE_WIN - ply,
        Wdl::CursedWin => DRAW + CURSED,
        Wdl::Draw => DRAW,
        Wdl::BlessedLoss => DRAW - CURSED,
        Wdl::Loss => ply - TABLEBASE_WIN,
    }
}

/// Whether nothing but mate is a step forward for whoever wins, so that the distance to it is that of mate: against a bare
/// king, without pawns, and any capture draws.
#[must_use]
pub fn dtz_is_dtm(position: &Position) -> bool {
    let material = Material::of(position).normalized();
    let bare = position.by_color(crate::chess::Color::White).count() == 1
        || position.by_color(crate::chess::Color::Black).count() == 1;
    let heavy = (position.by_role(Role::Queen) | position.by_role(Role::Rook)).any();
    bare && !material.has_pawns()
        && (material.piece_count() == 3 || (material.piece_count() == 4 && !heavy))
}

impl Tablebases {
    /// Judges moves; `None` where tables are missing, or when `stopped` says that there is no more time.
    #[must_use]
    pub fn rank_moves(
        &self,
        root: &RootPosition<'_>,
        moves: &[Move],
        stopped: &dyn Fn() -> bool,
    ) -> Option<RootRanking> {
        if root.position.occupied().count() as u32 > self.max_pieces()
            || root.position.has_castling_rights()
        {
            return None;
        }
        self.rank_by_dtz(root, moves, stopped)
            .or_else(|| self.rank_by_wdl(root, moves, stopped))
    }

    fn rank_by_dtz(
        &self,
        root: &RootPosition<'_>,
        moves: &[Move],
        stopped: &dyn Fn() -> bool,
    ) -> Option<RootRanking> {
        let clock = i32::from(root.position.halfmove_clock());
        let presses = clock >= PATIENCE || root.has_repeated();
        let mates = dtz_is_dtm(root.position);
        let judged = moves.iter().map(|&mv| {
            if stopped() {
                return None;
            }
            let dtz = self.distance_after(root, mv)?;
            // No step back: a position that was there before is worse than any other that wins.
            let steps_back = dtz > 0 && root.times_seen(&root.position.play(mv)) > 0;
            let rank = rank(dtz, clock, presses || mates || steps_back);
            let wdl = result(dtz, clock).with_rule50(root.fifty_move_rule);
            let score = match wdl {
                Wdl::Win if mates => mate_in(odd(dtz)),
                Wdl::Loss if mates => mated_in(odd(-dtz - 1) + 1),
                wdl => score(wdl, dtz.abs()),
            };
            Some(RankedMove {
                mv,
                rank,
                wdl,
                dtz: Some(dtz),
                score,
            })
        });
        Some(RootRanking {
            moves: judged.collect::<Option<_>>()?,
            by: Metric::Dtz,
        })
    }

    /// The distance to the next capture, pawn move or mate by way of a move, from the mover's view.
    fn distance_after(&self, root: &RootPosition<'_>, mv: Move) -> Option<i32> {
        let child = root.position.play(mv);
        if child.in_check() && !child.has_legal_move() {
            return Some(1);
        }
        if child.halfmove_clock() == 0 {
            return Some(match -self.wdl(&child)? {
                Wdl::Win => 1,
                Wdl::CursedWin => FIFTY_MOVES + 1,
                Wdl::Draw => 0,
                Wdl::BlessedLoss => -FIFTY_MOVES - 1,
                Wdl::Loss => -1,
            });
        }
        if root.draws(&child) {
            return Some(0);
        }
        let dtz = -self.dtz(&child)?.plies;
        Some(dtz + dtz.signum())
    }

    fn rank_by_wdl(
        &self,
        root: &RootPosition<'_>,
        moves: &[Move],
        stopped: &dyn Fn() -> bool,
    ) -> Option<RootRanking> {
        let judged = moves.iter().map(|&mv| {
            if stopped() {
                return None;
            }
            let child = root.position.play(mv);
            let wdl = if child.in_check() && !child.has_legal_move() {
                Wdl::Win
            } else if root.draws(&child) {
                Wdl::Draw
            } else {
                (-self.wdl(&child)?).with_rule50(root.fifty_move_rule)
            };
            Some(RankedMove {
                mv,
                rank: WINS / 2 * wdl as i32,
                wdl,
                dtz: None,
                score: score(wdl, 0),
            })
        });
        Some(RootRanking {
            moves: judged.collect::<Option<_>>()?,
            by: Metric::Wdl,
        })
    }
}

impl RootPosition<'_> {
    /// Whether the game is drawn by rule in a position after one of its moves that is no mate.
    fn draws(&self, child: &Position) -> bool {
        (i32::from(child.halfmove_clock()) >= FIFTY_MOVES && self.fifty_move_rule)
            || self.times_seen(child) > 1
    }

    /// How often a position after one of the moves stood on the board before.
    fn times_seen(&self, child: &Position) -> usize {
        // The present position stands between the child and what was before.
        let before = (child.halfmove_clock() as usize).saturating_sub(1);
        let reversible = self.reversible(before) + 1;
        let seen =
            |distance: &usize| self.earlier[self.earlier.len() + 1 - distance] == child.key();
        (4..=reversible).step_by(2).filter(seen).count()
    }

    /// How many earlier positions a position with this clock may repeat.
    fn reversible(&self, clock: usize) -> usize {
        clock.min(self.earlier.len() - self.repetition_start)
    }

    /// Whether any position since the last capture or pawn move has occurred twice: the winner has gone in circles.
    fn has_repeated(&self) -> bool {
        let reversible = self.reversible(self.position.halfmove_clock() as usize);
        let line = &self.earlier[self.earlier.len() - reversible..];
        let repeats = |index: usize, key: u64| line[..index].contains(&key);
        repeats(line.len(), self.position.key())
            || (0..line.len()).any(|index| repeats(index, line[index]))
    }
}

/// How good a distance is with this clock. All safe wins are equal, unless the shortest is to be taken.
const fn rank(dtz: i32, clock: i32, shortest: bool) -> i32 {
    if dtz > 0 {
        if dtz + clock <= SAFE_PLIES && !shortest {
            WINS
        } else {
            WINS - (dtz + clock)
        }
    } else if dtz < 0 {
        // Where the clock may yet save the draw, and where mate is all that counts, hold out longest.
        if -2 * dtz + clock < FIFTY_MOVES && !shortest {
            -WINS
        } else {
            -WINS + (clock - dtz)
        }
    } else {
        0
    }
}

/// What a distance comes to with this clock.
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

/// The least odd number that is not smaller: who mates does so with a move of its own.
const fn odd(plies: i32) -> usize {
    (plies | 1) as usize
}
