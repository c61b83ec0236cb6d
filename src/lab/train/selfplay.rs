//! Lucena plays itself.
//! Uses: search (searcher), chess, opening, random, record, store. Used by: spsa, cli.
//! Idea: a game is a function of seed and number alone: limits are in nodes, and nothing is remembered from game to game.
//! So any game can be played again, on any machine and among any number of threads.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::ThreadPoolBuilder;

use super::game_record::{GameRecord, GameResult, Ply};
use super::header::Header;
use super::random_opening::random_opening;
use super::store::{GameStore, StoreError};
use crate::base::progress::Progress;
use crate::base::random::Random;
use crate::base::sync::Mutex;
use crate::base::value::{Value, is_decisive};
use crate::chess::{Color, Game};
use crate::eval::{BUILT_IN, Model};
use crate::search::limits::Limits;
use crate::search::local::{Found, LocalSearcher};

/// Mebibytes of memory for each player. A game of short searches does not fill more.
pub(crate) const HASH: usize = 4;
/// A search ends at this many times its soft limit, complete or not.
const HARD_FACTOR: u64 = 8;
/// An opening is judged by a search of this many nodes, and refused beyond this score in centipawns.
const OPENING_NODES: u64 = 5_000;
const OPENING_SCORE: Value = 300;
/// In one game of so many the opening may be as unbalanced as this, in centipawns: one side then attacks and the other
/// defends, which tables about kings in danger hardly see in balanced games.
const UNBALANCED_GAMES: usize = 6;
const UNBALANCED_SCORE: Value = 700;
/// A score beyond this in centipawns, for this many plies running and always for the same side, wins.
const WIN_SCORE: Value = 2_000;
const WIN_PLIES: u32 = 5;
/// From this move on, a score below this in centipawns for this many plies running draws.
const DRAW_MOVE: u16 = 50;
const DRAW_SCORE: Value = 7;
const DRAW_PLIES: u32 = 8;
/// A game that lasts this many plies is drawn.
const LAST_PLY: usize = 600;

/// What is to be played.
#[derive(Clone, Debug)]
pub struct SelfPlayPlan {
    /// Games 0 to here, this one not included.
    pub games: u64,
    /// The seed of them all.
    pub seed: u64,
    /// A move's search begins no new iteration after this many nodes.
    pub nodes: u64,
    /// How many games are played at a time.
    pub threads: usize,
    /// The weights to play by; `None`: those that are compiled in.
    pub model: Option<Arc<Model>>,
}

/// What has been done so far, for whoever watches.
#[derive(Debug, Default)]
pub struct SelfPlayStats {
    /// Positions written in this run.
    pub positions: AtomicU64,
}

/// Plays the games of a plan that `folder` does not hold yet. Each is in the file as soon as it is over, and a run that is
/// killed goes on where it was.
///
/// # Errors
/// [`StoreError`] if the file is of another plan, cannot be written, or no memory is left. What was written stays good.
pub fn play_all(
    folder: &Path,
    plan: &SelfPlayPlan,
    stats: &SelfPlayStats,
    progress: &dyn Progress,
) -> Result<(), StoreError> {
    let weights = plan.model.as_deref().unwrap_or(&BUILT_IN).weights();
    let header = Header::new(plan.seed, plan.nodes, weights);
    let (store, played) = GameStore::open(folder, &header)?;
    let missing: Vec<u64> = (0..plan.games)
        .filter(|number| !played.contains(number))
        .collect();
    progress.start(plan.games);
    progress.advance(plan.games - missing.len() as u64);
    let pool = ThreadPoolBuilder::new().num_threads(plan.threads).build();
    let pool = pool.map_err(|error| StoreError::Threads(error.to_string()))?;
    let (next, store) = (AtomicU64::new(0), Mutex::new(store));
    // In order and one at a time, so that what is missing after a kill is a short stretch at the end.
    let work = || -> Result<(), StoreError> {
        let mut searcher = LocalSearcher::new(HASH)
            .map_err(StoreError::Memory)?
            .with_model(plan.model.clone());
        while let Some(&number) = missing.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
            let game = play(number, plan, &mut searcher);
            let written = store.lock().append(number, &game.to_bytes());
            if written.is_err() {
                // The others stop too.
                next.store(missing.len() as u64, Ordering::Relaxed);
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
#[must_use]
pub fn play(number: u64, plan: &SelfPlayPlan, searcher: &mut LocalSearcher) -> GameRecord {
    searcher.new_game();
    let mut random = Random::new(plan.seed, number);
    let mut game = opening(&mut random, searcher);
    let start = *game.position();
    let limits = Limits {
        soft_nodes: Some(plan.nodes),
        ..Limits::nodes(plan.nodes.saturating_mul(HARD_FACTOR))
    };
    let (outcome, plies) = play_out(&mut game, |game| searcher.search(game, limits.clone()));
    GameRecord {
        start,
        outcome,
        plies,
    }
}

/// Plays a game to its end, by the rules or the adjudicator's, with what `think` finds: the outcome and the moves before it.
pub fn play_out(
    game: &mut Game,
    mut think: impl FnMut(&Game) -> Option<Found>,
) -> (GameResult, Vec<Ply>) {
    let (mut plies, mut adjudicator) = (Vec::new(), Adjudicator::default());
    let outcome = loop {
        if let Some(outcome) = ended(game) {
            break outcome;
        }
        if plies.len() >= LAST_PLY {
            break GameResult::Draw;
        }
        let Some(found) = think(game) else {
            break GameResult::Draw;
        };
        let score = match game.position().turn() {
            Color::White => found.score,
            Color::Black => -found.score,
        };
        if let Some(outcome) = adjudicator.judge(score, game.position().fullmoves()) {
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

/// A random opening that is not decided yet.
fn opening(random: &mut Random, searcher: &mut LocalSearcher) -> Game {
    let most = if random.below(UNBALANCED_GAMES) == 0 {
        UNBALANCED_SCORE
    } else {
        OPENING_SCORE
    };
    loop {
        let game = Game::new(random_opening(random));
        if ended(&game).is_some() {
            continue;
        }
        let found = searcher.search(&game, Limits::nodes(OPENING_NODES));
        if found.is_some_and(|found| found.score.abs() <= most) {
            return game;
        }
    }
}

/// How the game has ended by the rules, if it has.
fn ended(game: &Game) -> Option<GameResult> {
    let position = game.position();
    if !position.has_legal_move() {
        return Some(match (position.in_check(), position.turn()) {
            (false, _) => GameResult::Draw,
            (true, Color::White) => GameResult::BlackWins,
            (true, Color::Black) => GameResult::WhiteWins,
        });
    }
    let drawn = position.halfmove_clock() >= 100
        || position.is_insufficient_material()
        || game.is_threefold();
    drawn.then_some(GameResult::Draw)
}

/// Ends games that are decided.
#[derive(Default)]
struct Adjudicator {
    /// How long a side has been winning: white counts up, black down.
    winning: i32,
    level: u32,
}

impl Adjudicator {
    /// Hears the next score from white's view.
    fn judge(&mut self, score: Value, move_number: u16) -> Option<GameResult> {
        self.winning = if score >= WIN_SCORE {
            self.winning.max(0) + 1
        } else if score <= -WIN_SCORE {
            self.winning.min(0) - 1
        } else {
            0
        };
        let is_level = move_number >= DRAW_MOVE && score.abs() < DRAW_SCORE;
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
            threads: 1,
            model: None,
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
    fn the_umpire_waits_long_enough() {
        let judge = |scores: &[Value], number| {
            let mut adjudicator = Adjudicator::default();
            let outcomes: Vec<_> = scores
                .iter()
                .map(|&score| adjudicator.judge(score, number))
                .collect();
            (outcomes.len(), *outcomes.last().expect("some"))
        };
        assert_eq!(judge(&[2500; 4], 20), (4, None));
        assert_eq!(judge(&[2500; 5], 20).1, Some(GameResult::WhiteWins));
        assert_eq!(judge(&[-2500; 5], 20).1, Some(GameResult::BlackWins));
        assert_eq!(judge(&[2500, 2500, -2500, 2500, 2500], 20).1, None);
        assert_eq!(judge(&[0; 8], 49).1, None);
        assert_eq!(judge(&[6; 8], 50).1, Some(GameResult::Draw));
        assert_eq!(judge(&[6, 6, 6, 6, 9, 6, 6, 6], 50).1, None);
        assert_eq!(
            judge(&[-crate::base::value::mate_in(3)], 1).1,
            Some(GameResult::BlackWins)
        );
    }
}
