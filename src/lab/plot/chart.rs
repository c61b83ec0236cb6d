//! Pictures: curves, bars and tables of colours, as SVG.
//! Uses: plotters. Used by: page, report, spsa.
//! Idea: a picture is a text, made of plain numbers and words; fonts are the reader's own, so none is needed here.

use std::io;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Why a picture cannot be drawn.
pub type Refusal = DrawingAreaErrorKind<io::Error>;
/// Where it is drawn.
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Pixels of a cell of a table.
const CELL: (i32, i32) = (36, 18);
/// Pixels of a line of a bar chart.
const BAR: i32 = 18;
/// Pixels for a title.
const TITLE: i32 = 34;
/// Pixels for a number beside a bar.
const NUMBER: i32 = 60;
/// Pixels between tables, and around everything.
const GAP: i32 = 24;
const MARGIN: i32 = 10;
/// Tables that would be wider together stand one above the other.
const WIDEST: i32 = 1100;
/// Names of columns with more letters stand upright.
const FLAT_LETTERS: usize = 5;
/// A letter of size 11 is at most so wide on average.
const LETTER: f64 = 6.6;
/// Pixels of a small picture among many, and how many stand side by side.
const PANEL: (i32, i32) = (250, 90);
const PANELS: usize = 4;
/// The colours of the curves.
const INKS: [RGBColor; 3] = [
    RGBColor(31, 90, 166),
    RGBColor(200, 60, 40),
    RGBColor(120, 120, 120),
];
/// The colour of cells of which nothing is known, and of the lines of a mesh.
const UNKNOWN: RGBColor = RGBColor(225, 225, 225);

/// Curves over a common axis: each has a name and points.
pub fn curves(
    title: &str,
    [across, up]: [&str; 2],
    lines: &[(&str, Vec<(f64, f64)>)],
) -> Result<String, Refusal> {
    draw((760, 480), |root| {
        words(root, title, (MARGIN, MARGIN), 16)?;
        let mut left = 84;
        for ((name, _), ink) in lines.iter().zip(INKS.into_iter().cycle()) {
            let y = TITLE + 8;
            let line = vec![(left, y), (left + 20, y)];
            root.draw(&PathElement::new(line, ink.stroke_width(3)))?;
            words(root, name, (left + 26, y - 6), 12)?;
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
        for ((_, points), ink) in lines.iter().zip(INKS.into_iter().cycle()) {
            let series = LineSeries::new(points.iter().copied(), ink.stroke_width(2));
            chart.draw_series(series)?;
        }
        Ok(())
    })
}

/// One of many small pictures: a curve through a range.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What stands above.
    pub title: String,
    /// The bottom and the top.
    pub range: [f64; 2],
    /// How far to the right, from 0 to 1, and how high within the range.
    pub points: Vec<(f64, f64)>,
}

impl Panel {
    fn draw(&self, root: &Area<'_>, (left, top): (i32, i32)) -> Result<(), Refusal> {
        let [least, most] = self.range;
        words(root, &self.title, (left, top), 11)?;
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
        // Where it began, for comparison.
        if let Some(&(_, start)) = self.points.first() {
            let line = [(0.0, start), (1.0, start)].map(|point| place(&point));
            root.draw(&PathElement::new(line, UNKNOWN.stroke_width(1)))?;
        }
        let line: Vec<(i32, i32)> = self.points.iter().map(place).collect();
        root.draw(&PathElement::new(line, INKS[0].stroke_width(2)))?;
        ending(root, &rounded(most, 0), (left + width - 3, top + 2))?;
        let bottom = (left + width - 3, top + height - 14);
        ending(root, &rounded(least, 0), bottom)
    }
}

/// Many small pictures in rows.
pub fn panels(title: &str, panels: &[Panel]) -> Result<String, Refusal> {
    let (across, down) = (PANEL.0 + GAP, PANEL.1 + TITLE);
    let rows = panels.len().div_ceil(PANELS) as i32;
    let size = (
        MARGIN + across * PANELS as i32,
        TITLE + down * rows + MARGIN,
    );
    draw(size, |root| {
        words(root, title, (MARGIN, MARGIN), 16)?;
        for (number, panel) in panels.iter().enumerate() {
            let (row, column) = ((number / PANELS) as i32, (number % PANELS) as i32);
            panel.draw(root, (MARGIN + across * column, TITLE + down * row))?;
        }
        Ok(())
    })
}

/// Bars with words, their numbers with so many decimals: to the right what is positive, to the left what is negative.
pub fn bars(title: &str, rows: &[(String, f64)], decimals: usize) -> Result<String, Refusal> {
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
        words(root, title, (MARGIN, MARGIN), 16)?;
        let zero = place(0.0);
        for (line, (name, value)) in (0..).zip(rows) {
            let y = TITLE + BAR * line;
            words(root, name, (MARGIN, y), 11)?;
            let (end, ink) = (place(*value), INKS[usize::from(*value < 0.0)]);
            let corners = [(zero.min(end), y), (zero.max(end) + 1, y + BAR - 5)];
            root.draw(&Rectangle::new(corners, ink.filled()))?;
            let number = rounded(*value, decimals);
            if *value < 0.0 {
                ending(root, &number, (end - 5, y))?;
            } else {
                words(root, &number, (end + 6, y), 11)?;
            }
        }
        Ok(())
    })
}

/// A table of numbers: rows with their words, and for each cell a number, or `None` where nothing is known.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// What stands above.
    pub title: String,
    /// The words of the columns.
    pub columns: Vec<String>,
    /// The words of each row and its cells.
    pub rows: Vec<(String, Vec<Option<f64>>)>,
    /// So many rows belong together; a little room parts them from the next.
    pub group: usize,
}

impl Table {
    fn width(&self) -> i32 {
        (CELL.0 * self.columns.len() as i32).max(length(&self.title))
    }

    /// Pixels above the cells.
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

    /// Where a row begins, below the head.
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
    ) -> Result<(), Refusal> {
        words(root, &self.title, (left + names, top + 6), 13)?;
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
                words(root, name, (left, y + 3), 11)?;
            }
            for (column, cell) in (0..).zip(cells) {
                let x = left + names + CELL.0 * column;
                let corners = [(x, y), (x + CELL.0 - 1, y + CELL.1 - 1)];
                let ink = cell.map_or(UNKNOWN, |value| shade(value / scale));
                root.draw(&Rectangle::new(corners, ink.filled()))?;
                let number = cell.map_or_else(|| "·".to_owned(), |value| rounded(value, 0));
                ending(root, &number, (x + CELL.0 - 6, y + 3))?;
            }
        }
        Ok(())
    }
}

/// Tables in colours on one scale, red for what is good and blue for what is bad for its owner: side by side with the same
/// rows, or, where that would be too wide, one above the other.
pub fn heat(tables: &[Table]) -> Result<String, Refusal> {
    let names = tables.iter().flat_map(|table| &table.rows);
    let names = names.map(|row| length(&row.0)).max().unwrap_or(0) + MARGIN;
    let widths = || tables.iter().map(|table| table.width() + GAP);
    let heights = || tables.iter().map(Table::height);
    let stacked = names + widths().sum::<i32>() > WIDEST;
    let (width, height) = if stacked {
        (widths().max(), heights().sum())
    } else {
        (Some(widths().sum()), heights().max().unwrap_or(0))
    };
    let size = (2 * MARGIN + names + width.unwrap_or(0), height + MARGIN);
    let cells = tables.iter().flat_map(|table| &table.rows);
    let cells = cells.flat_map(|row| row.1.iter().flatten().map(|value| value.abs()));
    let scale = breadth(cells.collect());
    draw(size, |root| {
        let (mut left, mut top) = (MARGIN, 0);
        for (number, table) in tables.iter().enumerate() {
            let names = if stacked || number == 0 { names } else { 0 };
            table.draw(root, (left, top), names, scale)?;
            if stacked {
                top += table.height();
            } else {
                left += names + table.width() + GAP;
            }
        }
        Ok(())
    })
}

/// A white sheet of this size with what is drawn on it.
fn draw(
    (width, height): (i32, i32),
    paint: impl FnOnce(&Area<'_>) -> Result<(), Refusal>,
) -> Result<String, Refusal> {
    let mut text = String::new();
    let size = (width.unsigned_abs(), height.unsigned_abs());
    let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
    root.fill(&WHITE)?;
    paint(&root)?;
    root.present()?;
    drop(root);
    Ok(text)
}

/// Words that begin at a place.
fn words(root: &Area<'_>, text: &str, place: (i32, i32), size: i32) -> Result<(), Refusal> {
    root.draw(&Text::new(text, place, ("sans-serif", size)))
}

/// Words that end at a place.
fn ending(root: &Area<'_>, text: &str, place: (i32, i32)) -> Result<(), Refusal> {
    let style = TextStyle::from(("sans-serif", 11).into_font());
    let style = style.pos(Pos::new(HPos::Right, VPos::Top));
    root.draw(&Text::new(text, place, style))
}

/// About how many pixels words take.
fn length(text: &str) -> i32 {
    (text.chars().count() as f64 * LETTER) as i32
}

/// A number with so many decimals; nothing is never negative.
fn rounded(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.')) {
        text.trim_start_matches('-').to_owned()
    } else {
        text
    }
}

/// From the least to the greatest number, with a little room.
fn span(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (least, most) = numbers.fold((f64::MAX, f64::MIN), |(least, most), number| {
        (least.min(number), most.max(number))
    });
    let room = ((most - least) * 0.04).max(1e-6);
    (least - room, most + room)
}

/// The number that all but a twentieth stay below: a few giants must not make the rest pale.
fn breadth(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let place = numbers.len().saturating_sub(1) * 19 / 20;
    numbers.get(place).copied().unwrap_or(1.0).max(1.0)
}

/// White at nothing, red at one, blue at minus one.
fn shade(share: f64) -> RGBColor {
    let depth = share.abs().min(1.0);
    let fade = |full: f64| (depth.mul_add(full - 255.0, 255.0)) as u8;
    if share < 0.0 {
        RGBColor(fade(110.0), fade(155.0), 255)
    } else {
        RGBColor(255, fade(125.0), fade(105.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_whole() {
        let points = vec![(0.0, 1.0), (1.0, 0.5)];
        let table = |columns: usize| Table {
            title: "a table".to_owned(),
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
            heat(&[table(3), Table::default()]),
            heat(&[table(30), table(30)]),
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
    fn nothing_is_never_negative() {
        assert_eq!(rounded(-0.4, 0), "0");
        assert_eq!(rounded(-0.04, 1), "0.0");
        assert_eq!(rounded(-0.6, 0), "-1");
        assert_eq!(rounded(-10.0, 0), "-10");
    }
}
