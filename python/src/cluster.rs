//! Parts of long tasks, each a function of what it is given, for machines that share no disk.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use lucena::api::{Stop, review};
use lucena::engine::Engine;
use lucena::eval::BUILT_IN;
use lucena::lab::pgn::RawGame;
use lucena::lab::review::key::VerdictStore;
use lucena::lab::review::recall::load_game;
use lucena::lab::review::record::Record;
use lucena::lab::review::report::GameReport;
use lucena::lab::review::review_game;
use lucena::lab::review::store::Store;
use lucena::lab::suites::suite::solve;
use lucena::lab::suites::{Epd, SuiteLimits};
use lucena::lab::train::header::Header;
use lucena::lab::train::random_opening::OpeningSource;
use lucena::lab::train::selfplay::{HASH, SelfPlayPlan, play};
use lucena::lab::train::store::GameStore;
use lucena::search::local::LocalSearcher;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;

use crate::errors::{StoreError, failed, of_api};
use crate::games::NativeGames;
use crate::wait;

/// A game of a file: its number and its first line, both from 1, its text, and whether it is a line of a list of positions
/// and too long.
type RawText<Text = Vec<u8>> = (u64, u64, Text, bool, bool);
/// A game that cannot be read: its number, the line at fault and the message.
type GameFault = (u64, u64, String);

/// Cuts games off the front of a source: at most this number of games, and (but for the last one) of bytes.
#[pyfunction]
pub fn next_games<'py>(
    py: Python<'py>,
    games: &NativeGames,
    most: usize,
    bytes: usize,
) -> PyResult<Vec<RawText<Bound<'py, PyBytes>>>> {
    let (mut chunk, mut size) = (Vec::new(), 0);
    while chunk.len() < most && size < bytes {
        let Some(raw) = games.next_raw()? else { break };
        size += raw.text.len();
        let text = PyBytes::new(py, &raw.text);
        chunk.push((raw.number, raw.line, text, raw.is_position, raw.is_too_long));
    }
    Ok(chunk)
}

fn raw_game((number, line, text, is_position, is_too_long): RawText) -> RawGame {
    RawGame {
        number,
        line,
        text,
        is_position,
        is_too_long,
    }
}

/// Keeps what a review finds, to be sent elsewhere.
#[derive(Default)]
struct Recorder {
    entries: Mutex<Vec<(String, String)>>,
}

impl VerdictStore for Recorder {
    fn get(&self, _key: &str) -> Option<String> {
        None
    }

    fn put(&self, key: String, value: String) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.push((key, value));
    }

    fn finish(&self) -> io::Result<()> {
        Ok(())
    }
}

/// The reviews of some games.
#[derive(Default)]
struct Reviews {
    /// Lines of `lucena review --json`.
    lines: Vec<u8>,
    faults: Vec<GameFault>,
}

impl Reviews {
    /// Reads a game; `None`, and a fault is kept, if it cannot be read.
    fn read(&mut self, raw: RawText) -> Option<Record> {
        let raw = raw_game(raw);
        let record = Record::parse(&raw);
        let fault = |error: lucena::lab::pgn::text::GameError| {
            self.faults.push((raw.number, error.line, error.message));
        };
        record.map_err(fault).ok()
    }

    fn add(&mut self, report: &GameReport) -> PyResult<()> {
        serde_json::to_writer(&mut self.lines, report).map_err(failed)?;
        writeln!(self.lines)?;
        Ok(())
    }
}

/// What [`review_chunk`] returns: lines, faults, and the entries for a store.
type ReviewedChunk<'py> = (Bound<'py, PyBytes>, Vec<GameFault>, Vec<(String, String)>);

/// Reviews games: lines of `lucena review --json`, the number, line and message of each game that cannot be read, and the
/// keys and values that a store of reviews keeps.
#[pyfunction]
pub fn review_chunk<'py>(
    py: Python<'py>,
    source: String,
    games: Vec<RawText>,
    nodes: Option<u64>,
) -> PyResult<ReviewedChunk<'py>> {
    let limit = review::limit(nodes).map_err(of_api)?;
    let stop = Stop::default();
    let work = |_| -> PyResult<_> {
        let (mut reviews, recorder) = (Reviews::default(), Recorder::default());
        for raw in games {
            let Some(record) = reviews.read(raw) else {
                continue;
            };
            let known = Some(&recorder as &dyn VerdictStore);
            let reviewed = review_game(&source, record, limit, known, &stop, &mut |_, _| true);
            let report = reviewed.map_err(failed)?;
            reviews.add(&report.ok_or_else(|| failed("the review was stopped"))?)?;
        }
        let entries = recorder.entries.into_inner();
        Ok((reviews, entries.unwrap_or_else(PoisonError::into_inner)))
    };
    let (reviews, entries) = wait::run(py, &|| stop.stop(), None, work)??;
    Ok((PyBytes::new(py, &reviews.lines), reviews.faults, entries))
}

/// A store of reviews, as `lucena review --store` writes it.
#[pyclass(frozen)]
pub struct NativeReviewStore {
    path: PathBuf,
    store: Store,
}

#[pymethods]
impl NativeReviewStore {
    /// Opens or creates a store.
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        match Store::open(&path, true) {
            Ok(store) => Ok(Self { path, store }),
            Err(error) => Err(StoreError::new_err(format!("{}: {error}", path.display()))),
        }
    }

    /// The reviews of games as in [`review_chunk`], if the store has all of them.
    fn recall<'py>(
        &self,
        py: Python<'py>,
        source: String,
        games: Vec<RawText>,
        nodes: Option<u64>,
    ) -> PyResult<Option<(Bound<'py, PyBytes>, Vec<GameFault>)>> {
        let limit = review::limit(nodes).map_err(of_api)?;
        let recall = || -> PyResult<_> {
            let mut reviews = Reviews::default();
            for raw in games {
                let Some(record) = reviews.read(raw) else {
                    continue;
                };
                let report = load_game(&source, record, limit, &self.store).map_err(failed)?;
                let Some(report) = report else {
                    return Ok(None);
                };
                reviews.add(&report)?;
            }
            Ok(Some(reviews))
        };
        let found = py.detach(recall)?;
        Ok(found.map(|reviews| (PyBytes::new(py, &reviews.lines), reviews.faults)))
    }

    /// Writes entries to disk, all or none.
    fn put(&self, py: Python<'_>, entries: Vec<(String, String)>) -> PyResult<()> {
        let written = py.detach(|| self.store.write(&entries));
        written.map_err(|error| StoreError::new_err(format!("{}: {error}", self.path.display())))
    }
}

/// Plays training games by their numbers and returns them as a file keeps them.
#[pyfunction]
pub fn play_games<'py>(
    py: Python<'py>,
    seed: u64,
    nodes: u64,
    numbers: Vec<u64>,
) -> PyResult<Vec<(u64, Bound<'py, PyBytes>)>> {
    let plan = SelfPlayPlan {
        games: 0,
        seed,
        nodes,
        shard: None,
        threads: 1,
        model: None,
        openings: OpeningSource::Random,
    };
    let mut games = Vec::new();
    for number in numbers {
        let work = |_| -> PyResult<_> {
            let mut searcher = LocalSearcher::new(HASH).map_err(failed)?;
            Ok(play(number, &plan, &mut searcher).to_bytes())
        };
        // A signal is noticed after the game, which takes about a second.
        let game = wait::run(py, &|| {}, None, work)??;
        games.push((number, PyBytes::new(py, &game)));
    }
    Ok(games)
}

/// A file of training games, as `lucena datagen` writes it.
#[pyclass(frozen)]
pub struct NativeGameStore {
    store: Mutex<Option<GameStore>>,
    /// The games that were in the file.
    #[pyo3(get)]
    played: Vec<u64>,
}

#[pymethods]
impl NativeGameStore {
    /// Opens or creates the file of a plan.
    #[new]
    fn new(folder: PathBuf, seed: u64, nodes: u64) -> PyResult<Self> {
        let header = Header::new(seed, nodes, BUILT_IN.weights(), OpeningSource::Random);
        let (store, played) = GameStore::open(&folder, &header, None)
            .map_err(|error| StoreError::new_err(error.to_string()))?;
        Ok(Self {
            store: Mutex::new(Some(store)),
            played: played.into_iter().collect(),
        })
    }

    /// Appends games.
    fn append(&self, games: Vec<(u64, Vec<u8>)>) -> PyResult<()> {
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let store = store.as_mut().ok_or_else(|| failed("the file is closed"))?;
        for (number, game) in games {
            store.append(number, &game).map_err(failed)?;
        }
        Ok(())
    }

    /// Syncs the file to disk.
    fn close(&self) -> PyResult<()> {
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        store
            .take()
            .map_or(Ok(()), |store| store.close().map_err(failed))
    }
}

/// The answer to a position of a suite.
#[derive(Serialize)]
struct SuiteAnswer {
    id: String,
    fen: String,
    /// In SAN.
    found: Option<String>,
    solved: bool,
    /// The effort to the answer, or the whole effort if it is wrong.
    depth: i32,
    nodes: u64,
}

/// Searches EPD lines as `lucena analyse` does: a JSON object for each position. Empty lines are left out.
#[pyfunction]
#[pyo3(signature = (lines, nodes, depth, movetime))]
pub fn solve_lines(
    py: Python<'_>,
    lines: Vec<String>,
    nodes: Option<u64>,
    depth: Option<i32>,
    movetime: Option<u64>,
) -> PyResult<Vec<String>> {
    let limits = SuiteLimits {
        nodes,
        depth,
        move_time: movetime.map(Duration::from_millis),
        hash: lucena::engine::DEFAULT_HASH,
    };
    let mut engine = Engine::new();
    let signal = engine.signal();
    let work = |_| -> PyResult<Vec<String>> {
        let mut answers = Vec::new();
        for line in &lines {
            let epd = Epd::parse(line);
            let Some(epd) = epd.map_err(|error| failed(format_args!("{line}: {error}")))? else {
                continue;
            };
            let answer = solve(&mut engine, &epd, &limits);
            let (position, effort) = (epd.game.position(), answer.solved.unwrap_or(answer.end));
            answers.push(crate::questions::json(&SuiteAnswer {
                id: epd.id.clone(),
                fen: position.to_fen(),
                found: answer.found.map(|mv| position.san(mv).to_string()),
                solved: answer.solved.is_some(),
                depth: effort.depth,
                nodes: effort.nodes,
            })?);
        }
        Ok(answers)
    };
    // After a signal the searches that follow end at once.
    wait::run(py, &|| signal.quit(), None, work)?
}
