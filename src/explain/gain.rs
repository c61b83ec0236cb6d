//! Material won along a line, by kinds of pieces.

use super::words;
use crate::chess::{Color, Move, Position, Role, exchange_value};

/// Centipawns of an exchange that count as a gain.
pub const PAWN: i32 = 100;

/// Pawns, knights, bishops, rooks and queens that a side won along a line, minus those that it lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gain([i32; 5]);

impl Gain {
    /// The change of the lead of `us` in each kind of piece, from the first position to the second.
    pub fn between(before: &Position, after: &Position, us: Color) -> Self {
        let lead = |position: &Position, role: Role| {
            let count = |color| position.pieces(color, role).count() as i32;
            count(us) - count(!us)
        };
        let roles = &Role::ALL[..5];
        Self(std::array::from_fn(|item| {
            lead(after, roles[item]) - lead(before, roles[item])
        }))
    }

    /// What `us` promoted pawns to along a line, of the pieces that are still there: its side has more of the kind than before.
    fn promoted(before: &Position, moves: &[Move], after: &Position, us: Color) -> Self {
        let own = moves.iter().skip(usize::from(before.turn() != us));
        let new: Vec<Role> = own.step_by(2).filter_map(|mv| mv.promotion()).collect();
        let count = |position: &Position, role: Role| position.pieces(us, role).count() as i32;
        let roles = &Role::ALL[..5];
        Self(std::array::from_fn(|item| {
            let role = roles[item];
            let promoted = new.iter().filter(|&&new| new == role).count() as i32;
            (count(after, role) - count(before, role)).clamp(0, promoted)
        }))
    }

    /// What `us` gains along a line of moves, in words with the verbs `promote` and `win` or `promotes` and `wins`. Promoted
    /// pawns do not count as lost, nor the new pieces as won.
    pub fn phrase(
        before: &Position,
        moves: &[Move],
        after: &Position,
        us: Color,
        [promote, win]: [&str; 2],
    ) -> String {
        let gain = Self::between(before, after, us);
        let promoted = Self::promoted(before, moves, after, us);
        let pawns: i32 = promoted.0.iter().sum();
        if pawns == 0 {
            return format!("{win} {}", gain.text());
        }
        let mut rest = Self(std::array::from_fn(|item| gain.0[item] - promoted.0[item]));
        rest.0[0] += pawns;
        let queens = promoted.0[Role::Queen as usize - 1];
        let to = if queens == pawns {
            String::new()
        } else {
            format!(" to {}", promoted.text())
        };
        let did = format!("{promote} {}{to}", Self([pawns, 0, 0, 0, 0]).text());
        match rest.text() {
            text if text.is_empty() => did,
            _ if rest.0.iter().all(|&count| count <= 0) => {
                format!("{did} for {}", rest.negated().text())
            }
            text => format!("{did} and {win} {text}"),
        }
    }

    /// What White has more than Black.
    pub fn lead(position: &Position) -> Self {
        let count = |color, role| position.pieces(color, role).count() as i32;
        Self(std::array::from_fn(|item| {
            let role = Role::ALL[item];
            count(Color::White, role) - count(Color::Black, role)
        }))
    }

    /// `White is a knight and a pawn up` or `White has a queen for a bishop and a pawn`; `None` if nothing differs.
    pub fn clause(self) -> Option<String> {
        let (name, ahead) = match self.value() {
            ..0 => ("Black", self.negated()),
            _ => ("White", self),
        };
        let text = ahead.text();
        if text.is_empty() {
            return None;
        }
        Some(match text.split_once(" for ") {
            None => format!("{name} is {text} up"),
            Some(("the exchange", given)) => format!("{name} is the exchange up for {given}"),
            Some((own, given)) => format!("{name} has {own} for {given}"),
        })
    }

    pub fn value(self) -> i32 {
        let values = self.0.iter().zip(Role::ALL);
        values
            .map(|(count, role)| count * exchange_value(role))
            .sum()
    }

    /// `the exchange` and how many pawns beside it, if a rook was won or lost for a minor piece and else only pawns changed.
    fn exchange(self) -> Option<(bool, i32)> {
        let [pawns, knights, bishops, rooks, queens] = self.0;
        let is_exchange = queens == 0 && rooks.abs() == 1 && knights + bishops == -rooks;
        let is_exchange = is_exchange && knights * bishops == 0;
        is_exchange.then_some((rooks > 0, pawns * rooks))
    }

    /// `a knight for two pawns`, from the view of the side that gains.
    pub fn text(self) -> String {
        if let Some((true, pawns)) = self.exchange() {
            let count = words::number(pawns.unsigned_abs() as usize);
            return match pawns {
                0 => "the exchange".to_owned(),
                1 => "the exchange and a pawn".to_owned(),
                -1 => "the exchange for a pawn".to_owned(),
                2.. => format!("the exchange and {count} pawns"),
                _ => format!("the exchange for {count} pawns"),
            };
        }
        let list = |sign: i32| -> Vec<String> {
            let items = self.0.iter().zip(Role::ALL).rev();
            let items = items.filter(|(count, _)| **count * sign > 0);
            items
                .map(|(count, role)| {
                    let name = words::role(role);
                    match count.unsigned_abs() {
                        1 => format!("a {name}"),
                        more => format!("{} {name}s", words::number(more as usize)),
                    }
                })
                .collect()
        };
        // A knight for a bishop is an even exchange.
        let [_, knights, bishops, ..] = self.0;
        if knights * bishops < 0 {
            let even = knights.abs().min(bishops.abs());
            let mut rest = self;
            rest.0[1] -= even * knights.signum();
            rest.0[2] -= even * bishops.signum();
            return rest.text();
        }
        let (won, given) = (list(1), list(-1));
        if given.is_empty() {
            words::join(&won)
        } else {
            format!("{} for {}", words::join(&won), words::join(&given))
        }
    }

    pub fn negated(self) -> Self {
        Self(self.0.map(|count| -count))
    }
}
