//! Accuracy by the formula that lichess publishes: of a move from the winning chances it loses, of a game as the mean of
//! the moves' weighted mean and harmonic mean, weighted by how much the chances vary around each move.

/// Moves in a window, at least and at most; a game is divided into about ten.
const WINDOW: [usize; 2] = [2, 8];
const WINDOWS: usize = 10;
/// Bounds of a weight, in percent.
const WEIGHT: [f64; 2] = [0.5, 12.0];

/// The accuracy of a move that loses this many percent of winning chances.
pub fn of_move(lost: f64) -> f64 {
    (103.1668 * (-0.04354 * lost.max(0.0)).exp() - 3.1669 + 1.0).clamp(0.0, 100.0)
}

/// The accuracy of a side.
///
/// `chances` are the winning chances of White in percent at the start and after each move; `moves` are the accuracies of
/// all moves, and `is_own` says which of them are the side's. `None` without moves of the side.
pub fn of_game(chances: &[f64], moves: &[f64], is_own: impl Fn(usize) -> bool) -> Option<f64> {
    let size = (moves.len() / WINDOWS)
        .clamp(WINDOW[0], WINDOW[1])
        .min(chances.len());
    let (mut sum, mut weights, mut inverse, mut count) = (0.0, 0.0, 0.0, 0.0);
    for (index, &accuracy) in moves.iter().enumerate().filter(|(index, _)| is_own(*index)) {
        // The first moves share the first window.
        let end = (index + 2).max(size).min(chances.len());
        let weight = deviation(&chances[end - size..end]).clamp(WEIGHT[0], WEIGHT[1]);
        sum += weight * accuracy;
        weights += weight;
        inverse += 1.0 / accuracy.max(1.0);
        count += 1.0;
    }
    (count > 0.0).then(|| f64::midpoint(sum / weights, count / inverse))
}

/// The standard deviation.
fn deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    (squares.sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_loses_nothing_is_fully_accurate() {
        assert!((of_move(0.0) - 100.0).abs() < 1e-9);
        assert!((of_move(10.0) - 64.58).abs() < 0.01);
        assert!(of_move(100.0) < 0.01 && of_move(-3.0) >= 100.0);
    }

    #[test]
    fn one_blunder_lowers_a_game_of_good_moves() {
        let mut chances = vec![50.0; 41];
        let mut moves = vec![100.0; 40];
        let good = of_game(&chances, &moves, |_| true).expect("moves");
        assert!((good - 100.0).abs() < 1e-9);
        chances[21..].fill(10.0);
        moves[20] = of_move(40.0);
        let white = of_game(&chances, &moves, |index| index % 2 == 0).expect("moves");
        let black = of_game(&chances, &moves, |index| index % 2 == 1).expect("moves");
        assert!(white < 90.0 && black > 99.0, "{white} {black}");
        assert_eq!(of_game(&[50.0], &[], |_| true), None);
    }
}
