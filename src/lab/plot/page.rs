//! A page of plots in a folder, and the weights of the evaluation on it: a picture and a link for each family.

use std::fmt::Write as _;
use std::path::Path;

use super::chart::{self, ChartError, HeatMap};

use crate::eval::families::Family;
use crate::eval::{Index, QUARTERS_PER_CENTIPAWN, WeightPart, Weights};
use crate::lab::atomic_file;

/// The colours of weights.
pub const EXPLANATION: &str = "Weights in centipawns for the side that has the feature: blue is good, orange is bad, a \
                               point on grey occurred too rarely to be trained.";
/// The squares, files and ranks of half a board.
const SQUARES: usize = 32;
const FILES: usize = 4;
const RANKS: usize = SQUARES / FILES;

/// A page being written. Plots are written when they are added, the page itself by [`Self::finish`].
pub struct Page<'a> {
    folder: &'a Path,
    contents: String,
    body: String,
}

impl<'a> Page<'a> {
    /// A page in a folder, which is created if it does not exist.
    ///
    /// # Errors
    /// A message with the folder.
    pub fn new(folder: &'a Path) -> Result<Self, String> {
        atomic_file::create_folder(folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self {
            folder,
            contents: String::new(),
            body: String::new(),
        })
    }

    /// Adds a plot with a heading and a sentence.
    ///
    /// # Errors
    /// A message with the heading.
    pub fn add(
        &mut self,
        heading: &str,
        sentence: &str,
        picture: Result<String, ChartError>,
    ) -> Result<(), String> {
        let name = heading
            .to_ascii_lowercase()
            .replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let text = picture.map_err(|error| format!("{heading}: {error}"))?;
        self.write(&format!("{name}.svg"), &text)?;
        let _ = writeln!(self.contents, "<a href=\"#{name}\">{heading}</a>");
        let _ = writeln!(
            self.body,
            "<h2 id=\"{name}\">{heading}</h2>\n<p>{sentence}</p>\n<img src=\"{name}.svg\" alt=\"{heading}\">"
        );
        Ok(())
    }

    /// Adds a plot for each family; `cell` returns the value of a part of a weight.
    ///
    /// # Errors
    /// A message with the heading.
    pub fn add_families(
        &mut self,
        cell: impl Fn(Index, WeightPart) -> Option<f64>,
    ) -> Result<(), String> {
        for &family in Family::ALL {
            let declared = family.declaration();
            let tables =
                WeightPart::ALL.map(|part| table(family, title(part), |index| cell(index, part)));
            let sentence = format!("{} weights: “{}”", declared.size(), declared.label);
            self.add(declared.name, &sentence, chart::heat_maps(&tables))?;
        }
        Ok(())
    }

    /// Writes the page, with links to its plots first and the provenance last.
    ///
    /// # Errors
    /// A message with the file.
    pub fn finish(self, title: &str, explanation: &str, provenance: &str) -> Result<(), String> {
        let (contents, body) = (&self.contents, &self.body);
        let page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
             <style>body{{font-family:sans-serif;margin:2em;max-width:80em}}img{{display:block}}\
             nav a{{margin-right:1em;white-space:nowrap}}pre{{white-space:pre-wrap}}</style>\n\
             <h1>{title}</h1>\n<p>{explanation}</p>\n<nav>\n{contents}</nav>\n{body}\
             <h2>Provenance</h2>\n<pre>{provenance}</pre>\n</html>\n"
        );
        self.write("index.html", &page)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let path = self.folder.join(name);
        atomic_file::write_bytes(&path, text.as_bytes())
            .map_err(|error| format!("{}: {error}", path.display()))
    }
}

/// A part of a weight in centipawns.
pub fn centipawns(weights: &Weights, index: Index, part: WeightPart) -> f64 {
    f64::from(weights[index].part(part)) / f64::from(QUARTERS_PER_CENTIPAWN)
}

/// The title of the table of a part.
const fn title(part: WeightPart) -> &'static str {
    match part {
        WeightPart::Middlegame => "middlegame",
        WeightPart::Endgame => "endgame",
        WeightPart::MiddlegamePawns => "middlegame, added by four pawns",
        WeightPart::EndgamePawns => "endgame, added by four pawns",
    }
}

/// The table of a family: the columns are the cells of the last axis. Squares become half boards, files from the edge to the
/// middle.
fn table(family: Family, half: &str, cell: impl Fn(Index) -> Option<f64>) -> HeatMap {
    let indices: Vec<Index> = family.indices().collect();
    let axes = family.declaration().axes;
    let Some((last, fixed)) = axes.split_last() else {
        return HeatMap::default();
    };
    let words = |index: Index| {
        let cells = fixed.iter().zip(index.cells());
        let words: Vec<String> = cells.map(|(axis, cell)| (axis.label)(cell)).collect();
        words.join(", ")
    };
    let cells = |row: &[Index]| row.iter().map(|&index| cell(index)).collect();
    let title = half.to_owned();
    if last.size != SQUARES {
        return HeatMap {
            title,
            columns: (0..last.size).map(last.label).collect(),
            rows: (indices.chunks(last.size))
                .map(|row| (words(row[0]), cells(row)))
                .collect(),
            // The last fixed axis varies fastest.
            group: match fixed {
                [_, .., inner] => inner.size,
                _ => 0,
            },
        };
    }
    let mut rows = Vec::new();
    for board in indices.chunks(SQUARES) {
        let name = words(board[0]);
        for (rank, squares) in board.chunks(FILES).enumerate().rev() {
            rows.push((format!("{name}, rank {}", rank + 1), cells(squares)));
        }
    }
    HeatMap {
        title,
        columns: ["a/h", "b/g", "c/f", "d/e"].map(str::to_owned).to_vec(),
        rows,
        group: RANKS,
    }
}
