//! An evaluation as a picture (SVG): the board with the squares that count most, the concepts as bars, and the facts in
//! words.

use std::fmt::Write as _;

use super::facts::Facts;
use super::ledger::Share;
use super::summary::{Line, column, end_text, main_lines, shown};
use super::topics::Topic;
use crate::base::text::plural;
use crate::chess::{Bitboard, Color, File, GameEnd, Piece, Position, Rank, Role, Square};

/// The side of a square, in pixels.
pub(super) const SQUARE: i32 = 45;
/// The place of the board.
pub(super) const LEFT: i32 = 30;
pub(super) const TOP: i32 = 20;
pub(super) const WIDTH: i32 = 920;
/// The place of the bars: the names end here, the axis is there, the numbers end there.
pub(super) const NAMES: i32 = 630;
pub(super) const AXIS: i32 = 740;
pub(super) const NUMBERS: i32 = 905;
/// The length of the longest bar.
pub(super) const BAR: i32 = 90;
/// The height of a line of the table and of the text.
pub(super) const ROW: i32 = 22;
pub(super) const LINE: i32 = 19;
/// The letters that fit on a line of text.
const LETTERS: usize = 104;
// Blue and orange: safe for colour-blind eyes.
pub(super) const WHITE: &str = "#2b6cb0";
pub(super) const BLACK: &str = "#c05621";
pub(super) const INK: &str = "#1a202c";
pub(super) const QUIET: &str = "#718096";
const LIGHT: &str = "#edf2f7";
const DARK: &str = "#b4c2d3";

/// The base of a piece.
const BASE: &str = "M11.5 38 H33.5 V34.5 H11.5 Z";

/// The outline of a piece in a square of 45 pixels, and lines inside it.
const fn outline(role: Role) -> (&'static str, &'static str) {
    match role {
        Role::Pawn => (
            "M22.5 9 a5 5 0 0 1 3.4 8.7 h2.6 v3 h-2.8 c0.4 5 2.6 9 5.3 11 v3.8 h-17 v-3.8 c2.7-2 4.9-6 5.3-11 h-2.8 v-3 h2.6 a5 5 0 0 1 3.4-8.7 Z",
            "",
        ),
        Role::Rook => (
            "M12 9 h4.5 v3.5 h4 V9 h4 v3.5 h4 V9 H33 v8.5 l-3 2.5 1 11 2.5 3.5 h-22 l2.5-3.5 1-11 -3-2.5 Z",
            "",
        ),
        Role::Knight => (
            "M13 34.5 C13 28 21 26 20.5 21 C18 23.5 15.5 24 13.5 27 L9.5 24.5 C11 19 12.5 14.5 17 11.5 L17.5 7.5 L21 10 C29.5 11 33 20 32.5 34.5 Z",
            "M17.2 15.4 l1.8 1",
        ),
        Role::Bishop => (
            "M22.5 5.5 a2.6 2.6 0 0 1 1.6 4.7 C30 14 31 21.5 26.5 27 L29.5 34.5 H15.5 L18.5 27 C14 21.5 15 14 20.9 10.2 A2.6 2.6 0 0 1 22.5 5.5 Z",
            "M20 19.5 h5 M22.5 17 v5",
        ),
        Role::Queen => (
            "M7.5 13 L14 27 L13 34.5 H32 L31 27 L37.5 13 L30 21.5 L28.5 9.5 L22.5 20.5 L16.5 9.5 L15 21.5 Z",
            "M14.5 28.5 C19 26.5 26 26.5 30.5 28.5",
        ),
        Role::King => (
            "M21 5 h3 v3 h3 v3 h-3 v3.6 C31 12 39 16 35 24 L31.5 30 V34.5 H13.5 V30 L10 24 C6 16 14 12 21 14.6 V11 h-3 V8 h3 Z",
            "M14.5 29 C19 27 26 27 30.5 29",
        ),
    }
}

/// A text for XML.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The corner of a square.
fn corner(square: Square) -> (i32, i32) {
    let (file, rank) = (square.file() as i32, square.rank() as i32);
    (LEFT + file * SQUARE, TOP + (7 - rank) * SQUARE)
}

/// Lines of text of a picture.
pub(super) struct Svg(pub(super) String);

impl Svg {
    pub(super) fn text(
        &mut self,
        [x, y]: [i32; 2],
        size: i32,
        anchor: &str,
        fill: &str,
        words: &str,
    ) {
        let words = escape(words);
        let _ = writeln!(
            self.0,
            r#"<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{fill}">{words}</text>"#
        );
    }

    pub(super) fn rect(&mut self, [x, y, width, height]: [i32; 4], fill: &str, opacity: f64) {
        let _ = writeln!(
            self.0,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}" fill-opacity="{opacity:.2}"/>"#
        );
    }

    pub(super) fn board(&mut self, position: &Position, marks: &[(Square, &'static str, f64)]) {
        for square in Bitboard::FULL {
            let (x, y) = corner(square);
            let ground = if square.is_light() { LIGHT } else { DARK };
            self.rect([x, y, SQUARE, SQUARE], ground, 1.0);
            if let Some(&(_, fill, opacity)) = marks.iter().find(|(marked, ..)| *marked == square) {
                self.rect([x, y, SQUARE, SQUARE], fill, opacity);
            }
            if let Some(piece) = position.piece_on(square) {
                self.piece(piece, [x, y]);
            }
        }
        for file in File::ALL {
            let x = LEFT + file as i32 * SQUARE + SQUARE / 2;
            let name = file.char().to_string();
            self.text([x, TOP + 8 * SQUARE + 16], 13, "middle", QUIET, &name);
        }
        for rank in Rank::ALL {
            let y = TOP + (7 - rank as i32) * SQUARE + 28;
            let name = rank.char().to_string();
            self.text([LEFT - 10, y], 13, "middle", QUIET, &name);
        }
    }

    fn piece(&mut self, piece: Piece, [x, y]: [i32; 2]) {
        let (fill, line) = match piece.color() {
            Color::White => ("#ffffff", INK),
            Color::Black => (INK, "#ffffff"),
        };
        let (outline, details) = outline(piece.role());
        let base = if piece.role() == Role::Pawn { "" } else { BASE };
        let _ = writeln!(
            self.0,
            r#"<g transform="translate({x} {y})" stroke-linejoin="round" stroke-linecap="round" stroke-width="1.5"><path d="{outline} {base}" fill="{fill}" stroke="{INK}"/>"#
        );
        if !details.is_empty() {
            let _ = writeln!(
                self.0,
                r#"<path d="{details}" fill="none" stroke="{line}"/>"#
            );
        }
        self.0 += "</g>\n";
    }

    /// An arrow between two squares.
    pub(super) fn arrow(&mut self, from: Square, to: Square, fill: &str) {
        let middle = |square| {
            let (x, y) = corner(square);
            (f64::from(x + SQUARE / 2), f64::from(y + SQUARE / 2))
        };
        let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
        let (dx, dy) = (x2 - x1, y2 - y1);
        let length = dx.hypot(dy);
        let (dx, dy) = (dx / length, dy / length);
        let (x3, y3) = (x2 - 20.0 * dx, y2 - 20.0 * dy);
        let (left, right) = (
            (x3 - 7.0 * dy, y3 + 7.0 * dx),
            (x3 + 7.0 * dy, y3 - 7.0 * dx),
        );
        let (tip_x, tip_y) = (x2 - 6.0 * dx, y2 - 6.0 * dy);
        let _ = writeln!(
            self.0,
            r#"<g opacity="0.85"><line x1="{x1:.1}" y1="{y1:.1}" x2="{x3:.1}" y2="{y3:.1}" stroke="{fill}" stroke-width="5"/><path d="M{:.1} {:.1} L{:.1} {:.1} L{tip_x:.1} {tip_y:.1} Z" fill="{fill}"/></g>"#,
            left.0, left.1, right.0, right.1
        );
    }

    /// The number of a fact in the corner of its square.
    fn badge(&mut self, square: Square, place: i32, number: usize, fill: &str) {
        let (x, y) = corner(square);
        let (x, y) = (x + SQUARE - 8 - 15 * place, y + 8);
        let _ = writeln!(self.0, r#"<circle cx="{x}" cy="{y}" r="7" fill="{fill}"/>"#);
        self.text([x, y + 4], 11, "middle", "#ffffff", &number.to_string());
    }
}

/// The colour of the side that a value is good for.
const fn colour(exact: i32) -> &'static str {
    if exact < 0 { BLACK } else { WHITE }
}

/// The squares of the pieces, pawns and kings that lines are about, the strongest first.
fn marks(facts: &Facts, lines: &[Line]) -> Vec<(Square, &'static str, f64)> {
    let greatest = lines.first().map_or(1, |line| line.exact.abs());
    let mark = |line: &Line| {
        let opacity = 0.25 + 0.5 * f64::from(line.exact.abs()) / f64::from(greatest);
        let fill = colour(line.exact);
        let subjects = line
            .facts
            .iter()
            .filter_map(|&place| facts.facts[place].subject);
        subjects
            .map(|square| (square, fill, opacity))
            .collect::<Vec<_>>()
    };
    lines.iter().flat_map(mark).collect()
}

/// Breaks a text into lines.
pub(super) fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        if lines[last].is_empty() {
            lines[last] += word;
        } else if lines[last].len() + word.len() < LETTERS {
            lines[last] = format!("{} {word}", lines[last]);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// A value with a minus sign as printed.
fn signed(value: Share) -> String {
    column(value).trim().replace('-', "−")
}

/// The evaluation of a position as SVG, with the same in words for readers who cannot see it.
pub fn picture(facts: &Facts, end: Option<GameEnd>) -> String {
    let position = &facts.position;
    let lines = facts.lines();
    let (main, others) = main_lines(&lines);
    let mut svg = Svg(String::new());
    svg.board(position, &marks(facts, main));
    let mut places = [0; 64];
    for (number, line) in (1..).zip(main) {
        let fill = colour(line.exact);
        for fact in line.facts.iter().map(|&place| &facts.facts[place]) {
            let Some(subject) = fact.subject else {
                continue;
            };
            if fact.topic == Topic::Attacked {
                let attackers = position.attackers_to(subject, position.occupied());
                for from in attackers & position.by_color(fact.side) {
                    svg.arrow(from, subject, fill);
                }
            }
            svg.badge(subject, places[subject as usize], number, fill);
            places[subject as usize] += 1;
        }
    }
    bars(&mut svg, facts);

    let mut y = TOP + 8 * SQUARE + 48;
    let mut description = Vec::new();
    for (number, line) in (1..).zip(main) {
        svg.text(
            [LEFT + 16, y],
            14,
            "end",
            colour(line.exact),
            &number.to_string(),
        );
        svg.text([LEFT + 80, y], 14, "end", INK, &signed(line.value));
        for words in wrapped(&line.text) {
            svg.text([LEFT + 92, y], 14, "start", INK, &words);
            y += LINE;
        }
        description.push(format!("{} {}", signed(line.value), line.text));
    }
    if !others.is_empty() {
        let rest = Share(others.iter().map(|line| line.exact).sum());
        svg.text([LEFT + 80, y], 14, "end", INK, &signed(rest));
        let text = plural(others.len(), "smaller thing");
        svg.text([LEFT + 92, y], 14, "start", QUIET, &text);
        y += LINE;
    }
    let verdict = match end {
        Some(end) => end_text(end, position),
        None => format!(
            "Evaluation {:+} internal centipawns from White's view, reported as {:+}.",
            facts.sums.total,
            shown(facts.sums.total, position)
        ),
    };
    svg.text([LEFT, y + 8], 15, "start", INK, &verdict);
    let height = y + 24;
    let (title, description) = (escape(&position.to_fen()), escape(&description.join(" ")));
    let verdict = escape(&verdict);
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="title description" font-family="Helvetica, Arial, sans-serif">
<title id="title">{title}: {verdict}</title>
<desc id="description">{description}</desc>
<rect width="{WIDTH}" height="{height}" rx="8" fill="#ffffff"/>
{}</svg>
"##,
        svg.0
    )
}

/// The concepts as bars, to the right for White and to the left for Black.
fn bars(svg: &mut Svg, facts: &Facts) {
    let mut y = TOP + 12;
    svg.text([NAMES, y], 13, "end", QUIET, "concept");
    svg.text([AXIS - 12, y], 13, "end", BLACK, "◂ Black");
    svg.text([AXIS + 12, y], 13, "start", WHITE, "White ▸");
    svg.text([NUMBERS, y], 13, "end", QUIET, "centipawns");
    let lines = &facts.sums.lines;
    let greatest = lines
        .iter()
        .map(|line| line.net.0.abs())
        .max()
        .unwrap_or(0)
        .max(1);
    for line in lines {
        y += ROW;
        let length = (i64::from(line.net.0.abs()) * i64::from(BAR) / i64::from(greatest)) as i32;
        let length = length.max(i32::from(line.net.0 != 0));
        let x = if line.net.0 < 0 { AXIS - length } else { AXIS };
        svg.text([NAMES, y], 14, "end", INK, line.concept.title());
        svg.rect([x, y - 12, length, 15], colour(line.net.0), 1.0);
        svg.text([NUMBERS, y], 14, "end", INK, &signed(line.net));
    }
    let _ = writeln!(
        svg.0,
        r#"<line x1="{AXIS}" y1="{}" x2="{AXIS}" y2="{}" stroke="{QUIET}"/>"#,
        TOP + 18,
        y + 7
    );
    y += ROW + 4;
    svg.text([NAMES, y], 15, "end", INK, "total");
    let total = Share(facts.sums.total * crate::eval::UNITS_PER_CENTIPAWN);
    svg.text([NUMBERS, y], 15, "end", INK, &signed(total));
}
