//! Weights from a file, while the program runs.
//! Uses: families, model, weights. Used by: engine, cli.
//! Idea: the compiler forgives a file that lacks families, for they are learned next; whoever plays by a file must be told.
//! Nothing is taken from a file that is not right from its first line to its last.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{panic, thread};

use thiserror::Error;

use super::families::Family;
use super::model::Model;
use super::weights::{self, WeightsError, section};

/// No file of weights is longer.
const MAX_BYTES: u64 = 1 << 24;
/// A stack with room for a model several times over, in bytes: its tables pass over it on their way to the heap.
const ROOM: usize = 1 << 24;

/// Why a file of weights is not used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LoadError {
    /// The system refused.
    #[error("{0}: {1}")]
    Io(PathBuf, String),
    /// It is a folder, a pipe or a device.
    #[error("{0}: not a regular file")]
    NotAFile(PathBuf),
    /// The bytes are not text.
    #[error("{0}: not a file of weights: it is no text")]
    NotText(PathBuf),
    /// A line is wrong.
    #[error("{0}: {1}")]
    Weights(PathBuf, WeightsError),
    /// A family is not one of this program's, or stands there twice.
    #[error("{0}: line {1}: {2} is not a family of this program, or stands here again")]
    Unknown(PathBuf, usize, String),
    /// A family is missing.
    #[error("{0}: line {1}: the file ends without {2}")]
    Missing(PathBuf, usize, String),
}

/// The model of a file of weights that has every family and nothing else.
///
/// # Errors
/// [`LoadError`] names the file, the line and the cause.
pub fn load(path: &Path) -> Result<Arc<Model>, LoadError> {
    let refused = |error: io::Error| LoadError::Io(path.to_owned(), error.to_string());
    let mut bytes = Vec::new();
    // Opening a pipe would wait for whoever writes into it.
    if !path.metadata().map_err(refused)?.is_file() {
        return Err(LoadError::NotAFile(path.to_owned()));
    }
    let file = File::open(path).map_err(refused)?;
    file.take(MAX_BYTES)
        .read_to_end(&mut bytes)
        .map_err(refused)?;
    let text = String::from_utf8(bytes).map_err(|_| LoadError::NotText(path.to_owned()))?;
    with_room(|| read(path, &text).map(Arc::new)).map_err(refused)?
}

/// What a function says that is called with a stack of its own; the error is the system's that has no memory for that.
fn with_room<T: Send>(call: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(ROOM);
        let said = builder.spawn_scoped(scope, call)?.join();
        Ok(said.unwrap_or_else(|panic| panic::resume_unwind(panic)))
    })
}

/// The model of a text; `path` is named in errors. It needs [`ROOM`].
fn read(path: &Path, text: &str) -> Result<Model, LoadError> {
    let weights =
        weights::parse(text).map_err(|error| LoadError::Weights(path.to_owned(), error))?;
    let mut wanted: Vec<String> = Family::ALL.iter().map(|&family| section(family)).collect();
    for (number, line) in (1..)
        .zip(text.lines())
        .filter(|(_, line)| line.starts_with('['))
    {
        let Some(place) = wanted.iter().position(|section| section == line) else {
            let line = line.chars().take(80).collect();
            return Err(LoadError::Unknown(path.to_owned(), number, line));
        };
        wanted.remove(place);
    }
    match wanted.into_iter().next() {
        Some(section) => {
            let last = text.lines().count();
            Err(LoadError::Missing(path.to_owned(), last, section))
        }
        None => Ok(Model::new(weights)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::weights::{FILE, WEIGHTS};
    use super::*;

    fn fault(text: &str) -> String {
        with_room(|| read(Path::new("w.txt"), text).err())
            .expect("memory")
            .map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn the_file_that_is_compiled_in_can_be_loaded() {
        let model = with_room(|| read(Path::new("w.txt"), FILE).map(Arc::new)).expect("memory");
        assert_eq!(*model.expect("good weights").weights(), WEIGHTS);
    }

    #[test]
    fn faults_are_named_with_file_line_and_cause() {
        let (first, rest) = FILE.split_once("[mobility:").expect("the family");
        let (_, after) = rest.split_once("\n[").expect("the next family");
        let lines = FILE.lines().count();
        assert!(fault("lucena weights 9\n").starts_with("w.txt: line 1: not a file of weights"));
        let missing = fault(&format!("{first}[{after}"));
        assert!(missing.contains("ends without [mobility: "), "{missing}");
        let cut = fault(
            &FILE
                .lines()
                .take(lines - 1)
                .fold(String::new(), |text, line| text + line + "\n"),
        );
        assert!(
            cut.starts_with(&format!("w.txt: line {}: ", lines - 1)),
            "{cut}"
        );
        let place = 1 + FILE
            .lines()
            .position(|line| line.starts_with("mg "))
            .expect("a row");
        let nan = fault(&FILE.replacen("mg ", "mg NaN ", 1));
        assert!(
            nan.starts_with(&format!("w.txt: line {place}: a value is not")),
            "{nan}"
        );
        let twice = fault(&format!(
            "{FILE}[mobility:{}\n",
            rest.split_once("\n[").expect("it").0
        ));
        assert!(
            twice.starts_with(&format!("w.txt: line {}: [mobility", lines + 1)),
            "{twice}"
        );
        assert!(load(Path::new("/nowhere/at/all")).is_err());
    }
}
