//! A board as a picture (SVG), with marked squares and arrows.

use super::picture::{BLACK, LEFT, SQUARE, Svg, TOP, WHITE, escape};
use crate::chess::{Move, Position, Square};

/// How much of a square's colour a mark covers.
const MARK: f64 = 0.45;

/// A board with the better move as a blue arrow and the played one as an orange arrow, which starts on marked squares.
/// `words` describe the picture to readers who cannot see it.
pub fn board_picture(position: &Position, better: Move, played: Move, words: &str) -> String {
    let target = |mv: Move| -> Square {
        if mv.is_castling() {
            mv.castling_king_to()
        } else {
            mv.to()
        }
    };
    let mut svg = Svg(String::new());
    svg.board(position, &[(played.from(), BLACK, MARK)]);
    if better != played {
        svg.arrow(better.from(), target(better), WHITE);
    }
    svg.arrow(played.from(), target(played), BLACK);
    let (width, height) = (LEFT + 8 * SQUARE + 8, TOP + 8 * SQUARE + 24);
    let words = escape(words);
    format!(
        "<svg class=\"board\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{words}\" \
         font-family=\"Helvetica, Arial, sans-serif\">\n{}</svg>\n",
        svg.0
    )
}
