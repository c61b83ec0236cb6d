//! Ratings of levels from games against engines of known rating: a joint Bradley-Terry fit.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::table::TableError;

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
    #[error("{0}: `{1}` is neither a level nor an anchor")]
    Player(PathBuf, String),
    #[error(transparent)]
    Table(#[from] TableError),
}

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
    /// One standard error, without the error of the anchors' ratings.
    pub error: f64,
    /// How much higher it is rated than the next weaker level, with one standard error; `None` for the weakest.
    pub step: Option<(f64, f64)>,
    pub games: u32,
    /// Points per game, 0 to 1.
    pub score: f64,
}

/// The level that a player's name stands for.
pub fn level_of(name: &str) -> Option<u16> {
    name.strip_prefix(LEVEL_PREFIX)?.parse().ok()
}

/// Reads the finished games of a PGN file: the tags White, Black and Result. A game that a program lost on time or by a
/// fault (by the tag Termination after them) is left out: it says nothing about strength.
///
/// # Errors
/// The file cannot be read, or a player is neither a level nor an anchor.
pub fn read_outcomes(path: &Path, anchors: &[Anchor]) -> Result<Vec<Outcome>, CalibrationError> {
    let refused = |error| CalibrationError::Io(path.to_owned(), error);
    let file = BufReader::new(File::open(path).map_err(refused)?);
    let mut outcomes = Vec::new();
    let mut players = [String::new(), String::new()];
    // Whether the result of this game was the last outcome.
    let mut has_outcome = false;
    for line in file.lines() {
        let line = line.map_err(refused)?;
        let Some((tag, value)) = tag(&line) else {
            continue;
        };
        match tag {
            "White" => {
                has_outcome = false;
                value.clone_into(&mut players[0]);
            }
            "Black" => value.clone_into(&mut players[1]),
            "Result" => {
                let score = match value {
                    "1-0" => 1.0,
                    "0-1" => 0.0,
                    "1/2-1/2" => 0.5,
                    _ => continue,
                };
                if let Some(name) = unknown_player(&players, anchors) {
                    return Err(CalibrationError::Player(path.to_owned(), name.to_owned()));
                }
                outcomes.push(Outcome {
                    players: players.clone(),
                    score,
                    games: 1,
                });
                has_outcome = true;
            }
            "Termination" if has_outcome && !matches!(value, "normal" | "adjudication") => {
                outcomes.pop();
                has_outcome = false;
            }
            _ => {}
        }
    }
    Ok(outcomes)
}

/// The first player that is neither a level nor an anchor.
pub fn unknown_player<'a>(players: &'a [String; 2], anchors: &[Anchor]) -> Option<&'a str> {
    let is_known = |name: &String| {
        level_of(name).is_some() || anchors.iter().any(|anchor| anchor.name == *name)
    };
    let unknown = players.iter().find(|name| !is_known(name));
    unknown.map(String::as_str)
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

/// The name and the value of a line with a PGN tag.
fn tag(line: &str) -> Option<(&str, &str)> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inner.split_once(' ')?;
    let value = value.strip_prefix('"')?.strip_suffix('"')?;
    Some((name, value))
}

/// The ratings of the levels that make the games likeliest, in ascending order of the levels. The ratings of the anchors are
/// fixed.
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
    let mut ratings = vec![mean; places.len()];
    let place = |name: &String| level_of(name).and_then(|level| places.get(&level).copied());
    let fixed = |name: &String| {
        let known = anchors.iter().find(|anchor| anchor.name == *name);
        known.map_or(mean, |anchor| anchor.rating)
    };
    let mut curvature = Vec::new();
    for _ in 0..ITERATIONS {
        let mut slope: Vec<f64> = ratings.iter().map(|r| (mean - r) / PRIOR.powi(2)).collect();
        curvature = diagonal(ratings.len(), PRIOR.powi(-2));
        for outcome in outcomes {
            let of = |name| place(name).map_or_else(|| fixed(name), |place| ratings[place]);
            let [white, black] = &outcome.players;
            let expected = 1.0 / (1.0 + (PER_POINT * (of(black) - of(white))).exp());
            let games = f64::from(outcome.games);
            let pull = PER_POINT * games * (outcome.score - expected);
            let weight = PER_POINT.powi(2) * games * expected * (1.0 - expected);
            let both = [place(white), place(black)];
            for (found, sign) in both.into_iter().zip([1.0, -1.0]) {
                if let Some(place) = found {
                    slope[place] += sign * pull;
                    curvature[place][place] += weight;
                }
            }
            if let [Some(one), Some(other)] = both {
                curvature[one][other] -= weight;
                curvature[other][one] -= weight;
            }
        }
        let step = solve(curvature.clone(), slope);
        for (rating, step) in ratings.iter_mut().zip(&step) {
            *rating += step.clamp(-STEP, STEP);
        }
        if step.iter().all(|step| step.abs() < PRECISION) {
            break;
        }
    }
    let covariances: Vec<Vec<f64>> = diagonal(ratings.len(), 1.0)
        .into_iter()
        .map(|unit| solve(curvature.clone(), unit))
        .collect();
    let rated = |(&level, &place): (&u16, &usize)| {
        let variance = covariances[place][place];
        let step = place.checked_sub(1).map(|below| {
            let difference = ratings[place] - ratings[below];
            let common = covariances[place][below];
            let variance = variance + covariances[below][below] - 2.0 * common;
            (difference, variance.sqrt())
        });
        let name = format!("{LEVEL_PREFIX}{level}");
        let (mut games, mut won) = (0, 0.0);
        for outcome in outcomes {
            if let Some(side) = outcome.players.iter().position(|player| *player == name) {
                let score = [outcome.score, 1.0 - outcome.score][side];
                games += outcome.games;
                won += score * f64::from(outcome.games);
            }
        }
        RatedLevel {
            level,
            rating: ratings[place],
            error: variance.sqrt(),
            step,
            games,
            score: won / f64::from(games.max(1)),
        }
    };
    places.iter().map(rated).collect()
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

    #[test]
    fn outcomes_are_read_and_unknown_players_are_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        let game =
            "[White \"level-900\"]\n[Black \"anchor-1400\"]\n[Result \"1/2-1/2\"]\n\n1. e4 *\n\n";
        let open = game.replace("1/2-1/2", "*");
        let lost = game.replace("\n\n1.", "\n[Termination \"time forfeit\"]\n\n1.");
        let normal = game.replace("\n\n1.", "\n[Termination \"normal\"]\n\n1.");
        std::fs::write(&path, game.to_owned() + &open + &lost + &normal).expect("a file");
        let outcomes = read_outcomes(&path, &anchors()).expect("games");
        assert_eq!(outcomes.len(), 2);
        assert!((outcomes[0].score - 0.5).abs() < 1e-9);
        std::fs::write(&path, game.replace("level-900", "other")).expect("a file");
        let fault = read_outcomes(&path, &anchors()).expect_err("a fault");
        assert!(fault.to_string().contains("`other` is neither"), "{fault}");
    }
}
