//! The name of a game's opening, by position.

use crate::book::embedded;
use crate::chess::{Game, Move, Position};

/// Plies in which openings have names.
const MAX_PLIES: usize = 60;

/// ECO code and name of the last named position of a game.
pub fn name(start: &Position, moves: &[Move]) -> Option<(&'static str, &'static str)> {
    let mut game = Game::new(*start);
    for &mv in moves.iter().take(MAX_PLIES) {
        game.play(mv);
    }
    let name = embedded::names().of_game(&game)?;
    Some((name.eco, name.name))
}
