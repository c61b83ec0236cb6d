//! Win probability: chances of win, draw and loss by score, and the normalised score.
//!
//! Two mirrored logistic curves: the chance to win is one half at one score, the chance to lose at its negative, and a draw
//! takes the rest. That score and the width of the curves depend on the material on the board; the numbers in `curve.rs` are
//! fitted to Lucena's training games, and the widths in `timed_curve.rs` to its games at time controls.
//!
//! Internal scores are centipawns: 100 is the value of an average pawn. A normalised score of 100 is an even chance to win
//! with any material, as in other engines, so that scores of different programs and phases are comparable.

use super::curve::{EVEN, WIDTH};
use super::timed_curve::TIMED_WIDTH;
use crate::base::value::{EVALUATION_LIMIT, Value, is_decisive, is_loss, is_win};
use crate::chess::{Color, Position, Role};

/// The [material count](material_count) of the initial position.
pub const MATERIAL_FULL: i32 = 78;
/// A curve has this many knots, evenly from no material to the full board, and is linear between them.
pub const CURVE_KNOTS: usize = 7;
/// The normalised score of an even chance to win.
const NORMALISED_EVEN: f64 = 100.0;

/// Chances of win, draw and loss by score and material; a number for each knot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// The score in centipawns with an even chance to win.
    pub even: [f64; CURVE_KNOTS],
    /// The width in centipawns: at the even score plus the width, the chance to win is 73 percent.
    pub width: [f64; CURVE_KNOTS],
}

impl Curve {
    /// Of self-play at 500 nodes a move.
    pub const SELF_PLAY: Self = Self {
        even: EVEN,
        width: WIDTH,
    };
    /// Of games at time controls: more draws.
    pub const TIMED: Self = Self {
        even: EVEN,
        width: TIMED_WIDTH,
    };

    /// The even score and the width at an amount of material.
    pub fn at(&self, material: i32) -> (f64, f64) {
        let place = f64::from(material.clamp(0, MATERIAL_FULL)) * (CURVE_KNOTS - 1) as f64
            / f64::from(MATERIAL_FULL);
        let knot = (place as usize).min(CURVE_KNOTS - 2);
        let beyond = place - knot as f64;
        let between = |values: &[f64; CURVE_KNOTS]| {
            (values[knot + 1] - values[knot]).mul_add(beyond, values[knot])
        };
        (between(&self.even), between(&self.width))
    }

    /// The chances of win, draw and loss, which sum to 1.
    pub fn chances(&self, score: f64, material: i32) -> [f64; 3] {
        let (even, width) = self.at(material);
        let chance = |score: f64| 1.0 / (1.0 + ((even - score) / width).exp());
        let (win, loss) = (chance(score), chance(-score));
        [win, 1.0 - win - loss, loss]
    }

    /// Whether all chances are from 0 to 1.
    pub fn is_sound(&self) -> bool {
        self.even
            .iter()
            .chain(&self.width)
            .all(|&value| value > 1.0)
    }
}

/// The material of both sides in pawns, counted 1/3/3/5/9.
///
/// ```
/// use lucena::chess::Position;
/// assert_eq!(lucena::eval::material_count(&Position::startpos()), 78);
/// ```
pub fn material_count(position: &Position) -> i32 {
    material_of(position, Color::White) + material_of(position, Color::Black)
}

/// The material of one side in pawns, counted 1/3/3/5/9.
pub fn material_of(position: &Position, color: Color) -> i32 {
    const PAWNS: [(Role, i32); 5] = [
        (Role::Pawn, 1),
        (Role::Knight, 3),
        (Role::Bishop, 3),
        (Role::Rook, 5),
        (Role::Queen, 9),
    ];
    (PAWNS.iter())
        .map(|&(role, pawns)| pawns * position.pieces(color, role).count() as i32)
        .sum()
}

/// The chances of win, draw and loss in games at time controls, in permille, which sum to 1000, by score and
/// [`material_count`].
pub fn timed_win_draw_loss(score: Value, material: i32) -> [u16; 3] {
    permille(&Curve::TIMED, score, material)
}

/// The same in self-play at 500 nodes a move, where fewer games are drawn: for reviews, explanations and levels.
///
/// ```
/// use lucena::eval::win_draw_loss;
/// let [win, draw, loss] = win_draw_loss(0, 78);
/// assert_eq!(win, loss);
/// assert_eq!(win + draw + loss, 1000);
/// ```
pub fn win_draw_loss(score: Value, material: i32) -> [u16; 3] {
    permille(&Curve::SELF_PLAY, score, material)
}

fn permille(curve: &Curve, score: Value, material: i32) -> [u16; 3] {
    if is_win(score) {
        return [1000, 0, 0];
    }
    if is_loss(score) {
        return [0, 0, 1000];
    }
    let [win, _, loss] = curve.chances(f64::from(score), material);
    // Rounding both may exceed 1000 by one.
    let [win, loss] = [win, loss].map(|chance| (1000.0 * chance).round() as u16);
    let loss = loss.min(1000 - win);
    [win, 1000 - win - loss, loss]
}

/// The expected result of the side to move, from 0 to 1: its chance to win and half of its chance to draw.
pub fn expected_score(score: Value, material: i32) -> f64 {
    if is_decisive(score) {
        return if is_win(score) { 1.0 } else { 0.0 };
    }
    let [win, _, loss] = Curve::SELF_PLAY.chances(f64::from(score), material);
    0.5 + 0.5 * (win - loss)
}

/// The score with this expected result: the inverse of [`expected_score`], never a decisive score.
pub fn score_of_expectation(expected: f64, material: i32) -> Value {
    let (mut low, mut high) = (-EVALUATION_LIMIT, EVALUATION_LIMIT);
    while low < high {
        let middle = low + (high - low) / 2;
        if expected_score(middle, material) < expected {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The normalised score: 100 is an even chance to win with this [`material_count`]. Decisive scores stay as they are, and no
/// other score becomes decisive.
///
/// ```
/// use lucena::eval::{normalise, win_draw_loss};
/// let normalised = |score| normalise(score, 40);
/// let even = (1..).find(|&score| win_draw_loss(score, 40)[0] >= 500).unwrap();
/// assert!((99..=101).contains(&normalised(even)));
/// assert_eq!(normalised(-even), -normalised(even));
/// ```
pub fn normalise(score: Value, material: i32) -> Value {
    if is_decisive(score) {
        return score;
    }
    let (even, _) = Curve::SELF_PLAY.at(material);
    let normalised = (f64::from(score) * NORMALISED_EVEN / even).round();
    (normalised as Value).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
}

/// The score in centipawns, within the limit of evaluations, that a normalised one stands for in a position.
pub fn denormalise(normalised: f64, position: &Position) -> Value {
    let (even, _) = Curve::SELF_PLAY.at(material_count(position));
    let limit = f64::from(EVALUATION_LIMIT);
    (normalised * even / NORMALISED_EVEN)
        .round()
        .clamp(-limit, limit) as Value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::value::{EVALUATION_LIMIT, mate_in, mated_in};

    #[test]
    fn chances_are_symmetric_monotone_and_sum_to_1000() {
        assert!(Curve::SELF_PLAY.is_sound() && Curve::TIMED.is_sound());
        for of in [win_draw_loss, timed_win_draw_loss] {
            for material in [-5, 0, 1, 20, 40, 78, 200] {
                let mut before = [0, 0, 1000];
                for score in (-4000..=4000).chain([EVALUATION_LIMIT]) {
                    let chances = of(score, material);
                    let [win, draw, loss] = chances;
                    assert_eq!(win + draw + loss, 1000);
                    assert_eq!(of(-score, material), [loss, draw, win]);
                    assert!(win >= before[0] && loss <= before[2]);
                    before = chances;
                }
                assert!(of(0, material)[1] > 0);
            }
        }
        // The normalised score of an even chance is the same for both.
        let (even, _) = Curve::SELF_PLAY.at(40);
        assert!((Curve::TIMED.chances(even, 40)[0] - 0.5).abs() < 1e-9);
    }

    #[test]
    fn proven_results_are_certain() {
        assert_eq!(win_draw_loss(mate_in(5), 40), [1000, 0, 0]);
        assert_eq!(win_draw_loss(mated_in(8), 40), [0, 0, 1000]);
    }

    #[test]
    fn normalised_scores_are_monotone_and_never_become_decisive() {
        for material in 0..=80 {
            let mut before = -EVALUATION_LIMIT;
            for score in -EVALUATION_LIMIT..=EVALUATION_LIMIT {
                let normalised = normalise(score, material);
                assert!(normalised >= before && !is_decisive(normalised));
                assert!(normalised.signum() * score.signum() >= 0);
                assert_eq!(normalise(-score, material), -normalised);
                before = normalised;
            }
            for decisive in [mate_in(3), mated_in(4)] {
                assert_eq!(normalise(decisive, material), decisive);
            }
        }
    }
}
