//! Where games come from: files, folders, standard input; plain, `.zst` or `.xz`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::pipe::Pipe;
use crate::lab::pgn::source::decompressed;
use crate::search::stop::Stop;

/// Names standard input on the command line and in messages.
pub const STDIN: &str = "-";
/// What the files of a folder must end with to be read.
const ENDINGS: [&str; 3] = [".pgn", ".epd", ".fen"];
/// `.gz` is refused with a message, as a file of its own is.
const COMPRESSED: [&str; 3] = [".zst", ".xz", ".gz"];

/// The files to read: a folder means the PGN, EPD and FEN files in it and below, in the order of their names.
///
/// # Errors
/// A message with the path, if a file does not exist or a folder has no such file.
pub fn files(given: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for path in given {
        let message = |error: io::Error| format!("{}: {error}", path.display());
        if path.as_os_str() == STDIN {
            found.push(path.clone());
        } else if fs::metadata(path).map_err(message)?.is_dir() {
            let before = found.len();
            collect(path, &mut found).map_err(message)?;
            if found.len() == before {
                return Err(format!(
                    "{}: no .pgn, .epd or .fen file in this folder",
                    path.display()
                ));
            }
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let entries: io::Result<Vec<_>> = fs::read_dir(folder)?.collect();
    let mut paths: Vec<PathBuf> = entries?.iter().map(fs::DirEntry::path).collect();
    paths.sort();
    for path in paths {
        let name = path.to_string_lossy().to_ascii_lowercase();
        // A symbolic link to a folder may lead in a circle.
        let is_folder = path.symlink_metadata()?.is_dir();
        if is_folder {
            collect(&path, found)?;
        } else if is_read(&name) {
            found.push(path);
        }
    }
    Ok(())
}

/// Whether a file of a folder is read, by its name in small letters.
fn is_read(name: &str) -> bool {
    let plain = COMPRESSED.iter().find_map(|end| name.strip_suffix(end));
    let plain = plain.unwrap_or(name);
    ENDINGS.iter().any(|ending| plain.ends_with(ending))
}

/// Opens a file, decompressed. Standard input ends early at a stop.
///
/// # Errors
/// If it cannot be opened, or its contents do not match its extension.
pub fn open(path: &Path, stop: &Stop) -> io::Result<Box<dyn Read + Send>> {
    if path.as_os_str() == STDIN {
        return Ok(Box::new(Pipe::stdin(stop.clone())?));
    }
    decompressed(path, File::open(path)?)
}
