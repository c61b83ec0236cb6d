//! What a training came to, as a page of pictures.
//! Uses: learn, eval, picture. Used by: tune.
//! Idea: a table of thousands of weights is understood by looking at it; the page shows how learning went, whether the
//! promises hold, every learned table in colours, what weighs most, and what was met too rarely to be trusted.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::picture::{self, Table};
use crate::eval::families::Family;
use crate::eval::{Index, QUARTERS_PER_CENTIPAWN, Weights};
use crate::learn::emit::write_whole;
use crate::learn::fit::{Bin, Fit};
use crate::learn::penalty::RARE;

/// As many terms are listed.
const HEAVIEST: usize = 40;
/// The axis whose cells are the squares of half a board.
const SQUARES: usize = 32;

/// What is shown besides the fit itself.
pub struct Findings<'a> {
    /// The fit.
    pub fit: &'a Fit,
    /// Its weights as they are written.
    pub weights: &'a Weights,
    /// Positions learned from.
    pub positions: usize,
    /// Promises and results on the positions held out.
    pub calibration: Vec<Bin>,
    /// The loss on the positions held out, by phase from the bare board to the full one.
    pub by_phase: Vec<(usize, f64)>,
    /// Where the weights come from.
    pub provenance: &'a str,
}

/// Writes the page and its pictures into a folder, made if need be.
///
/// # Errors
/// A sentence that names the file.
pub fn write(folder: &Path, findings: &Findings<'_>) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut page = String::from(
        "<!doctype html><meta charset=\"utf-8\"><title>Lucena's weights</title>\
         <style>body{font-family:sans-serif;margin:2em}img{display:block;margin:1em 0}</style>\n\
         <h1>Lucena's weights</h1>\n",
    );
    let mut add = |name: &str, picture: Result<String, _>| -> Result<(), String> {
        let text = picture.map_err(|error| format!("{name}: {error}"))?;
        let path = folder.join(format!("{name}.svg"));
        write_whole(&path, &text).map_err(|error| format!("{}: {error}", path.display()))?;
        let _ = writeln!(page, "<img src=\"{name}.svg\" alt=\"{name}\">");
        Ok(())
    };
    let (fit, weights) = (findings.fit, findings.weights);
    let course = |part: usize| {
        (1..)
            .zip(&fit.course)
            .map(move |(pass, loss)| (f64::from(pass), loss[part]))
            .collect()
    };
    let lines = [("in training", course(0)), ("held out", course(1))];
    add(
        "loss",
        picture::curves("Loss by pass", ["pass", "cross-entropy"], &lines),
    )?;
    let bins = &findings.calibration;
    let lines = [
        (
            "result",
            bins.iter().map(|bin| (bin.promised, bin.result)).collect(),
        ),
        (
            "score of the search",
            bins.iter()
                .map(|bin| (bin.promised, bin.searched))
                .collect(),
        ),
        ("what is promised", vec![(0.0, 0.0), (1.0, 1.0)]),
    ];
    add(
        "calibration",
        picture::curves(
            "Promise and outcome, positions held out",
            ["promised", "came of it"],
            &lines,
        ),
    )?;
    let rows: Vec<(String, f64)> = (findings.by_phase.iter().enumerate())
        .map(|(phase, (count, loss))| {
            (
                format!("phase {phase} of 3: loss of {count} positions, in thousandths"),
                loss * 1000.0,
            )
        })
        .collect();
    add(
        "phases",
        picture::bars("Loss by phase, positions held out", &rows),
    )?;
    add(
        "heaviest",
        picture::bars(
            "What weighs most: centipawns in an average position",
            &heaviest(findings),
        ),
    )?;
    add(
        "rare",
        picture::bars(
            &format!("Cells met less than {RARE} times, percent of the family"),
            &rare(fit),
        ),
    )?;
    for &family in Family::ALL {
        let declared = family.declaration();
        let name = declared
            .name
            .replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let tables = [("middlegame", false), ("endgame", true)];
        let tables = tables.map(|(half, endgame)| {
            let cell = |index: Index| {
                let pair = weights[index];
                let quarters = if endgame {
                    pair.endgame
                } else {
                    pair.middlegame
                };
                let known = fit.hits[index.get()] >= RARE;
                known.then(|| f64::from(quarters) / f64::from(QUARTERS_PER_CENTIPAWN))
            };
            let title = format!("{}, {half}", declared.name);
            if declared
                .axes
                .last()
                .is_some_and(|axis| axis.size == SQUARES)
            {
                boards(family, title, cell)
            } else {
                table(family, title, cell)
            }
        });
        add(&name, picture::heat(&tables))?;
    }
    let _ = writeln!(
        page,
        "<h2>Where they come from</h2>\n<pre>{}</pre>",
        findings.provenance
    );
    let path = folder.join("index.html");
    write_whole(&path, &page).map_err(|error| format!("{}: {error}", path.display()))
}

/// A row for each cell of all axes but the last, whose cells are the columns.
fn table(family: Family, title: String, cell: impl Fn(Index) -> Option<f64>) -> Table {
    let indices: Vec<Index> = family.indices().collect();
    let axes = family.declaration().axes;
    let Some((last, fixed)) = axes.split_last() else {
        return Table {
            title,
            columns: Vec::new(),
            rows: Vec::new(),
        };
    };
    let words = |index: Index| {
        let cells = fixed.iter().zip(index.cells());
        let words: Vec<String> = cells.map(|(axis, cell)| (axis.label)(cell)).collect();
        if words.is_empty() {
            "all".to_owned()
        } else {
            words.join(", ")
        }
    };
    Table {
        title,
        columns: (0..last.size)
            .map(|cell| (last.label)(cell).chars().take(6).collect())
            .collect(),
        rows: (indices.chunks(last.size))
            .map(|row| {
                (
                    words(row[0]),
                    row.iter().map(|&index| cell(index)).collect(),
                )
            })
            .collect(),
    }
}

/// A half board for each cell of the axes before the squares, one above the other, files from the edge to the middle.
fn boards(family: Family, title: String, cell: impl Fn(Index) -> Option<f64>) -> Table {
    let indices: Vec<Index> = family.indices().collect();
    let axes = family.declaration().axes;
    let mut rows = Vec::new();
    for board in indices.chunks(SQUARES) {
        let words: Vec<String> = (axes.iter().zip(board[0].cells()))
            .take(axes.len() - 1)
            .map(|(axis, cell)| (axis.label)(cell))
            .collect();
        for (rank, squares) in board.chunks(4).enumerate().rev() {
            let name = format!("{}, rank {}", words.join(", "), rank + 1);
            rows.push((name, squares.iter().map(|&index| cell(index)).collect()));
        }
    }
    let columns = ["a/h", "b/g", "c/f", "d/e"].map(str::to_owned).to_vec();
    Table {
        title,
        columns,
        rows,
    }
}

/// The terms that move the score most: hits times weight over positions, both halves averaged.
fn heaviest(findings: &Findings<'_>) -> Vec<(String, f64)> {
    let mut terms: Vec<(Index, f64)> = Index::all()
        .map(|index| {
            let pair = findings.weights[index];
            let quarters = f64::from(pair.middlegame) + f64::from(pair.endgame);
            let often = findings.fit.hits[index.get()] as f64 / findings.positions.max(1) as f64;
            let weight = quarters / 2.0 / f64::from(QUARTERS_PER_CENTIPAWN);
            (index, weight * often)
        })
        .collect();
    terms.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()));
    (terms.into_iter().take(HEAVIEST))
        .map(|(index, value)| {
            (
                format!("{}: {index}", index.family().declaration().name),
                value,
            )
        })
        .collect()
}

/// How much of each family was met too rarely, where anything was.
fn rare(fit: &Fit) -> Vec<(String, f64)> {
    let mut rows: Vec<(String, f64)> = (Family::ALL.iter())
        .filter_map(|family| {
            let rare = family
                .indices()
                .filter(|index| fit.hits[index.get()] < RARE)
                .count();
            let (declared, all) = (family.declaration(), family.declaration().size());
            (rare > 0).then(|| {
                (
                    format!("{}: {rare} of {all}", declared.name),
                    100.0 * rare as f64 / all as f64,
                )
            })
        })
        .collect();
    rows.sort_by(|one, other| other.1.total_cmp(&one.1));
    rows
}
