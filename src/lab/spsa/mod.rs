//! Constants of the search from games: simultaneous perturbation stochastic approximation (Spall 1992).
//! Uses: search (params, new_searcher), eval (digests), chess, selfplay, openings, random, output, progress. Used by: cli.
//! Idea: all constants are shifted at once, each by chance up or down; the shifted ones play the ones shifted the other
//! way, and whoever wins pulls every constant a little his way. A pair of games asks about all of them together.
//!
//! Files: this one: how constants move; `state`: what a run has come to, as a file; `games`: a pair of games; `run`: the
//! threads.

pub mod games;
pub mod run;
pub mod state;

use std::fmt;

use crate::base::random::Random;
use crate::search::params::Tunable;

/// The exponents by which shifts and pulls become smaller: the practical ones of Spall, "Implementation of the
/// simultaneous perturbation algorithm for stochastic optimization" (1998).
const SHIFT_DECAY: f64 = 0.101;
const PULL_DECAY: f64 = 0.602;
/// The share of the pairs by which the beginning of the pull's decay is put off, as the testing servers of the field
/// (Fishtest, `OpenBench`) have it.
const CALM: f64 = 0.1;
/// About so many points of the way are kept.
const POINTS: u64 = 200;

/// A constant as it is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: i32,
    /// The least sensible value.
    pub min: i32,
    /// The greatest sensible value.
    pub max: i32,
    /// The step in which it is moved.
    pub step: i32,
}

impl From<&Tunable> for Constant {
    fn from(tunable: &Tunable) -> Self {
        Self {
            name: tunable.name,
            value: tunable.value,
            min: tunable.min,
            max: tunable.max,
            step: tunable.step,
        }
    }
}

impl fmt::Display for Constant {
    /// As the line of `params.rs`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            value,
            min,
            max,
            step,
        } = self;
        write!(f, "{name} = {value}, {min}..={max}, {step};")
    }
}

/// What a run depends on besides the constants and the program.
#[derive(Clone, Debug, PartialEq)]
pub struct SpsaSettings {
    /// Pairs of games in all: shifts and pulls become smaller towards the last.
    pub pairs: u64,
    /// Nodes of each search.
    pub nodes: u64,
    /// What the shifts, and the openings, depend on.
    pub seed: u64,
    /// How far a constant goes for a game won at the end, in steps (Fishtest's `r_end`).
    pub rate: f64,
}

impl SpsaSettings {
    /// How far constants are shifted after so many pairs, in their steps; one step at the end.
    fn shift(&self, done: u64) -> f64 {
        (self.pairs as f64 / (done + 1) as f64).powf(SHIFT_DECAY)
    }

    /// How far a game won pulls them, in their steps.
    fn pull(&self, done: u64) -> f64 {
        let all = self.pairs as f64;
        let gain =
            self.rate * ((CALM * all + all) / (CALM * all + done as f64 + 1.0)).powf(PULL_DECAY);
        gain / self.shift(done)
    }
}

/// A question to a pair of games.
#[derive(Clone, Debug)]
pub struct Perturbation {
    /// The pairs learned from when it was asked.
    done: u64,
    /// Which way each constant is shifted, 1 or -1.
    directions: Vec<f64>,
    /// The constants shifted this way, and the other way.
    pub sides: [Vec<i32>; 2],
    /// The chance that is left, for whoever chooses the opening.
    pub random: Random,
}

/// Constants on their way.
#[derive(Clone, Debug, PartialEq)]
pub struct SpsaRun {
    /// As they are declared.
    pub constants: Vec<Constant>,
    /// Where they are now.
    pub values: Vec<f64>,
    /// The pairs learned from.
    pub done: u64,
    /// The pairs asked for; more than `done` while some are played.
    pub asked: u64,
    /// Where they were after so many pairs, the start first.
    pub path: Vec<(u64, Vec<f64>)>,
}

impl SpsaRun {
    /// The constants where they are declared to be.
    #[must_use]
    pub fn new(constants: Vec<Constant>) -> Self {
        let values: Vec<f64> = constants.iter().map(|it| f64::from(it.value)).collect();
        Self {
            constants,
            path: vec![(0, values.clone())],
            values,
            done: 0,
            asked: 0,
        }
    }

    /// The next question.
    pub fn ask(&mut self, settings: &SpsaSettings) -> Perturbation {
        let mut random = Random::new(settings.seed, self.asked);
        self.asked += 1;
        let shift = settings.shift(self.done);
        let (mut directions, mut sides) = (Vec::new(), [const { Vec::new() }; 2]);
        for (constant, &value) in self.constants.iter().zip(&self.values) {
            let direction = [1.0, -1.0][random.below(2)];
            // The same chance for both sides: they differ by what they shall on average, and by little more.
            let chance = share(&mut random);
            let by = direction * shift * f64::from(constant.step);
            for (side, by) in sides.iter_mut().zip([by, -by]) {
                side.push(round(within(constant, value + by), chance));
            }
            directions.push(direction);
        }
        Perturbation {
            done: self.done,
            directions,
            sides,
            random,
        }
    }

    /// Learns by how many games the first side of a perturbation won more than it lost. Says whether this is a point of the way.
    pub fn learn(
        &mut self,
        settings: &SpsaSettings,
        perturbation: &Perturbation,
        won: i32,
    ) -> bool {
        let pull = settings.pull(perturbation.done) * f64::from(won);
        let constants = self.constants.iter().zip(&perturbation.directions);
        for (value, (constant, direction)) in self.values.iter_mut().zip(constants) {
            *value = within(
                constant,
                *value + direction * pull * f64::from(constant.step),
            );
        }
        self.done += 1;
        let is_point = self.done.is_multiple_of(settings.pairs.div_ceil(POINTS))
            || self.done == settings.pairs;
        if is_point {
            self.path.push((self.done, self.values.clone()));
        }
        is_point
    }

    /// The constants as they would be declared now: whole numbers.
    #[must_use]
    pub fn rounded(&self) -> Vec<Constant> {
        let values = self.constants.iter().zip(&self.values);
        values
            .map(|(&constant, value)| Constant {
                value: value.round() as i32,
                ..constant
            })
            .collect()
    }
}

/// The value, or the end of the range that it is beyond.
fn within(constant: &Constant, value: f64) -> f64 {
    value.clamp(f64::from(constant.min), f64::from(constant.max))
}

/// A number from 0 to 1, this one not included.
fn share(random: &mut Random) -> f64 {
    const BITS: u32 = f64::MANTISSA_DIGITS;
    (random.bits() >> (u64::BITS - BITS)) as f64 / (1_u64 << BITS) as f64
}

/// The whole number above a value as often as the value is nearer to it, else the one below: on average the value.
fn round(value: f64, chance: f64) -> i32 {
    (value + chance).floor() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three constants far from where they play best.
    pub(super) const CONSTANTS: [Constant; 3] = [
        constant("margin", 80, 0, 200, 8),
        constant("depth", 8, 1, 14, 1),
        constant("at_the_end", 990, 0, 1000, 50),
    ];
    const BEST: [f64; 3] = [112.0, 5.0, 1000.0];

    const fn constant(name: &'static str, value: i32, min: i32, max: i32, step: i32) -> Constant {
        Constant {
            name,
            value,
            min,
            max,
            step,
        }
    }

    pub(super) fn settings(pairs: u64) -> SpsaSettings {
        SpsaSettings {
            pairs,
            nodes: 1,
            seed: 7,
            rate: 0.004,
        }
    }

    /// What two games say: each is won as often as the distances to the optimum promise, at two Elo a squared step.
    pub(super) fn fake_pair(perturbation: &mut Perturbation) -> i32 {
        let [one, other] = [0, 1].map(|side: usize| -> f64 {
            let values = perturbation.sides[side].iter().zip(BEST).zip(CONSTANTS);
            let lost = values.map(|((&value, best), constant)| {
                2.0 * ((f64::from(value) - best) / f64::from(constant.step)).powi(2)
            });
            lost.sum()
        });
        let promise = 1.0 / (1.0 + 10.0_f64.powf((one - other) / 400.0));
        let mut game = || {
            if share(&mut perturbation.random) < promise {
                1
            } else {
                -1
            }
        };
        game() + game()
    }

    #[test]
    fn the_optimum_of_a_parabola_is_found() {
        let settings = settings(20_000);
        let mut course = SpsaRun::new(CONSTANTS.to_vec());
        for _ in 0..settings.pairs {
            let mut perturbation = course.ask(&settings);
            let won = fake_pair(&mut perturbation);
            course.learn(&settings, &perturbation, won);
        }
        for ((value, best), constant) in course.values.iter().zip(BEST).zip(CONSTANTS) {
            let steps = (value - best).abs() / f64::from(constant.step);
            assert!(steps < 1.0, "{}: {value}", constant.name);
        }
        assert_eq!(course.path.len() as u64, POINTS + 1);
        let rounded = course.rounded();
        assert!(
            rounded
                .iter()
                .all(|it| (it.min..=it.max).contains(&it.value))
        );
    }

    #[test]
    fn rounding_is_right_on_average() {
        let mut random = Random::new(1, 1);
        for value in [2.3, -2.3, 7.0, 0.999] {
            let rounds = 100_000;
            let sum: i32 = (0..rounds).map(|_| round(value, share(&mut random))).sum();
            let mean = f64::from(sum) / f64::from(rounds);
            assert!((mean - value).abs() < 0.01, "{value}: {mean}");
        }
    }

    #[test]
    fn both_sides_stay_within_the_ranges_and_lie_about_the_value() {
        let settings = settings(1000);
        let mut course = SpsaRun::new(CONSTANTS.to_vec());
        let mut sums = [0; 3];
        for number in 0..settings.pairs {
            let perturbation = course.ask(&settings);
            for side in &perturbation.sides {
                for ((value, constant), sum) in side.iter().zip(CONSTANTS).zip(&mut sums) {
                    assert!((constant.min..=constant.max).contains(value));
                    *sum += value;
                }
            }
            // Whatever the games say, and however often.
            course.learn(
                &settings,
                &perturbation,
                if number < 500 { 0 } else { 1_000_000 },
            );
            for (value, constant) in course.values.iter().zip(CONSTANTS) {
                let range = f64::from(constant.min)..=f64::from(constant.max);
                assert!(range.contains(value));
            }
            if number == 499 {
                let means = sums.map(|sum| f64::from(sum) / 1000.0);
                assert!((means[0] - 80.0).abs() < 0.1 && (means[1] - 8.0).abs() < 0.1);
            }
        }
    }

    #[test]
    fn shifts_and_pulls_end_as_they_are_asked_for() {
        let settings = settings(10_000);
        assert!((settings.shift(9_999) - 1.0).abs() < 1e-9);
        assert!((settings.pull(9_999) - settings.rate).abs() < 1e-9);
        for done in 0..9_999 {
            assert!(settings.shift(done) > settings.shift(done + 1));
        }
        // The first pulls are gentle because the first shifts are wide.
        assert!(settings.pull(0) < 2.0 * settings.rate && settings.pull(0) > settings.rate);
    }
}
