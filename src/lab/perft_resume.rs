//! A file of counted root moves, so that a long perft can be interrupted and resumed. A file of another version, position
//! or depth is rejected and left as it is.
//!
//! ```text
//! lucena perft 1
//! position rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
//! depth 8
//! e2e4 9771632
//! ```

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::base::text::shortened;
use crate::chess::{Move, Position};
use crate::lab::atomic_file;

const VERSION: &str = "lucena perft 1";

/// Why a perft cannot be resumed from a file.
#[derive(Debug, Error)]
pub enum ResumeError {
    #[error(transparent)]
    File(#[from] io::Error),
    #[error("the first line is not `{VERSION}`")]
    Version,
    /// Counts of another position or depth.
    #[error("the file has counts for `{found}`, not for `{wanted}`")]
    Other { found: String, wanted: String },
    #[error("the last line is incomplete; delete it to resume from the lines before it")]
    Incomplete,
    /// The line number counts from 1.
    #[error("line {line}: `{text}` is not a legal move and its count, or counts a move twice")]
    Line { line: usize, text: String },
}

/// The counts so far, and their file.
pub struct Resume {
    path: PathBuf,
    heading: [String; 3],
    counts: Vec<(Move, u64)>,
}

impl Resume {
    /// Reads the file, or creates it.
    ///
    /// # Errors
    /// [`ResumeError`] if the file is of another version, position or depth, damaged, or cannot be read and written. The
    /// file is unchanged then.
    pub fn open(path: &Path, position: &Position, depth: u32) -> Result<Self, ResumeError> {
        let mut resume = Self {
            path: path.to_owned(),
            heading: [
                VERSION.to_owned(),
                format!("position {}", position.to_fen()),
                format!("depth {depth}"),
            ],
            counts: Vec::new(),
        };
        match fs::read_to_string(path) {
            Ok(text) => resume.read(&text, position)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        resume.save()?;
        Ok(resume)
    }

    fn read(&mut self, text: &str, position: &Position) -> Result<(), ResumeError> {
        let mut lines = text.lines();
        if lines.next() != Some(VERSION) {
            return Err(ResumeError::Version);
        }
        for wanted in &self.heading[1..] {
            let found = lines.next().unwrap_or_default();
            if found != wanted {
                return Err(ResumeError::Other {
                    found: shortened(found, 100),
                    wanted: wanted.clone(),
                });
            }
        }
        if !text.ends_with('\n') {
            return Err(ResumeError::Incomplete);
        }
        for (index, text) in lines.enumerate() {
            let count = text.split_once(' ').and_then(|(mv, leaves)| {
                let mv = position.parse_move(mv).ok()?;
                let is_new = self.counts.iter().all(|&(other, _)| other != mv);
                is_new.then_some((mv, leaves.parse().ok()?))
            });
            self.counts.push(count.ok_or_else(|| ResumeError::Line {
                line: index + 1 + self.heading.len(),
                text: shortened(text, 100),
            })?);
        }
        Ok(())
    }

    #[must_use]
    pub fn counts(&self) -> &[(Move, u64)] {
        &self.counts
    }

    /// Adds a count and writes the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, mv: Move, leaves: u64) -> io::Result<()> {
        self.counts.push((mv, leaves));
        self.save()
    }

    /// Replaces the file as a whole, so that an interruption leaves a complete one.
    fn save(&self) -> io::Result<()> {
        let mut text = self.heading.join("\n") + "\n";
        for (mv, leaves) in &self.counts {
            let _ = writeln!(text, "{} {leaves}", mv.uci(true));
        }
        atomic_file::write_bytes(&self.path, text.as_bytes())
    }
}
