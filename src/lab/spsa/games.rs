//! A pair of games between two settings of the constants.
//! Uses: search (params, new_searcher), chess, selfplay, openings. Used by: run.
//! Idea: both sides search on one thread, which takes the constants of whoever is to move; the opening is played twice, with
//! the colours changed, so that its advantage cancels out.

use std::ops::RangeInclusive;
use std::path::Path;

use super::state::SpsaError;
use super::{Perturbation, SpsaRun, SpsaSettings};
use crate::base::random::Random;
use crate::base::value::Value;
use crate::chess::{Color, Game, Position};
use crate::eval::weights::Digest;
use crate::lab::train::game_record::GameResult;
use crate::lab::train::match_openings::{read_file, repertoire_positions, try_opening};
use crate::lab::train::selfplay::{HASH, play_out};
use crate::search::limits::Limits;
use crate::search::local::LocalSearcher;
use crate::search::params::{COUNT, TUNABLES, set_for_thread};

/// An opening of our own gives one side so many hundredths of a pawn: pairs of unbalanced games are drawn less often.
const WINDOW: RangeInclusive<Value> = 60..=120;
/// Nodes by which it is judged, and the mebibytes of the judge's table.
const JUDGING_NODES: u64 = 1_000;
const JUDGING_HASH: usize = 1;

/// Where games begin.
pub enum OpeningSource {
    /// Unbalanced ones from these positions of the repertoire, made as they are needed.
    Own(Vec<Position>),
    /// Those of a file.
    File(Vec<Position>),
}

impl OpeningSource {
    /// Those of a file, or our own.
    ///
    /// # Errors
    /// [`SpsaError::OpeningSource`] if the file cannot be read or has none.
    pub fn of(file: Option<&Path>) -> Result<Self, SpsaError> {
        Ok(match file {
            Some(path) => Self::File(read_file(path)?),
            None => Self::Own(repertoire_positions()),
        })
    }

    /// What they are called in a state.
    #[must_use]
    pub fn name(&self) -> String {
        let (Self::Own(positions) | Self::File(positions)) = self;
        let digest = (positions.iter()).fold(Digest::START, |digest, position| {
            digest.add(&position.key().to_le_bytes())
        });
        let (whose, count) = match self {
            Self::Own(_) => ("our own", positions.len()),
            Self::File(_) => ("of a file", positions.len()),
        };
        format!("{whose}, {count}, {digest}")
    }

    fn choose(&self, random: &mut Random, judge: &mut LocalSearcher) -> Position {
        let repertoire_positions = match self {
            Self::File(positions) => return positions[random.below(positions.len())],
            Self::Own(repertoire_positions) => repertoire_positions,
        };
        loop {
            let found = try_opening(repertoire_positions, random, judge, JUDGING_NODES, &WINDOW);
            if let Some(position) = found {
                return position;
            }
        }
    }
}

/// The two sides, and the judge of openings, on one thread.
pub struct PairPlayer {
    sides: [LocalSearcher; 2],
    judge: LocalSearcher,
    /// Where the constants of a course stand among all.
    places: Vec<usize>,
}

impl PairPlayer {
    /// PairPlayer by the constants of this course, and all others as they are declared.
    ///
    /// # Errors
    /// [`SpsaError::Unknown`] if the search has not such a constant, [`SpsaError::NotTunable`] if it cannot change them, or
    /// [`SpsaError::Memory`].
    pub fn new(course: &SpsaRun) -> Result<Self, SpsaError> {
        set_for_thread(&declared())?;
        let place = |name| TUNABLES.iter().position(|known| known.name == name);
        let places = course.constants.iter().map(|constant| {
            place(constant.name).ok_or_else(|| SpsaError::Unknown(constant.name.to_owned()))
        });
        let new_searcher = |hash| LocalSearcher::new(hash).map_err(SpsaError::Memory);
        Ok(Self {
            sides: [new_searcher(HASH)?, new_searcher(HASH)?],
            judge: new_searcher(JUDGING_HASH)?,
            places: places.collect::<Result<_, _>>()?,
        })
    }

    /// Plays both games: by how many the first side won more than it lost.
    ///
    /// # Errors
    /// [`SpsaError::NotTunable`] if the constants cannot be changed.
    pub fn pair(
        &mut self,
        perturbation: &mut Perturbation,
        openings: &OpeningSource,
        settings: &SpsaSettings,
    ) -> Result<i32, SpsaError> {
        set_for_thread(&declared())?;
        let opening = openings.choose(&mut perturbation.random, &mut self.judge);
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
            let (outcome, _) = play_out(&mut Game::new(opening), |game| {
                let side = usize::from(game.position().turn() != first);
                set_for_thread(&values[side]).ok()?;
                self.sides[side].search(game, Limits::nodes(settings.nodes))
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

/// All constants as they are declared.
fn declared() -> [i32; COUNT] {
    std::array::from_fn(|place| TUNABLES[place].value)
}

#[cfg(all(test, feature = "tune"))]
mod tests {
    use super::super::Constant;
    use super::*;
    use crate::search::params::tuned;

    #[test]
    fn equals_share_the_points_and_the_worse_side_loses() {
        let course = SpsaRun::new(tuned().map(Constant::from).collect());
        let mut player = PairPlayer::new(&course).expect("memory");
        let settings = super::super::tests::settings(1);
        let settings = SpsaSettings {
            nodes: 300,
            ..settings
        };
        let openings = OpeningSource::of(None).expect("repertoire_positions");
        let play = |player: &mut PairPlayer, sides: [Vec<i32>; 2], number| {
            let mut perturbation = Perturbation {
                done: 0,
                directions: Vec::new(),
                sides,
                random: Random::new(1, number),
            };
            player
                .pair(&mut perturbation, &openings, &settings)
                .expect("memory")
        };
        let usual = declared().to_vec();
        assert_eq!(play(&mut player, [usual.clone(), usual.clone()], 0), 0);
        // Reverse futility without a margin gives up everything that is above beta.
        let mut careless = usual.clone();
        for (value, constant) in careless.iter_mut().zip(tuned()) {
            match constant.name {
                "reverse_futility_margin" | "exchange_quiet_margin" => *value = 0,
                "late_move_base" => *value = -60,
                _ => {}
            }
        }
        let won: i32 = (1..=6)
            .map(|number| play(&mut player, [usual.clone(), careless.clone()], number))
            .sum();
        assert!(won > 0, "{won}");
        let lost: i32 = (1..=6)
            .map(|number| play(&mut player, [careless.clone(), usual.clone()], number))
            .sum();
        assert_eq!(lost, -won);
    }
}
