//! The books in use, and the choice of a move.
//!
//! The first book that has the position is used. The choice depends only on the random number and the position, so a seed
//! repeats its games.

use std::path::Path;

use super::entry::BookMove;
use super::polyglot::{Book, BookError};
use crate::base::random::mix;
use crate::chess::{Game, Move};

/// How a move is chosen among the moves of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// The move with the greatest weight.
    Best,
    /// At random, in proportion to the weights.
    #[default]
    Weighted,
    /// At random, all with the same probability.
    Uniform,
}

impl Selection {
    /// In the order of the UCI option.
    pub const ALL: [Self; 3] = [Self::Best, Self::Weighted, Self::Uniform];

    /// The value of the UCI option.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Best => "Best",
            Self::Weighted => "Weighted",
            Self::Uniform => "Uniform",
        }
    }
}

/// Which moves of a book are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookOptions {
    pub selection: Selection,
    /// How far a weight may be below the greatest, in percent of it: 0 allows only the best moves, 100 all.
    pub variety: u8,
    /// The last move number at which the book is used.
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

/// A move chosen from a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookChoice {
    pub mv: Move,
    /// Number of moves it was chosen from.
    pub candidates: usize,
    /// The probability of the choice, in percent.
    pub percent: u32,
}

/// The books in use, in order of preference.
#[derive(Debug, Default)]
pub struct BookSet {
    books: Vec<Book>,
}

impl BookSet {
    /// Opens books; files that cannot be used are left out and reported.
    pub fn open<P: AsRef<Path>>(files: &[P]) -> (Self, Vec<BookError>) {
        let mut set = Self::default();
        let mut errors = Vec::new();
        for file in files {
            match Book::open(file.as_ref()) {
                Ok(book) => set.books.push(book),
                Err(error) => errors.push(error),
            }
        }
        (set, errors)
    }

    /// A set of one book.
    pub fn of(book: Book) -> Self {
        Self { books: vec![book] }
    }

    pub fn books(&self) -> &[Book] {
        &self.books
    }

    /// The playable moves of the first book that has any for this position, by falling weight. Books that can no longer
    /// be read are skipped.
    pub fn moves(&self, game: &Game) -> Vec<BookMove> {
        for book in &self.books {
            let Ok((mut moves, _)) = book.moves(game) else {
                continue;
            };
            moves.retain(|entry| entry.weight > 0);
            if !moves.is_empty() {
                return moves;
            }
        }
        Vec::new()
    }

    /// Chooses a move for the current position that repeats no earlier position and fits the options. `factor` multiplies
    /// the share of each move, up to 65,536; a move with factor 0 is never chosen. The same `random` number chooses the same
    /// move.
    pub fn choose(
        &self,
        game: &Game,
        options: &BookOptions,
        random: u64,
        factor: impl Fn(Move) -> u64,
    ) -> Option<BookChoice> {
        if game.position().fullmoves() > options.last_move {
            return None;
        }
        let mut moves = self.moves(game);
        moves.retain(|entry| factor(entry.mv) > 0 && !repeats(game, entry.mv));
        let best = moves.iter().map(|entry| entry.weight).max()?;
        let least = u32::from(best) * u32::from(100 - options.variety.min(100));
        moves.retain(|entry| u32::from(entry.weight) * 100 >= least);
        let weight = |entry: &BookMove| {
            let share = match options.selection {
                Selection::Best => u64::from(entry.weight == best),
                Selection::Weighted => u64::from(entry.weight),
                Selection::Uniform => 1,
            };
            share * factor(entry.mv)
        };
        let total: u64 = moves.iter().map(weight).sum();
        let hash = mix(random ^ mix(game.book_key()));
        let mut left = (u128::from(hash) * u128::from(total) >> 64) as u64;
        let chosen = moves.iter().find(|entry| {
            let weight = weight(entry);
            let hit = left < weight;
            left = left.saturating_sub(weight);
            hit
        })?;
        Some(BookChoice {
            mv: chosen.mv,
            candidates: moves.iter().filter(|entry| weight(entry) > 0).count(),
            percent: (weight(chosen) * 100 / total.max(1)) as u32,
        })
    }
}

/// Whether a move repeats a position since the last capture or pawn move.
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

    /// A book with moves of the start position and their weights.
    fn book_set(moves: &[(&str, u16)]) -> BookSet {
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
        let book = Book::from_bytes(Path::new("test.bin"), bytes.into());
        BookSet::of(book.unwrap_or_else(|error| panic!("{error}")))
    }

    /// How often each move is chosen in a thousand games.
    fn counts(
        books: &BookSet,
        options: &BookOptions,
        moves: [&str; 3],
        factor: impl Fn(Move) -> u64 + Copy,
    ) -> [usize; 3] {
        let game = Game::new(Position::startpos());
        let chosen: Vec<String> = (0..1000)
            .filter_map(|random| books.choose(&game, options, random, factor))
            .map(|choice| choice.mv.uci(false).to_string())
            .collect();
        moves.map(|text| chosen.iter().filter(|&mv| mv == text).count())
    }

    #[test]
    fn selection_and_variety_choose_the_moves() {
        let moves = ["e2e4", "d2d4", "c2c4"];
        let books = book_set(&[("e2e4", 60), ("d2d4", 30), ("c2c4", 10), ("f2f3", 0)]);
        let options = |selection, variety| BookOptions {
            selection,
            variety,
            ..BookOptions::default()
        };
        let of = |selection, variety| counts(&books, &options(selection, variety), moves, |_| 1);
        assert_eq!(of(Selection::Best, 100), [1000, 0, 0]);
        assert_eq!(of(Selection::Uniform, 0), [1000, 0, 0]);
        let [e4, d4, c4] = of(Selection::Weighted, 100);
        assert!((550..650).contains(&e4) && (250..350).contains(&d4) && e4 + d4 + c4 == 1000);
        let [e4, d4, c4] = of(Selection::Uniform, 100);
        assert!((280..390).contains(&e4) && (280..390).contains(&d4) && e4 + d4 + c4 == 1000);
        let [e4, d4, c4] = of(Selection::Uniform, 50);
        assert!(e4 > 400 && d4 > 400 && c4 == 0);
        let d4 = Position::startpos().parse_move("d2d4").expect("a move");
        let factor = |mv| if mv == d4 { 4 } else { 1 };
        let [e4, d4, c4] = counts(&books, &options(Selection::Weighted, 100), moves, factor);
        assert!((270..370).contains(&e4) && (580..680).contains(&d4) && e4 + d4 + c4 == 1000);
    }

    #[test]
    fn the_book_is_left_by_move_number_filter_and_repetition() {
        let books = book_set(&[("g1f3", 9), ("e2e4", 1)]);
        let mut game = Game::new(Position::startpos());
        let best = BookOptions {
            selection: Selection::Best,
            ..BookOptions::default()
        };
        let choose = |game: &Game, options: &BookOptions| books.choose(game, options, 1, |_| 1);
        let text =
            |choice: Option<BookChoice>| choice.map(|choice| choice.mv.uci(false).to_string());
        assert_eq!(text(choose(&game, &best)), Some("g1f3".to_owned()));
        let early = BookOptions {
            last_move: 0,
            ..best
        };
        assert_eq!(choose(&game, &early), None);
        assert_eq!(books.choose(&game, &best, 1, |_| 0), None);
        // The position occurs again, and so would the one after g1f3.
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            assert_eq!(game.play_uci(text), Ok(()));
        }
        assert_eq!(text(choose(&game, &best)), Some("e2e4".to_owned()));
    }
}
