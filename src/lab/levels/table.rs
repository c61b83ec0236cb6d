//! Tables with a header, separated by tabs if the name ends with `.tsv` and by commas otherwise, decompressed if it ends with
//! `.xz` or `.zst` after that.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use thiserror::Error;

use crate::base::text::without_byte_order_mark;
use crate::lab::pgn::source::decompressed;

/// Why a table cannot be read.
#[derive(Debug, Error)]
pub enum TableError {
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// The header lacks a column.
    #[error("{0}: line 1: there is no column `{1}`")]
    Column(PathBuf, &'static str),
    /// The file, the line and what is wrong.
    #[error("{0}: line {1}: {2}")]
    Line(PathBuf, usize, String),
}

/// A table with a header: the columns are found by their names.
pub struct Table {
    path: PathBuf,
    lines: io::Lines<Box<dyn BufRead>>,
    separator: char,
    header: Vec<String>,
}

impl Table {
    /// # Errors
    /// The file cannot be read.
    pub fn open(path: &Path) -> Result<Self, TableError> {
        let refused = |error| TableError::Io(path.to_owned(), error);
        let file = File::open(path).map_err(refused)?;
        let source = decompressed(path, file).map_err(refused)?;
        let name = path.to_string_lossy().to_ascii_lowercase();
        let plain = [".xz", ".zst"]
            .iter()
            .find_map(|end| name.strip_suffix(end));
        let table = Path::new(plain.unwrap_or(&name));
        let is_tsv = table.extension().is_some_and(|end| end == "tsv");
        let separator = if is_tsv { '\t' } else { ',' };
        let buffered: Box<dyn BufRead> = Box::new(BufReader::new(source));
        let mut lines = buffered.lines();
        let first = lines.next().transpose().map_err(refused)?;
        let header = first.unwrap_or_default();
        let header = fields(without_byte_order_mark(&header), separator);
        let header = header.map_err(|reason| TableError::Line(path.to_owned(), 1, reason))?;
        let header = header.into_iter().map(str::to_owned).collect();
        let path = path.to_owned();
        Ok(Self {
            path,
            lines,
            separator,
            header,
        })
    }

    /// The place of a column.
    ///
    /// # Errors
    /// The header lacks it.
    pub fn column(&self, name: &'static str) -> Result<usize, TableError> {
        let place = self.header.iter().position(|column| column == name);
        place.ok_or_else(|| TableError::Column(self.path.clone(), name))
    }

    /// Calls a function with the fields of each line.
    ///
    /// # Errors
    /// The line at which the file cannot be read, has too few or too many fields, or the function fails.
    pub fn each(
        self,
        mut call: impl FnMut(&[&str]) -> Result<(), String>,
    ) -> Result<(), TableError> {
        for (number, line) in (2..).zip(self.lines) {
            let fault = |reason| TableError::Line(self.path.clone(), number, reason);
            let line = line.map_err(|error| fault(error.to_string()))?;
            let fields = fields(&line, self.separator).map_err(fault)?;
            if fields.len() != self.header.len() {
                let (found, wanted) = (fields.len(), self.header.len());
                return Err(fault(format!("{found} fields, expected {wanted}")));
            }
            call(&fields).map_err(fault)?;
        }
        Ok(())
    }
}

/// The fields of a line.
///
/// # Errors
/// A field is in quotes: none of the values needs them.
fn fields(line: &str, separator: char) -> Result<Vec<&str>, String> {
    let fields: Vec<&str> = line.split(separator).collect();
    match fields.iter().find(|field| field.starts_with('"')) {
        None => Ok(fields),
        Some(field) => Err(format!("fields must not be in quotes, found `{field}`")),
    }
}

/// A number in a column.
///
/// # Errors
/// A message with the column and the text that is not a number.
pub fn number<T: FromStr>(column: &str, text: &str) -> Result<T, String> {
    let fault = |_: T::Err| format!("{column}: expected a number, found `{text}`");
    text.parse().map_err(fault)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn damage_is_described_with_the_file_and_the_line() {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, bytes, expected) in [
            (
                "a.csv.xz",
                &b"id,moves\n"[..],
                "a.csv.xz: the compressed file is damaged",
            ),
            (
                "a.tsv.ZST",
                b"",
                "a.tsv.ZST: the compressed file is damaged",
            ),
            (
                "a.csv",
                b"id\n1\n\xff\n",
                "a.csv: line 3: stream did not contain valid UTF-8",
            ),
            (
                "a.csv",
                b"\"id\"\n",
                "a.csv: line 1: fields must not be in quotes, found `\"id\"`",
            ),
            (
                "a.tsv",
                b"id\n\"1\"\n",
                "a.tsv: line 2: fields must not be in quotes, found `\"1\"`",
            ),
        ] {
            let path = folder.path().join(name);
            fs::write(&path, bytes).expect("a file");
            let read = Table::open(&path).and_then(|table| table.each(|_| Ok(())));
            let message = read.expect_err("damage").to_string();
            assert!(message.contains(expected), "{message}");
        }
    }
}
