//! Expectiminimax, and Star1 (Ballard 1983), which cuts off at chance nodes as alpha-beta does at others.

/// A position before a throw of dice. Values are those of the player who throws, from -1, lost, to 1, won.
pub trait ChanceGame: Sized {
    type Throw: Copy;

    /// All throws with their probabilities; none once the game is over.
    fn throws(&self) -> Vec<(f64, Self::Throw)>;

    /// The positions that the player can choose after a throw, before the other player's.
    fn choices(&self, throw: Self::Throw) -> Vec<Self>;

    /// The value of a finished game.
    fn utility(&self) -> f64;

    /// An estimate where a search is cut off.
    fn evaluate(&self) -> f64;
}

/// The value after `depth` throws, by visiting everything.
pub fn expectiminimax<G: ChanceGame>(game: &G, depth: usize, nodes: &mut u64) -> f64 {
    *nodes += 1;
    let throws = game.throws();
    if throws.is_empty() {
        return game.utility();
    }
    if depth == 0 {
        return game.evaluate();
    }
    let value = |throw| {
        let choices = game.choices(throw).into_iter();
        choices
            .map(|choice| -expectiminimax(&choice, depth - 1, nodes))
            .fold(-1.0, f64::max)
    };
    let mut value = value;
    throws
        .into_iter()
        .map(|(chance, throw)| chance * value(throw))
        .sum()
}

/// The same value if it is between `alpha` and `beta`, else a bound on it: the throws that are left can change the average
/// only as far as they are likely.
pub fn star1<G: ChanceGame>(game: &G, depth: usize, alpha: f64, beta: f64, nodes: &mut u64) -> f64 {
    *nodes += 1;
    let throws = game.throws();
    if throws.is_empty() {
        return game.utility();
    }
    if depth == 0 {
        return game.evaluate();
    }
    let (mut sum, mut left) = (0.0, 1.0);
    for (chance, throw) in throws {
        left -= chance;
        // What this throw must be worth if all others are won, or lost.
        let low = ((alpha - sum - left) / chance).max(-1.0);
        let high = ((beta - sum + left) / chance).min(1.0);
        let mut best = -1.0_f64;
        for choice in game.choices(throw) {
            best = best.max(-star1(&choice, depth - 1, -high, -low.max(best), nodes));
            if best >= high {
                break;
            }
        }
        sum += chance * best;
        if best <= low && low > -1.0 {
            return sum + left;
        }
        if best >= high && high < 1.0 {
            return sum - left;
        }
    }
    sum
}
