//! A clock that counts nodes instead of time, so that a timed game can be repeated exactly. The first clock of a game sets
//! the nodes left; from then on only searched nodes run the clock down.

use std::time::Duration;

use super::limits::Limits;
use super::time;

/// The clock of the side to move, in nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeClock {
    /// Nodes per millisecond; 0: off.
    rate: u64,
    /// Nodes left, once the game has a clock.
    left: Option<u64>,
}

impl NodeClock {
    /// A clock with this many nodes per millisecond; 0: off.
    pub const fn new(rate: u64) -> Self {
        Self { rate, left: None }
    }

    /// Nodes per millisecond; 0: off.
    pub const fn rate(&self) -> u64 {
        self.rate
    }

    pub fn new_game(&mut self) {
        self.left = None;
    }

    /// Replaces the time left by this clock's and limits the nodes accordingly.
    pub fn limits(&mut self, mut limits: Limits, overhead: Duration) -> Limits {
        if self.rate == 0 {
            return limits;
        }
        if let Some(clock) = &mut limits.clock {
            let given = self.nodes(clock.remaining);
            let left = *self.left.get_or_insert(given);
            clock.remaining = Duration::from_millis(left / self.rate);
        }
        if let Some(budget) = time::budget(&limits, overhead) {
            let max = self.nodes(budget.hard);
            limits.nodes = Some(limits.nodes.map_or(max, |limit| limit.min(max)).max(1));
        }
        limits
    }

    /// Takes the nodes of a finished search off the clock and adds the increment.
    pub fn spend(&mut self, limits: &Limits, nodes: u64) {
        if let (Some(left), Some(clock)) = (self.left, limits.clock) {
            let increment = self.nodes(clock.increment);
            self.left = Some(left.saturating_add(increment).saturating_sub(nodes));
        }
    }

    fn nodes(&self, time: Duration) -> u64 {
        u64::try_from(time.as_millis())
            .unwrap_or(u64::MAX)
            .saturating_mul(self.rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::limits::Clock;

    fn clock(remaining: u64) -> Limits {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(10),
            moves_to_go: None,
        };
        Limits {
            clock: Some(clock),
            ..Limits::none()
        }
    }

    #[test]
    fn only_nodes_run_down_the_clock() {
        let mut nodes = NodeClock::new(100);
        let first = nodes.limits(clock(1000), Duration::ZERO);
        assert!(
            first
                .nodes
                .is_some_and(|limit| limit > 0 && limit < 100_000)
        );
        nodes.spend(&first, 51_000);
        // 100,000 + 1,000 (increment) - 51,000; the time of this `go` does not count.
        let second = nodes.limits(clock(7), Duration::ZERO);
        let left = second.clock.map(|clock| clock.remaining.as_millis());
        assert_eq!(left, Some(500));
        nodes.new_game();
        let third = nodes.limits(clock(30), Duration::ZERO);
        assert_eq!(
            third.clock.map(|clock| clock.remaining.as_millis()),
            Some(30)
        );
    }

    #[test]
    fn rate_zero_changes_nothing() {
        let mut none = NodeClock::default();
        assert_eq!(none.limits(clock(1000), Duration::ZERO).nodes, None);
    }
}
