//! The verdict of a search on a played move: its score and the best one's, from one root search of one depth.

use std::io;
use std::time::Duration;

use serde::Serialize;

use crate::base::clock::Instant;
use crate::base::value::{Depth, Value};
use crate::chess::{Game, Move};
use crate::search::limits::Limits;
use crate::search::local::LocalSearcher;
use crate::search::root::RootMove;
use crate::search::stop::Stop;

/// MiB of the TT.
const HASH: usize = 4;
/// Percent of the effort that finds the best move; the rest compares it with another one.
const SHARE_BEST: u64 = 60;
/// Plies kept of a line.
pub const MAX_LINE: usize = 12;

/// The effort for each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewLimit {
    Nodes(u64),
    /// In plies.
    Depth(Depth),
    /// In milliseconds.
    MoveTime(u64),
}

impl ReviewLimit {
    /// The part of the effort that a search has.
    fn share(self, percent: u64) -> Limits {
        match self {
            Self::Nodes(nodes) => Limits::nodes((nodes * percent / 100).max(1)),
            Self::Depth(depth) => Limits::depth(depth),
            Self::MoveTime(milliseconds) => Limits {
                started: Instant::now(),
                move_time: Some(Duration::from_micros(milliseconds * percent * 10)),
                ..Limits::none()
            },
        }
    }
}

/// What a search says of a played move. Scores are for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub best: Move,
    /// Never less than the score of the played move.
    pub best_score: Value,
    pub played_score: Value,
    /// If the played move is the best: how much worse the second best is, as two scores of one depth.
    pub second: Option<[Value; 2]>,
    /// The lines of both moves; the same if the played move is the best.
    pub best_line: Vec<Move>,
    pub played_line: Vec<Move>,
    pub depth: Depth,
    pub nodes: u64,
}

/// Finds verdicts; each depends on the game so far and the limit alone.
pub struct Judge {
    searcher: LocalSearcher,
    limit: ReviewLimit,
    nodes: u64,
}

impl Judge {
    /// # Errors
    /// The memory could not be allocated.
    pub fn new(limit: ReviewLimit) -> io::Result<Self> {
        Ok(Self {
            searcher: LocalSearcher::new(HASH)?,
            limit,
            nodes: 0,
        })
    }

    /// Lets a stop end the searches; a verdict that they end in means nothing.
    #[must_use]
    pub fn with_stop(mut self, stop: &Stop) -> Self {
        let (signal, ticket) = stop.signal();
        self.searcher = self.searcher.with_signal(signal, ticket);
        self
    }

    /// Compares a legal move with the best one; `None` stands for the best one itself.
    pub fn verdict(&mut self, game: &Game, played: Option<Move>) -> Option<Verdict> {
        self.searcher.new_game();
        self.nodes = 0;
        let legal = game.position().legal_moves().len();
        let percent = if legal == 1 { 10 } else { SHARE_BEST };
        let first = self.lines(game, &[], 1, percent).pop()?;
        let played = played.unwrap_or(first.mv);
        let depth = first.depth;
        let mut verdict = Verdict {
            best: first.mv,
            best_score: first.best_known_score().0,
            played_score: first.best_known_score().0,
            second: None,
            best_line: line(&first),
            played_line: line(&first),
            depth,
            nodes: 0,
        };
        if legal > 1 {
            let rest = 100 - percent;
            if first.mv == played {
                let pair = self.lines(game, &[], 2, rest);
                let score = |is_played: bool| {
                    let found = pair.iter().find(|line| (line.mv == played) == is_played);
                    found.map(|line| line.best_known_score().0)
                };
                verdict.second = score(true).zip(score(false)).map(<[Value; 2]>::from);
            } else {
                let pair = self.lines(game, &[first.mv, played], 2, rest);
                let found = pair.iter().find(|line| line.mv == played)?;
                let best = pair.iter().find(|line| line.mv != played)?;
                verdict.depth = found.depth;
                verdict.played_score = found.best_known_score().0;
                verdict.played_line = line(found);
                // The longer look may prefer the played move.
                if best.best_known_score().0 > verdict.played_score {
                    verdict.best_score = best.best_known_score().0;
                    verdict.best_line = line(best);
                } else {
                    verdict.best = played;
                    verdict.best_score = verdict.played_score;
                    verdict.best_line.clone_from(&verdict.played_line);
                }
            }
        }
        verdict.nodes = self.nodes;
        Some(verdict)
    }

    fn lines(&mut self, game: &Game, moves: &[Move], count: usize, percent: u64) -> Vec<RootMove> {
        let mut limits = self.limit.share(percent);
        limits.search_moves = moves.to_vec();
        let lines = self.searcher.search_lines(game, limits, count).to_vec();
        self.nodes += self.searcher.nodes();
        lines
    }
}

fn line(found: &RootMove) -> Vec<Move> {
    found.pv.iter().copied().take(MAX_LINE).collect()
}
