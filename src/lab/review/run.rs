//! Reviews the games of files on several threads, one game a task, with the output in the order of the input.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use thiserror::Error;

use super::judge::{Judgement, Mark, Scale};
use super::key::{self, Known};
use super::record::Record;
use super::report::{GameReport, JudgedMove, MoveReport};
use super::source;
use super::splitter::{RawGame, Splitter};
use super::verdict::{Judge, ReviewLimit, Verdict};
use super::words;
use crate::base::progress::Progress;
use crate::chess::{Game, Move};
use crate::explain::Explainer;

/// Games in work, for each thread: enough that none waits for a long game, few enough for flat memory.
const GAMES_AHEAD: usize = 8;
/// The stack of a searching thread.
const STACK_BYTES: usize = 16 << 20;

/// How to review.
#[derive(Clone, Copy, Debug)]
pub struct ReviewOptions {
    pub limit: ReviewLimit,
    pub scale: Scale,
    pub threads: usize,
    pub shard: Option<Shard>,
}

/// One of several parts of the games, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 to `of`.
    pub number: u64,
    pub of: u64,
}

impl Shard {
    /// The indices of its games among all.
    fn range(self, all: u64) -> Range<u64> {
        let start =
            |number: u64| (u128::from(all) * u128::from(number) / u128::from(self.of)) as u64;
        start(self.number - 1)..start(self.number)
    }
}

/// A game that was skipped, or a file that ends early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub source: String,
    /// The number of the game, from 1.
    pub number: u64,
    /// The line and the reason.
    pub message: String,
}

/// What became of a game.
#[derive(Clone, Debug)]
pub enum Reviewed {
    Game(Box<GameReport>),
    Fault(Fault),
}

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

struct Task {
    index: u64,
    source: String,
    raw: RawGame,
}

/// A finished task; `None` if it was stopped.
struct Finished {
    index: u64,
    result: Option<Reviewed>,
}

/// The games of all files, one after the other.
struct Games<'a> {
    paths: std::slice::Iter<'a, PathBuf>,
    open: Option<(String, Splitter<Box<dyn io::Read + Send>>)>,
}

impl Games<'_> {
    /// The next game, or a fault that ends a file.
    fn next_game(&mut self) -> Option<Result<(String, RawGame), Fault>> {
        loop {
            let fault = |source: &str, error: io::Error| Fault {
                source: source.to_owned(),
                number: 0,
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
                match source::open(path) {
                    Ok(source) => self.open = Some((name, Splitter::new(source))),
                    Err(error) => return Some(Err(fault(&name, error))),
                }
            }
        }
    }
}

/// The number of games in files; `None` if a file can be read only once.
fn count(paths: &[PathBuf]) -> Option<u64> {
    let is_file = |path: &Path| path.metadata().is_ok_and(|metadata| metadata.is_file());
    if !paths.iter().all(|path| is_file(path)) {
        return None;
    }
    let mut games = Games {
        paths: paths.iter(),
        open: None,
    };
    let mut count = 0;
    // A file that cannot be read is reported in the place of a game.
    while games.next_game().is_some() {
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
    known: Option<&dyn Known>,
    progress: &dyn Progress,
    stop: &AtomicBool,
    take: &mut dyn FnMut(Reviewed) -> io::Result<()>,
) -> Result<Summary, ReviewError> {
    let paths = source::files(given).map_err(ReviewError::Input)?;
    let count = count(&paths);
    let range = match (options.shard, count) {
        (None, _) => 0..u64::MAX,
        (Some(shard), Some(count)) => shard.range(count),
        (Some(_), None) => return Err(ReviewError::Input("a shard needs files".into())),
    };
    progress.start(count.map_or(0, |count| count.min(range.end) - range.start));
    let mut games = Games {
        paths: paths.iter(),
        open: None,
    };
    for _ in 0..range.start {
        let _ = games.next_game();
    }
    let threads = options.threads.max(1);
    let (tasks, waiting) = bounded::<Task>(threads * GAMES_AHEAD);
    let (done, finished) = unbounded::<Finished>();
    let result = thread::scope(|scope| {
        for _ in 0..threads {
            let judge = Judge::new(options.limit).map_err(ReviewError::Threads)?;
            let explainer = Explainer::small(1).map_err(ReviewError::Threads)?;
            let (waiting, done) = (waiting.clone(), done.clone());
            let mut worker = Worker {
                judge,
                explainer,
                options: *options,
                known,
                before: range.start,
            };
            thread::Builder::new()
                .name("review".into())
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || worker.serve(&waiting, &done, stop))
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
        // Threads end when no task can come.
        drop(tasks);
        result
    });
    progress.finish();
    let mut summary = result?;
    summary.is_stopped = stop.load(Ordering::Relaxed);
    Ok(summary)
}

/// Reviews one game on the thread of the caller. `watch` gets the number of plies and each judged move; the review ends, and
/// there is no report, if it returns false.
///
/// # Errors
/// [`ReviewError::Threads`] if the memory could not be allocated.
pub fn review_game(
    source: &str,
    record: Record,
    limit: ReviewLimit,
    watch: &mut dyn FnMut(usize, MoveReport) -> bool,
) -> Result<Option<GameReport>, ReviewError> {
    let mut worker = Worker {
        judge: Judge::new(limit).map_err(ReviewError::Threads)?,
        explainer: Explainer::small(1).map_err(ReviewError::Threads)?,
        options: ReviewOptions {
            limit,
            scale: Scale::default(),
            threads: 1,
            shard: None,
        },
        known: None,
        before: 0,
    };
    let (plies, mut ply) = (record.moves.len(), 0);
    let mut watch = |game: &Game, judged: &JudgedMove| {
        ply += 1;
        watch(plies, MoveReport::new(ply, game, judged))
    };
    Ok(worker.game(source.into(), record, &AtomicBool::new(false), &mut watch))
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

/// A thread that reviews games.
struct Worker<'a> {
    judge: Judge,
    explainer: Explainer,
    options: ReviewOptions,
    known: Option<&'a dyn Known>,
    /// Games before the first one.
    before: u64,
}

impl Worker<'_> {
    fn serve(&mut self, tasks: &Receiver<Task>, done: &Sender<Finished>, stop: &AtomicBool) {
        while let Ok(task) = tasks.recv() {
            let Task { index, source, raw } = task;
            let result = match Record::parse(&raw) {
                Err(error) => Some(Reviewed::Fault(Fault {
                    source,
                    number: raw.number,
                    message: error.to_string(),
                })),
                Ok(record) => self
                    .game(source, record, stop, &mut |_, _| true)
                    .map(|mut game| {
                        game.index = self.before + index + 1;
                        Reviewed::Game(Box::new(game))
                    }),
            };
            if done.send(Finished { index, result }).is_err() {
                break;
            }
        }
    }

    /// Reviews a game; `None` if it was stopped.
    fn game(
        &mut self,
        source: String,
        record: Record,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&Game, &JudgedMove) -> bool,
    ) -> Option<GameReport> {
        let ReviewOptions { limit, scale, .. } = self.options;
        let mut game = Game::new(record.start);
        let mut judged = Vec::with_capacity(record.moves.len());
        let mut last = None;
        for &mv in &record.moves {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let verdict = self.verdict(&game, mv)?;
            let judgement = Judgement::of(&game, mv, last, &verdict, scale);
            let mut text = words::lead(&game, mv, &verdict, &judgement);
            if judgement.mark.is_some_and(Mark::is_mistake) {
                text.extend(self.claims(&game, mv, &verdict));
            }
            let found = JudgedMove {
                mv,
                verdict,
                judgement,
                text,
            };
            if !watch(&game, &found) {
                return None;
            }
            judged.push(found);
            game.play(mv);
            last = Some(mv);
        }
        Some(GameReport::new(source, record, &judged, limit, scale))
    }

    /// A verdict from the store or by a search.
    fn verdict(&mut self, game: &Game, mv: Move) -> Option<Verdict> {
        let Some(known) = self.known else {
            return self.judge.verdict(game, mv);
        };
        let key = key::key(key::VERDICT, game, mv, self.options.limit);
        let kept = known.get(&key);
        if let Some(kept) = kept.and_then(|text| Verdict::from_text(game.position(), &text)) {
            return Some(kept);
        }
        let found = self.judge.verdict(game, mv)?;
        known.put(key, found.to_text());
        Some(found)
    }

    /// Sentences about a mistake, likewise.
    fn claims(&mut self, game: &Game, mv: Move, verdict: &Verdict) -> Vec<String> {
        let limit = self.options.limit;
        let mut find = || words::claims(game, mv, verdict, &mut self.explainer, limit);
        let Some(known) = self.known else {
            return find();
        };
        let key = key::key(key::SENTENCES, game, mv, limit);
        if let Some(kept) = known.get(&key) {
            return kept.lines().map(str::to_owned).collect();
        }
        let found = find();
        known.put(key, found.join("\n"));
        found
    }
}
