//! A position with the moves that led to it, as a player sees it.

use crate::chess::{Game, Move};

/// A game and its last moves.
#[derive(Clone, Debug)]
pub struct GameView {
    game: Game,
    /// The last moves, newest last, at most two of each side.
    recent: Vec<Move>,
}

impl GameView {
    /// The last moves that features and guards look at.
    const RECENT: usize = 4;

    /// A game, of which the last move is known, if it has one.
    #[must_use]
    pub fn new(game: Game) -> Self {
        let recent = game.last_move().map(|(_, mv)| mv);
        Self {
            recent: recent.into_iter().collect(),
            game,
        }
    }

    /// A position with the moves before it, newest last.
    #[must_use]
    pub fn with_moves(game: Game, moves: &[Move]) -> Self {
        let first = moves.len().saturating_sub(Self::RECENT);
        let recent = moves[first..].to_vec();
        Self { game, recent }
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.game.play(mv);
        if self.recent.len() == Self::RECENT {
            self.recent.remove(0);
        }
        self.recent.push(mv);
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The opponent's last move.
    #[must_use]
    pub fn last(&self) -> Option<Move> {
        self.recent.last().copied()
    }

    /// The mover's own last move.
    #[must_use]
    pub fn own_last(&self) -> Option<Move> {
        self.before(2)
    }

    /// The mover's own last two moves, newest first.
    pub(super) fn own_last_two(&self) -> Option<[Move; 2]> {
        Some([self.before(2)?, self.before(4)?])
    }

    /// The move so many plies ago.
    fn before(&self, plies: usize) -> Option<Move> {
        let place = self.recent.len().checked_sub(plies)?;
        self.recent.get(place).copied()
    }
}
