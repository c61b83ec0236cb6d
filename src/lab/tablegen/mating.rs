//! How far mate is in a position with few men, and the shortest way to it.
//! Uses: chess, mates. Used by: cli.
//! Idea: tables are solved when they are first asked for, with all they lead to, and kept.

use std::collections::HashMap;
use std::sync::Arc;

use super::material::Man;
use super::mates::{Mates, worth};
use super::slice::Known;
use crate::base::sync::Mutex;
use crate::chess::{Color, Move, Position};
use crate::tablebase::Material;

/// The most men of a position whose mates are solved, kings included.
pub const MATING_MEN: usize = 4;

/// Distances to mate, solved on demand.
#[derive(Default)]
pub struct Mating {
    solved: Mutex<HashMap<Material, Arc<Mates>>>,
}

impl Mating {
    /// The plies to mate with best play of both, fifty-move rule aside: positive if the side to move wins, negative if it
    /// loses, 0 for a draw or a mate on the board. `None` with castling rights or more than [`MATING_MEN`] men.
    #[must_use]
    pub fn plies(&self, position: &Position) -> Option<i32> {
        if position.occupied().count() > MATING_MEN || position.has_castling_rights() {
            return None;
        }
        // Taking in passing is in no table: the moves tell.
        let legal = position.legal_moves();
        if position.ep_square().is_some() && !legal.is_empty() {
            let replies = legal.iter().map(|&mv| self.after(position, mv));
            return replies
                .collect::<Option<Vec<_>>>()?
                .into_iter()
                .max_by_key(|&plies| rank(plies));
        }
        let men: Vec<(Man, u8)> = position
            .occupied()
            .into_iter()
            .filter_map(|square| {
                let piece = position.piece_on(square)?;
                let man = Man {
                    color: piece.color(),
                    role: piece.role(),
                };
                Some((man, u32::from(square) as u8))
            })
            .collect();
        let side = usize::from(position.turn() == Color::Black);
        match worth(&men, side, &|material| self.mates(material)) {
            Known::Win(plies) => Some(i32::from(plies)),
            Known::Loss(plies) => Some(-i32::from(plies)),
            Known::Open | Known::Look => Some(0),
            Known::Illegal => None,
        }
    }

    /// What a move is worth for the mover, as [`Self::plies`] counts; a mating move 1.
    fn after(&self, position: &Position, mv: Move) -> Option<i32> {
        let child = position.play(mv);
        let plies = self.plies(&child)?;
        Some(match plies {
            0 if child.in_check() && !child.has_legal_move() => 1,
            0 => 0,
            _ => -plies - plies.signum(),
        })
    }

    /// The moves to mate, the fastest against the longest resistance; none for a draw.
    #[must_use]
    pub fn line(&self, position: &Position) -> Vec<Move> {
        let (mut position, mut line) = (*position, Vec::new());
        let mut left = self.plies(&position).unwrap_or(0).unsigned_abs();
        while left > 0 {
            let legal = position.legal_moves();
            let rated = legal
                .iter()
                .filter_map(|&mv| Some((rank(self.after(&position, mv)?), mv)));
            let Some((_, best)) = rated.max_by_key(|&(rank, _)| rank) else {
                break;
            };
            line.push(best);
            position = position.play(best);
            left -= 1;
        }
        line
    }

    /// The distances of a material; `None` for bare kings.
    fn mates(&self, material: Material) -> Option<Arc<Mates>> {
        if material.piece_count() == 2 {
            return None;
        }
        let kept = || {
            let solved = self.solved.lock();
            solved.get(&material).cloned()
        };
        if let Some(mates) = kept() {
            return Some(mates);
        }
        for needed in material.needs() {
            let _ = self.mates(needed);
        }
        let mates = Arc::new(Mates::solve(material, &|needed| self.mates(needed)));
        let mut solved = self.solved.lock();
        solved.insert(material, Arc::clone(&mates));
        Some(mates)
    }

    /// The longest win and loss, in plies, of each side to move; white is the first side of the name.
    #[must_use]
    pub fn longest(&self, material: Material) -> [[u16; 2]; 2] {
        self.mates(material)
            .map_or([[0; 2]; 2], |mates| mates.longest())
    }
}

/// How good so many plies are: fast wins first, slow losses before fast ones.
fn rank(plies: i32) -> i32 {
    match plies {
        0 => 0,
        _ => plies.signum() * 1000 - plies,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(mating: &Mating, tables: &[(&str, u16)]) {
        for &(name, moves) in tables {
            let longest = mating.longest(name.parse().expect("a name"));
            assert_eq!(longest[0][0], 2 * moves - 1, "{name}");
        }
    }

    /// The longest mates, in moves, that every book of endings gives.
    #[test]
    fn three_men_mate_as_fast_as_the_books_say() {
        check(
            &Mating::default(),
            &[("KQvK", 10), ("KRvK", 16), ("KPvK", 28)],
        );
    }

    #[test]
    #[ignore = "minutes"]
    fn four_men_mate_as_fast_as_the_books_say() {
        let tables = [
            ("KBNvK", 33),
            ("KBBvK", 19),
            ("KQvKR", 35),
            ("KRvKN", 40),
            ("KRvKB", 29),
            ("KQvKP", 28),
            ("KPvKP", 33),
        ];
        check(&Mating::default(), &tables);
    }

    #[test]
    fn the_line_ends_in_mate() {
        let mating = Mating::default();
        for (fen, sign) in [
            ("8/8/8/8/8/2k5/8/K2R4 b - - 0 1", -1),
            ("8/8/8/3k4/8/8/1Q6/K7 w - - 0 1", 1),
        ] {
            let position = Position::from_fen(fen).expect("a position");
            let found = mating.plies(&position).expect("few men");
            let line = mating.line(&position);
            let end = line
                .iter()
                .fold(position, |position, &mv| position.play(mv));
            assert_eq!(line.len() as i32, found.abs(), "{fen}");
            assert_eq!(found.signum(), sign, "{fen}");
            assert!(end.in_check() && !end.has_legal_move(), "{fen}");
        }
    }
}
