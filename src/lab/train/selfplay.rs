//! Self-play: training games of the engine against itself.
//!
//! A game depends only on seed, number, node limits and weights: nothing is kept from game to game. So any game can be
//! repeated, on any machine and with any number of threads. A change that leads to other games increases
//! [`RULES`](super::header::RULES).

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::ThreadPoolBuilder;

use super::game_record::{GameRecord, GameResult, Ply};
use super::header::Header;
use super::match_openings::repertoire_opening;
use super::random_opening::{OpeningSource, random_opening};
use super::store::{GameStore, StoreError};
use crate::base::progress::Progress;
use crate::base::random::Random;
use crate::base::sync::Mutex;
use crate::base::value::{Value, is_decisive};
use crate::chess::{Color, Game, GameEnd};
use crate::eval::{BUILT_IN, Model};
use crate::lab::shard::Shard;
use crate::search::limits::Limits;
use crate::search::local::{Found, LocalSearcher};

/// Mebibytes of the TT of a player; games of short searches do not fill more.
pub const HASH: usize = 4;
/// The hard node limit of a search, as a multiple of its soft limit.
const HARD_FACTOR: u64 = 8;
/// An opening is searched with this many nodes, and discarded beyond this score in centipawns.
const OPENING_NODES: u64 = 5_000;
const OPENING_SCORE: Value = 300;
/// In one game of this many, the opening may be more unbalanced, in centipawns: such games have the attacks on kings
/// that balanced games lack.
const UNBALANCED_GAMES: usize = 6;
const UNBALANCED_SCORE: Value = 700;
/// The limit of openings from the repertoire.
const REPERTOIRE_SCORE: Value = 150;
/// Adjudication: a score beyond this in centipawns, for the same side for this many consecutive plies, wins.
const WIN_SCORE: Value = 2_000;
const WIN_PLIES: u32 = 5;
/// From this move on, a score below this in centipawns for this many consecutive plies draws.
const DRAW_MOVE: u16 = 50;
const DRAW_SCORE: Value = 7;
const DRAW_PLIES: u32 = 8;
/// The score and the move of games of which only the result counts.
const MATCH_WIN_SCORE: Value = 600;
const MATCH_DRAW_MOVE: u16 = 34;
/// One game of this many is never adjudicated a draw, so that the evaluation does not confirm its own draws.
const PLAYED_OUT_GAMES: usize = 10;
/// A game with this many plies is drawn.
const MAX_PLIES: usize = 600;

/// The games to be played.
#[derive(Clone, Debug)]
pub struct SelfPlayPlan {
    /// Number of games in all.
    pub games: u64,
    pub seed: u64,
    /// Soft node limit of each search: no new iteration after this many.
    pub nodes: u64,
    /// The part of the games to play; `None` for all.
    pub shard: Option<Shard>,
    /// Games played at a time.
    pub threads: usize,
    /// The weights; `None` for the built-in ones.
    pub model: Option<Arc<Model>>,
    pub openings: OpeningSource,
}

/// Counts for a progress bar.
#[derive(Debug, Default)]
pub struct SelfPlayStats {
    /// Positions written in this call of [`play_all`].
    pub positions: AtomicU64,
}

/// Plays the games of a plan that are not in `folder` yet. Each game is written when it ends, so after a kill the same
/// call continues.
///
/// # Errors
/// [`StoreError`] if the file is of another plan or cannot be written, or memory or threads run out. Games already
/// written stay valid.
pub fn play_all(
    folder: &Path,
    plan: &SelfPlayPlan,
    stats: &SelfPlayStats,
    progress: &dyn Progress,
) -> Result<(), StoreError> {
    let weights = plan.model.as_deref().unwrap_or(&BUILT_IN).weights();
    let header = Header::new(plan.seed, plan.nodes, weights, plan.openings);
    let (store, played) = GameStore::open(folder, &header, plan.shard)?;
    let range = plan
        .shard
        .map_or(0..plan.games, |shard| shard.range(plan.games));
    progress.start(range.end - range.start);
    progress.resume(played.range(range.clone()).count() as u64);
    let pool = ThreadPoolBuilder::new().num_threads(plan.threads).build();
    let pool = pool.map_err(|error| StoreError::Threads(error.to_string()))?;
    let (store, failed) = (Mutex::new(store), AtomicBool::new(false));
    // Threads take the games in order, so that only the last ones are missing after a kill.
    let missing = Mutex::new(range.filter(|number| !played.contains(number)));
    let next = || missing.lock().next();
    let work = || -> Result<(), StoreError> {
        let mut searcher = LocalSearcher::new(HASH)
            .map_err(StoreError::Memory)?
            .with_model(plan.model.clone());
        while !failed.load(Ordering::Relaxed)
            && let Some(number) = next()
        {
            let game = play(number, plan, &mut searcher);
            let written = store.lock().append(number, &game.to_bytes());
            if written.is_err() {
                // Stops the other threads.
                failed.store(true, Ordering::Relaxed);
            }
            written?;
            stats
                .positions
                .fetch_add(game.plies.len() as u64, Ordering::Relaxed);
            progress.advance(1);
        }
        Ok(())
    };
    pool.broadcast(|_| work())
        .into_iter()
        .collect::<Result<(), _>>()?;
    store.into_inner().close()?;
    progress.finish();
    Ok(())
}

/// Plays the game with this number.
pub fn play(number: u64, plan: &SelfPlayPlan, searcher: &mut LocalSearcher) -> GameRecord {
    searcher.new_game();
    let mut random = Random::new(plan.seed, number);
    let adjudicator = Adjudicator {
        wins_only: random.below(PLAYED_OUT_GAMES) == 0,
        ..Adjudicator::default()
    };
    let mut game = opening(plan.openings, &mut random, searcher);
    let start = *game.position();
    let limits = Limits {
        soft_nodes: Some(plan.nodes),
        ..Limits::nodes(plan.nodes.saturating_mul(HARD_FACTOR))
    };
    let (outcome, plies) = play_out(&mut game, adjudicator, |game| {
        searcher.search(game, limits.clone())
    });
    GameRecord {
        start,
        outcome,
        plies,
    }
}

/// Plays a game to its end by the rules or by adjudication; `think` searches. Returns the result and the plies.
pub fn play_out(
    game: &mut Game,
    mut adjudicator: Adjudicator,
    mut think: impl FnMut(&Game) -> Option<Found>,
) -> (GameResult, Vec<Ply>) {
    let mut plies = Vec::new();
    let outcome = loop {
        if let Some(outcome) = ended(game) {
            break outcome;
        }
        if plies.len() >= MAX_PLIES {
            break GameResult::Draw;
        }
        let Some(found) = think(game) else {
            break GameResult::Draw;
        };
        let score = match game.position().turn() {
            Color::White => found.score,
            Color::Black => -found.score,
        };
        if let Some(outcome) = adjudicator.add(score, game.position().fullmoves()) {
            break outcome;
        }
        plies.push(Ply {
            played: found.best,
            score: score as i16,
        });
        game.play(found.best);
    };
    (outcome, plies)
}

/// An opening within the score limit.
fn opening(source: OpeningSource, random: &mut Random, searcher: &mut LocalSearcher) -> Game {
    let most = match source {
        OpeningSource::Repertoire => REPERTOIRE_SCORE,
        OpeningSource::Random if random.below(UNBALANCED_GAMES) == 0 => UNBALANCED_SCORE,
        OpeningSource::Random => OPENING_SCORE,
    };
    loop {
        let start = match source {
            OpeningSource::Repertoire => repertoire_opening(random),
            OpeningSource::Random => Some(random_opening(random)),
        };
        let Some(game) = start.map(Game::new) else {
            continue;
        };
        if ended(&game).is_some() {
            continue;
        }
        let found = searcher.search(&game, Limits::nodes(OPENING_NODES));
        if found.is_some_and(|found| found.score.abs() <= most) {
            return game;
        }
    }
}

/// The result by the rules, if the game has ended.
fn ended(game: &Game) -> Option<GameResult> {
    Some(match (game.end()?, game.position().turn()) {
        (GameEnd::Checkmate, Color::White) => GameResult::BlackWins,
        (GameEnd::Checkmate, Color::Black) => GameResult::WhiteWins,
        _ => GameResult::Draw,
    })
}

/// Ends decided games early.
#[derive(Clone, Copy, Debug)]
pub struct Adjudicator {
    /// Drawn games are played out.
    wins_only: bool,
    /// A score that wins, and the move from which on games are drawn.
    win_score: Value,
    draw_move: u16,
    /// Consecutive plies with a winning score: positive for White, negative for Black.
    winning: i32,
    /// Consecutive plies with a drawn score.
    level: u32,
}

impl Default for Adjudicator {
    /// For training games.
    fn default() -> Self {
        Self {
            wins_only: false,
            win_score: WIN_SCORE,
            draw_move: DRAW_MOVE,
            winning: 0,
            level: 0,
        }
    }
}

impl Adjudicator {
    /// For games of which only the result counts: they end earlier.
    pub fn of_matches() -> Self {
        Self {
            win_score: MATCH_WIN_SCORE,
            draw_move: MATCH_DRAW_MOVE,
            ..Self::default()
        }
    }

    /// Adds the next score, from White's view, and returns the result if it ends the game.
    fn add(&mut self, score: Value, move_number: u16) -> Option<GameResult> {
        self.winning = if score >= self.win_score {
            self.winning.max(0) + 1
        } else if score <= -self.win_score {
            self.winning.min(0) - 1
        } else {
            0
        };
        let is_level = !self.wins_only && move_number >= self.draw_move && score.abs() < DRAW_SCORE;
        self.level = if is_level { self.level + 1 } else { 0 };
        if is_decisive(score) || self.winning.unsigned_abs() >= WIN_PLIES {
            Some(if score > 0 {
                GameResult::WhiteWins
            } else {
                GameResult::BlackWins
            })
        } else {
            (self.level >= DRAW_PLIES).then_some(GameResult::Draw)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_depends_on_its_seed_and_number_only() {
        let plan = SelfPlayPlan {
            games: 2,
            seed: 5,
            nodes: 100,
            shard: None,
            threads: 1,
            model: None,
            openings: OpeningSource::Random,
        };
        let fresh = |number| play(number, &plan, &mut LocalSearcher::new(1).expect("memory"));
        let mut searcher = LocalSearcher::new(1).expect("memory");
        let both = [0, 1].map(|number| play(number, &plan, &mut searcher));
        assert_eq!(both, [fresh(0), fresh(1)]);
        assert_ne!(both[0].start, both[1].start);
        for game in both {
            assert!(!game.plies.is_empty());
            assert_eq!(GameRecord::from_bytes(&game.to_bytes()), Ok(game));
        }
    }

    #[test]
    fn games_are_adjudicated_after_enough_plies() {
        let adjudicate = |scores: &[Value], number| {
            let mut adjudicator = Adjudicator::default();
            let outcomes: Vec<_> = scores
                .iter()
                .map(|&score| adjudicator.add(score, number))
                .collect();
            (outcomes.len(), *outcomes.last().expect("some"))
        };
        assert_eq!(adjudicate(&[2500; 4], 20), (4, None));
        assert_eq!(adjudicate(&[2500; 5], 20).1, Some(GameResult::WhiteWins));
        assert_eq!(adjudicate(&[-2500; 5], 20).1, Some(GameResult::BlackWins));
        assert_eq!(adjudicate(&[2500, 2500, -2500, 2500, 2500], 20).1, None);
        assert_eq!(adjudicate(&[0; 8], 49).1, None);
        assert_eq!(adjudicate(&[6; 8], 50).1, Some(GameResult::Draw));
        assert_eq!(adjudicate(&[6, 6, 6, 6, 9, 6, 6, 6], 50).1, None);
        let mut of_match = Adjudicator::of_matches();
        let wins = [600; 5].map(|score| of_match.add(score, 20));
        assert_eq!(wins[3..], [None, Some(GameResult::WhiteWins)]);
        let mut played_out = Adjudicator {
            wins_only: true,
            ..Adjudicator::default()
        };
        assert!((0..20).all(|_| played_out.add(0, 80).is_none()));
        assert_eq!(
            adjudicate(&[-crate::base::value::mate_in(3)], 1).1,
            Some(GameResult::BlackWins)
        );
    }
}
