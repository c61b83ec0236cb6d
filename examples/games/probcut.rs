//! ProbCut (Buro 1995), which made Logistello strong at Othello: where a shallow search says that a deep one is very likely
//! outside of the window, the deep one is left out. How likely it is comes from measured pairs of values.
//!
//! `cargo run --release --example probcut`

mod othello_board;
mod search;

use lucena::base::random::Random;
use othello_board::{CORNERS, Othello};
use search::{Counts, Game, INFINITE, alpha_beta};

impl Game for Othello {
    /// A square, or 0 for a pass.
    type Move = u64;

    fn moves(&self) -> Vec<u64> {
        let mut left = Othello::moves(self);
        if left == 0 {
            let over = Othello::moves(&self.pass()) == 0;
            return if over { Vec::new() } else { vec![0] };
        }
        let mut squares = Vec::new();
        while left != 0 {
            squares.push(left & left.wrapping_neg());
            left &= left - 1;
        }
        // Corners first, then moves that leave few replies.
        squares.sort_by_key(|&square| {
            let replies = Othello::moves(&Othello::play(self, square)).count_ones();
            (square & CORNERS == 0, replies)
        });
        squares
    }

    fn play(&self, square: u64) -> Self {
        if square == 0 {
            self.pass()
        } else {
            Othello::play(self, square)
        }
    }

    fn utility(&self) -> i32 {
        100 * self.score()
    }

    /// Mobility, and corners worth six moves each.
    fn evaluate(&self) -> i32 {
        let side = |game: &Self| {
            (Othello::moves(game).count_ones() + 6 * (game.own & CORNERS).count_ones()) as i32
        };
        100 * (side(self) - side(&self.pass()))
    }
}

/// The depth of the searches that may be left out, and of the searches that say so.
const DEEP: usize = 4;
const SHALLOW: usize = 2;
/// Standard deviations of the prediction's error that must lie between it and the window.
const CONFIDENCE: f64 = 1.5;

/// The deep value as a line through the shallow one: `deep = slope · shallow + offset`, with an error of `deviation`.
#[derive(Debug)]
struct Prediction {
    slope: f64,
    offset: f64,
    deviation: f64,
}

impl Prediction {
    /// Least squares over positions.
    fn fitted(positions: &[Othello]) -> Self {
        let value = |position, depth| {
            let mut counts = Counts::default();
            f64::from(alpha_beta(
                position,
                depth,
                -INFINITE,
                INFINITE,
                &mut counts,
            ))
        };
        let pairs: Vec<(f64, f64)> = positions
            .iter()
            .map(|position| (value(position, SHALLOW), value(position, DEEP)))
            .collect();
        let count = pairs.len() as f64;
        let mean = |part: fn(&(f64, f64)) -> f64| pairs.iter().map(part).sum::<f64>() / count;
        let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
        let (xx, xy) = (
            mean(|pair| pair.0 * pair.0) - x * x,
            mean(|pair| pair.0 * pair.1) - x * y,
        );
        let (slope, offset) = (xy / xx, y - xy / xx * x);
        let errors = pairs
            .iter()
            .map(|pair| (pair.1 - slope * pair.0 - offset).powi(2));
        Self {
            slope,
            offset,
            deviation: (errors.sum::<f64>() / count).sqrt(),
        }
    }

    /// Whether the deep value is probably at least `beta`, or with `sign` -1 at most `-beta`.
    fn is_beyond(&self, game: &Othello, sign: i32, beta: i32, counts: &mut Counts) -> bool {
        let sure = CONFIDENCE * self.deviation + f64::from(beta) - f64::from(sign) * self.offset;
        let bound = (sure / self.slope).ceil();
        if bound.abs() > 1e6 {
            return false;
        }
        let bound = bound as i32;
        if sign > 0 {
            alpha_beta(game, SHALLOW, bound - 1, bound, counts) >= bound
        } else {
            alpha_beta(game, SHALLOW, -bound, 1 - bound, counts) <= -bound
        }
    }
}

/// Alpha-beta with ProbCut.
fn probcut(
    game: &Othello,
    depth: usize,
    mut alpha: i32,
    beta: i32,
    prediction: &Prediction,
    counts: &mut Counts,
) -> i32 {
    if depth == DEEP {
        if prediction.is_beyond(game, 1, beta, counts) {
            return beta;
        }
        if prediction.is_beyond(game, -1, -alpha, counts) {
            return alpha;
        }
    }
    if depth <= DEEP {
        return alpha_beta(game, depth, alpha, beta, counts);
    }
    counts.nodes += 1;
    let moves = Game::moves(game);
    if moves.is_empty() {
        return game.utility();
    }
    let mut best = -INFINITE;
    for mv in moves {
        let child = Game::play(game, mv);
        best = best.max(-probcut(
            &child,
            depth - 1,
            -beta,
            -alpha,
            prediction,
            counts,
        ));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// Positions after 6 to 13 random moves.
fn random_positions(count: usize, random: &mut Random) -> Vec<Othello> {
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = Othello::START;
        for _ in 0..6 + random.below(8) {
            let moves = Game::moves(&position);
            if moves.is_empty() {
                break;
            }
            position = Game::play(&position, moves[random.below(moves.len())]);
        }
        if !Game::moves(&position).is_empty() {
            positions.push(position);
        }
    }
    positions
}

/// Nodes of a search without and with ProbCut, and the mean difference of their values.
fn compared(depth: usize, positions: &[Othello], prediction: &Prediction) -> ([u64; 2], f64) {
    let (mut plain, mut cut) = (Counts::default(), Counts::default());
    let mut difference = 0.0;
    for position in positions {
        let value = alpha_beta(position, depth, -INFINITE, INFINITE, &mut plain);
        let other = probcut(position, depth, -INFINITE, INFINITE, prediction, &mut cut);
        difference += f64::from((value - other).abs());
    }
    (
        [plain.nodes, cut.nodes],
        difference / positions.len() as f64,
    )
}

fn main() {
    let mut random = Random::new(1, 0);
    let prediction = Prediction::fitted(&random_positions(500, &mut random));
    println!("depth {DEEP} from depth {SHALLOW}: {prediction:.2?}");
    let positions = random_positions(20, &mut random);
    for depth in 5..=8 {
        let ([plain, cut], difference) = compared(depth, &positions, &prediction);
        println!(
            "depth {depth}: {plain} nodes, with ProbCut {cut}, mean difference {:.2} moves",
            difference / 100.0
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probcut_saves_nodes_at_a_small_cost() {
        let mut random = Random::new(2, 0);
        let prediction = Prediction::fitted(&random_positions(200, &mut random));
        assert!(prediction.slope > 0.5 && prediction.slope < 1.5);
        let positions = random_positions(10, &mut random);
        let ([plain, cut], difference) = compared(7, &positions, &prediction);
        assert!(cut * 10 < plain * 9, "{cut} of {plain}");
        assert!(difference < 2.0 * prediction.deviation, "{difference}");
    }
}
