//! The report of a training as a web page: loss, calibration, the heaviest terms, rare cells, and heat maps of all families.

use std::path::Path;

use super::chart;
use super::page::{EXPLANATION, Page, centipawns};
use crate::eval::families::Family;
use crate::eval::{Index, WeightPart, Weights};
use crate::lab::train::fit::{CalibrationBin, Fit};
use crate::lab::train::regularisation::RARE;

/// Terms listed.
const HEAVIEST: usize = 40;

/// The contents of a report.
pub struct TrainingReport<'a> {
    pub fit: &'a Fit,
    /// The weights as written to the file.
    pub weights: &'a Weights,
    /// Training positions.
    pub positions: usize,
    /// Win probabilities and results of the held-out positions.
    pub calibration: Vec<CalibrationBin>,
    /// Number of held-out positions and their loss by game phase, from few pieces to many.
    pub by_phase: Vec<(usize, f64)>,
    pub provenance: &'a str,
}

/// Writes the page and its pictures into a folder, created if missing.
///
/// # Errors
/// The name of a file that cannot be written, and why.
pub fn write(folder: &Path, report: &TrainingReport<'_>) -> Result<(), String> {
    let mut page = Page::new(folder)?;
    let fit = report.fit;
    let losses = |part: usize| {
        let epochs = (1..).zip(&fit.losses);
        epochs
            .map(move |(epoch, loss)| (f64::from(epoch), loss[part]))
            .collect()
    };
    let lines = [("in training", losses(0)), ("held out", losses(1))];
    page.add(
        "Loss",
        "Cross-entropy after each epoch, against a mix of game result and search score.",
        chart::curves("loss by epoch", ["epoch", "cross-entropy"], &lines),
    )?;
    let rows: Vec<(String, f64)> = (report.by_phase.iter().enumerate())
        .map(|(phase, (count, loss))| (format!("phase {phase} of 3, {count} positions"), *loss))
        .collect();
    page.add(
        "Loss by phase",
        "The same for held-out positions, by game phase from few pieces to many: positions with many pieces are harder to predict.",
        chart::bars("cross-entropy, held-out positions", &rows, 4),
    )?;
    let bins = &report.calibration;
    let points = |actual: fn(&CalibrationBin) -> f64| {
        bins.iter()
            .map(|bin| (bin.predicted, actual(bin)))
            .collect()
    };
    let lines = [
        ("result", points(|bin| bin.result)),
        ("search score", points(|bin| bin.searched)),
        ("ideal", vec![(0.0, 0.0), (1.0, 1.0)]),
    ];
    page.add(
        "Calibration",
        "Predicted win probability of white, and what white scored in games and searches.",
        chart::curves(
            "predicted and actual score, held-out positions",
            ["predicted", "actual"],
            &lines,
        ),
    )?;
    page.add(
        "Heaviest terms",
        "Weight times frequency, material excepted.",
        chart::bars(
            "centipawns per position, both sides added",
            &heaviest(report),
            1,
        ),
    )?;
    page.add(
        "Rare cells",
        &format!(
            "Cells that occur less than {RARE} times are not fitted: on an ordered axis they take the value of their neighbour, \
             else 0. Some cannot occur at all."
        ),
        chart::bars("percent of the family", &rare(fit), 1),
    )?;
    page.add_families(|index, part| {
        (fit.hits[index.get()] >= RARE).then(|| centipawns(report.weights, index, part))
    })?;
    page.finish("Training of the evaluation", EXPLANATION, report.provenance)
}

/// The terms with the largest weight times frequency, both game phases averaged.
fn heaviest(report: &TrainingReport<'_>) -> Vec<(String, f64)> {
    let mut terms: Vec<(Index, f64)> = Index::all()
        .filter(|index| index.family() != Family::Material)
        .map(|index| {
            let halves = [WeightPart::Middlegame, WeightPart::Endgame]
                .map(|part| centipawns(report.weights, index, part));
            let frequency = report.fit.hits[index.get()] as f64 / report.positions.max(1) as f64;
            (index, halves.iter().sum::<f64>() / 2.0 * frequency)
        })
        .collect();
    terms.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()));
    let name = |index: Index| format!("{}: {index}", index.family().declaration().name);
    let terms = terms.into_iter().take(HEAVIEST);
    terms.map(|(index, value)| (name(index), value)).collect()
}

/// The share of rare cells per family, in percent; families without any are left out.
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
