//! Named opening lines, read from PGN with the tags `ECO`, `Opening` and `Variation`.
//!
//! `Play "no"` marks a line that gives a name, but whose moves are not recommended.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use super::pgn::{self, Issues, ReadOptions, Step};
use crate::chess::{Game, Move};

/// Plies of a line that count. Each keeps the history before it, so memory grows with the square of the length.
const MAX_PLY: usize = 256;

/// A named opening line.
#[derive(Clone, Debug)]
pub struct BookLine {
    /// ECO code, opening and variation.
    pub names: [String; 3],
    /// Whether its moves are recommended.
    pub is_recommended: bool,
    /// The positions and the moves played in them.
    pub plies: Vec<(Game, Move)>,
}

impl BookLine {
    /// The key of the position after each move.
    pub fn keys_after(&self) -> impl Iterator<Item = u64> {
        self.plies
            .iter()
            .map(|(game, mv)| game.position().play(*mv).key())
    }

    /// The position at the end.
    pub fn end(&self) -> Option<Game> {
        let (game, mv) = self.plies.last()?;
        let mut end = game.clone();
        end.play(*mv);
        Some(end)
    }
}

/// Reads all lines of a file, up to 256 plies each; unusable ones are skipped and reported.
///
/// # Errors
/// If the file cannot be read.
pub fn read(path: &Path) -> io::Result<(Vec<BookLine>, Issues)> {
    let mut lines = Vec::new();
    let (mut skipped, mut illegal) = (Issues::default(), Issues::default());
    let options = ReadOptions {
        max_ply: MAX_PLY,
        names: true,
        scores: false,
    };
    pgn::read_file(path, options, &(), &mut skipped, &mut |batch| {
        for game in &batch.games {
            let mut plies = Vec::new();
            let read = batch.play(game, |step| {
                if let Step::Move(at, mv) = step {
                    plies.push((at.clone(), mv));
                }
            });
            match read {
                Ok(info) => {
                    let [eco, opening, variation, play] = info.names;
                    lines.push(BookLine {
                        names: [eco, opening, variation],
                        is_recommended: play != "no",
                        plies,
                    });
                }
                Err(reason) => illegal.add(|| reason),
            }
        }
        ControlFlow::Continue(())
    })?;
    skipped.merge(illegal);
    Ok((lines, skipped))
}
