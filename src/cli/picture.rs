//! Pictures: curves, bars and tables of colours, as SVG.
//! Uses: plotters. Used by: report.
//! Idea: a picture is a text, made of plain numbers and words; fonts are the reader's own, so none is needed here.

use std::io;

use plotters::prelude::*;

/// Why a picture cannot be drawn.
type Refusal = DrawingAreaErrorKind<io::Error>;

/// Pixels of a cell of a table, and of the words beside its rows.
const CELL: (i32, i32) = (34, 18);
const WORDS: i32 = 330;
/// Pixels of a line of a bar chart.
const BAR: i32 = 18;
/// Pixels above a table.
const HEAD: i32 = 52;
/// The colours of the curves.
const INKS: [RGBColor; 3] = [
    RGBColor(31, 90, 166),
    RGBColor(200, 60, 40),
    RGBColor(90, 90, 90),
];

/// Curves over a common axis: each has a name and points.
pub fn curves(
    title: &str,
    [across, up]: [&str; 2],
    lines: &[(&str, Vec<(f64, f64)>)],
) -> Result<String, Refusal> {
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, (760, 460)).into_drawing_area();
        root.fill(&WHITE)?;
        let points = || lines.iter().flat_map(|(_, points)| points.iter().copied());
        let (left, right) = span(points().map(|point| point.0));
        let (bottom, top) = span(points().map(|point| point.1));
        let mut chart = ChartBuilder::on(&root)
            .caption(title, ("sans-serif", 18))
            .margin(14)
            .x_label_area_size(40)
            .y_label_area_size(70)
            .build_cartesian_2d(left..right, bottom..top)?;
        (chart.configure_mesh().x_desc(across).y_desc(up)).draw()?;
        for ((name, points), ink) in lines.iter().zip(INKS.into_iter().cycle()) {
            let series = LineSeries::new(points.iter().copied(), ink.stroke_width(2));
            (chart.draw_series(series)?.label(*name)).legend(move |(x, y)| {
                PathElement::new(vec![(x, y), (x + 18, y)], ink.stroke_width(2))
            });
        }
        let mut names = chart.configure_series_labels();
        (names.background_style(WHITE).border_style(INKS[2])).draw()?;
        root.present()?;
    }
    Ok(text)
}

/// Bars with words: to the right what is positive, to the left what is negative.
pub fn bars(title: &str, rows: &[(String, f64)]) -> Result<String, Refusal> {
    let mut text = String::new();
    {
        let (width, words) = (900, 470);
        let height = HEAD + BAR * rows.len() as i32;
        let size = (width as u32, height as u32);
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE)?;
        root.draw(&Text::new(title, (10, 10), ("sans-serif", 18)))?;
        let most = rows.iter().map(|row| row.1.abs()).fold(1e-9, f64::max);
        let has_less = rows.iter().any(|row| row.1 < 0.0);
        let room = f64::from(width - words - 70) / if has_less { 2.0 } else { 1.0 };
        let zero = words + if has_less { room as i32 } else { 0 };
        for (place, (name, value)) in (0..).zip(rows) {
            let y = HEAD - 14 + BAR * place;
            root.draw(&Text::new(name.as_str(), (10, y), ("sans-serif", 12)))?;
            let end = zero + (value / most * room) as i32;
            let ink = INKS[usize::from(*value < 0.0)];
            let corners = [(zero.min(end), y), (zero.max(end) + 1, y + BAR - 5)];
            root.draw(&Rectangle::new(corners, ink.filled()))?;
            let number = format!("{value:.1}");
            root.draw(&Text::new(
                number,
                (zero.max(end) + 6, y),
                ("sans-serif", 12),
            ))?;
        }
        root.present()?;
    }
    Ok(text)
}

/// A table of numbers: rows with their words, and for each cell a number, or `None` where nothing is known.
pub struct Table {
    /// What stands above.
    pub title: String,
    /// The words of the columns.
    pub columns: Vec<String>,
    /// The words of each row and its cells.
    pub rows: Vec<(String, Vec<Option<f64>>)>,
}

/// Tables side by side in colours, red for what is good and blue for what is bad for its owner, on one scale.
pub fn heat(tables: &[Table]) -> Result<String, Refusal> {
    let mut text = String::new();
    {
        let rows = tables.iter().map(|table| table.rows.len()).max();
        let widths = |table: &Table| CELL.0 * table.columns.len() as i32 + 24;
        let words = if (tables.iter().flat_map(|table| &table.rows)).all(|row| row.0.len() < 4) {
            30
        } else {
            WORDS
        };
        let width = words + tables.iter().map(widths).sum::<i32>().max(200);
        let height = HEAD + CELL.1 * rows.unwrap_or(0) as i32 + 12;
        let size = (width as u32, height as u32);
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE)?;
        let numbers = tables.iter().flat_map(|table| &table.rows);
        let numbers = numbers.flat_map(|row| row.1.iter().flatten().map(|value| value.abs()));
        let scale = breadth(numbers.collect());
        let mut left = words;
        for (number, table) in tables.iter().enumerate() {
            let place = (left, 8);
            root.draw(&Text::new(table.title.as_str(), place, ("sans-serif", 15)))?;
            for (column, name) in (0..).zip(&table.columns) {
                let place = (left + CELL.0 * column + 3, HEAD - 18);
                root.draw(&Text::new(name.as_str(), place, ("sans-serif", 10)))?;
            }
            for (row, (name, cells)) in (0..).zip(&table.rows) {
                let y = HEAD + CELL.1 * row;
                if number == 0 {
                    root.draw(&Text::new(name.as_str(), (8, y + 3), ("sans-serif", 11)))?;
                }
                for (column, cell) in (0..).zip(cells) {
                    let x = left + CELL.0 * column;
                    let corners = [(x, y), (x + CELL.0 - 1, y + CELL.1 - 1)];
                    let ink = cell.map_or(RGBColor(225, 225, 225), |value| shade(value / scale));
                    root.draw(&Rectangle::new(corners, ink.filled()))?;
                    let number = cell.map_or_else(|| "·".to_owned(), |value| format!("{value:.0}"));
                    root.draw(&Text::new(number, (x + 4, y + 3), ("sans-serif", 10)))?;
                }
            }
            left += widths(table);
        }
        root.present()?;
    }
    Ok(text)
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
        RGBColor(fade(90.0), fade(140.0), 255)
    } else {
        RGBColor(255, fade(110.0), fade(90.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_whole() {
        let points = vec![(0.0, 1.0), (1.0, 0.5)];
        let table = Table {
            title: "a table".to_owned(),
            columns: vec!["a".to_owned(), "b".to_owned()],
            rows: vec![("first".to_owned(), vec![Some(-3.0), None])],
        };
        let pictures = [
            curves("curves", ["x", "y"], &[("one", points)]),
            bars(
                "bars",
                &[("less".to_owned(), -1.0), ("more".to_owned(), 2.0)],
            ),
            heat(&[table]),
        ];
        for picture in pictures {
            let text = picture.expect("it can be drawn");
            assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
        }
    }
}
