//! Judgements: what a played move costs in expected points, and what is called a mistake, an only move, a sacrifice.

use serde::Serialize;

use super::verdict::Verdict;
use crate::base::value::Value;
use crate::chess::{Color, Game, Move, Position};
use crate::eval::{material_count, material_of, win_draw_loss};

/// If a side expects fewer points than this before its move, the game counts as lost, and its moves are not called
/// mistakes.
pub const LOST: f64 = 0.15;
/// How much worse the second best move must be for the best to count as the only good move, in expected points.
pub const ONLY_MOVE: f64 = 0.10;
/// A sacrifice is this many pawns, for this many plies.
pub const SACRIFICE_PAWNS: i32 = 2;
pub const SACRIFICE_PLIES: usize = 4;

/// Whose cut-offs decide what is a mistake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Scale {
    #[default]
    #[serde(rename = "lichess")]
    Lichess,
    #[serde(rename = "chess.com")]
    ChessCom,
}

impl Scale {
    /// Expected points that an inaccuracy, a mistake and a blunder lose at least.
    pub const fn cut_offs(self) -> [f64; 3] {
        match self {
            Self::Lichess => [0.05, 0.10, 0.15],
            Self::ChessCom => [0.05, 0.10, 0.20],
        }
    }
}

/// A remarkable move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    Inaccuracy,
    Mistake,
    Blunder,
    OnlyMove,
    Sacrifice,
}

impl Mark {
    /// The mistakes, the least first.
    pub const MISTAKES: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The numeric annotation glyph of PGN.
    pub const fn nag(self) -> u8 {
        match self {
            Self::OnlyMove => 1,
            Self::Mistake => 2,
            Self::Sacrifice => 3,
            Self::Blunder => 4,
            Self::Inaccuracy => 6,
        }
    }

    /// The sign after a move.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::OnlyMove => "!",
            Self::Mistake => "?",
            Self::Sacrifice => "!!",
            Self::Blunder => "??",
            Self::Inaccuracy => "?!",
        }
    }

    /// The name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::OnlyMove => "Only move",
            Self::Mistake => "Mistake",
            Self::Sacrifice => "Sound sacrifice",
            Self::Blunder => "Blunder",
            Self::Inaccuracy => "Inaccuracy",
        }
    }

    pub const fn is_mistake(self) -> bool {
        matches!(self, Self::Inaccuracy | Self::Mistake | Self::Blunder)
    }
}

/// The points that a side expects with a score for it.
pub fn expected_points(score: Value, position: &Position) -> f64 {
    let [win, draw, _] = win_draw_loss(score, material_count(position));
    (f64::from(win) + f64::from(draw) / 2.0) / 1000.0
}

/// A judged move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// Expected points of the mover, with the best move and with the played one.
    pub before: f64,
    pub after: f64,
    pub mark: Option<Mark>,
}

impl Judgement {
    /// Judges a move; `last` is the move before it.
    pub fn of(
        game: &Game,
        played: Move,
        last: Option<Move>,
        verdict: &Verdict,
        scale: Scale,
    ) -> Self {
        let position = game.position();
        let before = expected_points(verdict.best_score, position);
        let after = expected_points(verdict.played_score, position).min(before);
        let lost = before - after;
        let mark = if verdict.best == played {
            praise(position, played, last, verdict, after)
        } else if before < LOST {
            None
        } else {
            let reached = scale
                .cut_offs()
                .iter()
                .filter(|&&least| lost >= least)
                .count();
            reached.checked_sub(1).map(|index| Mark::MISTAKES[index])
        };
        Self {
            before,
            after,
            mark,
        }
    }

    /// Expected points lost, not less than 0.
    pub fn lost(&self) -> f64 {
        self.before - self.after
    }
}

/// The only move, or a sound sacrifice.
fn praise(
    position: &Position,
    played: Move,
    last: Option<Move>,
    verdict: &Verdict,
    after: f64,
) -> Option<Mark> {
    let [first, second] = verdict.second?;
    let gap = expected_points(first, position) - expected_points(second, position);
    if gap < ONLY_MOVE || after < LOST {
        return None;
    }
    if is_sacrifice(position, &verdict.best_line) {
        return Some(Mark::Sacrifice);
    }
    let recaptures = last
        .is_some_and(|last| last.is_capture() && played.is_capture() && last.to() == played.to());
    (!recaptures).then_some(Mark::OnlyMove)
}

/// Whether the mover is behind by two pawns and more, compared with before, for four plies in a row after the first reply.
fn is_sacrifice(position: &Position, line: &[Move]) -> bool {
    let side = position.turn();
    let start = balance(position, side);
    let mut now = *position;
    let mut plies = 0;
    for (ply, &mv) in line.iter().enumerate() {
        now = now.play(mv);
        if ply == 0 {
            continue;
        }
        if balance(&now, side) - start > -SACRIFICE_PAWNS {
            return false;
        }
        plies += 1;
        if plies == SACRIFICE_PLIES {
            return true;
        }
    }
    // A mate that comes sooner.
    plies > 0 && now.in_check() && !now.has_legal_move() && now.turn() != side
}

/// The material of a side less the other's, in pawns.
fn balance(position: &Position, side: Color) -> i32 {
    material_of(position, side) - material_of(position, !side)
}
