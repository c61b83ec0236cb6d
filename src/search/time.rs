//! How long to think.
//! Uses: limits, params. Used by: deepen, pool.
//! Idea: pure functions of what the clock says; saturating arithmetic, so that no clock is too short or too long.

use std::time::Duration;

use super::limits::{Clock, Limits};
use super::params;

/// When a search should end and when it must, counted from its start (or from the ponder hit).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// No new iteration begins after this, unless things look unsettled; `None`: only the hard limit counts.
    pub soft: Option<Duration>,
    /// The search is stopped here, wherever it is.
    pub hard: Duration,
}

/// A move costs this part of the overhead even where nothing is thought: what an increment does not give back of that is
/// kept for the moves to come.
const DELAY_PART: u32 = 5;
/// A best move that has stayed for so many iterations is as settled as it gets.
const SETTLED_AFTER: u32 = 5;
/// However little time there is, this part of it may be thought with.
const LEAST_PART: u32 = 40;

/// The time for a search under these limits, if they name any. `overhead` is kept back for delays outside the engine.
#[must_use]
pub fn budget(limits: &Limits, overhead: Duration) -> Option<Budget> {
    if limits.infinite {
        return None;
    }
    let exact = limits.move_time.map(|time| Budget {
        soft: None,
        hard: keep_back(time, overhead),
    });
    let clock = limits.clock.map(|clock| budget_of_clock(clock, overhead));
    match (exact, clock) {
        (Some(exact), Some(clock)) => Some(Budget {
            soft: clock.soft,
            hard: exact.hard.min(clock.hard),
        }),
        (exact, clock) => exact.or(clock),
    }
}

fn budget_of_clock(clock: Clock, overhead: Duration) -> Budget {
    let increment = percent(clock.increment, params::increment_percent());
    let expected = params::moves_expected().unsigned_abs();
    // The last move before the control may spend what is there, but for the reserve.
    let moves = clock
        .moves_to_go
        .map_or(expected, |moves| moves.clamp(1, expected));
    let delay = (overhead / DELAY_PART).saturating_sub(clock.increment);
    let left = keep_back(clock.remaining, overhead + delay * moves);
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

/// So many hundredths of a time.
fn percent(time: Duration, hundredths: i32) -> Duration {
    time.saturating_mul(hundredths.unsigned_abs()) / 100
}

/// What is left of a time when so much is kept back: a small part of it at least.
fn keep_back(time: Duration, reserve: Duration) -> Duration {
    time.saturating_sub(reserve).max(time / LEAST_PART)
}

/// What the iterations so far say of how settled the choice is.
#[derive(Clone, Copy, Debug)]
pub struct Stability {
    /// Iterations since the best move last changed.
    pub unchanged: u32,
    /// Share of this search's nodes spent on the best move, per mille.
    pub best_share: u32,
    /// By how many centipawns the score fell since the last iteration.
    pub fallen: i32,
}

/// The soft limit as the course of the search bends it: less for a settled choice, more for a failing one.
#[must_use]
pub fn scale_soft_limit(soft: Duration, stability: Stability) -> Duration {
    let settled = params::unsettled_percent()
        - params::settled_percent() * stability.unchanged.min(SETTLED_AFTER) as i32;
    let share =
        params::share_most() - params::share_slope() * stability.best_share.min(1000) as i32 / 1000;
    let trouble = 100 + stability.fallen.clamp(0, params::fall_most());
    [settled, share, trouble]
        .into_iter()
        .fold(soft, |time, hundredths| percent(time, hundredths.max(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn the_clock_is_never_overrun() {
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
    fn more_time_is_never_less() {
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
    fn a_table_of_usual_clocks() {
        // (remaining, increment, moves to go) → soft and hard limit, in milliseconds, at 10 ms overhead
        let table = [
            ((60_000, 600, None), 2_449, 9_798),
            ((1_000, 10, None), 40, 162),
            ((300_000, 0, Some(40)), 9_997, 39_990),
            ((10_000, 0, Some(1)), 7_990, 7_990),
            ((10, 0, None), 0, 0),
            ((200, 2, None), 7, 31),
            ((200, 1, None), 6, 24),
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
    fn a_fixed_time_is_kept() {
        let limits = Limits {
            move_time: Some(milliseconds(500)),
            ..Limits::none()
        };
        assert_eq!(
            budget(&limits, milliseconds(10)),
            Some(Budget {
                soft: None,
                hard: milliseconds(490)
            })
        );
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
    fn a_settled_choice_takes_less_time() {
        let at = |unchanged, best_share, fallen| {
            scale_soft_limit(
                milliseconds(1000),
                Stability {
                    unchanged,
                    best_share,
                    fallen,
                },
            )
        };
        assert!(at(5, 900, 0) < at(0, 900, 0));
        assert!(at(2, 900, 0) < at(2, 300, 0));
        assert!(at(2, 500, 0) < at(2, 500, 50));
        assert!(at(0, 0, 1000) <= milliseconds(4 * 1000));
        assert!(at(9, 1000, -100) >= milliseconds(400));
    }
}
