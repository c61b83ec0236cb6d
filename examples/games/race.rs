//! A race as at the end of backgammon: chance nodes solved exactly, searched with Star1, and learned by TD(λ) from games
//! against itself, as TD-Gammon was.
//!
//! `cargo run --release --example race`

mod chance;
mod race_board;

use std::collections::HashMap;

use chance::{ChanceGame, expectiminimax, star1};
use lucena::base::random::Random;
use race_board::{CHECKERS, POINTS, Race};

/// The exact values of all positions met from a position on.
#[derive(Default)]
struct Exact(HashMap<Race, f64>);

impl Exact {
    fn value(&mut self, race: Race) -> f64 {
        if let Some(&value) = self.0.get(&race) {
            return value;
        }
        let throws = race.throws();
        let mut value = if throws.is_empty() {
            race.utility()
        } else {
            0.0
        };
        for (chance, throw) in throws {
            let choices = race.choices(throw).into_iter();
            value += chance
                * choices
                    .map(|choice| -self.value(choice))
                    .fold(-1.0, f64::max);
        }
        self.0.insert(race, value);
        value
    }
}

/// A value learned as tanh of a weighted sum: the number of checkers on each point, of each side, and a constant.
struct Learned([f64; 2 * POINTS + 1]);

impl Learned {
    fn features(race: &Race) -> [f64; 2 * POINTS + 1] {
        let mut features = [1.0; 2 * POINTS + 1];
        for point in 0..POINTS {
            features[point] = f64::from(race.own[point]);
            features[POINTS + point] = f64::from(race.other[point]);
        }
        features
    }

    fn value(&self, race: &Race) -> f64 {
        if race.other == [0; POINTS] {
            return -1.0;
        }
        let sum: f64 = self
            .0
            .iter()
            .zip(Self::features(race))
            .map(|(weight, feature)| weight * feature)
            .sum();
        sum.tanh()
    }

    /// The choice that is worst for the other player.
    fn choose(&self, race: &Race, throw: (usize, usize)) -> Race {
        let choices = race.choices(throw).into_iter();
        choices
            .min_by(|a, b| self.value(a).total_cmp(&self.value(b)))
            .expect("a checker is left")
    }

    /// TD(λ) (Sutton 1988): after every throw, the values of earlier positions move toward that of the next one. The
    /// player to throw changes each time, and so does the sign.
    fn train(games: usize, random: &mut Random) -> Self {
        const LAMBDA: f64 = 0.7;
        let mut learned = Self([0.0; 2 * POINTS + 1]);
        for game in 0..games {
            let rate = 0.05 / (1.0 + game as f64 / 2000.0);
            let mut trace = [0.0; 2 * POINTS + 1];
            let mut race = random_start(random);
            while race.other != [0; POINTS] {
                let value = learned.value(&race);
                let next = learned.choose(&race, throw(random));
                let error = -learned.value(&next) - value;
                let slope = 1.0 - value * value;
                for (index, feature) in Self::features(&race).into_iter().enumerate() {
                    trace[index] = -LAMBDA * trace[index] + slope * feature;
                    learned.0[index] += rate * error * trace[index];
                }
                race = next;
            }
        }
        learned
    }
}

fn throw(random: &mut Random) -> (usize, usize) {
    let (first, second) = (random.below(6) + 1, random.below(6) + 1);
    (first.max(second), first.min(second))
}

/// Checkers at random on both sides, so that all kinds of races are met.
fn random_start(random: &mut Random) -> Race {
    let mut race = Race {
        own: [0; POINTS],
        other: [0; POINTS],
    };
    for side in [&mut race.own, &mut race.other] {
        for _ in 0..CHECKERS {
            side[random.below(POINTS)] += 1;
        }
    }
    race
}

/// The mean error of learned values, and the mean loss of value by their choices.
fn errors(learned: &Learned, exact: &mut Exact, random: &mut Random) -> (f64, f64) {
    const POSITIONS: usize = 2000;
    let (mut error, mut loss) = (0.0, 0.0);
    for _ in 0..POSITIONS {
        let race = random_start(random);
        error += (learned.value(&race) - exact.value(race)).abs();
        let throw = throw(random);
        let choices = race.choices(throw).into_iter();
        let best = choices
            .map(|choice| -exact.value(choice))
            .fold(-1.0, f64::max);
        loss += best + exact.value(learned.choose(&race, throw));
    }
    (error / POSITIONS as f64, loss / POSITIONS as f64)
}

fn main() {
    let mut exact = Exact::default();
    let value = exact.value(Race::START);
    println!(
        "first player wins with chance {:.4}, {} positions",
        f64::midpoint(value, 1.0),
        exact.0.len()
    );
    for depth in 1..=3 {
        let (mut all, mut some) = (0, 0);
        let value = expectiminimax(&Race::START, depth, &mut all);
        star1(&Race::START, depth, -1.0, 1.0, &mut some);
        println!("{depth} throws: value {value:+.4}, expectiminimax {all} nodes, Star1 {some}");
    }
    let mut random = Random::new(1, 0);
    for games in [0, 100, 1000, 10_000] {
        let learned = Learned::train(games, &mut random);
        let (error, loss) = errors(&learned, &mut exact, &mut random);
        println!(
            "TD(λ) after {games:>5} games: mean error {error:.3}, value lost per move {loss:.4}"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn star1_gives_the_value_of_expectiminimax_with_fewer_nodes() {
        let mut random = Random::new(2, 0);
        let (mut all, mut some) = (0, 0);
        for _ in 0..20 {
            let race = random_start(&mut random);
            let value = expectiminimax(&race, 2, &mut all);
            assert!((star1(&race, 2, -1.0, 1.0, &mut some) - value).abs() < 1e-9);
        }
        assert!(some < all, "{some} of {all}");
    }

    #[test]
    fn a_full_search_is_exact() {
        let race = Race {
            own: [2, 0, 0, 0, 0, 0],
            other: [1, 1, 0, 0, 0, 0],
        };
        // Any throw bears off both checkers.
        assert!((Exact::default().value(race) - 1.0).abs() < 1e-12);
        let race = Race {
            own: [0, 0, 0, 0, 0, 2],
            other: [1, 0, 0, 0, 0, 0],
        };
        // Only a double of three or more bears off two checkers from the six point: a double three moves both twice.
        assert!((Exact::default().value(race) - (2.0 * 4.0 / 36.0 - 1.0)).abs() < 1e-12);
    }

    #[test]
    fn learning_reduces_the_errors() {
        let mut random = Random::new(3, 0);
        let mut exact = Exact::default();
        let [before, after] = [0, 3000].map(|games| {
            let learned = Learned::train(games, &mut random);
            errors(&learned, &mut exact, &mut random)
        });
        assert!(
            after.0 < before.0 / 3.0 && after.1 < before.1 / 3.0,
            "{before:?} {after:?}"
        );
    }
}
