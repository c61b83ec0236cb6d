//! How long a level plays from the opening book.

use super::player::{LevelSettings, RATINGS};

/// The last move number at the lowest rating, and the rating points for one move more.
const BOOK_MOVES: u16 = 4;
const POINTS_PER_BOOK_MOVE: u16 = 150;

impl LevelSettings {
    /// The last move number at which the level uses the book.
    #[doc(hidden)]
    pub fn book_moves(&self) -> u16 {
        let by_rating = BOOK_MOVES + self.rating.saturating_sub(RATINGS[0]) / POINTS_PER_BOOK_MOVE;
        let personality = self.personality.as_ref();
        personality
            .and_then(|it| it.book_moves)
            .unwrap_or(by_rating)
    }
}
