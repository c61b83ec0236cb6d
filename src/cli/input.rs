//! Text that commands read, without the byte order mark that some programs write at its start.

use std::collections::HashSet;
use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use super::failure::{Failure, failed, in_file};
use crate::base::text::{GZIP, is_gzip, without_byte_order_mark};

/// The text of a file; bytes that are not UTF-8 become U+FFFD.
///
/// # Errors
/// If it cannot be read or is compressed.
pub fn text(path: &Path) -> Result<String, Failure> {
    let bytes = fs::read(path).map_err(in_file(path))?;
    if is_gzip(&bytes) {
        return Err(in_file(path)(GZIP));
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(without_byte_order_mark(&text).to_owned())
}

/// An error if a file is named twice, by whatever path.
pub fn check_named_once<'a>(
    files: impl IntoIterator<Item = &'a PathBuf>,
    flag: &str,
) -> Result<(), Failure> {
    let mut seen = HashSet::new();
    let canonical = |file: &PathBuf| file.canonicalize().unwrap_or_else(|_| file.clone());
    match files.into_iter().find(|file| !seen.insert(canonical(file))) {
        None => Ok(()),
        Some(again) => Err(in_file(again)(format!("the file is named twice in {flag}"))),
    }
}

/// The lines of standard input with their numbers, from 1.
pub fn lines() -> impl Iterator<Item = (usize, Result<String, Failure>)> {
    (1..).zip(io::stdin().lock().lines()).map(|(number, line)| {
        let line = match line {
            Ok(line) if number == 1 => Ok(without_byte_order_mark(&line).to_owned()),
            Ok(line) => Ok(line),
            Err(error) => Err(failed(format!("standard input, line {number}: {error}"))),
        };
        (number, line)
    })
}
