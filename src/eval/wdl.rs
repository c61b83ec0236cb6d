//! What a score promises: chances of win, draw and loss.
//! Uses: chess, value. Used by: engine, search, uci, explain.
//! Idea: two mirrored logistic curves. Winning is as likely as not at one score, losing at its negative, and a draw is
//! what is left between them.

use crate::chess::{Color, Position, Role};
use crate::value::{Value, is_loss, is_win};

/// The score in centipawns at which a win is as likely as not. A starting value, not yet fitted to games.
const EVEN_WIN: f64 = 150.0;
/// The width of the curve in centipawns on a full board: at an even score plus this, a win has a chance of 73 %.
/// With `EVEN_WIN` it makes the expected score rise by about 0.0015 per centipawn at zero. Not yet fitted to games.
const WIDTH_FULL: f64 = 100.0;
/// The width on a bare board, where an advantage decides more clearly. Not yet fitted to games.
const WIDTH_BARE: f64 = 80.0;
/// The [material count](material_count) of the initial position.
const MATERIAL_FULL: i32 = 78;

/// The material of both sides in pawns, by 1/3/3/5/9: what the model takes as a measure of how full the board is.
///
/// ```
/// use lucena::chess::Position;
/// assert_eq!(lucena::eval::material_count(&Position::startpos()), 78);
/// ```
#[must_use]
pub fn material_count(position: &Position) -> i32 {
    const PAWNS: [(Role, i32); 5] = [
        (Role::Pawn, 1),
        (Role::Knight, 3),
        (Role::Bishop, 3),
        (Role::Rook, 5),
        (Role::Queen, 9),
    ];
    let count = |role| {
        position.pieces(Color::White, role).count() + position.pieces(Color::Black, role).count()
    };
    (PAWNS.iter())
        .map(|&(role, pawns)| pawns * count(role) as i32)
        .sum()
}

/// The chances of win, draw and loss in thousandths, which sum to 1000, for a score and a [`material_count`].
///
/// ```
/// use lucena::eval::win_draw_loss;
/// let [win, draw, loss] = win_draw_loss(0, 78);
/// assert_eq!(win, loss);
/// assert_eq!(win + draw + loss, 1000);
/// ```
#[must_use]
pub fn win_draw_loss(score: Value, material: i32) -> [u16; 3] {
    if is_win(score) {
        return [1000, 0, 0];
    }
    if is_loss(score) {
        return [0, 0, 1000];
    }
    let fullness = f64::from(material.clamp(0, MATERIAL_FULL)) / f64::from(MATERIAL_FULL);
    let width = WIDTH_BARE + (WIDTH_FULL - WIDTH_BARE) * fullness;
    let thousandths = |score: f64| {
        let chance = 1.0 / (1.0 + ((EVEN_WIN - score) / width).exp());
        (1000.0 * chance).round() as u16
    };
    // The two chances are below one together, so that their roundings never exceed a thousand.
    let (win, loss) = (
        thousandths(f64::from(score)),
        thousandths(-f64::from(score)),
    );
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{EVALUATION_LIMIT, mate_in, mated_in};

    #[test]
    fn chances_are_symmetric_monotone_and_whole() {
        for material in [-5, 0, 1, 20, 40, 78, 200] {
            let mut before = [0, 0, 1000];
            for score in (-4000..=4000).chain([EVALUATION_LIMIT]) {
                let chances = win_draw_loss(score, material);
                let [win, draw, loss] = chances;
                assert_eq!(win + draw + loss, 1000);
                assert_eq!(win_draw_loss(-score, material), [loss, draw, win]);
                assert!(win >= before[0] && loss <= before[2]);
                before = chances;
            }
            assert!(win_draw_loss(0, material)[1] > 500);
        }
    }

    #[test]
    fn proven_results_are_certain() {
        assert_eq!(win_draw_loss(mate_in(5), 40), [1000, 0, 0]);
        assert_eq!(win_draw_loss(mated_in(8), 40), [0, 0, 1000]);
    }
}
