//! The profile of a player over many games: which concepts mistakes cost, the phases of the game, time trouble, openings.
//! Every number has 95 percent bounds from a bootstrap over games; figures that rest on too few games are left out.

use std::collections::BTreeMap;

use serde::Serialize;

use super::clock;
use super::judge::Mark;
use super::reasons::Cause;
use super::report::{GameReport, MoveReport, SideReport, rounded};
use crate::base::random::Random;
use crate::chess::{Color, Position, Role};

/// The version of the JSON format.
const FORMAT: u32 = 1;
/// A number that rests on fewer games is left out.
pub const MIN_GAMES: usize = 20;
/// Samples of the bootstrap, its seed, and how many of them lie below and above the bounds.
const SAMPLES: usize = 1000;
const SEED: u64 = 1;
const OUTSIDE: usize = 25;
/// Openings, the most frequent ones.
const MAX_OPENINGS: usize = 10;
/// The last move of the opening, and the most non-pawn pieces in an endgame.
const OPENING_MOVES: u16 = 12;
const ENDGAME_PIECES: usize = 6;
/// Phases of the game.
const PHASES: [&str; 3] = ["opening", "middlegame", "endgame"];
/// Bands of the share of the starting time that is left: name and upper end.
const BANDS: [(&str, f64); 3] = [
    ("less than 10 %", 0.1),
    ("10 to 30 %", 0.3),
    ("more than 30 %", f64::INFINITY),
];

/// A number with its 95 percent bounds, and the games that it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
    pub games: usize,
}

impl Estimate {
    /// A sum divided by another one, over games; `None` for too few games. Games with the divisor 0 do not count.
    pub fn of(games: impl Iterator<Item = (f64, f64)>) -> Option<Self> {
        let games: Vec<(f64, f64)> = games.filter(|(_, divisor)| *divisor > 0.0).collect();
        if games.len() < MIN_GAMES {
            return None;
        }
        let ratio = |sums: (f64, f64)| sums.0 / sums.1;
        let add = |sums: (f64, f64), game: &(f64, f64)| (sums.0 + game.0, sums.1 + game.1);
        let mut random = Random::new(SEED, 0);
        let mut samples: Vec<f64> = (0..SAMPLES)
            .map(|_| {
                let drawn = (0..games.len()).map(|_| &games[random.below(games.len())]);
                ratio(drawn.fold((0.0, 0.0), add))
            })
            .collect();
        samples.sort_by(f64::total_cmp);
        Some(Self {
            value: rounded(ratio(games.iter().fold((0.0, 0.0), add)), 4),
            low: rounded(samples[OUTSIDE], 4),
            high: rounded(samples[SAMPLES - 1 - OUTSIDE], 4),
            games: games.len(),
        })
    }
}

/// What mistakes of one cause cost per game, in expected points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CauseLine {
    pub cause: &'static str,
    pub title: &'static str,
    /// By mistakes of the player.
    pub lost: Estimate,
    /// By mistakes of the opponents.
    pub gained: Estimate,
}

/// Moves of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MovesLine {
    pub name: &'static str,
    pub moves: u64,
    /// Expected points lost per 100 moves.
    pub lost: Estimate,
    /// Mistakes and blunders per 100 moves.
    pub mistakes: Estimate,
}

/// Games with one colour and one opening.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OpeningLine {
    /// `white` or `black`.
    pub color: &'static str,
    /// Its name without the variation; `None` stands for all games.
    pub name: Option<String>,
    /// Points per game; `None` if too few games have a result.
    pub points: Option<Estimate>,
    /// Expected points lost per 100 moves.
    pub lost: Estimate,
}

/// The profile of a player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Profile {
    pub format: u32,
    pub player: String,
    pub games: usize,
    /// Figures that rest on fewer games are left out.
    pub least_games: usize,
    pub wins: usize,
    pub draws: usize,
    pub losses: usize,
    /// lichess's accuracy, the mean over games.
    pub accuracy: Option<Estimate>,
    /// Expected points lost per 100 moves.
    pub lost: Option<Estimate>,
    /// The greatest loss first.
    pub causes: Vec<CauseLine>,
    pub phases: Vec<MovesLine>,
    /// By the share of the starting time that is left.
    pub time: Vec<MovesLine>,
    pub openings: Vec<OpeningLine>,
}

/// Moves of one kind in a game.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    moves: f64,
    lost: f64,
    mistakes: f64,
}

impl Tally {
    fn add(&mut self, mv: &MoveReport) {
        self.moves += 1.0;
        self.lost += mv.lost;
        let counts = matches!(mv.mark, Some(Mark::Mistake | Mark::Blunder));
        self.mistakes += f64::from(u8::from(counts));
    }
}

/// What is counted of one game.
#[derive(Clone, Debug)]
struct Facts {
    color: Color,
    points: Option<f64>,
    accuracy: Option<f64>,
    opening: Option<&'static str>,
    causes: BTreeMap<&'static str, [f64; 2]>,
    all: Tally,
    phases: [Tally; PHASES.len()],
    bands: [Tally; BANDS.len()],
}

/// Gathers the games of a player, who is named as in the first of them.
#[derive(Clone, Debug)]
pub struct Profiler {
    player: String,
    games: Vec<Facts>,
}

/// Whether a name in a file is that of the player: letter case does not matter.
pub fn is_player(name: &str, player: &str) -> bool {
    name.trim().to_lowercase() == player.trim().to_lowercase()
}

impl Profiler {
    pub fn new(player: &str) -> Self {
        Self {
            player: player.trim().to_owned(),
            games: Vec::new(),
        }
    }

    /// Adds a game, if the player plays in it.
    pub fn add(&mut self, game: &GameReport) {
        let is_own = |side: &SideReport| is_player(&side.name, &self.player);
        let (color, side) = if is_own(&game.white) {
            (Color::White, &game.white)
        } else if is_own(&game.black) {
            (Color::Black, &game.black)
        } else {
            return;
        };
        let times = clock::times(&game.record);
        let start = clock::start(&game.record, &times);
        let mut facts = Facts {
            color,
            points: points(&game.result, color),
            accuracy: side.accuracy,
            opening: game.opening.as_ref().map(|found| family(found.name)),
            causes: BTreeMap::new(),
            all: Tally::default(),
            phases: Default::default(),
            bands: Default::default(),
        };
        for (index, mv) in game.moves.iter().enumerate() {
            let is_own = mv.position.turn() == color;
            for (cause, lost) in &mv.causes {
                facts.causes.entry(cause).or_default()[usize::from(!is_own)] += lost;
            }
            if !is_own {
                continue;
            }
            facts.all.add(mv);
            facts.phases[phase(mv)].add(mv);
            // The time before the move is what was left after the last one.
            let left = index.checked_sub(2).map_or(start, |last| times[last]);
            if let (Some(left), Some(start), Some(Some(_))) = (left, start, times.get(index)) {
                let band = BANDS.iter().position(|(_, end)| left / start < *end);
                facts.bands[band.unwrap_or(BANDS.len() - 1)].add(mv);
            }
        }
        if self.games.is_empty() {
            side.name.trim().clone_into(&mut self.player);
        }
        self.games.push(facts);
    }

    /// The profile of the games so far.
    pub fn profile(&self) -> Profile {
        let result = |points| {
            let games = self.games.iter();
            games.filter(|game| game.points == Some(points)).count()
        };
        let all = self.games.iter();
        Profile {
            format: FORMAT,
            player: self.player.clone(),
            games: self.games.len(),
            least_games: MIN_GAMES,
            wins: result(1.0),
            draws: result(0.5),
            losses: result(0.0),
            accuracy: Estimate::of(all.filter_map(|game| Some((game.accuracy?, 1.0)))),
            lost: Estimate::of(self.games.iter().map(|game| per_100(&game.all).0)),
            causes: self.causes(),
            phases: self.moves(PHASES, |game| &game.phases),
            time: self.moves(BANDS.map(|(name, _)| name), |game| &game.bands),
            openings: self.openings(),
        }
    }

    fn causes(&self) -> Vec<CauseLine> {
        let mut lines: Vec<CauseLine> = Cause::all()
            .filter_map(|cause| {
                let sum = |side: usize| {
                    let games = self.games.iter();
                    let of =
                        |game: &Facts| game.causes.get(cause.key()).map_or(0.0, |sum| sum[side]);
                    Estimate::of(games.map(|game| (of(game), 1.0)))
                };
                Some(CauseLine {
                    cause: cause.key(),
                    title: cause.title(),
                    lost: sum(0)?,
                    gained: sum(1)?,
                })
            })
            .filter(|line| line.lost.value > 0.0 || line.gained.value > 0.0)
            .collect();
        lines.sort_by(|one, other| other.lost.value.total_cmp(&one.lost.value));
        lines
    }

    fn moves<const N: usize>(
        &self,
        names: [&'static str; N],
        of: impl Fn(&Facts) -> &[Tally; N],
    ) -> Vec<MovesLine> {
        let lines = names.into_iter().enumerate();
        lines
            .filter_map(|(index, name)| {
                let tallies = || self.games.iter().map(|game| &of(game)[index]);
                Some(MovesLine {
                    name,
                    moves: tallies().map(|tally| tally.moves).sum::<f64>() as u64,
                    lost: Estimate::of(tallies().map(|tally| per_100(tally).0))?,
                    mistakes: Estimate::of(tallies().map(|tally| per_100(tally).1))?,
                })
            })
            .collect()
    }

    fn openings(&self) -> Vec<OpeningLine> {
        let mut names: BTreeMap<(bool, Option<&str>), usize> = BTreeMap::new();
        for game in &self.games {
            let is_black = game.color.is_black();
            *names.entry((is_black, None)).or_default() += 1;
            if let Some(name) = game.opening {
                *names.entry((is_black, Some(name))).or_default() += 1;
            }
        }
        let mut names: Vec<_> = names.into_iter().collect();
        names.sort_by_key(|((is_black, name), count)| {
            (name.is_some(), usize::MAX - count, *is_black)
        });
        let lines = names.into_iter().filter_map(|((is_black, name), _)| {
            let games = || {
                let games = self
                    .games
                    .iter()
                    .filter(move |game| game.color.is_black() == is_black);
                games.filter(move |game| name.is_none() || game.opening == name)
            };
            Some(OpeningLine {
                color: if is_black { "black" } else { "white" },
                name: name.map(str::to_owned),
                points: Estimate::of(games().filter_map(|game| Some((game.points?, 1.0)))),
                lost: Estimate::of(games().map(|game| per_100(&game.all).0))?,
            })
        });
        lines.take(MAX_OPENINGS + 2).collect()
    }
}

/// Expected points lost and mistakes, each with the moves, in hundreds.
fn per_100(tally: &Tally) -> ((f64, f64), (f64, f64)) {
    let hundreds = tally.moves / 100.0;
    ((tally.lost, hundreds), (tally.mistakes, hundreds))
}

/// The points of a side.
fn points(result: &str, color: Color) -> Option<f64> {
    let white = match result {
        "1-0" => 1.0,
        "0-1" => 0.0,
        "1/2-1/2" => 0.5,
        _ => return None,
    };
    Some(if color.is_white() { white } else { 1.0 - white })
}

/// The name of an opening without the variation.
fn family(name: &'static str) -> &'static str {
    name.split([':', ',']).next().unwrap_or(name).trim()
}

/// The index of the phase that a move belongs to.
fn phase(mv: &MoveReport) -> usize {
    let position = &mv.position;
    if non_pawn_pieces(position) <= ENDGAME_PIECES {
        return 2;
    }
    usize::from(position.fullmoves() > OPENING_MOVES)
}

/// Queens, rooks, bishops and knights on the board.
fn non_pawn_pieces(position: &Position) -> usize {
    let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
    let sides = [Color::White, Color::Black];
    let count = |color| roles.map(|role| position.pieces(color, role).count());
    sides.into_iter().flat_map(count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_contain_the_mean_and_narrow_with_more_games() {
        let games = |count: usize| Estimate::of((0..count).map(|game| ((game % 5) as f64, 1.0)));
        assert_eq!(games(MIN_GAMES - 1), None);
        let [few, many] = [25, 2500].map(|count| games(count).expect("enough"));
        for estimate in [few, many] {
            assert!((estimate.value - 2.0).abs() < 1e-9);
            assert!(estimate.low < 2.0 && estimate.high > 2.0);
        }
        // The standard error of the mean of 0 to 4 is √2 / √games; 95 % lie within 1.96 of it.
        assert!((many.high - many.low - 3.92 * 2_f64.sqrt() / 50.0).abs() < 0.02);
        assert!((few.high - few.low) > 8.0 * (many.high - many.low));
    }

    #[test]
    fn names_are_compared_without_their_letter_case() {
        assert!(is_player(" Müller, Ada", "müller, ada"));
        assert!(!is_player("Ada", "Ad"));
    }
}
