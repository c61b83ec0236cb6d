//! What an opening is called.
//! Uses: pgn, chess. Used by: engine, cli.
//! Idea: a game has the name of its last position that has one. The table is a text of sorted lines, `key⇥ECO⇥name`, so
//! that a look-up is a binary search in the text itself and nothing is read before it is asked for.

use std::fmt;

use crate::chess::Game;

/// The name of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningName<'a> {
    /// Its class in the Encyclopaedia of Chess Openings, A00 to E99.
    pub eco: &'a str,
    /// Its name, and behind a colon that of the variation.
    pub name: &'a str,
}

impl fmt::Display for OpeningName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.eco, self.name)
    }
}

/// OpeningNames of positions.
#[derive(Clone, Debug)]
pub struct OpeningNames<'a> {
    lines: Vec<&'a str>,
}

/// Digits of a key.
const KEY_DIGITS: usize = 16;

impl<'a> OpeningNames<'a> {
    /// The names in a text.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self {
            lines: text.lines().collect(),
        }
    }

    /// How many positions have a name.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The name of the position with this key.
    #[must_use]
    pub fn of_key(&self, key: u64) -> Option<OpeningName<'a>> {
        let wanted = format!("{key:016x}");
        let key_of = |line: &'a str| line.get(..KEY_DIGITS).unwrap_or_default();
        let found = self
            .lines
            .binary_search_by(|line| key_of(line).cmp(&wanted));
        let mut cells = self.lines[found.ok()?].split('\t').skip(1);
        Some(OpeningName {
            eco: cells.next()?,
            name: cells.next()?,
        })
    }

    /// The name of a game: that of its last position that has one.
    #[must_use]
    pub fn of_game(&self, game: &Game) -> Option<OpeningName<'a>> {
        let now = game.position().key();
        std::iter::once(now)
            .chain(game.keys().iter().rev().copied())
            .find_map(|key| self.of_key(key))
    }
}
