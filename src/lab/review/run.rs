//! Reviews the games of files on several threads, one game a task, with the output in the order of the input.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use thiserror::Error;

use super::judge::Scale;
use super::key::VerdictStore;
use super::record::Record;
use super::report::{GameReport, JudgedMove, MoveReport};
use super::source;
use super::verdict::{Judge, ReviewLimit};
use super::worker::{Fault, Finished, ReviewOptions, Reviewed, Task, Worker};
use crate::base::progress::Progress;
use crate::chess::Game;
use crate::explain::Explainer;
use crate::lab::pgn::{RawGame, Splitter};
use crate::search::stop::Stop;

/// Games in progress per thread: enough that no thread waits for a long game, few enough to bound memory.
const GAMES_AHEAD: usize = 8;
/// The stack of a searching thread.
const STACK_BYTES: usize = 16 << 20;

/// The end of a review.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub games: u64,
    pub faults: u64,
    /// The review was stopped before its end.
    pub is_stopped: bool,
}

/// Why a review fails as a whole.
#[derive(Debug, Error)]
pub enum ReviewError {
    #[error("{0}")]
    Input(String),
    #[error("threads: {0}")]
    Threads(io::Error),
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// The games of all files, one after the other.
struct Games<'a> {
    paths: std::slice::Iter<'a, PathBuf>,
    open: Option<(String, Splitter<Box<dyn io::Read + Send>>)>,
    stop: &'a Stop,
}

impl Games<'_> {
    /// The next game, or a fault that ends a file.
    fn next_game(&mut self) -> Option<Result<(String, RawGame), Fault>> {
        loop {
            let fault = |source: &str, error: io::Error| Fault {
                source: source.to_owned(),
                number: 0,
                is_position: false,
                message: error.to_string(),
            };
            if let Some((name, splitter)) = &mut self.open {
                match splitter.next_game() {
                    Ok(Some(game)) => return Some(Ok((name.clone(), game))),
                    Ok(None) => self.open = None,
                    Err(error) => {
                        let fault = fault(name, error);
                        self.open = None;
                        return Some(Err(fault));
                    }
                }
            } else {
                let path = self.paths.next()?;
                let name = path.display().to_string();
                match source::open(path, self.stop) {
                    Ok(source) => self.open = Some((name, Splitter::new(source))),
                    Err(error) => return Some(Err(fault(&name, error))),
                }
            }
        }
    }
}

/// The number of games in files; `None` if a file can be read only once.
fn count(paths: &[PathBuf], stop: &Stop) -> Option<u64> {
    let is_file = |path: &Path| path.metadata().is_ok_and(|metadata| metadata.is_file());
    if !paths.iter().all(|path| is_file(path)) {
        return None;
    }
    let mut games = Games {
        paths: paths.iter(),
        open: None,
        stop,
    };
    let mut count = 0;
    // A file that cannot be read is reported in the place of a game.
    while !stop.is_stopped() && games.next_game().is_some() {
        count += 1;
    }
    Some(count)
}

/// Reviews the games of files or folders; `-` is standard input. Each game, or why it was skipped, goes to `take` in the
/// order of the input. After `stop` is set, games in work are dropped. Verdicts in `known` are taken from there, and new
/// ones are kept in it.
///
/// # Errors
/// An error if an input does not exist, a thread cannot start, or `take` fails.
pub fn review(
    given: &[PathBuf],
    options: &ReviewOptions,
    known: Option<&dyn VerdictStore>,
    progress: &dyn Progress,
    stop: &Stop,
    take: &mut dyn FnMut(Reviewed) -> io::Result<()>,
) -> Result<Summary, ReviewError> {
    let paths = source::files(given).map_err(ReviewError::Input)?;
    let count = count(&paths, stop);
    let range = match (options.shard, count) {
        (None, _) => 0..u64::MAX,
        (Some(shard), Some(count)) => shard.range(count),
        (Some(_), None) => return Err(ReviewError::Input("a shard needs files".into())),
    };
    progress.start(count.map_or(0, |count| count.min(range.end) - range.start));
    let mut games = Games {
        paths: paths.iter(),
        open: None,
        stop,
    };
    for _ in 0..range.start {
        let _ = games.next_game();
    }
    let threads = options.threads.max(1);
    let (tasks, waiting) = bounded::<Task>(threads * GAMES_AHEAD);
    let (done, finished) = unbounded::<Finished>();
    let result = thread::scope(|scope| {
        for _ in 0..threads {
            let judge = Judge::new(options.limit)
                .map_err(ReviewError::Threads)?
                .with_stop(stop);
            let (signal, ticket) = stop.signal();
            let explainer = Explainer::small(1)
                .map_err(ReviewError::Threads)?
                .with_signal(signal, ticket);
            let (waiting, done) = (waiting.clone(), done.clone());
            let mut worker = Worker {
                judge,
                explainer,
                options,
                known,
                stop: stop.clone(),
                before: range.start,
            };
            thread::Builder::new()
                .name("review".into())
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || worker.serve(&waiting, &done))
                .map_err(ReviewError::Threads)?;
        }
        drop((waiting, done));
        let result = collect(
            games,
            &tasks,
            &finished,
            (threads * GAMES_AHEAD, range.end - range.start),
            progress,
            take,
        );
        if result.is_err() {
            // The games in progress are no longer needed.
            stop.stop();
        }
        // Threads end when no task can come.
        drop(tasks);
        result
    });
    progress.finish();
    let mut summary = result?;
    summary.is_stopped = stop.is_stopped();
    Ok(summary)
}

/// Reviews one game on the thread of the caller. Verdicts in `known` are taken from there, and new ones are kept in it.
/// `watch` gets the number of plies and each judged move; the review ends, and there is no report, if it returns false or the
/// stop is set.
///
/// # Errors
/// [`ReviewError::Threads`] if the memory could not be allocated.
pub fn review_game(
    source: &str,
    record: Record,
    limit: ReviewLimit,
    known: Option<&dyn VerdictStore>,
    stop: &Stop,
    watch: &mut dyn FnMut(usize, MoveReport) -> bool,
) -> Result<Option<GameReport>, ReviewError> {
    let options = ReviewOptions {
        limit,
        scale: Scale::default(),
        threads: 1,
        shard: None,
        player: None,
    };
    let (signal, ticket) = stop.signal();
    let mut worker = Worker {
        judge: Judge::new(limit)
            .map_err(ReviewError::Threads)?
            .with_stop(stop),
        explainer: Explainer::small(1)
            .map_err(ReviewError::Threads)?
            .with_signal(signal, ticket),
        options: &options,
        known,
        stop: stop.clone(),
        before: 0,
    };
    let (plies, mut ply) = (record.moves.len(), 0);
    let mut watch = |game: &Game, judged: &JudgedMove| {
        ply += 1;
        watch(plies, MoveReport::new(ply, game, judged))
    };
    Ok(worker.game(source.into(), record, &mut watch))
}

/// Hands out games and takes the finished ones in order.
fn collect(
    mut games: Games<'_>,
    tasks: &Sender<Task>,
    finished: &Receiver<Finished>,
    (most, all): (usize, u64),
    progress: &dyn Progress,
    take: &mut dyn FnMut(Reviewed) -> io::Result<()>,
) -> Result<Summary, ReviewError> {
    let mut summary = Summary::default();
    let mut ready: BTreeMap<u64, Option<Reviewed>> = BTreeMap::new();
    let (mut sent, mut taken) = (0, 0);
    let mut is_end = false;
    loop {
        while !is_end && sent - taken < most as u64 {
            if sent == all {
                is_end = true;
                break;
            }
            match games.next_game() {
                None => is_end = true,
                Some(Err(fault)) => {
                    ready.insert(sent, Some(Reviewed::Fault(fault)));
                    sent += 1;
                }
                Some(Ok((source, raw))) => {
                    let task = Task {
                        index: sent,
                        source,
                        raw,
                    };
                    if tasks.send(task).is_err() {
                        return Ok(summary);
                    }
                    sent += 1;
                }
            }
        }
        while let Some(result) = ready.remove(&taken) {
            taken += 1;
            let Some(result) = result else {
                return Ok(summary);
            };
            match result {
                Reviewed::Game(_) => summary.games += 1,
                Reviewed::Fault(_) => summary.faults += 1,
                Reviewed::LeftOut => {}
            }
            take(result)?;
            progress.advance(1);
        }
        if is_end && sent == taken {
            return Ok(summary);
        }
        if sent - taken >= most as u64 || is_end {
            let Ok(Finished { index, result }) = finished.recv() else {
                return Ok(summary);
            };
            ready.insert(index, result);
        }
    }
}
