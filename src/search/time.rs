//! Time management: pure functions of the time control, in saturating arithmetic.

use std::time::Duration;

use crate::base::value::Value;
use crate::chess::Game;

use super::limits::{Clock, Limits};
use super::params;

/// The time limits of a search, counted from its start or from the ponder hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// No new iteration starts after this time, scaled by [`scale_soft_limit`]; `None`: only the hard limit counts.
    pub soft: Option<Duration>,
    /// The search is stopped at this time.
    pub hard: Duration,
}

/// Every move is assumed to cost this fraction of the overhead even without a search. What the increment does not cover is
/// reserved for the remaining moves.
const DELAY_DIVISOR: u32 = 5;
/// At most this much of a fixed move time is kept back, and never more than a quarter of it: it is meant for this move
/// alone, so a late answer costs nothing of the next.
const MOVE_TIME_RESERVE: Duration = Duration::from_millis(5);
/// A move may always use its time divided by this, however large the overhead is.
const MIN_DIVISOR: u32 = 40;

/// The time limits of a search, if its time is limited. `overhead` is kept back for delays outside the engine.
#[must_use]
pub fn budget(limits: &Limits, overhead: Duration) -> Option<Budget> {
    params::copy_global_values();
    if limits.infinite {
        return None;
    }
    let exact = limits.move_time.map(|time| Budget {
        soft: None,
        hard: time.saturating_sub(overhead.min(MOVE_TIME_RESERVE).min(time / 4)),
    });
    let clock = limits.clock.map(|clock| clock_budget(clock, overhead));
    match (exact, clock) {
        (Some(exact), Some(clock)) => Some(Budget {
            soft: clock.soft,
            hard: exact.hard.min(clock.hard),
        }),
        (exact, clock) => exact.or(clock),
    }
}

fn clock_budget(clock: Clock, overhead: Duration) -> Budget {
    let increment = percent(clock.increment, params::increment_percent());
    let expected = params::moves_expected().unsigned_abs();
    let moves = clock
        .moves_to_go
        .map_or(expected, |moves| moves.clamp(1, expected));
    let delay = (overhead / DELAY_DIVISOR).saturating_sub(clock.increment);
    let left = keep_back(
        clock.remaining,
        overhead.saturating_add(delay.saturating_mul(moves)),
    );
    // The last move before the time control may use most of the time beyond the reserve; the rest is for delays.
    let ceiling = if moves == 1 {
        left.saturating_mul(8) / 10
    } else {
        percent(left, params::hard_percent())
    };
    let soft = (left / moves).saturating_add(increment).min(ceiling);
    let hard = soft
        .saturating_mul(params::hard_factor().unsigned_abs())
        .min(ceiling)
        .max(soft);
    Budget {
        soft: Some(soft),
        hard,
    }
}

fn percent(time: Duration, percent: i32) -> Duration {
    time.saturating_mul(percent.unsigned_abs()) / 100
}

/// The time without the reserve, but at least a small fraction of it.
fn keep_back(time: Duration, reserve: Duration) -> Duration {
    time.saturating_sub(reserve).max(time / MIN_DIVISOR)
}

/// The score of the last search of a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct LastScore(Option<(u64, Value)>);

impl LastScore {
    /// Remembers the score of a search of this game's position.
    pub fn set(&mut self, game: &Game, score: Value) {
        self.0 = Some((game.position().key(), score));
    }

    /// The score, if the position searched is the one before the last two moves of this game.
    #[must_use]
    pub fn in_game(self, game: &Game) -> Option<Value> {
        let before = game.keys().iter().rev().nth(1)?;
        self.0
            .filter(|(key, _)| key == before)
            .map(|(_, score)| score)
    }
}

/// How stable the search is.
#[derive(Clone, Copy, Debug)]
pub struct Stability {
    /// 1000 right after the best move changed, 1000 / (1 + n) after n iterations that kept it; with several threads the
    /// mean of all.
    pub unsettled: u32,
    /// Share of the nodes spent on the best move, per mille.
    pub best_share: u32,
    /// How far the score fell since the last iteration, in centipawns.
    pub score_drop: Value,
    /// How far it fell since the last move of the game, in centipawns.
    pub score_drop_in_game: Value,
}

/// The soft limit, lower for a stable best move and higher for a falling score.
#[must_use]
pub fn scale_soft_limit(soft: Duration, stability: Stability) -> Duration {
    let settled = params::settled_percent();
    let stability_percent = settled
        + (params::unsettled_percent() - settled) * stability.unsettled.min(1000) as i32 / 1000;
    let share_percent =
        params::share_max() - params::share_slope() * stability.best_share.min(1000) as i32 / 1000;
    let drop = |drop: Value, slope: i32| drop.clamp(0, 1000) * slope / 100;
    let drops = drop(stability.score_drop, params::fall_slope())
        + drop(stability.score_drop_in_game, params::fall_in_game_slope());
    let drop_percent = 100 + drops.min(params::fall_max());
    [stability_percent, share_percent, drop_percent]
        .into_iter()
        .fold(soft, |time, scale| percent(time, scale.max(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    const fn milliseconds(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let clock = Clock {
            remaining: milliseconds(remaining),
            increment: milliseconds(increment),
            moves_to_go,
        };
        Limits {
            clock: Some(clock),
            ..Limits::none()
        }
    }

    #[test]
    fn limits_never_exceed_the_time_left() {
        for remaining in [
            0,
            1,
            5,
            10,
            11,
            50,
            100,
            1_000,
            60_000,
            5_400_000,
            u64::from(u32::MAX),
            u64::MAX / 1000,
        ] {
            for increment in [0, 1, 10, 1_000, 60_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40), Some(200), Some(u32::MAX)] {
                    for overhead in [0, 10, 100, 5_000] {
                        let limits = clock(remaining, increment, moves_to_go);
                        let Budget { soft, hard } =
                            budget(&limits, milliseconds(overhead)).expect("a clock");
                        let soft = soft.expect("soft");
                        assert!(soft <= hard, "{limits:?}");
                        assert!(hard <= milliseconds(remaining), "{limits:?} {hard:?}");
                        if remaining > 2 * overhead {
                            assert!(
                                hard <= milliseconds(remaining - overhead),
                                "{limits:?} {hard:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_longest_times_do_not_overflow() {
        let times = [Duration::ZERO, Duration::MAX];
        for (remaining, increment) in times
            .into_iter()
            .flat_map(|one| times.map(|other| (one, other)))
        {
            let limits = Limits {
                move_time: Some(Duration::MAX),
                clock: Some(Clock {
                    remaining,
                    increment,
                    moves_to_go: None,
                }),
                ..Limits::none()
            };
            for overhead in times {
                let found = budget(&limits, overhead).expect("a limit");
                assert!(found.hard <= remaining);
            }
        }
    }

    #[test]
    fn more_time_never_gives_lower_limits() {
        let spend = |remaining, increment, moves| {
            budget(&clock(remaining, increment, moves), milliseconds(10)).expect("a clock")
        };
        for remaining in (0..100_000).step_by(777) {
            assert!(spend(remaining, 0, None).hard <= spend(remaining + 777, 0, None).hard);
            assert!(spend(remaining, 100, None).soft >= spend(remaining, 0, None).soft);
            assert!(spend(remaining, 0, Some(10)).soft >= spend(remaining, 0, Some(20)).soft);
        }
    }

    #[test]
    fn limits_of_usual_time_controls() {
        // (remaining, increment, moves to go) → soft and hard limit, in milliseconds, at 10 ms overhead
        let table = [
            ((60_000, 600, None), 2_879, 14_398),
            ((1_000, 10, None), 47, 238),
            ((300_000, 0, Some(40)), 11_997, 59_988),
            ((10_000, 0, Some(1)), 7_990, 7_990),
            ((10, 0, None), 0, 0),
            ((200, 2, None), 9, 46),
            ((200, 1, None), 7, 37),
        ];
        for ((remaining, increment, moves), soft, hard) in table {
            let found =
                budget(&clock(remaining, increment, moves), milliseconds(10)).expect("a clock");
            assert_eq!(
                found.soft.map(|time| time.as_millis()),
                Some(soft),
                "{remaining}+{increment} {moves:?}"
            );
            assert_eq!(
                found.hard.as_millis(),
                hard,
                "{remaining}+{increment} {moves:?}"
            );
        }
    }

    #[test]
    fn a_fixed_move_time_is_a_hard_limit() {
        let limits = Limits {
            move_time: Some(milliseconds(500)),
            ..Limits::none()
        };
        assert_eq!(
            budget(&limits, milliseconds(10)),
            Some(Budget {
                soft: None,
                hard: milliseconds(495)
            })
        );
        for time in [0, 1, 2, 5, 10, 20, 100] {
            let limits = Limits {
                move_time: Some(milliseconds(time)),
                ..Limits::none()
            };
            let hard = budget(&limits, milliseconds(5000)).expect("a limit").hard;
            let reserve = milliseconds(time).saturating_sub(hard);
            assert!(hard <= milliseconds(time));
            assert!(reserve <= milliseconds(5) && 4 * reserve <= milliseconds(time));
        }
        let both = Limits {
            move_time: Some(milliseconds(500)),
            ..clock(1_000, 0, None)
        };
        assert!(budget(&both, milliseconds(10)).expect("limits").hard <= milliseconds(396));
        assert_eq!(budget(&Limits::none(), milliseconds(10)), None);
        let endless = Limits {
            infinite: true,
            ..limits
        };
        assert_eq!(budget(&endless, milliseconds(10)), None);
    }

    #[test]
    fn a_stable_best_move_takes_less_time() {
        let at = |unchanged: u32, best_share, score_drop, score_drop_in_game| {
            scale_soft_limit(
                milliseconds(1000),
                Stability {
                    unsettled: 1000 / (1 + unchanged),
                    best_share,
                    score_drop,
                    score_drop_in_game,
                },
            )
        };
        assert!(at(9, 900, 0, 0) < at(2, 900, 0, 0));
        assert!(at(2, 900, 0, 0) < at(0, 900, 0, 0));
        assert!(at(2, 900, 0, 0) < at(2, 300, 0, 0));
        assert!(at(2, 500, 0, 0) < at(2, 500, 20, 0));
        assert!(at(2, 500, 0, 0) < at(2, 500, 0, 20));
        assert_eq!(at(2, 500, 0, 0), at(2, 500, -50, -50));
        assert!(at(0, 0, 1000, 1000) <= milliseconds(8 * 1000));
        assert!(at(1000, 1000, -100, -100) >= milliseconds(400));
    }

    #[test]
    fn the_last_score_counts_two_plies_later() {
        let game = |moves: &[&str]| {
            let mut game = Game::new(Position::startpos());
            for &text in moves {
                let legal = game.position().legal_moves();
                let found = legal.iter().find(|mv| mv.uci(false).to_string() == text);
                game.play(*found.expect("a legal move"));
            }
            game
        };
        let mut last = LastScore::default();
        assert_eq!(last.in_game(&game(&["e2e4", "e7e5"])), None);
        last.set(&game(&[]), 25);
        assert_eq!(last.in_game(&game(&["e2e4", "e7e5"])), Some(25));
        for other in [&[][..], &["e2e4"], &["e2e4", "e7e5", "g1f3", "b8c6"]] {
            assert_eq!(last.in_game(&game(other)), None, "{other:?}");
        }
    }
}
