//! Scores of moves by search, for many positions.
//!
//! Each move is searched from its position with the same nodes and an empty TT, so a score depends on nothing but position,
//! move and nodes. Scores are appended to a log at once; a run that starts with the log searches only what is missing.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use thiserror::Error;

use super::score_log::{LogError, ScoreLog};
use crate::base::progress::Progress;
use crate::base::sync::Mutex;
use crate::base::value::Value;
use crate::book::entry::encode_move;
use crate::chess::{Game, Move};
use crate::search::limits::Limits;
use crate::search::local::LocalSearcher;

/// MiB of TT for each thread; the searches are short.
const HASH: usize = 2;

/// Why moves could not be scored.
#[derive(Debug, Error)]
pub enum ScoreError {
    #[error(transparent)]
    Log(#[from] LogError),
    /// There is no memory for a search.
    #[error("no memory for a search: {0}")]
    Memory(io::Error),
}

/// Which moves of a position to score.
#[derive(Clone, Debug)]
pub struct ScoreRequest {
    pub game: Game,
    /// Moves that are always scored.
    pub moves: Vec<Move>,
    /// Least number of moves to score; the search chooses the others, best first.
    pub min_moves: usize,
}

/// Moves with scores in centipawns from the mover's view; the search's own choice comes first.
pub type MoveScores = Vec<(Move, Value)>;

/// Scores moves by search and logs the scores.
pub struct MoveScorer {
    nodes: u64,
    log: Mutex<ScoreLog>,
}

impl MoveScorer {
    /// Searches each move with this many nodes. Reads the log at `path`, if given, and appends to it.
    ///
    /// # Errors
    /// [`LogError`] if the log cannot be read or written, is in use, or was made with other nodes, engine or weights.
    pub fn new(nodes: u64, path: Option<&Path>) -> Result<Self, LogError> {
        let log = path.map(|path| ScoreLog::open(path, nodes)).transpose()?;
        Ok(Self {
            nodes,
            log: Mutex::new(log.unwrap_or_default()),
        })
    }

    /// Nodes of each search.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Scores the moves of all requests on this many threads; the results are in the order of the requests.
    ///
    /// # Errors
    /// [`ScoreError`] if the log cannot be written or there is no memory.
    pub fn score_all(
        &self,
        requests: &[ScoreRequest],
        threads: usize,
        progress: &dyn Progress,
    ) -> Result<Vec<MoveScores>, ScoreError> {
        let next = AtomicUsize::new(0);
        let results: Vec<Mutex<MoveScores>> = requests.iter().map(|_| Mutex::default()).collect();
        let work = || -> Result<(), ScoreError> {
            let mut searcher = LocalSearcher::new(HASH).map_err(ScoreError::Memory)?;
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(request) = requests.get(index) else {
                    return Ok(());
                };
                *results[index].lock() = self.score(&mut searcher, request)?;
                progress.advance(1);
            }
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| {
                let panicked = |_| ScoreError::Memory(io::Error::other("a thread panicked"));
                worker.join().map_err(panicked)?
            })
        })?;
        Ok(results.into_iter().map(Mutex::into_inner).collect())
    }

    fn score(
        &self,
        searcher: &mut LocalSearcher,
        request: &ScoreRequest,
    ) -> Result<MoveScores, ScoreError> {
        let position = request.game.position();
        let key = request.game.book_key();
        let logged = self.log.lock().get(key);
        let legal = position.legal_moves();
        let mut scores: MoveScores = Vec::new();
        let mut fresh: MoveScores = Vec::new();
        for (raw, score) in &logged {
            scores.extend(
                legal
                    .iter()
                    .find(|&&mv| encode_move(mv) == *raw)
                    .map(|&mv| (mv, *score)),
            );
        }
        let game = Game::new(*position);
        let mut search = |moves: Vec<Move>| -> Option<(Move, Value)> {
            searcher.new_game();
            let limits = Limits {
                search_moves: moves,
                ..Limits::nodes(self.nodes)
            };
            searcher
                .search(&game, limits)
                .map(|found| (found.best, found.score))
        };
        let total = request.min_moves.min(legal.len());
        // The first search chooses among all moves, the next among those not scored yet.
        while scores.is_empty() && !legal.is_empty() || scores.len() + fresh.len() < total {
            let scored: Vec<Move> = scores.iter().chain(&fresh).map(|&(mv, _)| mv).collect();
            let left: Vec<Move> = legal
                .iter()
                .copied()
                .filter(|mv| !scored.contains(mv))
                .collect();
            let Some(found) = search(left) else { break };
            if scores.is_empty() {
                scores.push(found);
                self.log(key, &scores)?;
            } else {
                fresh.push(found);
            }
        }
        for &mv in &request.moves {
            if !scores.iter().chain(&fresh).any(|&(scored, _)| scored == mv) {
                fresh.extend(search(vec![mv]));
            }
        }
        if !fresh.is_empty() {
            self.log(key, &fresh)?;
        }
        scores.extend(fresh);
        Ok(scores)
    }

    /// Keeps scores and appends them to the log.
    fn log(&self, key: u64, scored: &[(Move, Value)]) -> Result<(), LogError> {
        let scores = scored.iter().map(|&(mv, score)| (encode_move(mv), score));
        self.log.lock().add(key, scores.collect())
    }
}
