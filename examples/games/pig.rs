//! Pig: throw a die as often as you like and add it up, but a 1 loses the turn's points; 100 points win. Solved by value
//! iteration (Neller and Presser 2004).
//!
//! `cargo run --release --example pig`

/// Points that win.
const GOAL: usize = 100;
/// Sweeps stop when no probability changes by more.
const PRECISION: f64 = 1e-10;

/// The probability that the player to move wins, by own points, the other's points, and points of this turn.
struct Pig {
    chances: Vec<f64>,
}

/// Whether to throw again, given own points, the other's points, and points of this turn.
type Strategy<'a> = &'a dyn Fn(usize, usize, usize) -> bool;

fn index(own: usize, other: usize, turn: usize) -> usize {
    (own * GOAL + other) * GOAL + turn
}

impl Pig {
    /// The chance at a position. Whoever has enough points holds and has won.
    fn chance(&self, own: usize, other: usize, turn: usize) -> f64 {
        if own + turn >= GOAL {
            1.0
        } else {
            self.chances[index(own, other, turn)]
        }
    }

    fn if_held(&self, own: usize, other: usize, turn: usize, opponent: &Self) -> f64 {
        1.0 - opponent.chance(other, own + turn, 0)
    }

    fn if_thrown(&self, own: usize, other: usize, turn: usize, opponent: &Self) -> f64 {
        let points: f64 = (2..=6).map(|die| self.chance(own, other, turn + die)).sum();
        (1.0 - opponent.chance(other, own, 0) + points) / 6.0
    }

    fn solved() -> Self {
        let mut pig = Self {
            chances: vec![0.5; GOAL * GOAL * GOAL],
        };
        converge(|own, other| pig.sweep(own, other));
        pig
    }

    fn sweep(&mut self, own: usize, other: usize) -> f64 {
        let mut change = 0.0_f64;
        for turn in (0..GOAL - own).rev() {
            let best = self
                .if_held(own, other, turn, self)
                .max(self.if_thrown(own, other, turn, self));
            let before = std::mem::replace(&mut self.chances[index(own, other, turn)], best);
            change = change.max((best - before).abs());
        }
        change
    }

    fn throws(&self, own: usize, other: usize, turn: usize) -> bool {
        self.if_thrown(own, other, turn, self) > self.if_held(own, other, turn, self)
    }

    /// The points of a turn at which best play holds.
    fn holds_at(&self, own: usize, other: usize) -> usize {
        (1..GOAL - own)
            .find(|&turn| !self.throws(own, other, turn))
            .unwrap_or(GOAL - own)
    }
}

/// Sweeps until nothing changes. High scores come first; then two positions with swapped points depend only on each other.
fn converge(mut sweep: impl FnMut(usize, usize) -> f64) {
    for total in (0..2 * GOAL - 1).rev() {
        for own in total.saturating_sub(GOAL - 1)..=total / 2 {
            let other = total - own;
            while sweep(own, other).max(sweep(other, own)) > PRECISION {}
        }
    }
}

/// The chance of the first player where each player has a strategy.
fn first_player_wins(first: Strategy, second: Strategy) -> f64 {
    let strategies = [first, second];
    let mut pigs = strategies.map(|_| Pig {
        chances: vec![0.5; GOAL * GOAL * GOAL],
    });
    converge(|own, other| {
        let mut change = 0.0_f64;
        for player in [0, 1] {
            for turn in (0..GOAL - own).rev() {
                let value = if strategies[player](own, other, turn) {
                    pigs[player].if_thrown(own, other, turn, &pigs[1 - player])
                } else {
                    pigs[player].if_held(own, other, turn, &pigs[1 - player])
                };
                let place = &mut pigs[player].chances[index(own, other, turn)];
                change = change.max((value - *place).abs());
                *place = value;
            }
        }
        change
    });
    pigs[0].chance(0, 0, 0)
}

fn main() {
    let pig = Pig::solved();
    println!(
        "first player wins with best play of both: {:.4}",
        pig.chance(0, 0, 0)
    );
    println!(
        "best play holds at {} points at 0:0, at {} when 50 behind",
        pig.holds_at(0, 0),
        pig.holds_at(0, 50)
    );
    let best = |own, other, turn| pig.throws(own, other, turn);
    let at_20 = |own, _, turn: usize| turn < 20 && own + turn < GOAL;
    println!(
        "best play against holding at 20, moving first: {:.4}",
        first_player_wins(&best, &at_20)
    );
    println!(
        "holding at 20 against best play, moving first: {:.4}",
        first_player_wins(&at_20, &best)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_that_neller_and_presser_published() {
        let pig = Pig::solved();
        assert!((pig.chance(0, 0, 0) - 0.5306).abs() < 5e-5);
        let best = |own, other, turn| pig.throws(own, other, turn);
        assert!((first_player_wins(&best, &best) - pig.chance(0, 0, 0)).abs() < 1e-6);
        assert_eq!(pig.holds_at(0, 0), 21);
    }
}
