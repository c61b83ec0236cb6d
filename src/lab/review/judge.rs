//! Judgements: what a played move costs in expected points, and what is called a mistake, an only move, a sacrifice.

use serde::Serialize;

use super::sacrifice::is_sacrifice;
use super::verdict::{LEAST_LOSS, Verdict, expected_points};
use crate::chess::{Game, Move, Position, Role, exchange_value};

/// If a side expects fewer points than this before its move, the game counts as lost, and its moves are not called
/// mistakes.
pub const LOST: f64 = 0.15;

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
    pub(super) fn of(
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

/// The expected points lost with so many decimals, two at least, rounded down where rounding up would reach a limit of a mark:
/// all of them are multiples of 0.05.
pub fn rounded_loss(lost: f64, decimals: i32) -> f64 {
    let unit = 10_f64.powi(decimals);
    let units = (unit * lost).round();
    let is_limit = (units as u64).is_multiple_of((unit / 20.0) as u64);
    let is_over = is_limit && units > unit * lost;
    (units - f64::from(is_over)) / unit
}

/// The expected points lost as text.
pub fn shown_loss(lost: f64) -> String {
    format!("{:.2}", rounded_loss(lost, 2))
}

/// The only move, or a sound sacrifice.
fn praise(
    position: &Position,
    played: Move,
    last: Option<Move>,
    verdict: &Verdict,
    after: f64,
) -> Option<Mark> {
    if !verdict.is_only_move(position) || after < LOST {
        return None;
    }
    if is_sacrifice(position, &verdict.best_line) || !verdict.accepted_line.is_empty() {
        return Some(Mark::Sacrifice);
    }
    let recaptures = last
        .is_some_and(|last| last.is_capture() && played.is_capture() && last.to() == played.to());
    let takes_piece = played.is_capture() && position.see_ge(played, exchange_value(Role::Knight));
    (!recaptures && !takes_piece).then_some(Mark::OnlyMove)
}

#[cfg(test)]
mod tests {
    use super::super::verdict::{Judge, ReviewLimit};
    use super::*;

    #[test]
    fn a_shown_loss_does_not_contradict_the_mark() {
        let shown = [0.096, 0.1, 0.148, 0.15, 0.133, 0.167].map(shown_loss);
        assert_eq!(shown, ["0.09", "0.10", "0.14", "0.15", "0.13", "0.17"]);
        let rounded = [0.0998, 0.1, 0.1233].map(|lost| format!("{:.3}", rounded_loss(lost, 3)));
        assert_eq!(rounded, ["0.099", "0.100", "0.123"]);
    }

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

    #[test]
    fn what_the_opponent_should_not_take_is_a_sacrifice() {
        // Rotlewi against Rubinstein, 1907: after 24.Qxd2 Black is a queen behind.
        let rotlewi = "3r2k1/1b3ppp/pb2p3/1p2P3/1P2BPnP/P1r5/1B2Q2P/R4R1K b - - 0 23";
        let game = Game::new(Position::from_fen(rotlewi).expect("a position"));
        let played = game.position().find_move("d8d2").expect("a move");
        let mut judge = Judge::new(ReviewLimit::Nodes(20_000)).expect("memory");
        let verdict = judge.verdict(&game, Some(played)).expect("a verdict");
        let mark = Judgement::of(&game, played, None, &verdict, Scale::Lichess).mark;
        assert_eq!(mark, Some(Mark::Sacrifice));
        assert_eq!(verdict.accepted_line[0], played);
    }
}
