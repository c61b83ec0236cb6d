//! The numbers of wins, draws and losses of tables as a picture: for each side to move, the shares of the results, and the
//! number of positions per DTZ on a logarithmic scale, wins up and losses down.

use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use super::chart::{
    self, Area, BAD, ChartError, GOOD, MARGIN, NEUTRAL, fade, fill, text, text_aligned, thin_line,
};
use crate::lab::tablegen::{SideStats, TableStats};
use crate::tablebase::Material;

/// Pixels above the strips, and below for the axis.
const HEAD: i32 = 64;
const FOOT: i32 = 44;
/// Pixels of a strip, and of its tallest column.
const STRIP: i32 = 100;
const COLUMN: f64 = 36.0;
/// Left edge and width of the shares and of the columns.
const SHARES: (i32, i32) = (110, 300);
const COLUMNS: (i32, i32) = (450, 540);
/// Plies between two labels of the axis: the first step with at most [`MAX_LABELS`].
const STEPS: [usize; 5] = [5, 10, 20, 50, 100];
const MAX_LABELS: usize = 14;
/// The fifty-move rule, in plies.
const FIFTY_MOVES: usize = 100;

const RESULTS: [&str; 5] = ["won", "cursed", "drawn", "blessed", "lost"];

/// The colours of [`RESULTS`]. Results that the fifty-move rule turns into draws are pale.
fn colors() -> [RGBColor; 5] {
    [GOOD, fade(GOOD, 0.4), NEUTRAL, fade(BAD, 0.4), BAD]
}

/// Draws tables as SVG.
///
/// # Errors
/// The picture cannot be drawn.
pub fn draw(tables: &[(Material, TableStats)]) -> Result<String, ChartError> {
    let strips = || {
        tables.iter().flat_map(|(material, stats)| {
            let sides = ["white to move", "black to move"]
                .into_iter()
                .zip(&stats.sides);
            // Both sides of a symmetric table have the same numbers.
            let count = if material.is_symmetric() { 1 } else { 2 };
            sides
                .take(count)
                .map(move |(name, side)| (material, name, side))
        })
    };
    let size = (
        COLUMNS.0 + COLUMNS.1 + 3 * MARGIN,
        HEAD + STRIP * strips().count() as i32 + FOOT,
    );
    let longest = strips().flat_map(|(_, _, side)| side.longest()).max();
    let longest = longest.unwrap_or(0).max(1);
    chart::draw(size, |root| {
        legend(root)?;
        for (number, (material, name, side)) in (0..).zip(strips()) {
            let top = HEAD + STRIP * number;
            text(root, &material.to_string(), (MARGIN, top + 32), 16)?;
            text(root, name, (MARGIN, top + 52), 11)?;
            shares(root, side, top + 30)?;
            columns(root, side, top + STRIP / 2, longest)?;
        }
        axis(root, size.1 - FOOT, longest)
    })
}

fn legend(root: &Area<'_>) -> Result<(), ChartError> {
    let title = "Tablebases: shares of results, and positions by plies to the next capture, pawn move or mate";
    text(root, title, (MARGIN, MARGIN), 16)?;
    for (number, (result, color)) in (0..).zip(RESULTS.into_iter().zip(colors())) {
        let left = SHARES.0 + 64 * number;
        fill(root, [(left, 42), (left + 10, 52)], color)?;
        text(root, result, (left + 14, 41), 11)?;
    }
    let scale = "number of positions, logarithmic: wins up, losses down";
    text(root, scale, (COLUMNS.0, 41), 11)
}

/// A bar with the share of each result.
fn shares(root: &Area<'_>, side: &SideStats, top: i32) -> Result<(), ChartError> {
    let outcomes = side.outcomes();
    let all = outcomes.iter().sum::<u64>().max(1) as f64;
    let (mut left, mut labels) = (f64::from(SHARES.0), Vec::new());
    for ((count, color), result) in outcomes.into_iter().zip(colors()).zip(RESULTS) {
        let right = left + count as f64 / all * f64::from(SHARES.1);
        let corners = [(left.round() as i32, top), (right.round() as i32, top + 22)];
        if corners[0].0 < corners[1].0 {
            fill(root, corners, color)?;
        }
        if count > 0 {
            labels.push(format!("{result} {:.2} %", 100.0 * count as f64 / all));
        }
        left = right;
    }
    text(root, &labels.join(", "), (SHARES.0, top + 28), 11)
}

/// A column for each DTZ, wins above the line and losses below.
fn columns(
    root: &Area<'_>,
    side: &SideStats,
    middle: i32,
    longest: usize,
) -> Result<(), ChartError> {
    let counts = side.wins.iter().chain(&side.losses).copied();
    let most = log(counts.max().unwrap_or(0)).max(1.0);
    if longest > FIFTY_MOVES {
        let x = place(FIFTY_MOVES, longest).1;
        thin_line(root, (x, middle - STRIP / 2), (x, middle + STRIP / 2))?;
    }
    thin_line(root, (COLUMNS.0, middle), (COLUMNS.0 + COLUMNS.1, middle))?;
    let colors = colors();
    for (counts, [color, pale], up) in [
        (&side.wins, [colors[0], colors[1]], true),
        (&side.losses, [colors[4], colors[3]], false),
    ] {
        let mut last = None;
        for (plies, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let height = (log(count) / most * COLUMN).ceil() as i32;
            let color = if plies > FIFTY_MOVES { pale } else { color };
            let (left, right) = place(plies, longest);
            let end = if up { middle - height } else { middle + height };
            let corners = [
                (left, middle.min(end)),
                (right.max(left + 1), middle.max(end)),
            ];
            fill(root, corners, color)?;
            last = Some((plies, right, end));
        }
        if let Some((plies, right, end)) = last {
            let y = if up { end - 15 } else { end + 1 };
            text_aligned(root, &plies.to_string(), (right, y), 10, HPos::Center)?;
        }
    }
    Ok(())
}

/// The axis of plies below the strips.
fn axis(root: &Area<'_>, top: i32, longest: usize) -> Result<(), ChartError> {
    let fits = |step: &&usize| longest / **step < MAX_LABELS;
    let step = *STEPS.iter().find(fits).unwrap_or(&STEPS[STEPS.len() - 1]);
    for plies in (0..=longest).step_by(step) {
        let (left, right) = place(plies, longest);
        let x = i32::midpoint(left, right);
        thin_line(root, (x, top), (x, top + 5))?;
        text_aligned(root, &plies.to_string(), (x, top + 8), 11, HPos::Center)?;
    }
    let at = (COLUMNS.0 + COLUMNS.1, top + 22);
    text_aligned(root, "plies", at, 11, HPos::Right)
}

/// Left and right edge of the column of a DTZ.
fn place(plies: usize, longest: usize) -> (i32, i32) {
    let x = |plies: usize| COLUMNS.0 + (plies as i32 * COLUMNS.1) / (longest as i32 + 1);
    (x(plies), x(plies + 1) - 1)
}

/// One more than the logarithm to base 10; 0 for 0.
fn log(count: u64) -> f64 {
    if count == 0 {
        0.0
    } else {
        1.0 + (count as f64).log10()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::tablegen::Generator;

    #[test]
    fn the_picture_has_the_numbers() -> Result<(), Box<dyn std::error::Error>> {
        let generator = Generator::default();
        let mut tables = Vec::new();
        for name in ["KRvK", "KNvK"] {
            let material: Material = name.parse()?;
            tables.push((material, generator.stats(material)));
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
