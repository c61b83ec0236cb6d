//! A pair of games between two sets of values of the search constants.
//!
//! Each opening is played twice with colours changed, so that its advantage cancels out. Both sides search on one
//! thread, which sets the constants of the side to move.

use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

use super::state::SpsaError;
use super::{GameClock, Perturbation, SpsaRun, SpsaSettings};
use crate::base::random::Random;
use crate::base::value::Value;
use crate::chess::{Color, Game, Position, read_fen_file};
use crate::eval::weights::Digest;
use crate::lab::train::game_record::GameResult;
use crate::lab::train::match_openings::{repertoire_positions, try_opening};
use crate::lab::train::selfplay::{Adjudicator, HASH, play_out};
use crate::search::limits::{Clock, Limits};
use crate::search::local::LocalSearcher;
use crate::search::node_clock::NodeClock;
use crate::search::params::{COUNT, TUNABLES, set_for_thread};

/// Range of the score of generated openings, in centipawns: pairs of unbalanced games are drawn less often.
const WINDOW: RangeInclusive<Value> = 60..=120;
/// Nodes of the search that scores an opening, and mebibytes of its TT.
const OPENING_NODES: u64 = 1_000;
const OPENING_HASH: usize = 1;
/// Nodes that count as a millisecond on a clock.
const NODE_RATE: u64 = 6;

/// Where openings come from.
pub enum SpsaOpenings {
    /// Unbalanced openings generated from the repertoire.
    Own,
    /// The positions of a file.
    File(Vec<Position>),
}

impl SpsaOpenings {
    /// The openings of a file, or generated ones.
    ///
    /// # Errors
    /// [`SpsaError::Openings`] if the file cannot be read or has no position.
    pub fn of(file: Option<&Path>) -> Result<Self, SpsaError> {
        Ok(match file {
            Some(path) => Self::File(read_fen_file(path)?),
            None => Self::Own,
        })
    }

    /// Description with a digest, for the state file.
    pub fn name(&self) -> String {
        let (whose, positions) = match self {
            Self::Own => ("our own", repertoire_positions()),
            Self::File(positions) => ("of a file", positions.as_slice()),
        };
        let digest = (positions.iter()).fold(Digest::START, |digest, position| {
            digest.add(&position.key().to_le_bytes())
        });
        format!("{whose}, {}, {digest}", positions.len())
    }

    fn choose(&self, random: &mut Random, searcher: &mut LocalSearcher) -> Position {
        if let Self::File(positions) = self {
            return positions[random.below(positions.len())];
        }
        loop {
            let found = try_opening(random, searcher, OPENING_NODES, &WINDOW);
            if let Some(position) = found {
                return position;
            }
        }
    }
}

/// The searchers of both sides and of the openings, for one thread.
pub struct PairPlayer {
    sides: [LocalSearcher; 2],
    opening_searcher: LocalSearcher,
    /// Indices of the tuned constants in [`TUNABLES`].
    places: Vec<usize>,
}

impl PairPlayer {
    /// A player for the constants of this run; the others keep their declared values.
    ///
    /// # Errors
    /// [`SpsaError::Unknown`] for an unknown constant, [`SpsaError::NotTunable`] if this build cannot change constants,
    /// or [`SpsaError::Memory`].
    pub fn new(run: &SpsaRun) -> Result<Self, SpsaError> {
        set_for_thread(&declared())?;
        let place = |name| TUNABLES.iter().position(|known| known.name == name);
        let places = run.constants.iter().map(|constant| {
            place(constant.name).ok_or_else(|| SpsaError::Unknown(constant.name.to_owned()))
        });
        let new_searcher = |hash| LocalSearcher::new(hash).map_err(SpsaError::Memory);
        Ok(Self {
            sides: [new_searcher(HASH)?, new_searcher(HASH)?],
            opening_searcher: new_searcher(OPENING_HASH)?,
            places: places.collect::<Result<_, _>>()?,
        })
    }

    /// Plays both games and returns the wins of the first side minus its losses.
    ///
    /// # Errors
    /// [`SpsaError::NotTunable`] if this build cannot change constants.
    pub fn play_pair(
        &mut self,
        perturbation: &mut Perturbation,
        openings: &SpsaOpenings,
        settings: &SpsaSettings,
    ) -> Result<i32, SpsaError> {
        set_for_thread(&declared())?;
        let opening = openings.choose(&mut perturbation.random, &mut self.opening_searcher);
        let values = [0, 1].map(|side: usize| {
            let mut all = declared();
            for (&place, &value) in self.places.iter().zip(&perturbation.sides[side]) {
                all[place] = value;
            }
            all
        });
        let mut won = 0;
        for first in [Color::White, Color::Black] {
            for side in &mut self.sides {
                side.new_game();
            }
            let adjudicator = Adjudicator::of_matches();
            let mut clocks = [NodeClock::new(NODE_RATE); 2];
            let (outcome, _) = play_out(&mut Game::new(opening), adjudicator, |game| {
                let side = usize::from(game.position().turn() != first);
                set_for_thread(&values[side]).ok()?;
                let searcher = &mut self.sides[side];
                match settings.clock {
                    None => searcher.search(game, Limits::nodes(settings.nodes)),
                    Some(clock) => searcher.search_on_clock(game, limits(clock), &mut clocks[side]),
                }
            });
            let for_white = match outcome {
                GameResult::WhiteWins => 1,
                GameResult::Draw => 0,
                GameResult::BlackWins => -1,
            };
            won += first.fold_wb(for_white, -for_white);
        }
        Ok(won)
    }
}

/// The limits of a search on a clock of this kind; from the second move on the node clock keeps the remaining time.
fn limits(clock: GameClock) -> Limits {
    let time = |nodes| Duration::from_millis(nodes / NODE_RATE);
    Limits {
        clock: Some(Clock {
            remaining: time(clock.base),
            increment: time(clock.increment),
            moves_to_go: None,
        }),
        ..Limits::none()
    }
}

/// The declared values of all constants.
fn declared() -> [i32; COUNT] {
    std::array::from_fn(|place| TUNABLES[place].value)
}

#[cfg(all(test, feature = "tune"))]
mod tests {
    use super::super::Constant;
    use super::*;
    use crate::search::params::tuned;

    #[test]
    fn equal_sides_draw_the_pair_and_bad_values_lose() {
        let run = SpsaRun::new(tuned(false).map(Constant::from).collect());
        let mut player = PairPlayer::new(&run).expect("memory");
        let settings = super::super::tests::settings(1);
        let settings = SpsaSettings {
            nodes: 300,
            ..settings
        };
        let openings = SpsaOpenings::of(None).expect("no file is read");
        let play = |player: &mut PairPlayer, sides: [Vec<i32>; 2], number| {
            let mut perturbation = Perturbation {
                done: 0,
                directions: Vec::new(),
                sides,
                random: Random::new(1, number),
            };
            player
                .play_pair(&mut perturbation, &openings, &settings)
                .expect("memory")
        };
        let declared_values: Vec<i32> = tuned(false).map(|tunable| tunable.value).collect();
        assert_eq!(
            play(
                &mut player,
                [declared_values.clone(), declared_values.clone()],
                0
            ),
            0
        );
        let on_clock = SpsaSettings {
            clock: Some(GameClock {
                base: 6_000,
                increment: 60,
            }),
            ..settings.clone()
        };
        let sides = [declared_values.clone(), declared_values.clone()];
        let mut perturbation = Perturbation {
            done: 0,
            directions: Vec::new(),
            sides,
            random: Random::new(1, 0),
        };
        let won = player.play_pair(&mut perturbation, &openings, &on_clock);
        assert!(matches!(won, Ok(0)));
        // Reverse futility pruning without a margin prunes every node above beta.
        let mut bad_values = declared_values.clone();
        for (value, constant) in bad_values.iter_mut().zip(tuned(false)) {
            match constant.name {
                "reverse_futility_margin" | "exchange_quiet_margin" => *value = 0,
                "lmp_base" => *value = -960,
                _ => {}
            }
        }
        let won: i32 = (1..=6)
            .map(|number| {
                play(
                    &mut player,
                    [declared_values.clone(), bad_values.clone()],
                    number,
                )
            })
            .sum();
        assert!(won > 0, "{won}");
        let lost: i32 = (1..=6)
            .map(|number| {
                play(
                    &mut player,
                    [bad_values.clone(), declared_values.clone()],
                    number,
                )
            })
            .sum();
        assert_eq!(lost, -won);
    }
}
