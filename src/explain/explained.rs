//! An explanation as a picture (SVG): the board with both moves and the squares that the claims name, the concepts as bars,
//! and the sentences.

use std::fmt::Write as _;

use super::concepts::Concept;
use super::explanation::{Explanation, MAX_SENTENCES};
use super::picture::{
    AXIS, BAR, BLACK, INK, LEFT, LINE, NAMES, NUMBERS, QUIET, ROW, SQUARE, Svg, TOP, WHITE, WIDTH,
    escape, wrapped,
};
use super::rank::Ranked;
use crate::chess::{Move, Square};

/// Concepts with a bar of their own.
const BARS: usize = 10;

impl Explanation {
    /// The explanation as SVG, with the same in words for readers who cannot see it.
    pub fn picture(&self) -> String {
        let root = self.comparison.root();
        let mut svg = Svg(String::new());
        svg.board(root, &self.marks());
        let mut arrow = |mv: Move, fill| {
            let to = if mv.is_castling() {
                mv.castling_king_to()
            } else {
                mv.to()
            };
            svg.arrow(mv.from(), to, fill);
        };
        if let Some(worse) = &self.comparison.worse {
            arrow(worse.first(), BLACK);
        }
        arrow(self.comparison.better.first(), WHITE);
        bars(&mut svg, &self.concepts);
        let mut y = TOP + 8 * SQUARE + 48;
        let claims = self.claims.iter().take(MAX_SENTENCES);
        for claim in claims.clone() {
            for line in wrapped(&claim.text) {
                svg.text([LEFT, y], 14, "start", INK, &line);
                y += LINE;
            }
            y += 4;
        }
        let words: Vec<&str> = claims.map(|claim| claim.text.as_str()).collect();
        let (title, description) = (escape(&self.fen), escape(&words.join(" ")));
        let mv = escape(&self.numbered_move());
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" role="img" aria-labelledby="title description" font-family="Helvetica, Arial, sans-serif">
<title id="title">{mv} in {title}</title>
<desc id="description">{description}</desc>
<rect width="{WIDTH}" height="{y}" rx="8" fill="#ffffff"/>
{}</svg>
"##,
            svg.0
        )
    }

    /// The squares that the claims name.
    fn marks(&self) -> Vec<(Square, &'static str, f64)> {
        let names = self.claims.iter().take(MAX_SENTENCES);
        let names = names.flat_map(|claim| claim.squares.iter());
        let squares = names.filter_map(|name| name.parse().ok());
        squares.map(|square| (square, "#d69e2e", 0.45)).collect()
    }
}

/// The concepts as bars: to the right for the better move, to the left for the other.
fn bars(svg: &mut Svg, concepts: &[Ranked]) {
    let mut y = TOP + 12;
    svg.text([NAMES, y], 13, "end", QUIET, "concept");
    svg.text([AXIS - 12, y], 13, "end", BLACK, "◂ other");
    svg.text([AXIS + 12, y], 13, "start", WHITE, "better ▸");
    svg.text([NUMBERS, y], 13, "end", QUIET, "pawns");
    let mut shown: Vec<(Concept, f64)> = concepts
        .iter()
        .map(|ranked| (ranked.concept, ranked.difference))
        .collect();
    shown.sort_by(|(_, one), (_, other)| other.abs().total_cmp(&one.abs()));
    shown.truncate(BARS);
    let greatest = shown.first().map_or(1.0, |(_, most)| most.abs().max(0.01));
    for (concept, difference) in shown {
        y += ROW;
        let length = (difference.abs() / greatest * f64::from(BAR)).round() as i32;
        let (x, fill) = if difference < 0.0 {
            (AXIS - length, BLACK)
        } else {
            (AXIS, WHITE)
        };
        let value = format!("{difference:+.2}").replace('-', "−");
        svg.text([NAMES, y], 14, "end", INK, concept.title());
        svg.rect([x, y - 12, length, 15], fill, 1.0);
        svg.text([NUMBERS, y], 14, "end", INK, &value);
    }
    let _ = writeln!(
        svg.0,
        r#"<line x1="{AXIS}" y1="{}" x2="{AXIS}" y2="{}" stroke="{QUIET}"/>"#,
        TOP + 18,
        y + 7
    );
}
