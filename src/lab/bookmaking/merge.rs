//! Merging books.

use std::collections::HashMap;
use std::io;

use crate::book::{Book, BookEntry};

/// Sum of weights and learn field by raw move.
type Moves = HashMap<u16, (u32, u32)>;

/// Books put together.
pub struct Merger {
    /// Whether the first book that has a position gives all its moves; else the weights of all books are added.
    first_only: bool,
    /// Books so far.
    books: usize,
    /// By book key: the number of the first book that has the position, and the moves.
    positions: HashMap<u64, (usize, Moves)>,
}

impl Merger {
    pub fn new(first_only: bool) -> Self {
        Self {
            first_only,
            books: 0,
            positions: HashMap::new(),
        }
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Adds a book.
    ///
    /// # Errors
    /// If the book cannot be read.
    pub fn add(&mut self, book: &Book) -> io::Result<()> {
        self.books += 1;
        book.for_each(|_, entry| {
            let (first, moves) = self
                .positions
                .entry(entry.key)
                .or_insert_with(|| (self.books, HashMap::new()));
            if !self.first_only || *first == self.books {
                let sum = moves.entry(entry.raw_move).or_insert((0, entry.learn));
                sum.0 += u32::from(entry.weight);
            }
            true
        })
    }

    /// The entries of all books, in no order. Weights of a position that do not fit are scaled.
    pub fn entries(&self) -> Vec<BookEntry> {
        let mut entries = Vec::new();
        for (&key, (_, moves)) in &self.positions {
            let weights = moves.values().map(|&(weight, _)| weight);
            let greatest = weights.max().unwrap_or_default();
            let scale = |weight: u32| {
                if u16::try_from(greatest).is_ok() || weight == 0 {
                    weight as u16
                } else {
                    (u64::from(weight) * u64::from(u16::MAX) / u64::from(greatest)).max(1) as u16
                }
            };
            entries.extend(moves.iter().map(|(&raw_move, &(weight, learn))| BookEntry {
                key,
                raw_move,
                weight: scale(weight),
                learn,
            }));
        }
        entries
    }
}
