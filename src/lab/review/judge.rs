//! Judgements: what a played move costs in expected points, and what is called a mistake, an only move, a sacrifice.

use serde::Serialize;

use super::verdict::{LEAST_LOSS, Verdict, expected_points};
use crate::chess::{Color, Game, Move, Position, Role, exchange_value};
use crate::eval::material_of;

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
            Self::Lichess => [LEAST_LOSS, 0.10, 0.15],
            Self::ChessCom => [LEAST_LOSS, 0.10, 0.20],
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
    if given(position, &verdict.best_line).is_some_and(|pawns| !is_lost_anyway(position, pawns)) {
        return Some(Mark::Sacrifice);
    }
    let recaptures = last
        .is_some_and(|last| last.is_capture() && played.is_capture() && last.to() == played.to());
    let takes_piece = played.is_capture() && position.see_ge(played, exchange_value(Role::Knight));
    (!recaptures && !takes_piece).then_some(Mark::OnlyMove)
}

/// The pawns that the mover is behind, compared with before, for four plies in a row after the first reply; `None` for fewer
/// than two.
fn given(position: &Position, line: &[Move]) -> Option<i32> {
    let side = position.turn();
    let start = balance(position, side);
    let mut now = *position;
    let mut least = i32::MAX;
    for (ply, &mv) in line.iter().enumerate().take(SACRIFICE_PLIES + 1) {
        now = now.play(mv);
        if ply > 0 {
            least = least.min(start - balance(&now, side));
        }
    }
    // A mate may come sooner.
    let is_mate = now.in_check() && !now.has_legal_move() && now.turn() != side;
    let is_long = line.len() > SACRIFICE_PLIES || line.len() > 1 && is_mate;
    (is_long && least >= SACRIFICE_PAWNS).then_some(least)
}

/// Whether every move loses so many pawns by exchanges on one square: what no move saves is not sacrificed.
fn is_lost_anyway(position: &Position, pawns: i32) -> bool {
    let worth = |position: &Position, mv: Move| {
        let taken = position.piece_on(mv.to()).filter(|_| mv.is_capture());
        taken.map_or(0, |piece| exchange_value(piece.role()))
    };
    position.legal_moves().iter().all(|&mv| {
        let (won, after) = (worth(position, mv), position.play(mv));
        let replies = after.legal_moves();
        let mut captures = replies.iter().filter(|reply| reply.is_capture());
        captures.any(|&reply| after.see_ge(reply, won + 100 * pawns))
    })
}

/// The material of a side less the other's, in pawns.
fn balance(position: &Position, side: Color) -> i32 {
    material_of(position, side) - material_of(position, !side)
}

#[cfg(test)]
mod tests {
    use super::super::verdict::{Judge, ReviewLimit};
    use super::*;

    #[test]
    fn taking_a_piece_for_nothing_is_no_only_move() {
        let mark = |fen: &str, played: &str| {
            let game = Game::new(Position::from_fen(fen).expect("a position"));
            let played = game.position().find_move(played).expect("a move");
            let mut judge = Judge::new(ReviewLimit::Nodes(5_000)).expect("memory");
            let verdict = judge.verdict(&game, Some(played)).expect("a verdict");
            Judgement::of(&game, played, None, &verdict, Scale::Lichess).mark
        };
        let hanging = "6k1/5ppp/8/3q4/8/8/5PPP/3Q2K1 w - - 0 1";
        assert_eq!(mark(hanging, "d1d5"), None);
        let quiet = "6k1/5ppp/8/8/8/8/q4PPP/3R2K1 w - - 0 1";
        assert_eq!(mark(quiet, "d1d8"), Some(Mark::OnlyMove));
    }

    /// The knight attacks king and rook: nothing is given up by a move of the king.
    #[test]
    fn what_no_move_saves_is_not_sacrificed() {
        let lost = |fen: &str, pawns: i32| {
            let position = Position::from_fen(fen).expect("a position");
            is_lost_anyway(&position, pawns)
        };
        let is_lost = |fen: &str| lost(fen, 5);
        let fork = "4k3/8/8/8/8/8/2n5/R3K3 w - - 0 1";
        assert!(is_lost(fork) && !lost(fork, 9));
        // The rook may move, or takes the knight.
        assert!(!is_lost("4k3/8/8/8/8/8/2n5/R5K1 w - - 0 1"));
        assert!(!is_lost("4k3/8/8/8/8/8/2n5/R1R1K3 w - - 0 1"));
    }
}
