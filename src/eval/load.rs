//! Loads a model from a file of weights.
//!
//! The built-in file may lack families, whose weights are then zero. A loaded file must have exactly the families of this
//! build, so that nobody plays with an incomplete evaluation without noticing.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{panic, thread};

use thiserror::Error;

use super::families::Family;
use super::model::Model;
use super::weights::{self, Weights, WeightsError, section};
use crate::base::text::{MAX_TEXT, read_text};

/// Stack size for loading, in bytes: a model's tables are on the stack several times before they reach the heap.
const STACK: usize = 1 << 24;

/// Why a file of weights cannot be loaded.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LoadError {
    /// The file cannot be read, or it is no text file.
    #[error("{0}: {1}")]
    Io(PathBuf, String),
    /// A line is wrong.
    #[error("{0}: {1}")]
    Weights(PathBuf, WeightsError),
    /// A family that this build lacks or has in another shape, or a repeated family.
    #[error("{0}: line {1}: {2} is repeated, or not a family of this build")]
    Unknown(PathBuf, usize, String),
    /// A family is missing.
    #[error(
        "{0}: line {1}: the file ends without {2} (`lucena weights --complete` adds it with zero weights)"
    )]
    Missing(PathBuf, usize, String),
}

/// Loads a file of weights that has every family of this build and no other.
///
/// # Errors
/// [`LoadError`] with the file, the line and the cause.
pub fn load(path: &Path) -> Result<Arc<Model>, LoadError> {
    let refused = |error: io::Error| LoadError::Io(path.to_owned(), error.to_string());
    let text = read_text(path, MAX_TEXT).map_err(refused)?;
    on_big_stack(|| read(path, &text).map(Arc::new)).map_err(refused)?
}

/// A model with computed weights.
///
/// # Errors
/// There is no memory for a thread.
pub fn new_model(weights: impl FnOnce() -> Weights + Send) -> io::Result<Arc<Model>> {
    on_big_stack(|| Arc::new(Model::new(weights())))
}

/// Calls a function on a thread with [`STACK`].
fn on_big_stack<T: Send>(call: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(STACK);
        let result = builder.spawn_scoped(scope, call)?.join();
        Ok(result.unwrap_or_else(|panic| panic::resume_unwind(panic)))
    })
}

/// The model of a text; `path` is for errors.
fn read(path: &Path, text: &str) -> Result<Model, LoadError> {
    let weights =
        weights::parse(text).map_err(|error| LoadError::Weights(path.to_owned(), error))?;
    let mut missing: Vec<String> = Family::ALL.iter().map(|&family| section(family)).collect();
    for (number, line) in (1..)
        .zip(text.lines())
        .filter(|(_, line)| line.starts_with('['))
    {
        let Some(place) = missing.iter().position(|section| section == line) else {
            let line = line.chars().take(80).collect();
            return Err(LoadError::Unknown(path.to_owned(), number, line));
        };
        missing.remove(place);
    }
    match missing.into_iter().next() {
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
        on_big_stack(|| read(Path::new("w.txt"), text).err())
            .expect("memory")
            .map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn the_built_in_file_can_be_loaded() {
        let model = on_big_stack(|| read(Path::new("w.txt"), FILE).map(Arc::new)).expect("memory");
        assert_eq!(*model.expect("good weights").weights(), WEIGHTS);
    }

    #[test]
    fn errors_name_file_line_and_cause() {
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
