//! The games that were read, so that a game in two files is noticed.
//!
//! The parts of runs of different lengths overlap: part 2 of 2 of 100 games begins with game 50, which part 1 of 2 of 200 games
//! has, too.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::header::Header;
use super::store::{GameBlock, StoreError};

/// The file of each game, by the lines of its header and its number.
#[derive(Default)]
pub struct KnownGames {
    files: Vec<PathBuf>,
    /// The lines of a header, and the place of the file of each game with that header.
    runs: Vec<(Vec<String>, HashMap<u64, usize>)>,
    /// The place of the last file's header.
    run: usize,
}

impl KnownGames {
    /// Starts a file: the games that are added next come from it.
    pub fn start_file(&mut self, path: &Path, header: &Header) {
        self.files.push(path.to_owned());
        let lines: Vec<String> = header.lines().map(str::to_owned).collect();
        let known = self.runs.iter().position(|(other, _)| *other == lines);
        self.run = known.unwrap_or(self.runs.len());
        if known.is_none() {
            self.runs.push((lines, HashMap::new()));
        }
    }

    /// Adds a game of the last file.
    ///
    /// # Errors
    /// [`StoreError::InTwoFiles`] if another file has a game with this header and number, [`StoreError::Twice`] if the same
    /// file has.
    pub fn add(&mut self, block: &GameBlock) -> Result<(), StoreError> {
        let (Some(file), Some((_, games))) =
            (self.files.len().checked_sub(1), self.runs.get_mut(self.run))
        else {
            return Ok(());
        };
        let (path, number) = (&self.files[file], block.number);
        match games.insert(number, file) {
            None => Ok(()),
            Some(other) if other == file => {
                Err(StoreError::Twice(path.clone(), block.offset, number))
            }
            Some(other) => {
                let other = self.files[other].clone();
                Err(StoreError::InTwoFiles(path.clone(), number, other))
            }
        }
    }
}
