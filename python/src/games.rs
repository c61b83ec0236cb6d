//! Reviews of games, one after the other.

use std::io::{self, Cursor, Read};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use lucena::api::{Stop, review};
use lucena::lab::pgn::{RawGame, Splitter};
use lucena::lab::review::profile::Profiler;
use lucena::lab::review::record::Record;
use lucena::lab::review::report::GameReport;
use lucena::lab::review::{ReviewLimit, annotate, html, review_game, source};
use pyo3::prelude::*;

use crate::errors::{PgnError, failed, of_api};
use crate::questions::json;
use crate::wait;

/// The games of a PGN text or file.
#[pyclass(frozen)]
pub struct NativeGames {
    source: String,
    games: Mutex<Splitter<Box<dyn Read + Send>>>,
    limit: ReviewLimit,
}

#[pymethods]
impl NativeGames {
    /// Games of a text.
    #[staticmethod]
    #[pyo3(signature = (text, nodes))]
    fn of_text(text: Vec<u8>, nodes: Option<u64>) -> PyResult<Self> {
        Self::new("text".into(), Box::new(Cursor::new(text)), nodes)
    }

    /// Games of a file, which may be compressed.
    #[staticmethod]
    #[pyo3(signature = (path, nodes))]
    fn of_file(path: PathBuf, nodes: Option<u64>) -> PyResult<Self> {
        let name = path.display().to_string();
        let opened = source::open(&path, &Stop::default());
        let opened = opened.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied => error.into(),
            _ => PgnError::new_err(format!("{name}: {error}")),
        });
        Self::new(name, opened?, nodes)
    }

    /// The review of the next game; `None` after the last one.
    fn next(&self, py: Python<'_>) -> PyResult<Option<NativeReview>> {
        let stop = Stop::default();
        wait::run(py, &|| stop.stop(), None, |_| self.review_next(&stop))?
    }
}

impl NativeGames {
    fn new(source: String, games: Box<dyn Read + Send>, nodes: Option<u64>) -> PyResult<Self> {
        Ok(Self {
            source,
            games: Mutex::new(Splitter::new(games)),
            limit: review::limit(nodes).map_err(of_api)?,
        })
    }

    /// The text of the next game.
    pub fn next_raw(&self) -> PyResult<Option<RawGame>> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let raw = games.next_game();
        raw.map_err(|error| {
            // What follows cannot be read either.
            *games = Splitter::new(Box::new(io::empty()));
            PgnError::new_err(format!("{}: {error}", self.source))
        })
    }

    fn review_next(&self, stop: &Stop) -> PyResult<Option<NativeReview>> {
        let Some(raw) = self.next_raw()? else {
            return Ok(None);
        };
        let record = Record::parse(&raw).map_err(|error| {
            let message = &error.message;
            let text = format!("game {}, line {}: {message}", raw.number, error.line);
            PgnError::new_err((text, raw.number, error.line))
        })?;
        let reviewed = review_game(&self.source, record, self.limit, None, stop, &mut |_, _| {
            true
        });
        let reviewed = reviewed.map_err(failed)?;
        // A stop raises an exception of its own.
        let report = reviewed.ok_or_else(|| failed("the review was stopped"))?;
        Ok(Some(NativeReview {
            report: Box::new(report),
        }))
    }
}

/// A reviewed game.
#[pyclass(frozen)]
pub struct NativeReview {
    /// In a box: Python aligns its objects to 16 bytes, and positions need 64.
    report: Box<GameReport>,
}

#[pymethods]
impl NativeReview {
    /// A line of `lucena review --json`.
    fn json(&self) -> PyResult<String> {
        json(&*self.report)
    }

    /// The annotated game.
    fn pgn(&self) -> PyResult<String> {
        let mut pgn = Vec::new();
        annotate::write(&self.report, &mut pgn)?;
        Ok(String::from_utf8_lossy(&pgn).into_owned())
    }

    /// A page with the game.
    fn html(&self) -> String {
        html::single_page(&self.report)
    }
}

/// The profile of a player over reviewed games, as JSON, and as text.
#[pyfunction]
pub fn profile(player: &str, games: Vec<PyRef<'_, NativeReview>>) -> PyResult<(String, String)> {
    let mut profiler = Profiler::new(player);
    for game in games {
        profiler.add(&game.report);
    }
    let profile = profiler.profile();
    Ok((json(&profile)?, profile.to_string()))
}
