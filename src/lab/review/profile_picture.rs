//! A profile as a picture (SVG) that follows the reader's choice of light or dark.

use std::fmt::Write as _;

use super::profile::{Estimate, MovesLine, Profile};
use crate::base::text::escape;

/// The width of the picture, the height of a row and of a heading, in pixels.
const WIDTH: f64 = 720.0;
const ROW: f64 = 24.0;
const HEADING: f64 = 44.0;
const BAR: f64 = 12.0;
/// Where names end, where the axis of the concepts is, and how far bars reach.
const NAMES: f64 = 195.0;
const AXIS: f64 = 460.0;
const HALF: f64 = 200.0;
const LEFT_AXIS: f64 = 210.0;
const REACH: f64 = 450.0;
const STYLE: &str = "\
.profile{--ink:#1a202c;--soft:#4a5568;--ground:#f4f6f9;--line:#a0aec0;--lost:#c05621;--gained:#2b6cb0}
@media(prefers-color-scheme:dark){.profile{--ink:#e8ecf1;--soft:#a9b4c2;--ground:#1d232c;--line:#5b6778;--lost:#f0935a;--gained:#7db5ec}}
";

/// The rows of the picture.
struct Drawing {
    svg: String,
    y: f64,
}

impl Drawing {
    fn text(&mut self, x: f64, anchor: &str, class: &str, text: &str) {
        let (y, text) = (self.y, escape(text));
        let _ = writeln!(
            self.svg,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"var(--{class})\">{text}</text>"
        );
    }

    /// A bar from an axis with its value and a line for its bounds; `scale` is in pixels, negative to the left.
    fn bar(&mut self, axis: f64, scale: f64, class: &str, estimate: &Estimate, digits: usize) {
        let [value, low, high] =
            [estimate.value, estimate.low, estimate.high].map(|points| axis + scale * points);
        let (left, length) = (axis.min(value), (value - axis).abs());
        let (top, middle) = (self.y - BAR + 1.0, self.y - BAR / 2.0 + 1.0);
        let _ = writeln!(
            self.svg,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{length:.1}\" height=\"{BAR}\" fill=\"var(--{class})\" fill-opacity=\".65\"/>\
             <path d=\"M{low:.1} {middle:.1}H{high:.1}M{low:.1} {:.1}v6M{high:.1} {:.1}v6\" stroke=\"var(--ink)\" stroke-width=\"1.5\"/>",
            middle - 3.0,
            middle - 3.0,
        );
        let outer = if scale < 0.0 {
            low.min(high)
        } else {
            low.max(high)
        };
        let (x, anchor) = if scale < 0.0 {
            (outer - 6.0, "end")
        } else {
            (outer + 6.0, "start")
        };
        self.text(x, anchor, "ink", &format!("{:.digits$}", estimate.value));
    }

    fn heading(&mut self, text: &str) {
        self.y += HEADING - ROW;
        self.svg += "<g font-weight=\"600\">";
        self.text(0.0, "start", "ink", text);
        self.svg += "</g>";
        self.y += ROW;
    }

    fn causes(&mut self, profile: &Profile) {
        let bounds = profile.causes.iter();
        let most = bounds.map(|line| line.lost.high.max(line.gained.high));
        let scale = (HALF - 50.0) / most.fold(f64::MIN_POSITIVE, f64::max);
        self.heading("Expected points per game, by concept");
        self.text(AXIS - 8.0, "end", "lost", "◂ lost by own mistakes");
        self.text(AXIS + 8.0, "start", "gained", "gained by the opponents' ▸");
        self.y += ROW;
        let top = self.y - BAR - 4.0;
        for line in &profile.causes {
            self.text(NAMES, "end", "ink", line.title);
            self.bar(AXIS, -scale, "lost", &line.lost, 2);
            self.bar(AXIS, scale, "gained", &line.gained, 2);
            self.y += ROW;
        }
        let end = self.y - ROW + 6.0;
        let _ = writeln!(
            self.svg,
            "<path d=\"M{AXIS} {top}V{end}\" stroke=\"var(--line)\"/>"
        );
    }

    fn moves(&mut self, heading: &str, lines: &[MovesLine]) {
        let most = lines.iter().map(|line| line.lost.high);
        let scale = (REACH - 50.0) / most.fold(f64::MIN_POSITIVE, f64::max);
        self.heading(heading);
        for line in lines {
            self.text(NAMES, "end", "ink", line.name);
            self.bar(LEFT_AXIS, scale, "lost", &line.lost, 2);
            self.y += ROW;
        }
    }
}

/// The picture of a profile.
pub fn picture(profile: &Profile) -> String {
    let mut drawing = Drawing {
        svg: String::new(),
        y: ROW,
    };
    drawing.text(0.0, "start", "ink", &profile.player);
    for line in profile.heading() {
        drawing.y += ROW;
        drawing.text(0.0, "start", "soft", &line);
    }
    drawing.y += ROW;
    if !profile.causes.is_empty() {
        drawing.causes(profile);
    }
    for (heading, lines) in [
        (
            "Expected points lost per 100 moves, by phase",
            &profile.phases,
        ),
        (
            "Expected points lost per 100 moves, by time left",
            &profile.time,
        ),
    ] {
        if !lines.is_empty() {
            drawing.moves(heading, lines);
        }
    }
    let words = escape(&profile.to_string().replace('\n', "; "));
    let height = drawing.y + ROW / 2.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"profile\" viewBox=\"-12 0 {} {height}\" role=\"img\" aria-label=\"{words}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"14\">\n<style>{STYLE}</style>\n\
         <rect x=\"-12\" width=\"{}\" height=\"{height}\" rx=\"8\" fill=\"var(--ground)\"/>\n{}</svg>\n",
        WIDTH + 24.0,
        WIDTH + 24.0,
        drawing.svg
    )
}
