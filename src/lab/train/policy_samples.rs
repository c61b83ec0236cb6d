//! Samples for the policy of the tree search: positions with the move that alpha-beta chooses.

use std::io;

use rayon::prelude::*;

use crate::base::progress::Progress;
use crate::base::random::Random;
use crate::base::value::is_decisive;
use crate::chess::{Game, Move};
use crate::search::limits::Limits;
use crate::search::local::LocalSearcher;
use crate::search::mcts::policy::{Hints, all_features};

use super::random_opening::random_opening;
use super::selfplay::HASH;

/// A game ends after this many plies.
const GAME_PLIES: usize = 160;
/// One move in this many is random, so that answers to mistakes are learned, too.
const RANDOM_MOVE: usize = 4;
/// One game in this many is kept for measuring.
const HELD_OUT: u64 = 10;

/// A position: the features of its moves, and which of them was chosen.
#[derive(Clone, Debug)]
pub struct Sample {
    pub features: Vec<Vec<u16>>,
    pub chosen: usize,
    /// Not for fitting.
    pub held_out: bool,
}

/// What the samples depend on besides the program.
#[derive(Clone, Copy, Debug)]
pub struct SamplePlan {
    pub games: u64,
    /// Nodes of the search that chooses a move.
    pub nodes: u64,
    pub seed: u64,
}

/// Plays all games.
///
/// # Errors
/// No memory for a transposition table.
pub fn collect(plan: &SamplePlan, progress: &dyn Progress) -> io::Result<Vec<Sample>> {
    progress.start(plan.games);
    let games = (0..plan.games).into_par_iter();
    let played = games.map_init(
        || LocalSearcher::new(HASH),
        |searcher, number| {
            let searcher = searcher
                .as_mut()
                .map_err(|error| io::Error::from(error.kind()))?;
            let samples = play(plan, number, searcher);
            progress.advance(1);
            Ok(samples)
        },
    );
    let samples: io::Result<Vec<Vec<Sample>>> = played.collect();
    progress.finish();
    Ok(samples?.concat())
}

/// The samples of one game.
fn play(plan: &SamplePlan, number: u64, searcher: &mut LocalSearcher) -> Vec<Sample> {
    let mut random = Random::new(plan.seed, number);
    let mut game = Game::new(random_opening(&mut random));
    let (mut samples, mut last) = (Vec::new(), None::<Move>);
    searcher.new_game();
    for _ in 0..GAME_PLIES {
        if game.end().is_some() {
            break;
        }
        let hints = Hints {
            best: searcher.quiet_line(&game).first().copied(),
            recapture: last.filter(|mv| mv.is_capture()).map(Move::to),
        };
        let Some(found) = searcher.search(&game, Limits::nodes(plan.nodes)) else {
            break;
        };
        let all = all_features(game.position(), hints);
        let chosen = all.iter().position(|&(mv, _)| mv == found.best);
        if let Some(chosen) = chosen.filter(|_| all.len() > 1 && !is_decisive(found.score)) {
            samples.push(Sample {
                chosen,
                held_out: number.is_multiple_of(HELD_OUT),
                features: all.iter().map(|(_, features)| features.clone()).collect(),
            });
        }
        let played = match random.below(RANDOM_MOVE) {
            0 => all[random.below(all.len())].0,
            _ => found.best,
        };
        game.play(played);
        last = Some(played);
    }
    samples
}
