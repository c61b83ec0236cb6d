//! What a training came to, as a page of pictures.
//! Uses: learn, eval, page, picture. Used by: tune.
//! Idea: the page shows how learning went, whether the promises hold, every learned table in colours, what weighs most,
//! and what was met too rarely to be trusted.

use std::path::Path;

use super::chart;
use super::page::{EXPLANATION, Page, centipawns};
use crate::eval::families::Family;
use crate::eval::{Index, Weights};
use crate::lab::train::fit::{CalibrationBin, Fit};
use crate::lab::train::regularisation::RARE;

/// As many terms are listed.
const HEAVIEST: usize = 40;

/// What is shown besides the fit itself.
pub struct Findings<'a> {
    /// The fit.
    pub fit: &'a Fit,
    /// Its weights as they are written.
    pub weights: &'a Weights,
    /// Positions learned from.
    pub positions: usize,
    /// Promises and results on the positions held out.
    pub calibration: Vec<CalibrationBin>,
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
    let mut page = Page::new(folder)?;
    let fit = findings.fit;
    let course = |part: usize| {
        let passes = (1..).zip(&fit.losses);
        passes
            .map(move |(pass, loss)| (f64::from(pass), loss[part]))
            .collect()
    };
    let lines = [("in training", course(0)), ("held out", course(1))];
    page.add(
        "Loss",
        "Cross-entropy after each pass: how far the promises are from result and score, mixed.",
        chart::curves("loss by pass", ["pass", "cross-entropy"], &lines),
    )?;
    let rows: Vec<(String, f64)> = (findings.by_phase.iter().enumerate())
        .map(|(phase, (count, loss))| (format!("phase {phase} of 3, {count} positions"), *loss))
        .collect();
    page.add(
        "Loss by phase",
        "The same on the positions held out, from the bare board to the full one: full boards promise less.",
        chart::bars("cross-entropy, positions held out", &rows, 4),
    )?;
    let bins = &findings.calibration;
    let points = |came: fn(&CalibrationBin) -> f64| {
        bins.iter().map(|bin| (bin.predicted, came(bin))).collect()
    };
    let lines = [
        ("result", points(|bin| bin.result)),
        ("score of the search", points(|bin| bin.searched)),
        ("as promised", vec![(0.0, 0.0), (1.0, 1.0)]),
    ];
    page.add(
        "Calibration",
        "What white is promised, and what white then scored in games and in searches.",
        chart::curves(
            "promise and outcome, positions held out",
            ["promised", "came of it"],
            &lines,
        ),
    )?;
    page.add(
        "Heaviest terms",
        "Weight times how often it is met, besides the plain count of pieces.",
        chart::bars(
            "centipawns in an average position, both sides added up",
            &heaviest(findings),
            1,
        ),
    )?;
    page.add(
        "Rare cells",
        &format!(
            "Cells met less than {RARE} times are not trusted: they take their neighbour's worth on an ordered axis, else \
             none. Some cannot occur at all."
        ),
        chart::bars("percent of the family", &rare(fit), 1),
    )?;
    page.add_families(|index, endgame| {
        (fit.hits[index.get()] >= RARE).then(|| centipawns(findings.weights, index, endgame))
    })?;
    page.finish(
        "What the evaluation learned",
        EXPLANATION,
        findings.provenance,
    )
}

/// The terms that move the score most: hits times weight over positions, both halves averaged.
fn heaviest(findings: &Findings<'_>) -> Vec<(String, f64)> {
    let mut terms: Vec<(Index, f64)> = Index::all()
        .filter(|index| index.family() != Family::Material)
        .map(|index| {
            let halves = [false, true].map(|half| centipawns(findings.weights, index, half));
            let often = findings.fit.hits[index.get()] as f64 / findings.positions.max(1) as f64;
            (index, halves.iter().sum::<f64>() / 2.0 * often)
        })
        .collect();
    terms.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()));
    let name = |index: Index| format!("{}: {index}", index.family().declaration().name);
    let terms = terms.into_iter().take(HEAVIEST);
    terms.map(|(index, value)| (name(index), value)).collect()
}

/// How much of each family was met too rarely, where anything was.
fn rare(fit: &Fit) -> Vec<(String, f64)> {
    let is_rare = |index: &Index| fit.hits[index.get()] < RARE;
    let mut rows: Vec<(String, f64)> = (Family::ALL.iter())
        .filter_map(|family| {
            let rare = family.indices().filter(is_rare).count();
            let (name, all) = (family.declaration().name, family.declaration().size());
            let share = 100.0 * rare as f64 / all as f64;
            (rare > 0).then(|| (format!("{name}: {rare} of {all}"), share))
        })
        .collect();
    rows.sort_by(|one, other| other.1.total_cmp(&one.1));
    rows
}
