//! Ratings of levels from games against engines of known rating: a joint Bradley-Terry fit.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::table::TableError;
use crate::engine::level::player::RATINGS;

/// The name of a level in games is this and its rating.
pub const LEVEL_PREFIX: &str = "level-";
/// The logarithm of the odds that one rating point is worth.
const PER_POINT: f64 = std::f64::consts::LN_10 / 400.0;
/// Ratings are pulled to the mean of the anchors that played as by a normal prior of this deviation: wide enough to move no
/// other rating, it gives a level that lost or won every game a finite one.
const PRIOR: f64 = 3000.0;
/// Iterations of Newton's method, and the greatest step in points.
const ITERATIONS: usize = 100;
const STEP: f64 = 200.0;
/// Below this step in points the fit has ended.
const PRECISION: f64 = 1e-6;

/// Why games cannot be rated.
#[derive(Debug, Error)]
pub enum CalibrationError {
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// A player that is neither a level nor an anchor.
    #[error("{0}: {1}")]
    Player(PathBuf, UnknownPlayer),
    #[error(transparent)]
    Table(#[from] TableError),
}

/// A player that is neither a level nor an anchor.
#[derive(Debug, Error)]
#[error("`{0}` is neither an anchor nor a level ({LEVEL_PREFIX}{low} to {high})", low = RATINGS[0], high = RATINGS[1])]
pub struct UnknownPlayer(pub String);

/// An engine of known rating.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchor {
    pub name: String,
    pub rating: f64,
}

/// The result of one game, or of several with the same result.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// White and black.
    pub players: [String; 2],
    /// The points of white: 0, 0.5 or 1.
    pub score: f64,
    pub games: u32,
}

/// A level with the rating found.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedLevel {
    /// The level's own rating.
    pub level: u16,
    /// The rating on the scale of the anchors.
    pub rating: f64,
    /// One standard error by the scatter of the scores ([`rate`]), without the error of the anchors' ratings.
    pub error: f64,
    /// How much higher it is rated than the next weaker level, with one standard error; `None` for the weakest.
    pub step: Option<(f64, f64)>,
    pub games: u64,
    /// Points per game, 0 to 1.
    pub score: f64,
}

/// The level that a player's name stands for.
pub fn level_of(name: &str) -> Option<u16> {
    let rating = name.strip_prefix(LEVEL_PREFIX)?.parse().ok();
    let [low, high] = RATINGS;
    rating.filter(|rating| (low..=high).contains(rating))
}

/// The first player that is neither a level nor an anchor.
pub fn unknown_player(players: &[String; 2], anchors: &[Anchor]) -> Option<UnknownPlayer> {
    let is_known = |name: &String| {
        level_of(name).is_some() || anchors.iter().any(|anchor| anchor.name == *name)
    };
    let unknown = players.iter().find(|name| !is_known(name));
    unknown.cloned().map(UnknownPlayer)
}

/// The levels that no chain of games links to an anchor, in ascending order: games say nothing about their rating.
pub fn unlinked_levels(outcomes: &[Outcome], anchors: &[Anchor]) -> Vec<u16> {
    let mut linked: BTreeSet<&str> = anchors.iter().map(|anchor| anchor.name.as_str()).collect();
    let mut known = 0;
    while linked.len() > known {
        known = linked.len();
        for outcome in outcomes {
            let [white, black] = outcome.players.each_ref().map(String::as_str);
            if linked.contains(white) || linked.contains(black) {
                linked.extend([white, black]);
            }
        }
    }
    let names = outcomes.iter().flat_map(|outcome| &outcome.players);
    let unlinked: BTreeSet<u16> = names
        .filter(|name| !linked.contains(name.as_str()))
        .filter_map(|name| level_of(name))
        .collect();
    unlinked.into_iter().collect()
}

/// Games that cannot be drawn, which are counted for each pair of players besides its own: a few games say little about how many
/// are drawn.
const PSEUDO_GAMES: f64 = 2.0;

/// Games with the same result between two players, the first of which is white.
struct Pairing<'a> {
    outcome: &'a Outcome,
    /// The places of the levels among the ratings; `None` for an anchor.
    places: [Option<usize>; 2],
    /// The ratings of the anchors.
    fixed: [f64; 2],
}

impl Pairing<'_> {
    fn games(&self) -> f64 {
        f64::from(self.outcome.games)
    }

    /// The expected score of white.
    fn expected(&self, ratings: &[f64]) -> f64 {
        let [white, black] =
            [0, 1].map(|side| self.places[side].map_or(self.fixed[side], |place| ratings[place]));
        1.0 / (1.0 + (PER_POINT * (black - white)).exp())
    }

    /// Adds a weight to the matrix of a quadratic form in the ratings: that of the difference of both players.
    fn add_to(&self, matrix: &mut [Vec<f64>], weight: f64) {
        for place in self.places.into_iter().flatten() {
            matrix[place][place] += weight;
        }
        if let [Some(one), Some(other)] = self.places {
            matrix[one][other] -= weight;
            matrix[other][one] -= weight;
        }
    }
}

/// The ratings of the levels that make the games likeliest, in ascending order of the levels. The ratings of the anchors are
/// fixed.
///
/// The errors are those of the sandwich estimator (Huber 1967): with `C` the inverse curvature of the likelihood and `J` the
/// sum of the squared gradients of the games, the covariances are `C J C`. So they follow from how much the scores scatter,
/// and a draw, which scatters less than a win and a loss, narrows them.
pub fn rate(outcomes: &[Outcome], anchors: &[Anchor]) -> Vec<RatedLevel> {
    let names = outcomes.iter().flat_map(|outcome| &outcome.players);
    let mut places: BTreeMap<u16, usize> = names
        .filter_map(|name| Some((level_of(name)?, 0)))
        .collect();
    for (place, found) in places.values_mut().enumerate() {
        *found = place;
    }
    let played = |anchor: &&Anchor| {
        let mut players = outcomes.iter().flat_map(|outcome| &outcome.players);
        players.any(|name| *name == anchor.name)
    };
    let played: Vec<f64> = (anchors.iter().filter(played))
        .map(|anchor| anchor.rating)
        .collect();
    let mean = played.iter().sum::<f64>() / played.len().max(1) as f64;
    let place = |name: &String| places.get(&level_of(name)?).copied();
    let fixed = |name: &String| {
        let known = anchors.iter().find(|anchor| anchor.name == *name);
        known.map_or(mean, |anchor| anchor.rating)
    };
    let pairings = outcomes.iter().map(|outcome| Pairing {
        outcome,
        places: outcome.players.each_ref().map(place),
        fixed: outcome.players.each_ref().map(fixed),
    });
    let pairings: Vec<Pairing<'_>> = pairings.collect();
    let (ratings, curvature) = most_likely(&pairings, vec![mean; places.len()], mean);
    let covariances = covariances(&curvature, &scatter(&pairings, &ratings));
    let rated = |(&level, &place): (&u16, &usize)| {
        let variance = covariances[place][place];
        let step = place.checked_sub(1).map(|below| {
            let difference = ratings[place] - ratings[below];
            let common = covariances[place][below];
            let variance = variance + covariances[below][below] - 2.0 * common;
            (difference, variance.max(0.0).sqrt())
        });
        let (mut games, mut won) = (0, 0.0);
        for pairing in &pairings {
            if let Some(side) = pairing.places.iter().position(|own| *own == Some(place)) {
                let score = pairing.outcome.score;
                games += u64::from(pairing.outcome.games);
                won += [score, 1.0 - score][side] * pairing.games();
            }
        }
        RatedLevel {
            level,
            rating: ratings[place],
            error: variance.sqrt(),
            step,
            games,
            score: won / games.max(1) as f64,
        }
    };
    places.iter().map(rated).collect()
}

/// The most likely ratings by Newton's method, and the curvature of the likelihood there.
fn most_likely(
    pairings: &[Pairing<'_>],
    mut ratings: Vec<f64>,
    mean: f64,
) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut curvature = Vec::new();
    for _ in 0..ITERATIONS {
        let mut slope: Vec<f64> = ratings.iter().map(|r| (mean - r) / PRIOR.powi(2)).collect();
        curvature = diagonal(ratings.len(), PRIOR.powi(-2));
        for pairing in pairings {
            let expected = pairing.expected(&ratings);
            let pull = PER_POINT * pairing.games() * (pairing.outcome.score - expected);
            for (place, sign) in pairing.places.into_iter().zip([1.0, -1.0]) {
                if let Some(place) = place {
                    slope[place] += sign * pull;
                }
            }
            let variance = expected * (1.0 - expected);
            let weight = PER_POINT.powi(2) * pairing.games() * variance;
            pairing.add_to(&mut curvature, weight);
        }
        let step = solve(curvature.clone(), slope);
        for (rating, step) in ratings.iter_mut().zip(&step) {
            *rating += step.clamp(-STEP, STEP);
        }
        if step.iter().all(|step| step.abs() < PRECISION) {
            break;
        }
    }
    (ratings, curvature)
}

/// The sum of the squared gradients of all games and of the prior, with the mean squared residual of each pair of players and
/// its [`PSEUDO_GAMES`].
fn scatter(pairings: &[Pairing<'_>], ratings: &[f64]) -> Vec<Vec<f64>> {
    // Of each pair of players: games, squared residuals, and their expectation without draws.
    let mut pairs: BTreeMap<[&str; 2], (&Pairing<'_>, [f64; 3])> = BTreeMap::new();
    for pairing in pairings {
        let mut players = pairing.outcome.players.each_ref().map(String::as_str);
        players.sort_unstable();
        let expected = pairing.expected(ratings);
        let of_game = [
            1.0,
            (pairing.outcome.score - expected).powi(2),
            expected * (1.0 - expected),
        ];
        let (_, sums) = pairs.entry(players).or_insert((pairing, [0.0; 3]));
        for (sum, value) in sums.iter_mut().zip(of_game) {
            *sum += pairing.games() * value;
        }
    }
    let mut scatter = diagonal(ratings.len(), PRIOR.powi(-2));
    for (pairing, [games, squares, without_draws]) in pairs.values() {
        let squares = games.mul_add(*squares, PSEUDO_GAMES * without_draws);
        let weight = PER_POINT.powi(2) * squares / (games + PSEUDO_GAMES);
        pairing.add_to(&mut scatter, weight);
    }
    scatter
}

/// The covariances of the ratings: the inverse curvature, times the scatter, times the inverse curvature.
fn covariances(curvature: &[Vec<f64>], scatter: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let inverse_times = |column: Vec<f64>| solve(curvature.to_vec(), column);
    // Both matrices are symmetric: the rows of the inner product are its columns transposed.
    let inner: Vec<Vec<f64>> = scatter.iter().cloned().map(inverse_times).collect();
    let column = |place: usize| inner.iter().map(|row| row[place]).collect();
    (0..inner.len()).map(column).map(inverse_times).collect()
}

fn diagonal(size: usize, value: f64) -> Vec<Vec<f64>> {
    let row = |place: usize| {
        let mut row = vec![0.0; size];
        row[place] = value;
        row
    };
    (0..size).map(row).collect()
}

/// Solves a system with a positive definite matrix by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for pivot in 0..size {
        let row = matrix[pivot].clone();
        for below in pivot + 1..size {
            let factor = matrix[below][pivot] / row[pivot];
            for (value, above) in matrix[below].iter_mut().zip(&row) {
                *value -= factor * above;
            }
            right[below] -= factor * right[pivot];
        }
    }
    for place in (0..size).rev() {
        let known: f64 = (place + 1..size)
            .map(|other| matrix[place][other] * right[other])
            .sum();
        right[place] = (right[place] - known) / matrix[place][place];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;

    fn anchors() -> Vec<Anchor> {
        let anchor = |rating: u16| Anchor {
            name: format!("anchor-{rating}"),
            rating: f64::from(rating),
        };
        [1400, 1800].map(anchor).to_vec()
    }

    #[test]
    fn ratings_that_made_the_games_are_found_within_their_errors() {
        let truth = [("level-1000", 1300.0), ("level-1500", 1750.0)];
        let rating = |name: &str| {
            let level = truth.iter().find(|(level, _)| *level == name);
            level.map_or_else(
                || {
                    name.trim_start_matches("anchor-")
                        .parse()
                        .expect("a rating")
                },
                |(_, rating)| *rating,
            )
        };
        let mut random = Random::new(5, 0);
        let mut outcomes = Vec::new();
        for game in 0..1200 {
            let pairs = [
                ["level-1000", "anchor-1400"],
                ["anchor-1400", "level-1500"],
                ["level-1500", "anchor-1800"],
                ["level-1000", "level-1500"],
            ];
            let pair = pairs[game % pairs.len()];
            let gap: f64 = rating(pair[1]) - rating(pair[0]);
            let expected = 1.0 / (1.0 + 10f64.powf(gap / 400.0));
            let drawn = (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
            let score = if drawn < expected { 1.0 } else { 0.0 };
            let players = pair.map(str::to_owned);
            let games = 1;
            outcomes.push(Outcome {
                players,
                score,
                games,
            });
        }
        let rated = rate(&outcomes, &anchors());
        assert_eq!(rated.len(), 2);
        for (found, (_, truth)) in rated.iter().zip(truth) {
            assert!(
                (found.rating - truth).abs() < 3.0 * found.error,
                "{found:?}"
            );
            assert!((5.0..30.0).contains(&found.error), "{found:?}");
        }
        assert_eq!(rated[0].games, 600);
        assert_eq!(rated[0].step, None);
        let (step, error) = rated[1].step.expect("a step");
        assert!((step - 450.0).abs() < 3.0 * error, "{rated:?}");
        assert!((5.0..30.0).contains(&error), "{rated:?}");
    }

    /// The root mean square of the true errors of the ratings and of a step, each over the mean of the errors found, in
    /// tournaments with this share of draws; and the mean error found of the first rating.
    fn errors_in_tournaments(draws: f64) -> ([f64; 3], f64) {
        const TOURNAMENTS: usize = 400;
        let truth = [1400.0, 1600.0];
        let pairs = [
            (["level-1000", "anchor-1400"], truth[0] - 1400.0),
            (["anchor-1400", "level-1500"], 1400.0 - truth[1]),
            (["level-1500", "anchor-1800"], truth[1] - 1800.0),
            (["level-1000", "level-1500"], truth[0] - truth[1]),
        ];
        let mut random = Random::new(3, 0);
        let (mut squares, mut found) = ([0.0; 3], [0.0; 3]);
        for _ in 0..TOURNAMENTS {
            let mut outcomes = Vec::new();
            for (players, gap) in pairs {
                let expected = 1.0 / (1.0 + 10f64.powf(-gap / 400.0));
                let mut counts = [0; 3];
                for _ in 0..60 {
                    let drawn = (random.bits() >> 11) as f64 / (1_u64 << 53) as f64;
                    let above = [expected - draws / 2.0, expected + draws / 2.0];
                    counts[above.iter().filter(|share| drawn < **share).count()] += 1;
                }
                for (score, games) in [0.0, 0.5, 1.0].into_iter().zip(counts) {
                    outcomes.push(Outcome {
                        players: players.map(str::to_owned),
                        score,
                        games,
                    });
                }
            }
            let rated = rate(&outcomes, &anchors());
            let (step, of_step) = rated[1].step.expect("a step");
            let values = [rated[0].rating, rated[1].rating, step];
            let errors = [rated[0].error, rated[1].error, of_step];
            let truth = [truth[0], truth[1], truth[1] - truth[0]];
            for place in 0..3 {
                squares[place] += (values[place] - truth[place]).powi(2) / TOURNAMENTS as f64;
                found[place] += errors[place] / TOURNAMENTS as f64;
            }
        }
        let ratios = [0, 1, 2].map(|place: usize| squares[place].sqrt() / found[place]);
        (ratios, found[0])
    }

    #[test]
    fn errors_are_those_of_many_tournaments_and_draws_narrow_them() {
        let [(decided, wide), (drawn, narrow)] = [0.0, 0.4].map(errors_in_tournaments);
        for ratio in decided.into_iter().chain(drawn) {
            assert!((0.9..1.1).contains(&ratio), "{decided:?} {drawn:?}");
        }
        assert!(narrow < 0.85 * wide, "{narrow} {wide}");
    }

    #[test]
    fn a_few_draws_do_not_prove_that_all_games_are_drawn() {
        let drawn = |games| Outcome {
            players: ["level-800".to_owned(), "anchor-1400".to_owned()],
            score: 0.5,
            games,
        };
        let error = |games| rate(&[drawn(games)], &anchors())[0].error;
        assert!(
            error(4) > 80.0 && error(400) < 2.0,
            "{} {}",
            error(4),
            error(400)
        );
    }

    #[test]
    fn games_among_levels_alone_link_none_to_an_anchor() {
        let outcome = |white: &str, black: &str| Outcome {
            players: [white, black].map(str::to_owned),
            score: 0.5,
            games: 2,
        };
        let mut outcomes = vec![
            outcome("level-800", "level-900"),
            outcome("level-1000", "level-1100"),
            outcome("level-1100", "anchor-1400"),
        ];
        assert_eq!(unlinked_levels(&outcomes, &anchors()), [800, 900]);
        outcomes.push(outcome("level-900", "level-1000"));
        assert!(unlinked_levels(&outcomes, &anchors()).is_empty());
    }

    #[test]
    fn an_anchor_without_games_and_the_prior_move_no_rating() {
        let games = |score, games| Outcome {
            players: ["level-800".to_owned(), "anchor-1400".to_owned()],
            score,
            games,
        };
        let outcomes = [games(1.0, 10), games(0.0, 90)];
        let expected = 1400.0 - 400.0 * 9f64.log10();
        let more = Anchor {
            name: "other".to_owned(),
            rating: 3000.0,
        };
        for others in [vec![], vec![more]] {
            let rated = rate(&outcomes, &[anchors(), others].concat());
            assert!((rated[0].rating - expected).abs() < 1.0, "{rated:?}");
        }
    }

    #[test]
    fn a_level_that_lost_every_game_has_a_finite_rating_and_a_wide_error() {
        let lost = Outcome {
            players: ["level-800".to_owned(), "anchor-1800".to_owned()],
            score: 0.0,
            games: 10,
        };
        let rated = rate(&[lost], &anchors());
        assert!(rated[0].rating.is_finite() && rated[0].rating < 1500.0);
        assert!(rated[0].error > 200.0, "{rated:?}");
    }
}
