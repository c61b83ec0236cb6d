//! What a search thinks of the moves of many positions.
//! Uses: entry, chess; search, value. Used by: grow, verify.
//! Idea: every move is searched on its own from the same position, with the same nodes and without any memory, so a
//! judgement depends on nothing but position, move and nodes; each is written into a log at once, and whoever starts again
//! with that log asks only what is not in it.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use thiserror::Error;

use crate::base::progress::Progress;
use crate::base::value::Value;
use crate::book::entry::encode_move;
use crate::chess::{Game, Move};
use crate::search::limits::Limits;
use crate::search::local::LocalSearcher;

/// Mebibytes of memory for each searcher: its searches are short.
const HASH: usize = 2;

/// Why there is no judgement.
#[derive(Debug, Error)]
pub enum ScoreError {
    /// The log cannot be read or written.
    #[error("{}: {error}", path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The log belongs to other searches.
    #[error("{}: begins with `{found}`, not with `{wanted}`: made with other nodes, or no log", path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// Its first line.
        found: String,
        /// What it would have to be.
        wanted: String,
    },
    /// A searcher could not be had.
    #[error("no memory for a search: {0}")]
    Memory(io::Error),
}

/// A question: which moves of a position are to be judged.
#[derive(Clone, Debug)]
pub struct ScoreRequest {
    /// The position.
    pub game: Game,
    /// Moves that are to be judged whatever they are worth.
    pub wanted: Vec<Move>,
    /// Moves to be judged at least, the best by search first.
    pub at_least: usize,
}

/// Scores of moves in centipawns, from the mover's view, in the order in which they were asked: the search's own choice
/// comes first.
pub type MoveScores = Vec<(Move, Value)>;

/// Scores by the bits of the move.
type Known = HashMap<u64, Vec<(u16, Value)>>;

/// Judges moves and remembers.
pub struct MoveScorer {
    nodes: u64,
    path: Option<PathBuf>,
    log: Option<Mutex<File>>,
    known: Mutex<Known>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl MoveScorer {
    /// A judge who searches each move with this many nodes and keeps a log, if one is named.
    ///
    /// # Errors
    /// [`ScoreError`] if the log cannot be used.
    pub fn new(nodes: u64, path: Option<&Path>) -> Result<Self, ScoreError> {
        let mut judge = Self {
            nodes,
            path: path.map(Path::to_owned),
            log: None,
            known: Mutex::default(),
        };
        let Some(path) = path else { return Ok(judge) };
        let failed = |error| ScoreError::Log {
            path: path.to_owned(),
            error,
        };
        let header = format!("lucena judgements, {nodes} nodes a move");
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(failed)?;
        let mut lines = BufReader::new(&file).lines();
        match lines.next() {
            Some(found) => {
                let found = found.map_err(failed)?;
                if found != header {
                    return Err(ScoreError::Header {
                        path: path.to_owned(),
                        found: found.chars().take(80).collect(),
                        wanted: header,
                    });
                }
            }
            None => writeln!(&file, "{header}").map_err(failed)?,
        }
        let mut known = Known::new();
        for line in lines {
            // The last line may be cut off: what it said is searched again.
            read_line(&line.map_err(failed)?, &mut known);
        }
        // A cut line must not swallow the next one.
        writeln!(file).map_err(failed)?;
        judge.known = Mutex::new(known);
        judge.log = Some(Mutex::new(file));
        Ok(judge)
    }

    /// Nodes of each search.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Judges the moves of all questions, on this many threads. The answers stand in the order of the questions.
    ///
    /// # Errors
    /// [`ScoreError`] if the log cannot be written or there is no memory.
    pub fn answer(
        &self,
        questions: &[ScoreRequest],
        threads: usize,
        progress: &dyn Progress,
    ) -> Result<Vec<MoveScores>, ScoreError> {
        let next = AtomicUsize::new(0);
        let answers: Vec<Mutex<MoveScores>> = questions.iter().map(|_| Mutex::default()).collect();
        let work = || -> Result<(), ScoreError> {
            let mut solo = LocalSearcher::new(HASH).map_err(ScoreError::Memory)?;
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(question) = questions.get(index) else {
                    return Ok(());
                };
                *lock(&answers[index]) = self.judge(&mut solo, question)?;
                progress.advance(1);
            }
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| {
                let gone = |_| ScoreError::Memory(io::Error::other("a searcher has failed"));
                worker.join().map_err(gone)?
            })
        })?;
        let taken = |answer: Mutex<_>| answer.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(answers.into_iter().map(taken).collect())
    }

    /// Judges the moves of one question.
    fn judge(
        &self,
        solo: &mut LocalSearcher,
        question: &ScoreRequest,
    ) -> Result<MoveScores, ScoreError> {
        let position = question.game.position();
        let key = question.game.book_key();
        let known = lock(&self.known).get(&key).cloned().unwrap_or_default();
        let legal = position.legal_moves();
        let mut answer: MoveScores = Vec::new();
        let mut fresh: MoveScores = Vec::new();
        for (raw, score) in &known {
            answer.extend(
                legal
                    .iter()
                    .find(|&&mv| encode_move(mv) == *raw)
                    .map(|&mv| (mv, *score)),
            );
        }
        let game = Game::new(*position);
        let mut search = |moves: Vec<Move>| -> Option<(Move, Value)> {
            solo.forget();
            let limits = Limits {
                search_moves: moves,
                ..Limits::nodes(self.nodes)
            };
            solo.search(&game, limits)
                .map(|found| (found.best, found.score))
        };
        let total = question.at_least.min(legal.len());
        // The first line of a position is the search's own choice; the next are choices among what is left.
        while answer.is_empty() && !legal.is_empty() || answer.len() + fresh.len() < total {
            let judged: Vec<Move> = answer.iter().chain(&fresh).map(|&(mv, _)| mv).collect();
            let left: Vec<Move> = legal
                .iter()
                .copied()
                .filter(|mv| !judged.contains(mv))
                .collect();
            let Some(found) = search(left) else { break };
            if answer.is_empty() {
                answer.push(found);
                self.note(key, &answer)?;
            } else {
                fresh.push(found);
            }
        }
        for &mv in &question.wanted {
            if !answer.iter().chain(&fresh).any(|&(judged, _)| judged == mv) {
                fresh.extend(search(vec![mv]));
            }
        }
        if !fresh.is_empty() {
            self.note(key, &fresh)?;
        }
        answer.extend(fresh);
        Ok(answer)
    }

    /// Remembers scores and writes them into the log.
    fn note(&self, key: u64, judged: &[(Move, Value)]) -> Result<(), ScoreError> {
        let scores = judged.iter().map(|&(mv, score)| (encode_move(mv), score));
        let mut line = format!("{key:016x}");
        for (raw, score) in scores.clone() {
            let _ = write!(line, " {raw:04x}:{score}");
        }
        lock(&self.known).entry(key).or_default().extend(scores);
        let (Some(log), Some(path)) = (&self.log, &self.path) else {
            return Ok(());
        };
        lock(log)
            .write_all((line + " .\n").as_bytes())
            .map_err(|error| ScoreError::Log {
                path: path.clone(),
                error,
            })
    }
}

/// Reads a line of a log: a key, scored moves and a full stop. A line without its end is passed over.
fn read_line(line: &str, known: &mut Known) {
    let words: Vec<&str> = line.split(' ').collect();
    let [key, moves @ .., "."] = words.as_slice() else {
        return;
    };
    let scored = |word: &&str| -> Option<(u16, Value)> {
        let (raw, score) = word.split_once(':')?;
        Some((u16::from_str_radix(raw, 16).ok()?, score.parse().ok()?))
    };
    if let (Ok(key), Some(scores)) = (
        u64::from_str_radix(key, 16),
        moves.iter().map(scored).collect::<Option<Vec<_>>>(),
    ) {
        known.entry(key).or_default().extend(scores);
    }
}
