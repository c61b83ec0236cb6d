//! An engine with settings, built in one expression.

use std::ffi::OsStr;
use std::sync::Arc;
use std::time::Duration;

use super::{Engine, EngineError, Model, SearchMode};

/// The settings of an engine to be built; see [`Engine::builder`].
#[derive(Debug, Default)]
#[must_use]
pub struct EngineBuilder {
    engine: Engine,
}

impl Engine {
    /// Starts from the default settings.
    ///
    /// ```
    /// use lucena::{Engine, Game, Limits};
    ///
    /// let mut engine = Engine::builder().hash(4).threads(1).multi_pv(2).build()?;
    /// let game = Game::from_words("startpos")?;
    /// assert_eq!(engine.search(&game, Limits::depth(5)).lines.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }
}

impl EngineBuilder {
    /// Sets the size of the TT in MiB, at least 1; 16 by default.
    pub fn hash(mut self, megabytes: usize) -> Self {
        self.engine.set_hash(megabytes);
        self
    }

    /// Sets the number of search threads, at least 1; 1 by default.
    pub fn threads(mut self, threads: usize) -> Self {
        self.engine.set_threads(threads);
        self
    }

    /// Sets the number of lines to search, at least 1; 1 by default.
    pub fn multi_pv(mut self, lines: usize) -> Self {
        self.engine.set_multi_pv(lines);
        self
    }

    /// Sets the time kept back for each move against delays outside the engine; 20 ms by default.
    pub fn move_overhead(mut self, overhead: Duration) -> Self {
        self.engine.set_move_overhead(overhead);
        self
    }

    /// Sets whether the same position, depth or node limit and number of threads give the same answer; slower with more
    /// than one thread.
    pub fn deterministic(mut self, on: bool) -> Self {
        self.engine.set_deterministic(on);
        self
    }

    /// Sets the kind of search; alpha-beta by default.
    pub fn search_mode(mut self, mode: SearchMode) -> Self {
        self.engine.set_search_mode(mode);
        self
    }

    /// Sets the weights of the evaluation; the built-in ones by default.
    pub fn model(mut self, model: Arc<Model>) -> Self {
        self.engine.set_model(Some(model));
        self
    }

    /// Sets whether searches play moves of the opening book; off by default.
    pub fn own_book(mut self, on: bool) -> Self {
        self.engine.own_book().set_on(on);
        self
    }

    /// Sets the Polyglot files of the book, separated as in `PATH`; empty, the default: the embedded book.
    pub fn book_files(mut self, files: impl AsRef<OsStr>) -> Self {
        let files = files.as_ref().to_owned();
        self.engine.own_book().set_files(files);
        self
    }

    /// Sets the folders with Syzygy tablebases besides the embedded ones, separated as in `PATH`. A folder that cannot be read
    /// is no error: [`TablebaseOptions::take_messages`](super::TablebaseOptions::take_messages) names it.
    pub fn syzygy_path(mut self, folders: impl AsRef<OsStr>) -> Self {
        self.engine.tablebases().set_path(folders.as_ref());
        self
    }

    /// Builds the engine: allocates its memory, starts its threads, opens books and tablebases.
    ///
    /// # Errors
    /// The first setting that could not be applied.
    ///
    /// ```
    /// use lucena::{Engine, EngineError};
    ///
    /// let error = Engine::builder().own_book(true).book_files("missing.bin").build().unwrap_err();
    /// assert!(matches!(error, EngineError::Book(_)));
    /// ```
    pub fn build(mut self) -> Result<Engine, EngineError> {
        let errors = self.engine.prepare().err().unwrap_or_default();
        match errors.into_iter().next() {
            Some(error) => Err(error),
            None => Ok(self.engine),
        }
    }
}
