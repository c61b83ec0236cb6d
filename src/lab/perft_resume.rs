//! A file of counted root moves, so that a long perft can be interrupted and resumed. A file of another version, position
//! or depth, or a damaged one, is rejected and left as it is.
//!
//! ```text
//! lucena perft 2
//! position rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
//! depth 8
//! e2e4 9771632
//! checksum 0123456789abcdef
//! ```

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::base::text::shortened;
use crate::chess::{Move, Position};
use crate::eval::weights::Digest;
use crate::lab::atomic_file::{self, WorkLock};

const VERSION: &str = "lucena perft 2";
/// Begins the last line: a checksum of the lines before it.
const CHECKSUM: &str = "checksum ";

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
    #[error("damaged (its checksum is wrong); delete the file to count again")]
    Damaged,
}

/// The counts so far, and their file.
pub struct Resume {
    path: PathBuf,
    heading: [String; 3],
    counts: Vec<(Move, u64)>,
    /// Two processes would overwrite each other's counts.
    _lock: WorkLock,
}

impl Resume {
    /// Reads the file, or creates it.
    ///
    /// # Errors
    /// [`ResumeError`] if the file is of another version, position or depth, damaged, in use, or cannot be read and written.
    /// The file is unchanged then.
    pub fn open(path: &Path, position: &Position, depth: u32) -> Result<Self, ResumeError> {
        let mut resume = Self {
            path: path.to_owned(),
            heading: [
                VERSION.to_owned(),
                format!("position {}", position.to_fen()),
                format!("depth {depth}"),
            ],
            counts: Vec::new(),
            _lock: WorkLock::acquire(path)?,
        };
        match fs::read(path) {
            Ok(bytes) => resume.read(&String::from_utf8_lossy(&bytes), position)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        resume.save()?;
        Ok(resume)
    }

    fn read(&mut self, text: &str, position: &Position) -> Result<(), ResumeError> {
        if text.lines().next() != Some(VERSION) {
            return Err(ResumeError::Version);
        }
        let (body, checksum) = text.rsplit_once(CHECKSUM).ok_or(ResumeError::Damaged)?;
        if checksum != format!("{}\n", Digest::START.add(body.as_bytes())) {
            return Err(ResumeError::Damaged);
        }
        let mut lines = body.lines().skip(1);
        for wanted in &self.heading[1..] {
            let found = lines.next().unwrap_or_default();
            if found != wanted {
                return Err(ResumeError::Other {
                    found: shortened(found, 100),
                    wanted: wanted.clone(),
                });
            }
        }
        let count = |line: &str| {
            let (mv, leaves) = line.split_once(' ')?;
            Some((position.parse_move(mv).ok()?, leaves.parse().ok()?))
        };
        let counts: Option<_> = lines.map(count).collect();
        self.counts = counts.ok_or(ResumeError::Damaged)?;
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
        let checksum = Digest::START.add(text.as_bytes());
        let _ = writeln!(text, "{CHECKSUM}{checksum}");
        atomic_file::write_bytes(&self.path, text.as_bytes())
    }
}
