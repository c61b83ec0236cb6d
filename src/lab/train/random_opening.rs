//! Where training games start: random moves from the start position or from a Chess960 position, or the repertoire.
//!
//! Random moves give positions that chosen openings never reach; self-play discards those that are already decided.

use crate::base::random::Random;
use crate::chess::Position;

/// One game in this many starts from a double Chess960 position: each side has its own back rank.
const CHESS960_GAMES: usize = 7;
/// Random plies before the game, or one more, so that either side may be first to move.
const RANDOM_PLIES: usize = 8;

/// Where training games start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpeningSource {
    /// Random moves from the start position or a Chess960 position.
    #[default]
    Random,
    /// A line of the repertoire, then two random moves.
    Repertoire,
}

/// A random position after the opening plies. The game may be over.
pub fn random_opening(random: &mut Random) -> Position {
    let mut position = if random.below(CHESS960_GAMES) == 0 {
        let mut rank = || random.below(Position::CHESS960_RANKS);
        Position::chess960(rank(), rank()).expect("numbers below 960")
    } else {
        Position::startpos()
    };
    for _ in 0..RANDOM_PLIES + random.below(2) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position = position.play(moves[random.below(moves.len())]);
    }
    position
}
