//! Names of openings, looked up by position.
//!
//! The table is text with sorted lines `key⇥ECO⇥name`; the binary search runs on the text itself.

use std::fmt;

use crate::chess::Game;

/// The name of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningName<'a> {
    /// Code of the Encyclopaedia of Chess Openings, A00 to E99.
    pub eco: &'a str,
    /// `opening` or `opening: variation`.
    pub name: &'a str,
}

impl fmt::Display for OpeningName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.eco, self.name)
    }
}

/// A table of opening names.
#[derive(Clone, Debug)]
pub struct OpeningNames<'a> {
    lines: Vec<&'a str>,
}

/// Hexadecimal digits of a key.
const KEY_DIGITS: usize = 16;

impl<'a> OpeningNames<'a> {
    /// Takes the lines `key⇥ECO⇥name`, sorted by key.
    pub fn new(text: &'a str) -> Self {
        Self {
            lines: text.lines().collect(),
        }
    }

    /// The name of the position with this key ([`Position::key`](crate::chess::Position::key)).
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

    /// The name of the last named position of a game.
    pub fn of_game(&self, game: &Game) -> Option<OpeningName<'a>> {
        let now = game.position().key();
        std::iter::once(now)
            .chain(game.keys().iter().rev().copied())
            .find_map(|key| self.of_key(key))
    }
}
