//! Reviews the games of files on several threads, one game a task, with the output in the order of the input.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use thiserror::Error;

use super::judge::{Judgement, Mark, Scale};
use super::key::{self, VerdictStore};
use super::list;
use super::profile::is_player;
use super::reasons::Reasons;
use super::record::{Item, Record};
use super::report::{GameReport, JudgedMove, MoveReport};
use super::source;
use super::verdict::{Judge, ReviewLimit, Verdict};
use super::words;
use crate::base::progress::Progress;
use crate::chess::{Game, Move};
use crate::explain::Explainer;
use crate::lab::pgn::{RawGame, Splitter};
use crate::lab::shard::Shard;
use crate::search::stop::Stop;

/// Games in progress per thread: enough that no thread waits for a long game, few enough to bound memory.
const GAMES_AHEAD: usize = 8;
/// The stack of a searching thread.
const STACK_BYTES: usize = 16 << 20;

/// How to review.
#[derive(Clone, Debug)]
pub struct ReviewOptions {
    pub limit: ReviewLimit,
    pub scale: Scale,
    pub threads: usize,
    pub shard: Option<Shard>,
    /// Games in which nobody of this name plays are left out.
    pub player: Option<String>,
}

/// A game that was skipped, or a file that ends early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub source: String,
    /// The number of the game or position, from 1; 0 for the file itself.
    pub number: u64,
    /// It is a position of a list.
    pub is_position: bool,
    /// The line and the reason.
    pub message: String,
}

/// The outcome of a game's review.
#[derive(Clone, Debug)]
pub enum Reviewed {
    Game(Box<GameReport>),
    Fault(Fault),
    /// The player does not play in it.
    LeftOut,
}

impl Reviewed {
    /// Whether it is a position of a list.
    pub const fn is_position(&self) -> bool {
        match self {
            Self::Game(game) => game.record.is_position,
            Self::Fault(fault) => fault.is_position,
            Self::LeftOut => false,
        }
    }
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

/// A thread that reviews games.
struct Worker<'a> {
    judge: Judge,
    explainer: Explainer,
    options: &'a ReviewOptions,
    known: Option<&'a dyn VerdictStore>,
    stop: Stop,
    /// Games before the first one.
    before: u64,
}

impl Worker<'_> {
    fn serve(&mut self, tasks: &Receiver<Task>, done: &Sender<Finished>) {
        while let Ok(task) = tasks.recv() {
            let Task { index, source, raw } = task;
            let result = match list::parse(&raw) {
                Err(error) => Some(Reviewed::Fault(Fault {
                    source,
                    number: raw.number,
                    is_position: raw.is_position,
                    message: error.to_string(),
                })),
                Ok(record) if !self.is_wanted(&record) => Some(Reviewed::LeftOut),
                Ok(record) => self.game(source, record, &mut |_, _| true).map(|mut game| {
                    game.index = self.before + index + 1;
                    Reviewed::Game(Box::new(game))
                }),
            };
            if done.send(Finished { index, result }).is_err() {
                break;
            }
        }
    }

    /// Whether the player plays in a game.
    fn is_wanted(&self, record: &Record) -> bool {
        self.options.player.as_ref().is_none_or(|player| {
            let names = ["White", "Black"].map(|name| record.tag(name));
            let is_player = |name: &&str| is_player(name, player);
            names.iter().flatten().any(is_player)
        })
    }

    /// Reviews a game; `None` if it was stopped.
    fn game(
        &mut self,
        source: String,
        mut record: Record,
        watch: &mut dyn FnMut(&Game, &JudgedMove) -> bool,
    ) -> Option<GameReport> {
        let ReviewOptions { limit, scale, .. } = *self.options;
        let mut game = Game::new(record.start);
        if record.is_position && record.moves.is_empty() && record.start.has_legal_move() {
            let best = self.verdict(&game, None)?.best;
            record.items.push(Item::of(&record.start, best));
            record.moves.push(best);
        }
        let mut judged = Vec::with_capacity(record.moves.len());
        let mut last = None;
        for &mv in &record.moves {
            let verdict = self.verdict(&game, Some(mv))?;
            let judgement = Judgement::of(&game, mv, last, &verdict, scale);
            let mut text = words::lead(&game, mv, &verdict, &judgement);
            let mut reasons = None;
            if judgement.mark.is_some_and(Mark::is_mistake) {
                let found = self.reasons(&game, mv, &verdict)?;
                text.extend(found.sentences);
                let rating = record.rating(game.position().turn());
                if judgement.lost() >= words::CLEAR_LOSS {
                    let said = words::refutation(&game, mv, &verdict, &text[1..]);
                    text.extend(said);
                    text.extend(words::overlooked(&game, mv, &verdict, rating));
                }
                reasons = Some(found.shares);
            }
            let found = JudgedMove {
                mv,
                verdict,
                judgement,
                text,
                reasons,
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

    /// A verdict from the store or by a search; `None` if the search was stopped.
    fn verdict(&mut self, game: &Game, mv: Option<Move>) -> Option<Verdict> {
        let key = key::key(key::VERDICT, game, mv, self.options.limit);
        let kept = self.known.and_then(|known| known.get(&key));
        if let Some(kept) = kept.and_then(|text| Verdict::from_text(game.position(), &text)) {
            return Some(kept).filter(|_| !self.stop.is_stopped());
        }
        let found = self.judge.verdict(game, mv)?;
        self.keep(key, || found.to_text())?;
        Some(found)
    }

    /// Why a mistake is one, likewise.
    fn reasons(&mut self, game: &Game, mv: Move, verdict: &Verdict) -> Option<Reasons> {
        let limit = self.options.limit;
        let key = key::key(key::REASONS, game, Some(mv), limit);
        let kept = self.known.and_then(|known| known.get(&key));
        if let Some(kept) = kept.and_then(|text| Reasons::from_text(&text)) {
            return Some(kept);
        }
        let found = Reasons::find(game, mv, verdict, &mut self.explainer, limit);
        self.keep(key, || found.to_text())?;
        Some(found)
    }

    /// Keeps a text for later runs; `None` if the text may be incomplete because of a stop.
    fn keep(&self, key: String, text: impl FnOnce() -> String) -> Option<()> {
        if self.stop.is_stopped() {
            return None;
        }
        if let Some(known) = self.known {
            known.put(key, text());
        }
        Some(())
    }
}
