//! The rules of a race as at the end of backgammon.

use super::chance::ChanceGame;

/// Points of a home board.
pub const POINTS: usize = 6;
/// Checkers of a side at the start.
pub const CHECKERS: u8 = 3;

/// The checkers on each point of a side, from the one point to the six point.
pub type Side = [u8; POINTS];

/// A race: the sides cannot meet. The side that bears off all checkers first wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Race {
    pub own: Side,
    pub other: Side,
}

/// Moves one checker by a die, in every legal way. A die larger than the last checker's point bears that one off.
fn with_die(side: Side, die: usize) -> Vec<Side> {
    let last = side.iter().rposition(|&count| count > 0);
    let from = |point: usize| {
        let mut after = side;
        after[point] -= 1;
        if point >= die {
            after[point - die] += 1;
        }
        after
    };
    let may_move = |&point: &usize| side[point] > 0 && (point + 1 >= die || Some(point) == last);
    (0..POINTS).filter(may_move).map(from).collect()
}

/// All results of a throw: both dice in either order, a double four times.
fn with_throw(side: Side, (first, second): (usize, usize)) -> Vec<Side> {
    let orders = if first == second {
        vec![vec![first; 4]]
    } else {
        vec![vec![first, second], vec![second, first]]
    };
    let mut results = Vec::new();
    for dice in orders {
        let mut sides = vec![side];
        for die in dice {
            let moved: Vec<Side> = sides.iter().flat_map(|&side| with_die(side, die)).collect();
            // Nothing is left to move once all checkers are off.
            if !moved.is_empty() {
                sides = moved;
            }
        }
        results.extend(sides);
    }
    results.sort_unstable();
    results.dedup();
    results
}

impl Race {
    pub const START: Self = {
        let mut side = [0; POINTS];
        side[POINTS - 1] = CHECKERS;
        Self {
            own: side,
            other: side,
        }
    };

    fn pips(side: &Side) -> f64 {
        side.iter()
            .zip(1..)
            .map(|(&count, point)| f64::from(count) * f64::from(point))
            .sum()
    }
}

impl ChanceGame for Race {
    type Throw = (usize, usize);

    fn throws(&self) -> Vec<(f64, (usize, usize))> {
        if self.other == [0; POINTS] {
            return Vec::new();
        }
        let pairs = (1..=6).flat_map(|first| (1..=first).map(move |second| (first, second)));
        pairs
            .map(|(first, second)| {
                (
                    if first == second { 1.0 } else { 2.0 } / 36.0,
                    (first, second),
                )
            })
            .collect()
    }

    fn choices(&self, throw: (usize, usize)) -> Vec<Self> {
        let mut sides = with_throw(self.own, throw);
        // Fewest checkers left first: a good order helps Star1.
        sides.sort_by_key(|side| side.iter().sum::<u8>());
        sides
            .into_iter()
            .map(|side| Self {
                own: self.other,
                other: side,
            })
            .collect()
    }

    /// The other player has borne off all checkers.
    fn utility(&self) -> f64 {
        -1.0
    }

    /// The lead in pips, as a share of all pips.
    fn evaluate(&self) -> f64 {
        let (own, other) = (Self::pips(&self.own), Self::pips(&self.other));
        (other - own) / (other + own).max(1.0)
    }
}
