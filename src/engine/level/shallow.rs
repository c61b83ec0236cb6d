//! Searches of small depth: the value of every move at three depths, and the loss by overlooked replies.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::game_view::GameView;
use super::overlook::Oversight;
use crate::base::clock::Instant;
use crate::base::value::{DRAW, MATE_BOUND, Value, mated_in};
use crate::chess::{Game, GameEnd, Move, MoveList, Position};
use crate::eval::{Model, material_count, win_draw_loss};
use crate::search::limits::Limits;
use crate::search::local::LocalSearcher;
use crate::search::signal::{Signal, Ticket};

/// The depths, in plies, at which every move is searched.
pub const DEPTHS: [i32; 3] = [1, 2, 4];
/// The TT of a level in MiB.
const HASH: usize = 1;
/// The nodes and the lines of the level's own search and of its longer one.
const SEARCHES: [(u64, usize); 2] = [(5_000, 3), (40_000, 4)];
/// A reply that costs less than this many expected points is not searched again without its class.
const RELEVANT: f32 = 0.04;

/// The results of shallow searches for one move.
#[derive(Clone, Debug)]
pub struct MoveEstimate {
    pub mv: Move,
    /// The value for the mover at each of [`DEPTHS`], in centipawns.
    pub values: [Value; 3],
    /// The same as expected points, 0 to 1.
    pub points: [f32; 3],
    /// The best reply, unless the game is over.
    pub reply: Option<Move>,
    /// The class of the reply, and the expected points that the move loses to it alone.
    pub oversight: Option<(Oversight, f32)>,
    /// Its place in each of the two searches of all moves together.
    pub ranked: [RankedMove; SEARCHES.len()],
}

/// The place of a move in a search of several lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct RankedMove {
    /// From 0, if the search has a line of the move.
    pub rank: Option<usize>,
    /// The expected points lost; a move of no line loses as much as the last line.
    pub loss: f32,
    /// Of the best move: the expected points by which it leads.
    pub lead: f32,
}

/// The searcher of a level; nothing is kept between positions.
pub struct ShallowSearcher {
    searcher: LocalSearcher,
    nodes: u64,
    /// The signal and the ticket by which the ponder hit is known.
    signal: Option<(Arc<Signal>, Ticket)>,
    /// Time counts from the ponder hit on.
    ponder: bool,
}

impl ShallowSearcher {
    /// A searcher with the built-in weights.
    ///
    /// # Errors
    /// The memory could not be allocated.
    pub fn new() -> io::Result<Self> {
        let searcher = LocalSearcher::new(HASH)?;
        Ok(Self {
            searcher,
            nodes: 0,
            signal: None,
            ponder: false,
        })
    }

    /// Sets the weights of the evaluation (`None`: the built-in ones).
    pub fn set_model(&mut self, model: Option<Arc<Model>>) {
        self.searcher.set_model(model);
    }

    /// Lets a stop of this ticket end the searches.
    #[must_use]
    pub fn with_signal(mut self, signal: Arc<Signal>, ticket: Ticket) -> Self {
        self.signal = Some((Arc::clone(&signal), ticket));
        self.searcher = self.searcher.with_signal(signal, ticket);
        self
    }

    /// Sets whether the search is a ponder search, whose time counts from the ponder hit on.
    pub const fn set_ponder(&mut self, on: bool) {
        self.ponder = on;
    }

    /// What is left of the time; `None` without a limit, and before the ponder hit.
    fn time_left(&self, started: Instant, time: Option<Duration>) -> Option<Duration> {
        let from = match &self.signal {
            Some((signal, ticket)) if self.ponder => signal.ponder_hit_at(*ticket)?,
            _ => started,
        };
        Some(time?.saturating_sub(from.elapsed()))
    }

    /// The nodes of the last call of [`Self::estimate_moves`].
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches every legal move. `time` limits the whole call: depth 1 is always complete, deeper values are those of the
    /// depth before where time was short.
    pub fn estimate_moves(&mut self, view: &GameView, time: Option<Duration>) -> Vec<MoveEstimate> {
        let started = Instant::now();
        self.searcher.new_game();
        self.nodes = 0;
        let game = view.game();
        let material = material_count(game.position());
        let moves = game.position().legal_moves();
        let mut estimates = self.first_estimates(game, &moves);
        for (place, &depth) in DEPTHS.iter().enumerate().skip(1) {
            for estimate in &mut estimates {
                let left = self.time_left(started, time);
                let ended = left.is_some_and(|left| left.is_zero());
                let found = if ended {
                    None
                } else {
                    self.reply(game, estimate.mv, depth - 1, &[])
                };
                if let Some((value, reply)) = found {
                    estimate.values[place] = value;
                    estimate.reply = reply;
                } else {
                    estimate.values[place] = estimate.values[place - 1];
                }
            }
        }
        for estimate in &mut estimates {
            estimate.points = estimate.values.map(|value| points(value, material));
        }
        let best = estimates
            .iter()
            .map(|estimate| estimate.points[2])
            .fold(0.0, f32::max);
        for estimate in &mut estimates {
            let left = self.time_left(started, time);
            if left.is_none_or(|left| !left.is_zero()) && best - estimate.points[2] >= RELEVANT {
                estimate.oversight = self.oversight(game, estimate, material);
            }
        }
        for search in 0..SEARCHES.len() {
            let left = self.time_left(started, time);
            if left.is_none_or(|left| !left.is_zero()) {
                self.rank(search, game, left, material, &mut estimates);
            }
        }
        estimates
    }

    /// Adds the ranks and losses of one of [`SEARCHES`].
    fn rank(
        &mut self,
        search: usize,
        game: &Game,
        time: Option<Duration>,
        material: i32,
        estimates: &mut [MoveEstimate],
    ) {
        let (nodes, count) = SEARCHES[search];
        let limits = Limits {
            move_time: time,
            ..Limits::nodes(nodes)
        };
        let lines = self.searcher.search_lines(game, limits, count);
        let found: Vec<(Move, f32)> = lines
            .iter()
            .take(count)
            .map(|line| (line.mv, points(line.score, material)))
            .collect();
        self.nodes += self.searcher.nodes();
        let (Some(first), Some(last)) = (found.first(), found.last()) else {
            return;
        };
        for estimate in estimates {
            let ranked = &mut estimate.ranked[search];
            ranked.rank = found.iter().position(|(mv, _)| *mv == estimate.mv);
            let points = ranked.rank.map_or(last.1, |rank| found[rank].1);
            ranked.loss = (first.1 - points).max(0.0);
            if ranked.rank == Some(0) {
                let second = found.get(1).map_or(first.1, |(_, points)| *points);
                ranked.lead = (first.1 - second).max(0.0);
            }
        }
    }

    fn first_estimates(&mut self, game: &Game, moves: &MoveList) -> Vec<MoveEstimate> {
        let lines = self
            .searcher
            .search_lines(game, Limits::depth(DEPTHS[0]), usize::MAX);
        let value = |mv: Move| {
            let line = lines.iter().find(|line| line.mv == mv);
            line.map_or(DRAW, |line| line.score)
        };
        let estimates = moves.iter().map(|&mv| MoveEstimate {
            mv,
            values: [value(mv); 3],
            points: [0.0; 3],
            reply: None,
            oversight: None,
            ranked: Default::default(),
        });
        let estimates = estimates.collect();
        self.nodes += self.searcher.nodes();
        estimates
    }

    /// The value for the mover after a move, and the best reply, at this depth from there on. With a class left out, only
    /// the other replies count.
    fn reply(
        &mut self,
        game: &Game,
        mv: Move,
        depth: i32,
        left_out: &[Oversight],
    ) -> Option<(Value, Option<Move>)> {
        let mut after = game.clone();
        after.play(mv);
        if let Some(end) = after.end() {
            let value = if end == GameEnd::Checkmate {
                -mated_in(1)
            } else {
                DRAW
            };
            return Some((value, None));
        }
        let keys = after.keys();
        if keys[keys.len() - after.reversible()..].contains(&after.position().key()) {
            return Some((DRAW, None));
        }
        let mut limits = Limits::depth(depth);
        if !left_out.is_empty() {
            let replies = after.position().legal_moves();
            let is_seen = |reply: &&Move| {
                !left_out
                    .iter()
                    .any(|class| class.contains(after.position(), **reply))
            };
            limits.search_moves = replies.iter().filter(is_seen).copied().collect();
            if limits.search_moves.is_empty() {
                return None;
            }
        }
        let found = self.searcher.search(&after, limits)?;
        self.nodes += self.searcher.nodes();
        Some((one_ply_later(-found.score), Some(found.best)))
    }

    /// The class of the best reply, and what the move would be worth more without it.
    fn oversight(
        &mut self,
        game: &Game,
        estimate: &MoveEstimate,
        material: i32,
    ) -> Option<(Oversight, f32)> {
        let after: Position = game.position().play(estimate.mv);
        let class = Oversight::of(&after, estimate.reply?)?;
        let (value, _) = self.reply(game, estimate.mv, DEPTHS[2] - 1, &[class])?;
        let gained = points(value, material) - estimate.points[2];
        (gained > 0.0).then_some((class, gained))
    }
}

/// A score one ply nearer to the root: a mate is one ply farther away.
const fn one_ply_later(value: Value) -> Value {
    if value >= MATE_BOUND {
        value - 1
    } else if value <= -MATE_BOUND {
        value + 1
    } else {
        value
    }
}

/// The expected points of a value, 0 to 1.
pub fn points(value: Value, material: i32) -> f32 {
    let [win, draw, _] = win_draw_loss(value, material);
    (f32::from(win) + f32::from(draw) / 2.0) / 1000.0
}
