//! A position with the moves that led to it, as a player sees it.

use crate::chess::{Game, Move};

/// A game and its last moves.
#[derive(Clone, Debug)]
pub struct GameView {
    game: Game,
    /// The last moves, newest last; at most two: the mover's own and the opponent's.
    recent: Vec<Move>,
}

impl GameView {
    /// The last moves that features look at.
    const RECENT: usize = 2;

    /// A position without known moves before it.
    #[must_use]
    pub const fn new(game: Game) -> Self {
        Self {
            game,
            recent: Vec::new(),
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
        let place = self.recent.len().checked_sub(Self::RECENT)?;
        self.recent.get(place).copied()
    }
}
