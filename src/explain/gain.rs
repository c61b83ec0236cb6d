//! Material won along a line, by kinds of pieces.

use super::words;
use crate::chess::{Color, Position, Role, exchange_value};

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

    /// Whether a pawn of `us` has become a queen and the sides have else won as much from one another.
    pub fn is_promotion(before: &Position, after: &Position, us: Color) -> bool {
        let queens = |position: &Position| position.pieces(us, Role::Queen).count();
        queens(after) > queens(before) && Self::between(before, after, us).0 == [-1, 0, 0, 0, 1]
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
            Some((own, given)) => format!("{name} has {own} for {given}"),
        })
    }

    pub fn value(self) -> i32 {
        let values = self.0.iter().zip(Role::ALL);
        values
            .map(|(count, role)| count * exchange_value(role))
            .sum()
    }

    /// `a knight for two pawns`, from the view of the side that gains.
    pub fn text(self) -> String {
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
