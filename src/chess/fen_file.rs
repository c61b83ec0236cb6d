//! Files of positions, a FEN or an EPD per line.

use std::path::{Path, PathBuf};
use std::{fs, io};

use thiserror::Error;

use super::Position;

/// Why positions cannot be read.
#[derive(Debug, Error)]
pub enum FenFileError {
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// The file has no position.
    #[error("{0}: no line is a FEN or an EPD")]
    Empty(PathBuf),
}

/// The positions of a file, one per line as FEN or EPD; other lines are ignored.
///
/// # Errors
/// [`FenFileError`] if the file cannot be read or has no position.
pub fn read_fen_file(path: &Path) -> Result<Vec<Position>, FenFileError> {
    let failed = |error| FenFileError::Io(path.to_owned(), error);
    // Opening a pipe would wait for a writer.
    let metadata = path.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Err(failed(io::Error::other("not a regular file")));
    }
    // Reading some files without a length, such as `/proc/kmsg`, would block as well.
    if metadata.len() == 0 {
        return Err(FenFileError::Empty(path.to_owned()));
    }
    let text = fs::read(path).map_err(failed)?;
    let text = String::from_utf8_lossy(&text);
    let read = |line: &str| {
        // An EPD has operations in place of the two counters of a FEN.
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let short = fields.get(..4)?.join(" ");
        Position::from_fen(line)
            .or_else(|_| Position::from_fen(&short))
            .ok()
    };
    // Some programs start a file with a byte order mark.
    let text = text.trim_start_matches('\u{feff}');
    let positions: Vec<Position> = text.lines().filter_map(read).collect();
    if positions.is_empty() {
        return Err(FenFileError::Empty(path.to_owned()));
    }
    Ok(positions)
}
