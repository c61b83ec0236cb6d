//! What is in tables, as a picture.
//! Uses: tablebase, plotters. Used by: verify.
//! Idea: a strip for each side to move: on the left the shares of wins, draws and losses, on the right how many positions
//! are won (up) and lost (down) in so many plies, on a logarithmic scale, since the longest lines are the rarest.

use std::io;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::lab::tablegen::{Statistics, Tally};
use crate::tablebase::Material;

/// Why a picture cannot be drawn.
pub type Refusal = DrawingAreaErrorKind<io::Error>;
/// Where it is drawn.
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Pixels around everything.
const MARGIN: i32 = 12;
/// Pixels above the strips, and below them for the scale.
const HEAD: i32 = 64;
const FOOT: i32 = 44;
/// Pixels of a strip, and of its highest column.
const STRIP: i32 = 100;
const COLUMN: f64 = 36.0;
/// Where the shares and the columns begin, and how wide they are.
const SHARES: (i32, i32) = (110, 300);
const COLUMNS: (i32, i32) = (450, 540);
/// The scale has a number every so many plies, the first that leaves them apart.
const STEPS: [usize; 5] = [5, 10, 20, 50, 100];
const MOST_NUMBERS: usize = 14;
/// After so many plies the fifty-move rule makes a draw.
const FIFTY_MOVES: usize = 100;

/// Win, cursed win, draw, blessed loss, loss.
const INKS: [RGBColor; 5] = [
    RGBColor(31, 90, 166),
    RGBColor(150, 185, 225),
    RGBColor(205, 205, 205),
    RGBColor(240, 170, 155),
    RGBColor(200, 60, 40),
];
const WORDS: [&str; 5] = ["won", "cursed", "drawn", "blessed", "lost"];
const FAINT: RGBColor = RGBColor(170, 170, 170);

/// The picture of these tables, as SVG.
pub fn draw(tables: &[(Material, Statistics)]) -> Result<String, Refusal> {
    let strips = || {
        tables.iter().flat_map(|(material, statistics)| {
            let sides = ["white to move", "black to move"];
            // Where both sides have the same men, one strip tells all.
            let count = if material.is_symmetric() { 1 } else { 2 };
            sides
                .into_iter()
                .zip(&statistics.sides)
                .take(count)
                .map(move |(side, tally)| (material, side, tally))
        })
    };
    let size = (
        COLUMNS.0 + COLUMNS.1 + 3 * MARGIN,
        HEAD + STRIP * strips().count() as i32 + FOOT,
    );
    let longest = strips().flat_map(|(_, _, tally)| tally.longest()).max();
    let longest = longest.unwrap_or(0).max(1);
    let mut text = String::new();
    let root = SVGBackend::with_string(&mut text, (size.0.unsigned_abs(), size.1.unsigned_abs()))
        .into_drawing_area();
    root.fill(&WHITE)?;
    head(&root)?;
    for (number, (material, side, tally)) in (0..).zip(strips()) {
        let top = HEAD + STRIP * number;
        words(
            &root,
            &material.to_string(),
            (MARGIN, top + 32),
            16,
            HPos::Left,
        )?;
        words(&root, side, (MARGIN, top + 52), 11, HPos::Left)?;
        shares(&root, tally, top + 30)?;
        columns(&root, tally, top + STRIP / 2, longest)?;
    }
    scale(&root, size.1 - FOOT, longest)?;
    root.present()?;
    drop(root);
    Ok(text)
}

/// The title and the colours.
fn head(root: &Area<'_>) -> Result<(), Refusal> {
    let title =
        "Endgame tables: shares of positions, and plies to the next capture, pawn move or mate";
    words(root, title, (MARGIN, MARGIN), 16, HPos::Left)?;
    for (number, (word, ink)) in (0..).zip(WORDS.into_iter().zip(INKS)) {
        let left = SHARES.0 + 64 * number;
        root.draw(&Rectangle::new([(left, 42), (left + 10, 52)], ink.filled()))?;
        words(root, word, (left + 14, 41), 11, HPos::Left)?;
    }
    let note = "wins up, losses down; a step in height is ten times as many";
    words(root, note, (COLUMNS.0, 41), 11, HPos::Left)
}

/// One bar, shared among the outcomes.
fn shares(root: &Area<'_>, tally: &Tally, top: i32) -> Result<(), Refusal> {
    let outcomes = tally.outcomes();
    let all = outcomes.iter().sum::<u64>().max(1) as f64;
    let (mut left, mut said) = (f64::from(SHARES.0), Vec::new());
    for ((count, ink), word) in outcomes.into_iter().zip(INKS).zip(WORDS) {
        let right = left + count as f64 / all * f64::from(SHARES.1);
        let corners = [(left.round() as i32, top), (right.round() as i32, top + 22)];
        if corners[0].0 < corners[1].0 {
            root.draw(&Rectangle::new(corners, ink.filled()))?;
        }
        if count > 0 {
            said.push(format!("{word} {:.2} %", 100.0 * count as f64 / all));
        }
        left = right;
    }
    words(root, &said.join(", "), (SHARES.0, top + 28), 11, HPos::Left)
}

/// A column for each number of plies, wins above the line and losses below.
fn columns(root: &Area<'_>, tally: &Tally, middle: i32, longest: usize) -> Result<(), Refusal> {
    let counts = tally.wins.iter().chain(&tally.losses).copied();
    let most = log(counts.max().unwrap_or(0)).max(1.0);
    if longest > FIFTY_MOVES {
        let x = place(FIFTY_MOVES, longest).1;
        let line = vec![(x, middle - STRIP / 2), (x, middle + STRIP / 2)];
        root.draw(&PathElement::new(line, FAINT))?;
    }
    let line = vec![(COLUMNS.0, middle), (COLUMNS.0 + COLUMNS.1, middle)];
    root.draw(&PathElement::new(line, FAINT))?;
    for (counts, inks, up) in [
        (&tally.wins, [INKS[0], INKS[1]], true),
        (&tally.losses, [INKS[4], INKS[3]], false),
    ] {
        let mut last = None;
        for (plies, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let height = (log(count) / most * COLUMN).ceil() as i32;
            let ink = inks[usize::from(plies > FIFTY_MOVES)];
            let (left, right) = place(plies, longest);
            let end = if up { middle - height } else { middle + height };
            let corners = [
                (left, middle.min(end)),
                (right.max(left + 1), middle.max(end)),
            ];
            root.draw(&Rectangle::new(corners, ink.filled()))?;
            last = Some((plies, right, end));
        }
        if let Some((plies, right, end)) = last {
            let y = if up { end - 15 } else { end + 1 };
            words(root, &plies.to_string(), (right, y), 10, HPos::Center)?;
        }
    }
    Ok(())
}

/// The numbers of plies below the strips.
fn scale(root: &Area<'_>, top: i32, longest: usize) -> Result<(), Refusal> {
    let apart = |step: &&usize| longest / **step < MOST_NUMBERS;
    let step = *STEPS.iter().find(apart).unwrap_or(&STEPS[STEPS.len() - 1]);
    for plies in (0..=longest).step_by(step) {
        let (left, right) = place(plies, longest);
        let x = i32::midpoint(left, right);
        root.draw(&PathElement::new(vec![(x, top), (x, top + 5)], FAINT))?;
        words(root, &plies.to_string(), (x, top + 8), 11, HPos::Center)?;
    }
    words(
        root,
        "plies",
        (COLUMNS.0 + COLUMNS.1, top + 22),
        11,
        HPos::Right,
    )
}

/// From where to where the column of so many plies stands.
fn place(plies: usize, longest: usize) -> (i32, i32) {
    let x = |plies: usize| COLUMNS.0 + (plies as i32 * COLUMNS.1) / (longest as i32 + 1);
    (x(plies), x(plies + 1) - 1)
}

/// How many digits a number has, and a fraction.
fn log(count: u64) -> f64 {
    if count == 0 {
        0.0
    } else {
        1.0 + (count as f64).log10()
    }
}

fn words(
    root: &Area<'_>,
    text: &str,
    at: (i32, i32),
    size: i32,
    align: HPos,
) -> Result<(), Refusal> {
    let style = TextStyle::from(("sans-serif", size).into_font());
    root.draw(&Text::new(text, at, style.pos(Pos::new(align, VPos::Top))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::tablegen::Generator;

    #[test]
    fn a_picture_tells_what_the_statistics_tell() -> Result<(), Box<dyn std::error::Error>> {
        let workshop = Generator::default();
        let mut tables = Vec::new();
        for name in ["KRvK", "KNvK"] {
            let material: Material = name.parse()?;
            tables.push((material, workshop.statistics(material)));
        }
        let picture = draw(&tables)?;
        assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
        for words in ["KRvK", "KNvK", "black to move", "drawn 100.00 %", "31"] {
            assert!(picture.contains(words), "{words}");
        }
        assert!(draw(&[]).is_ok());
        Ok(())
    }
}
