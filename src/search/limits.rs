//! The limits of a search. Several can be combined; the first one reached ends the search.

use std::time::Duration;

use crate::base::clock::Instant;
use crate::base::value::Depth;
use crate::chess::{Move, Position};

/// The time control of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left; zero if it has run out.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until the next time control, at least 1; `None` in sudden death.
    pub moves_to_go: Option<u32>,
}

/// The limits of one search. With none set it runs until it is stopped.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When the search was requested: time counts from here.
    pub started: Instant,
    /// Stop when this depth in plies is complete. Depth 1 always is, whatever the limits, unless it takes more than 10,000 nodes.
    pub depth: Option<Depth>,
    /// Stop after this many nodes of all threads together.
    pub nodes: Option<u64>,
    /// Start no new iteration after this many nodes.
    pub soft_nodes: Option<u64>,
    /// Search for this long, less the move overhead: at most 5 ms and at most a quarter of it.
    pub move_time: Option<Duration>,
    /// Stop when a mate in at most this many moves is found, for either side.
    pub mate: Option<u32>,
    pub clock: Option<Clock>,
    /// Hold back the best move until stopped, whatever other limit is reached.
    pub infinite: bool,
    /// Search on the opponent's time: hold back the best move, and count time from the ponder hit.
    pub ponder: bool,
    /// Search only these moves at the root. Illegal ones are ignored; if none is left, all moves are searched.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// No limits: search until stopped.
    #[must_use]
    pub fn none() -> Self {
        Self {
            started: Instant::now(),
            depth: None,
            nodes: None,
            soft_nodes: None,
            move_time: None,
            mate: None,
            clock: None,
            infinite: false,
            ponder: false,
            search_moves: Vec::new(),
        }
    }

    /// Search to a fixed depth in plies.
    #[must_use]
    pub fn depth(depth: Depth) -> Self {
        Self {
            depth: Some(depth),
            ..Self::none()
        }
    }

    /// Search a fixed number of nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::none()
        }
    }

    /// The legal moves to search at the root.
    pub(crate) fn root_moves(&self, position: &Position) -> Vec<Move> {
        let legal = position.legal_moves();
        let wanted = legal.iter().filter(|mv| self.search_moves.contains(mv));
        let wanted: Vec<Move> = wanted.copied().collect();
        if wanted.is_empty() {
            legal.to_vec()
        } else {
            wanted
        }
    }

    /// Whether only a stop ends the search.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        self.infinite
            || (self.depth.is_none()
                && self.nodes.is_none()
                && self.soft_nodes.is_none()
                && self.move_time.is_none()
                && self.mate.is_none()
                && self.clock.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_with_any_limit_ends() {
        assert!(Limits::none().is_endless());
        let soft_nodes = Limits {
            soft_nodes: Some(1_000),
            ..Limits::none()
        };
        for limits in [Limits::depth(1), Limits::nodes(1), soft_nodes] {
            assert!(!limits.is_endless(), "{limits:?}");
        }
    }
}
