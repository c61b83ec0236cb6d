//! Charts as SVG: curves, bars, heat maps, and the shapes, texts and colours that all plots share.
//! One colour scale, safe for colour-blind readers: blue is good or won, orange is bad or lost. Fonts are the viewer's.

use std::io;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// A chart cannot be drawn.
pub type ChartError = DrawingAreaErrorKind<io::Error>;
pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Pixels of a cell of a heat map.
const CELL: (i32, i32) = (36, 18);
/// Pixels of a row of a bar chart.
const BAR: i32 = 18;
/// Pixels of a title.
const TITLE: i32 = 34;
/// Pixels of a number beside a bar.
const NUMBER: i32 = 60;
/// Pixels between charts, and around each picture.
const GAP: i32 = 24;
pub(super) const MARGIN: i32 = 10;
/// Heat maps that are wider side by side are stacked.
const MAX_WIDTH: i32 = 1100;
/// Longer column names are rotated.
const FLAT_LETTERS: usize = 5;
/// Estimated pixels of a letter of size 11.
const LETTER: f64 = 6.6;
/// Pixels of a panel, and panels per row.
const PANEL: (i32, i32) = (250, 90);
const PANELS: usize = 4;
/// Good or won.
pub(super) const GOOD: RGBColor = RGBColor(0, 114, 178);
/// Bad or lost.
pub(super) const BAD: RGBColor = RGBColor(213, 94, 0);
/// Neither, and thin lines.
pub(super) const NEUTRAL: RGBColor = RGBColor(200, 200, 200);
/// Unknown cells of a heat map, and grid lines.
const UNKNOWN: RGBColor = RGBColor(225, 225, 225);
/// Curves.
const CURVES: [RGBColor; 3] = [GOOD, BAD, RGBColor(120, 120, 120)];
/// The deepest shade of a heat map, as a share of [`GOOD`] or [`BAD`], so that black numbers stay readable.
const MAX_SHADE: f64 = 0.7;

/// Curves with their names and points.
///
/// # Errors
/// The chart cannot be drawn.
pub fn curves(
    title: &str,
    [across, up]: [&str; 2],
    lines: &[(&str, Vec<(f64, f64)>)],
) -> Result<String, ChartError> {
    draw((760, 480), |root| {
        text(root, title, (MARGIN, MARGIN), 16)?;
        let mut left = 84;
        for ((name, _), color) in lines.iter().zip(CURVES.into_iter().cycle()) {
            let y = TITLE + 8;
            let line = vec![(left, y), (left + 20, y)];
            root.draw(&PathElement::new(line, color.stroke_width(3)))?;
            text(root, name, (left + 26, y - 6), 12)?;
            left += 50 + length(name);
        }
        let points = || lines.iter().flat_map(|(_, points)| points.iter().copied());
        let (first, last) = span(points().map(|point| point.0));
        let (bottom, top) = span(points().map(|point| point.1));
        let most = lines.iter().map(|line| line.1.len()).max().unwrap_or(0);
        let mut chart = ChartBuilder::on(root)
            .margin(MARGIN)
            .margin_top(TITLE + GAP)
            .x_label_area_size(40)
            .y_label_area_size(70)
            .build_cartesian_2d(first..last, bottom..top)?;
        (chart.configure_mesh())
            .x_desc(across)
            .y_desc(up)
            .x_labels(most.clamp(2, 11))
            .light_line_style(WHITE)
            .bold_line_style(UNKNOWN)
            .draw()?;
        for ((_, points), color) in lines.iter().zip(CURVES.into_iter().cycle()) {
            let series = LineSeries::new(points.iter().copied(), color.stroke_width(2));
            chart.draw_series(series)?;
        }
        Ok(())
    })
}

/// A small chart of one curve.
#[derive(Clone, Debug)]
pub struct Panel {
    pub title: String,
    /// The values at the bottom and at the top.
    pub range: [f64; 2],
    /// X from 0 to 1, and the value.
    pub points: Vec<(f64, f64)>,
}

impl Panel {
    fn draw(&self, root: &Area<'_>, (left, top): (i32, i32)) -> Result<(), ChartError> {
        let [least, most] = self.range;
        text(root, &self.title, (left, top), 11)?;
        let (width, height) = (PANEL.0, PANEL.1);
        let top = top + TITLE / 2;
        let place = |&(across, value): &(f64, f64)| {
            let share = (value - least) / (most - least).max(1e-9);
            let right = across.clamp(0.0, 1.0) * f64::from(width);
            let down = (1.0 - share.clamp(0.0, 1.0)) * f64::from(height);
            (left + right as i32, top + down as i32)
        };
        let frame = [(left, top), (left + width, top + height)];
        root.draw(&Rectangle::new(frame, UNKNOWN.stroke_width(1)))?;
        // The first value, for comparison.
        if let Some(&(_, start)) = self.points.first() {
            let line = [(0.0, start), (1.0, start)].map(|point| place(&point));
            root.draw(&PathElement::new(line, UNKNOWN.stroke_width(1)))?;
        }
        let line: Vec<(i32, i32)> = self.points.iter().map(place).collect();
        root.draw(&PathElement::new(line, GOOD.stroke_width(2)))?;
        text_right(root, &rounded(most, 0), (left + width - 3, top + 2))?;
        let bottom = (left + width - 3, top + height - 14);
        text_right(root, &rounded(least, 0), bottom)
    }
}

/// Many small charts in rows.
///
/// # Errors
/// The chart cannot be drawn.
pub fn panels(title: &str, panels: &[Panel]) -> Result<String, ChartError> {
    let (across, down) = (PANEL.0 + GAP, PANEL.1 + TITLE);
    let rows = panels.len().div_ceil(PANELS) as i32;
    let size = (
        MARGIN + across * PANELS as i32,
        TITLE + down * rows + MARGIN,
    );
    draw(size, |root| {
        text(root, title, (MARGIN, MARGIN), 16)?;
        for (number, panel) in panels.iter().enumerate() {
            let (row, column) = ((number / PANELS) as i32, (number % PANELS) as i32);
            panel.draw(root, (MARGIN + across * column, TITLE + down * row))?;
        }
        Ok(())
    })
}

/// Horizontal bars with names, and numbers with `decimals` decimals; negative ones point left.
///
/// # Errors
/// The chart cannot be drawn.
pub fn bars(title: &str, rows: &[(String, f64)], decimals: usize) -> Result<String, ChartError> {
    let names = rows.iter().map(|row| length(&row.0)).max().unwrap_or(0);
    let values = || rows.iter().map(|row| row.1);
    let (least, most) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
    let before = if least < 0.0 { NUMBER } else { 0 };
    let (first, room) = (MARGIN + names + GAP + before, 420.0);
    let size = (
        first + room as i32 + NUMBER + MARGIN,
        TITLE + BAR * rows.len() as i32 + MARGIN,
    );
    let place = |value: f64| first + ((value - least) / (most - least).max(1e-9) * room) as i32;
    draw(size, |root| {
        text(root, title, (MARGIN, MARGIN), 16)?;
        let zero = place(0.0);
        for (line, (name, value)) in (0..).zip(rows) {
            let y = TITLE + BAR * line;
            text(root, name, (MARGIN, y), 11)?;
            let (end, color) = (place(*value), if *value < 0.0 { BAD } else { GOOD });
            let corners = [(zero.min(end), y), (zero.max(end) + 1, y + BAR - 5)];
            fill(root, corners, color)?;
            let number = rounded(*value, decimals);
            if *value < 0.0 {
                text_right(root, &number, (end - 5, y))?;
            } else {
                text(root, &number, (end + 6, y), 11)?;
            }
        }
        Ok(())
    })
}

/// A table of numbers as a heat map.
#[derive(Clone, Debug, Default)]
pub struct HeatMap {
    pub title: String,
    /// Column names.
    pub columns: Vec<String>,
    /// Row names and cells, `None` if unknown.
    pub rows: Vec<(String, Vec<Option<f64>>)>,
    /// Rows per group, with a gap between groups; 0 without groups.
    pub group: usize,
}

impl HeatMap {
    fn width(&self) -> i32 {
        (CELL.0 * self.columns.len() as i32).max(length(&self.title))
    }

    fn head(&self) -> i32 {
        let longest = self.columns.iter().map(|name| name.chars().count()).max();
        let longest = longest.unwrap_or(0);
        let names = if longest > FLAT_LETTERS {
            (longest as f64 * LETTER) as i32
        } else {
            14
        };
        TITLE + names
    }

    /// Pixels of a row below the head.
    fn row(&self, row: usize) -> i32 {
        let parted = row.checked_div(self.group).unwrap_or(0);
        CELL.1 * row as i32 + GAP / 3 * parted as i32
    }

    fn height(&self) -> i32 {
        self.head() + self.row(self.rows.len()) + GAP
    }

    fn draw(
        &self,
        root: &Area<'_>,
        (left, top): (i32, i32),
        names: i32,
        scale: f64,
    ) -> Result<(), ChartError> {
        text(root, &self.title, (left + names, top + 6), 13)?;
        let head = top + self.head();
        let upright = self.head() > TITLE + 14;
        for (column, name) in (0..).zip(&self.columns) {
            let middle = left + names + CELL.0 * column + CELL.0 / 2;
            let style = ("sans-serif", 11).into_font();
            let (style, place) = if upright {
                let place = Pos::new(HPos::Left, VPos::Center);
                (style.transform(FontTransform::Rotate270), place)
            } else {
                (style, Pos::new(HPos::Center, VPos::Bottom))
            };
            let style = TextStyle::from(style).pos(place);
            root.draw(&Text::new(name.as_str(), (middle, head - 4), style))?;
        }
        for (row, (name, cells)) in self.rows.iter().enumerate() {
            let y = head + self.row(row);
            if names > 0 {
                text(root, name, (left, y + 3), 11)?;
            }
            for (column, cell) in (0..).zip(cells) {
                let x = left + names + CELL.0 * column;
                let corners = [(x, y), (x + CELL.0 - 1, y + CELL.1 - 1)];
                let color = cell.map_or(UNKNOWN, |value| shade(value / scale));
                fill(root, corners, color)?;
                let number = cell.map_or_else(|| "·".to_owned(), |value| rounded(value, 0));
                text_right(root, &number, (x + CELL.0 - 6, y + 3))?;
            }
        }
        Ok(())
    }
}

/// Heat maps with the same rows on one colour scale, side by side or, if too wide, stacked.
///
/// # Errors
/// The chart cannot be drawn.
pub fn heat_maps(maps: &[HeatMap]) -> Result<String, ChartError> {
    let names = maps.iter().flat_map(|map| &map.rows);
    let names = names.map(|row| length(&row.0)).max().unwrap_or(0) + MARGIN;
    let widths = || maps.iter().map(|map| map.width() + GAP);
    let heights = || maps.iter().map(HeatMap::height);
    let stacked = names + widths().sum::<i32>() > MAX_WIDTH;
    let (width, height) = if stacked {
        (widths().max(), heights().sum())
    } else {
        (Some(widths().sum()), heights().max().unwrap_or(0))
    };
    let size = (2 * MARGIN + names + width.unwrap_or(0), height + MARGIN);
    let cells = maps.iter().flat_map(|map| &map.rows);
    let cells = cells.flat_map(|row| row.1.iter().flatten().map(|value| value.abs()));
    let scale = color_range(cells.collect());
    draw(size, |root| {
        let (mut left, mut top) = (MARGIN, 0);
        for (number, map) in maps.iter().enumerate() {
            let names = if stacked || number == 0 { names } else { 0 };
            map.draw(root, (left, top), names, scale)?;
            if stacked {
                top += map.height();
            } else {
                left += names + map.width() + GAP;
            }
        }
        Ok(())
    })
}

/// The SVG of a picture of this size, in pixels, painted on white.
pub(super) fn draw(
    (width, height): (i32, i32),
    paint: impl FnOnce(&Area<'_>) -> Result<(), ChartError>,
) -> Result<String, ChartError> {
    let mut text = String::new();
    let size = (width.unsigned_abs(), height.unsigned_abs());
    let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
    root.fill(&WHITE)?;
    paint(&root)?;
    root.present()?;
    drop(root);
    Ok(text)
}

/// Text with its top left corner at `at`.
pub(super) fn text(
    root: &Area<'_>,
    text: &str,
    at: (i32, i32),
    size: i32,
) -> Result<(), ChartError> {
    text_aligned(root, text, at, size, HPos::Left)
}

/// Text of size 11 with its top right corner at `at`.
fn text_right(root: &Area<'_>, text: &str, at: (i32, i32)) -> Result<(), ChartError> {
    text_aligned(root, text, at, 11, HPos::Right)
}

pub(super) fn text_aligned(
    root: &Area<'_>,
    text: &str,
    at: (i32, i32),
    size: i32,
    align: HPos,
) -> Result<(), ChartError> {
    let style = TextStyle::from(("sans-serif", size).into_font());
    root.draw(&Text::new(text, at, style.pos(Pos::new(align, VPos::Top))))
}

/// A filled rectangle.
pub(super) fn fill(
    root: &Area<'_>,
    corners: [(i32, i32); 2],
    color: RGBColor,
) -> Result<(), ChartError> {
    root.draw(&Rectangle::new(corners, color.filled()))
}

/// A thin grey line.
pub(super) fn thin_line(
    root: &Area<'_>,
    from: (i32, i32),
    to: (i32, i32),
) -> Result<(), ChartError> {
    root.draw(&PathElement::new(vec![from, to], NEUTRAL))
}

/// Estimated pixels of a text of size 11.
fn length(text: &str) -> i32 {
    (text.chars().count() as f64 * LETTER) as i32
}

/// A number with `decimals` decimals, without a negative zero.
fn rounded(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.')) {
        text.trim_start_matches('-').to_owned()
    } else {
        text
    }
}

/// The least and the greatest number, with a little margin.
fn span(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (least, most) = numbers.fold((f64::MAX, f64::MIN), |(least, most), number| {
        (least.min(number), most.max(number))
    });
    let room = ((most - least) * 0.04).max(1e-6);
    (least - room, most + room)
}

/// The 95th percentile, so that a few large numbers do not make the rest pale.
fn color_range(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let place = numbers.len().saturating_sub(1) * 19 / 20;
    numbers.get(place).copied().unwrap_or(1.0).max(1.0)
}

/// White at 0, blue at 1, orange at -1.
fn shade(share: f64) -> RGBColor {
    let color = if share < 0.0 { BAD } else { GOOD };
    fade(color, MAX_SHADE * share.abs().min(1.0))
}

/// A colour mixed with white: 1 is the colour, 0 is white.
pub(super) fn fade(RGBColor(red, green, blue): RGBColor, share: f64) -> RGBColor {
    let mix = |part: u8| share.mul_add(f64::from(part) - 255.0, 255.0).round() as u8;
    RGBColor(mix(red), mix(green), mix(blue))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_are_complete_svg() {
        let points = vec![(0.0, 1.0), (1.0, 0.5)];
        let map = |columns: usize| HeatMap {
            title: "a map".to_owned(),
            columns: vec!["a long name".to_owned(); columns],
            rows: vec![("first".to_owned(), vec![Some(-3.0); columns])],
            group: 1,
        };
        let panel = |points| Panel {
            title: "a panel".to_owned(),
            range: [0.0, 1.0],
            points,
        };
        let less = [("less".to_owned(), -1.0), ("more".to_owned(), 2.0)];
        let pictures = [
            curves("curves", ["x", "y"], &[("one", points)]),
            bars("bars", &less, 1),
            bars("no bars", &[], 1),
            heat_maps(&[map(3), HeatMap::default()]),
            heat_maps(&[map(30), map(30)]),
            panels("none", &[]),
            panels(
                "some",
                &[panel(vec![]), panel(vec![(0.0, 1.0), (9.0, -9.0)])],
            ),
        ];
        for picture in pictures {
            assert!(picture.is_ok_and(|text| {
                text.starts_with("<svg") && text.trim_end().ends_with("</svg>")
            }));
        }
    }

    #[test]
    fn rounded_has_no_negative_zero() {
        assert_eq!(rounded(-0.4, 0), "0");
        assert_eq!(rounded(-0.04, 1), "0.0");
        assert_eq!(rounded(-0.6, 0), "-1");
        assert_eq!(rounded(-10.0, 0), "-10");
    }
}
