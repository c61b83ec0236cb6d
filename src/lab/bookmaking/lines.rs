//! Named lines of opening theory.
//! Uses: pgn, chess. Used by: names, grow, verify.
//! Idea: a line is a game in PGN with the tags `ECO`, `Opening` and `Variation`; `Play "no"` says that it is there for its
//! name, not to be imitated.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use super::pgn::{self, Issues, Reading};
use crate::chess::{Game, Move};

/// One line.
#[derive(Clone, Debug)]
pub struct BookLine {
    /// Class, opening and variation.
    pub names: [String; 3],
    /// Whether its moves are recommended.
    pub is_recommended: bool,
    /// Each position with the move made in it.
    pub plies: Vec<(Game, Move)>,
}

impl BookLine {
    /// The keys of the positions behind each move.
    pub fn keys_after(&self) -> impl Iterator<Item = u64> {
        self.plies
            .iter()
            .map(|(game, mv)| game.position().play(*mv).key())
    }

    /// The position at its end.
    #[must_use]
    pub fn end(&self) -> Option<Game> {
        let (game, mv) = self.plies.last()?;
        let mut end = game.clone();
        end.play(*mv);
        Some(end)
    }
}

/// Reads all lines of a file.
///
/// # Errors
/// What the system said when the file could not be read. Lines with faults are left out.
pub fn read(path: &Path) -> io::Result<(Vec<BookLine>, Issues)> {
    let mut lines = Vec::new();
    let (mut faults, mut wrong) = (Issues::default(), Issues::default());
    let reading = Reading {
        max_ply: usize::MAX,
        names: true,
    };
    pgn::read_file(path, reading, &(), &mut faults, &mut |batch| {
        for game in &batch.games {
            let mut plies = Vec::new();
            let [eco, opening, variation, play] =
                game.names.as_deref().cloned().unwrap_or_default();
            match batch.play(game, |at, mv| plies.push((at.clone(), mv))) {
                Ok(()) => lines.push(BookLine {
                    names: [eco, opening, variation],
                    is_recommended: play != "no",
                    plies,
                }),
                Err(fault) => wrong.note(|| fault),
            }
        }
        ControlFlow::Continue(())
    })?;
    faults.add(wrong);
    Ok((lines, faults))
}
