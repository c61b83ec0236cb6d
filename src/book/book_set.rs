//! The books in use, and the choice of a move.
//! Uses: reader, chess, random. Used by: engine.
//! Idea: the first book that knows the position is asked, and the choice is a function of seed, game and position alone:
//! with a seed every game can be played again.

use std::path::Path;

use super::entry::BookMove;
use super::polyglot::{Book, BookError};
use crate::base::random::mix;
use crate::chess::{Game, Move};

/// How a move is chosen candidates those of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// The one with the greatest weight.
    Best,
    /// By chance, as often as its weight says.
    #[default]
    Weighted,
    /// By chance, all alike.
    Uniform,
}

impl Selection {
    /// All ways, in the order in which clients are told.
    pub const ALL: [Self; 3] = [Self::Best, Self::Weighted, Self::Uniform];

    /// Its name, as clients know it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Best => "Best",
            Self::Weighted => "Weighted",
            Self::Uniform => "Uniform",
        }
    }
}

/// Which moves of a book are played, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookOptions {
    /// How a move is chosen.
    pub selection: Selection,
    /// How far below the best move's weight one may be, in percent of it: 0 only the best, 100 all.
    pub variety: u8,
    /// The book is left after this many moves of the game.
    pub last_move: u16,
}

impl Default for BookOptions {
    fn default() -> Self {
        Self {
            selection: Selection::default(),
            variety: 100,
            last_move: u16::MAX,
        }
    }
}

/// A choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookChoice {
    /// The move to play.
    pub mv: Move,
    /// How many moves there were to choose from.
    pub candidates: usize,
    /// How often it is chosen, in percent.
    pub percent: u32,
}

/// The books in use, the first to be asked first.
#[derive(Debug, Default)]
pub struct BookSet {
    books: Vec<Book>,
}

impl BookSet {
    /// Opens the files in their order. Those that are no books are left out and named.
    #[must_use]
    pub fn open<P: AsRef<Path>>(files: &[P]) -> (Self, Vec<BookError>) {
        let mut shelf = Self::default();
        let mut errors = Vec::new();
        for file in files {
            match Book::open(file.as_ref()) {
                Ok(book) => shelf.books.push(book),
                Err(error) => errors.push(error),
            }
        }
        (shelf, errors)
    }

    /// A shelf with one book.
    #[must_use]
    pub fn of(book: Book) -> Self {
        Self { books: vec![book] }
    }

    /// The books.
    #[must_use]
    pub fn books(&self) -> &[Book] {
        &self.books
    }

    /// The moves of the first book that has a move to play here, best first, and the illegal ones passed over on the
    /// way. A book that cannot be read any more counts as one that does not know the position.
    #[must_use]
    pub fn moves(&self, game: &Game) -> (Vec<BookMove>, usize) {
        let mut illegal = 0;
        for book in &self.books {
            let Ok((mut moves, wrong)) = book.moves(game) else {
                continue;
            };
            illegal += wrong.len();
            moves.retain(|known| known.weight > 0);
            if !moves.is_empty() {
                return (moves, illegal);
            }
        }
        (Vec::new(), illegal)
    }

    /// Chooses a move for the position on the board: one that is `allowed`, does not repeat an earlier position and is
    /// to the taste. `chance` is a number without pattern: the same number chooses the same move.
    #[must_use]
    pub fn choose(
        &self,
        game: &Game,
        taste: &BookOptions,
        chance: u64,
        allowed: impl Fn(Move) -> bool,
    ) -> Option<BookChoice> {
        if game.position().fullmoves() > taste.last_move {
            return None;
        }
        let (mut moves, _) = self.moves(game);
        moves.retain(|known| allowed(known.mv) && !repeats(game, known.mv));
        let best = moves.iter().map(|known| known.weight).max()?;
        let least = u32::from(best) * u32::from(100 - taste.variety.min(100));
        moves.retain(|known| u32::from(known.weight) * 100 >= least);
        let weight = |known: &BookMove| match taste.selection {
            Selection::Best => u64::from(known.weight == best),
            Selection::Weighted => u64::from(known.weight),
            Selection::Uniform => 1,
        };
        let total: u64 = moves.iter().map(weight).sum();
        let drawn = mix(chance ^ mix(game.book_key()));
        let mut left = (u128::from(drawn) * u128::from(total) >> 64) as u64;
        let chosen = moves.iter().find(|known| {
            let weight = weight(known);
            let hit = left < weight;
            left = left.saturating_sub(weight);
            hit
        })?;
        Some(BookChoice {
            mv: chosen.mv,
            candidates: moves.iter().filter(|known| weight(known) > 0).count(),
            percent: (weight(chosen) * 100 / total.max(1)) as u32,
        })
    }
}

/// Whether a move leads to a position that has stood on the board since the last capture or pawn's move.
fn repeats(game: &Game, mv: Move) -> bool {
    let mut after = game.clone();
    after.play(mv);
    let earlier = after.keys();
    earlier[earlier.len() - after.reversible()..].contains(&after.position().key())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{BookEntry, entry};
    use crate::chess::Position;

    /// A shelf with one book: moves of the first position with their weights.
    fn shelf(moves: &[(&str, u16)]) -> BookSet {
        let game = Game::new(Position::startpos());
        let mut entries: Vec<BookEntry> = moves
            .iter()
            .map(|&(text, weight)| {
                let mv = game.position().parse_move(text);
                BookEntry {
                    key: game.book_key(),
                    raw_move: mv.map_or(0, entry::encode_move),
                    weight,
                    learn: 0,
                }
            })
            .collect();
        let mut bytes = Vec::new();
        assert!(entry::write(&mut entries, &mut bytes).is_ok());
        let book = Book::of_bytes(Path::new("test.bin"), bytes.into());
        BookSet::of(book.unwrap_or_else(|error| panic!("{error}")))
    }

    /// How often each move is chosen in a thousand games.
    fn counts(shelf: &BookSet, taste: &BookOptions, moves: [&str; 3]) -> [usize; 3] {
        let game = Game::new(Position::startpos());
        let chosen: Vec<String> = (0..1000)
            .filter_map(|chance| shelf.choose(&game, taste, chance, |_| true))
            .map(|choice| choice.mv.uci(false).to_string())
            .collect();
        moves.map(|text| chosen.iter().filter(|&played| played == text).count())
    }

    #[test]
    fn selection_and_variety_say_what_is_played() {
        let moves = ["e2e4", "d2d4", "c2c4"];
        let shelf = shelf(&[("e2e4", 60), ("d2d4", 30), ("c2c4", 10), ("f2f3", 0)]);
        let taste = |selection, variety| BookOptions {
            selection,
            variety,
            ..BookOptions::default()
        };
        let of = |selection, variety| counts(&shelf, &taste(selection, variety), moves);
        assert_eq!(of(Selection::Best, 100), [1000, 0, 0]);
        assert_eq!(of(Selection::Uniform, 0), [1000, 0, 0]);
        let [e4, d4, c4] = of(Selection::Weighted, 100);
        assert!((550..650).contains(&e4) && (250..350).contains(&d4) && e4 + d4 + c4 == 1000);
        let [e4, d4, c4] = of(Selection::Uniform, 100);
        assert!((280..390).contains(&e4) && (280..390).contains(&d4) && e4 + d4 + c4 == 1000);
        let [e4, d4, c4] = of(Selection::Uniform, 50);
        assert!(e4 > 400 && d4 > 400 && c4 == 0);
    }

    #[test]
    fn the_book_is_left_where_it_must_be() {
        let shelf = shelf(&[("g1f3", 9), ("e2e4", 1)]);
        let mut game = Game::new(Position::startpos());
        let best = BookOptions {
            selection: Selection::Best,
            ..BookOptions::default()
        };
        let choose = |game: &Game, taste: &BookOptions| shelf.choose(game, taste, 1, |_| true);
        let text =
            |choice: Option<BookChoice>| choice.map(|choice| choice.mv.uci(false).to_string());
        assert_eq!(text(choose(&game, &best)), Some("g1f3".to_owned()));
        let early = BookOptions {
            last_move: 0,
            ..best
        };
        assert_eq!(choose(&game, &early), None);
        assert_eq!(shelf.choose(&game, &best, 1, |_| false), None);
        // The position is the same for the second time, and so would be the one after the knight's move.
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            assert_eq!(game.play_text(text), Ok(()));
        }
        assert_eq!(text(choose(&game, &best)), Some("e2e4".to_owned()));
    }
}
