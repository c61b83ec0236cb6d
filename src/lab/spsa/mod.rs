//! SPSA (simultaneous perturbation stochastic approximation, Spall 1992): tunes the search constants by games.
//!
//! Each iteration changes all constants at once, each up or down at random. A pair of games between these values and
//! the opposite ones estimates the gradient for all constants together.

pub mod games;
pub mod run;
pub mod state;

use std::fmt;

use crate::base::random::Random;
use crate::search::params::Tunable;

/// Exponents of the gain sequences, as recommended by Spall, "Implementation of the simultaneous perturbation algorithm
/// for stochastic optimization" (1998).
const GAMMA: f64 = 0.101;
const ALPHA: f64 = 0.602;
/// The stability constant A of the step size, as a share of the pairs, as in Fishtest and `OpenBench`.
const STABILITY: f64 = 0.1;
/// Points of the history that are kept.
const POINTS: u64 = 200;

/// A search constant as declared in `params.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    pub name: &'static str,
    pub value: i32,
    pub min: i32,
    pub max: i32,
    /// The perturbation of the last iteration.
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
    /// Written as the line of `params.rs`.
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

/// A clock of a game that counts nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// Nodes at the start.
    pub base: u64,
    /// Nodes added after each move.
    pub increment: u64,
}

impl fmt::Display for GameClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.base, self.increment)
    }
}

/// What a run depends on, besides the constants and the program.
#[derive(Clone, Debug, PartialEq)]
pub struct SpsaSettings {
    /// Number of game pairs in all, one for each iteration.
    pub pairs: u64,
    /// Nodes per search in games without a clock.
    pub nodes: u64,
    /// The clock of each side, if the constants of time management are tuned.
    pub clock: Option<GameClock>,
    /// Seed of the perturbations and openings.
    pub seed: u64,
    /// Step size of the last iteration, in steps of the constant (Fishtest's `r_end`).
    pub rate: f64,
}

impl SpsaSettings {
    /// Perturbation after this many pairs, in steps of the constant; 1 at the end.
    fn perturbation_size(&self, done: u64) -> f64 {
        (self.pairs as f64 / (done + 1) as f64).powf(GAMMA)
    }

    /// Change of a constant per game won after this many pairs, in steps of the constant.
    fn step_size(&self, done: u64) -> f64 {
        let all = self.pairs as f64;
        let gain = self.rate
            * ((STABILITY * all + all) / (STABILITY * all + done as f64 + 1.0)).powf(ALPHA);
        gain / self.perturbation_size(done)
    }
}

/// The two sides of a pair of games.
#[derive(Clone, Debug)]
pub struct Perturbation {
    /// Finished pairs when the perturbation was drawn.
    done: u64,
    /// Sign of the change of each constant on the first side, 1 or -1.
    directions: Vec<f64>,
    /// Values of the constants on both sides.
    pub sides: [Vec<i32>; 2],
    /// For the choice of the opening.
    pub random: Random,
}

/// The state of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct SpsaRun {
    /// The constants as declared.
    pub constants: Vec<Constant>,
    /// Their current values.
    pub values: Vec<f64>,
    /// Number of finished pairs.
    pub done: u64,
    /// Number of pairs started; more than `done` while some are being played.
    pub started: u64,
    /// Numbers of pairs and the values after them, from the start.
    pub history: Vec<(u64, Vec<f64>)>,
}

impl SpsaRun {
    /// A run at its start.
    pub fn new(constants: Vec<Constant>) -> Self {
        let values: Vec<f64> = constants.iter().map(|it| f64::from(it.value)).collect();
        Self {
            constants,
            history: vec![(0, values.clone())],
            values,
            done: 0,
            started: 0,
        }
    }

    /// Draws the next perturbation.
    pub fn perturb(&mut self, settings: &SpsaSettings) -> Perturbation {
        let mut random = Random::new(settings.seed, self.started);
        self.started += 1;
        let size = settings.perturbation_size(self.done);
        let (mut directions, mut sides) = (Vec::new(), [const { Vec::new() }; 2]);
        for (constant, &value) in self.constants.iter().zip(&self.values) {
            let direction = [1.0, -1.0][random.below(2)];
            // Both sides use the same random number, so that rounding adds little to their difference.
            let offset = unit_random(&mut random);
            let by = direction * size * f64::from(constant.step);
            for (side, by) in sides.iter_mut().zip([by, -by]) {
                side.push(round(within(constant, value + by), offset));
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

    /// Updates the values; `won` is the number of games the first side won, less those it lost. Returns whether a point
    /// was added to the history.
    pub fn update(
        &mut self,
        settings: &SpsaSettings,
        perturbation: &Perturbation,
        won: i32,
    ) -> bool {
        let step = settings.step_size(perturbation.done) * f64::from(won);
        let constants = self.constants.iter().zip(&perturbation.directions);
        for (value, (constant, direction)) in self.values.iter_mut().zip(constants) {
            *value = within(
                constant,
                *value + direction * step * f64::from(constant.step),
            );
        }
        self.done += 1;
        let is_point = self.done.is_multiple_of(settings.pairs.div_ceil(POINTS))
            || self.done == settings.pairs;
        if is_point {
            self.history.push((self.done, self.values.clone()));
        }
        is_point
    }

    /// The constants with their current values, rounded.
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

/// The value, limited to the range of the constant.
fn within(constant: &Constant, value: f64) -> f64 {
    value.clamp(f64::from(constant.min), f64::from(constant.max))
}

/// A random number from 0 to 1, excluding 1.
fn unit_random(random: &mut Random) -> f64 {
    const BITS: u32 = f64::MANTISSA_DIGITS;
    (random.bits() >> (u64::BITS - BITS)) as f64 / (1_u64 << BITS) as f64
}

/// Stochastic rounding: the expected result is the value.
fn round(value: f64, random: f64) -> i32 {
    (value + random).floor() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three constants far from their optimum.
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
            clock: None,
            seed: 7,
            rate: 0.004,
        }
    }

    /// Two games with results drawn by the distances of both sides from the optimum, at two Elo per squared step.
    pub(super) fn fake_pair(perturbation: &mut Perturbation) -> i32 {
        let [one, other] = [0, 1].map(|side: usize| -> f64 {
            let values = perturbation.sides[side].iter().zip(BEST).zip(CONSTANTS);
            let lost = values.map(|((&value, best), constant)| {
                2.0 * ((f64::from(value) - best) / f64::from(constant.step)).powi(2)
            });
            lost.sum()
        });
        let win_probability = 1.0 / (1.0 + 10.0_f64.powf((one - other) / 400.0));
        let mut game = || {
            if unit_random(&mut perturbation.random) < win_probability {
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
        let mut run = SpsaRun::new(CONSTANTS.to_vec());
        for _ in 0..settings.pairs {
            let mut perturbation = run.perturb(&settings);
            let won = fake_pair(&mut perturbation);
            run.update(&settings, &perturbation, won);
        }
        for ((value, best), constant) in run.values.iter().zip(BEST).zip(CONSTANTS) {
            let steps = (value - best).abs() / f64::from(constant.step);
            assert!(steps < 1.0, "{}: {value}", constant.name);
        }
        assert_eq!(run.history.len() as u64, POINTS + 1);
        let rounded = run.rounded();
        assert!(
            rounded
                .iter()
                .all(|it| (it.min..=it.max).contains(&it.value))
        );
    }

    #[test]
    fn rounding_is_unbiased() {
        let mut random = Random::new(1, 1);
        for value in [2.3, -2.3, 7.0, 0.999] {
            let rounds = 100_000;
            let sum: i32 = (0..rounds)
                .map(|_| round(value, unit_random(&mut random)))
                .sum();
            let mean = f64::from(sum) / f64::from(rounds);
            assert!((mean - value).abs() < 0.01, "{value}: {mean}");
        }
    }

    #[test]
    fn both_sides_stay_in_range_and_average_to_the_value() {
        let settings = settings(1000);
        let mut run = SpsaRun::new(CONSTANTS.to_vec());
        let mut sums = [0; 3];
        for number in 0..settings.pairs {
            let perturbation = run.perturb(&settings);
            for side in &perturbation.sides {
                for ((value, constant), sum) in side.iter().zip(CONSTANTS).zip(&mut sums) {
                    assert!((constant.min..=constant.max).contains(value));
                    *sum += value;
                }
            }
            // Even with results that no pair can have.
            run.update(
                &settings,
                &perturbation,
                if number < 500 { 0 } else { 1_000_000 },
            );
            for (value, constant) in run.values.iter().zip(CONSTANTS) {
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
    fn gain_sequences_end_at_the_values_given() {
        let settings = settings(10_000);
        assert!((settings.perturbation_size(9_999) - 1.0).abs() < 1e-9);
        assert!((settings.step_size(9_999) - settings.rate).abs() < 1e-9);
        for done in 0..9_999 {
            assert!(settings.perturbation_size(done) > settings.perturbation_size(done + 1));
        }
        // The first steps are small because the first perturbations are wide.
        assert!(
            settings.step_size(0) < 2.0 * settings.rate && settings.step_size(0) > settings.rate
        );
    }
}
