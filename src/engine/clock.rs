//! A clock that counts nodes.
//! Uses: search (limits, time). Used by: engine.
//! Idea: where so many nodes count as a millisecond, a game by the clock can be repeated: the client's clock is taken
//! once, and from then on only the nodes searched run it down.

use std::time::Duration;

use crate::search::limits::Limits;
use crate::search::time;

/// The mover's clock in nodes, if time is counted so.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeClock {
    /// Nodes for a millisecond; 0: time is counted by the clock.
    rate: u64,
    /// Nodes left, once a clock was given in this game.
    left: Option<u64>,
}

impl NodeClock {
    /// A clock where so many nodes count as a millisecond; 0: none.
    #[must_use]
    pub const fn new(rate: u64) -> Self {
        Self { rate, left: None }
    }

    /// Nodes for a millisecond; 0: time is counted by the clock.
    #[must_use]
    pub const fn rate(&self) -> u64 {
        self.rate
    }

    /// The next clock given is that of a new game.
    pub fn new_game(&mut self) {
        self.left = None;
    }

    /// These limits by this clock: what is left on it, and the nodes that it allows.
    #[must_use]
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
            let most = self.nodes(budget.hard);
            limits.nodes = Some(limits.nodes.map_or(most, |limit| limit.min(most)).max(1));
        }
        limits
    }

    /// A search of so many nodes is over.
    pub fn pass(&mut self, limits: &Limits, nodes: u64) {
        if let (Some(left), Some(clock)) = (self.left, limits.clock) {
            let gained = self.nodes(clock.increment);
            self.left = Some(left.saturating_add(gained).saturating_sub(nodes));
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
    fn only_nodes_run_the_clock_down() {
        let mut nodes = NodeClock::new(100);
        let first = nodes.limits(clock(1000), Duration::ZERO);
        assert!(
            first
                .nodes
                .is_some_and(|limit| limit > 0 && limit < 100_000)
        );
        nodes.pass(&first, 51_000);
        // 100,000 and an increment of 1,000 less 51,000; what the client says does not count.
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
    fn without_a_rate_nothing_changes() {
        let mut none = NodeClock::default();
        assert_eq!(none.limits(clock(1000), Duration::ZERO).nodes, None);
    }
}
