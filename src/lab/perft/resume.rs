//! A file that remembers which moves of a division are counted, so that a long one can be broken off and gone on with.
//! Uses: chess. Used by: `cli::perft`.
//! Idea: a few lines of text that name the version, the position and the depth. A file that names others is refused and
//! left alone; a new one is written beside the old and takes its place whole.
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

use crate::chess::{Move, Position};
use crate::lab::atomic_file;

/// The first line of a file of this version.
const VERSION: &str = "lucena perft 1";

/// Why a file cannot be gone on with.
#[derive(Debug, Error)]
pub enum ResumeError {
    /// The system does not let us read or write.
    #[error(transparent)]
    File(#[from] io::Error),
    /// Something else, or another version.
    #[error("the first line is not `{VERSION}`: no counts of this version")]
    Version,
    /// Counts of another tree.
    #[error("counts for `{found}`, not for `{wanted}`")]
    Other {
        /// What the file says.
        found: String,
        /// What it should say.
        wanted: String,
    },
    /// The end is missing, and with it perhaps a part of the last number.
    #[error("the last line is cut off; take it away to go on from the lines before it")]
    CutOff,
    /// A line that is no legal move with its count, or a move's second one.
    #[error("line {line}: `{text}` is no legal move with its count, or tells one twice")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// What stands there.
        text: String,
    },
}

/// The counts so far and their file.
pub struct Resume {
    path: PathBuf,
    heading: [String; 3],
    counts: Vec<(Move, u64)>,
}

impl Resume {
    /// Reads the file, or begins one where there is none. It can be written when this returns.
    ///
    /// # Errors
    /// [`ResumeError`] if the file is of another version, position or depth, damaged, or cannot be read and written. It
    /// is as it was then.
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
                    found: short(found),
                    wanted: wanted.clone(),
                });
            }
        }
        if !text.ends_with('\n') {
            return Err(ResumeError::CutOff);
        }
        for (index, text) in lines.enumerate() {
            let count = text.split_once(' ').and_then(|(mv, leaves)| {
                let mv = position.parse_move(mv).ok()?;
                let is_new = self.counts.iter().all(|&(other, _)| other != mv);
                is_new.then_some((mv, leaves.parse().ok()?))
            });
            self.counts.push(count.ok_or_else(|| ResumeError::Line {
                line: index + 1 + self.heading.len(),
                text: short(text),
            })?);
        }
        Ok(())
    }

    /// The moves counted already.
    #[must_use]
    pub fn counts(&self) -> &[(Move, u64)] {
        &self.counts
    }

    /// Remembers another count.
    ///
    /// # Errors
    /// What the system said when the file could not be written.
    pub fn add(&mut self, mv: Move, leaves: u64) -> io::Result<()> {
        self.counts.push((mv, leaves));
        self.save()
    }

    /// Writes a new file and puts it in the place of the old one, so that there is a whole one at every moment.
    fn save(&self) -> io::Result<()> {
        let mut text = self.heading.join("\n") + "\n";
        for (mv, leaves) in &self.counts {
            let _ = writeln!(text, "{} {leaves}", mv.uci(true));
        }
        atomic_file::write_bytes(&self.path, text.as_bytes())
    }
}

/// As much of a line as a message bears.
fn short(text: &str) -> String {
    text.chars().take(100).collect()
}
