//! The text of a weights file, with the provenance of its numbers.

use std::fmt::Write as _;

use super::corpus::Corpus;
use super::fit::{Fit, FitSettings};
use super::header::ENGINE;
use super::regularisation::RARE;
use crate::eval::families::Family;
use crate::eval::weights::{Digest, MAGIC, WEIGHTS, section};
use crate::eval::{Index, WeightPart, Weights};

/// The provenance of weights: lines of a key and a value. Readers use the keys, so they keep their names.
pub fn provenance(corpus: &Corpus, settings: &FitSettings, fit: &Fit, losses: [f64; 2]) -> String {
    let mut text = String::new();
    let mut line = |key: &str, value: String| {
        let _ = writeln!(text, "{key} {value}");
    };
    line("families", Digest::of_families().to_string());
    line("engine", ENGINE.to_owned());
    line("parent", Digest::of_weights(&WEIGHTS).to_string());
    for file in &corpus.files {
        let (games, positions, kept) = (file.games, file.positions, file.kept);
        let header = file.header.join(", ");
        line(
            "data",
            format!(
                "{} {header}, games {games}, positions {positions}, kept {kept}",
                file.digest
            ),
        );
    }
    line("positions", corpus.training.len().to_string());
    line("held-out", corpus.held_out.len().to_string());
    line(
        "loss",
        format!("{:.6} in training, {:.6} held out", losses[0], losses[1]),
    );
    line("scale", format!("{:.2}", fit.scale));
    line("score-scale", format!("{:.2}", fit.score_scale));
    line("foresight", corpus.filter.foresight.to_string());
    line("lambda", settings.lambda.to_string());
    line("passes", settings.epochs.to_string());
    line("batch", settings.batch.to_string());
    line("rate", settings.rate.to_string());
    line("restraint", settings.regularisation.to_string());
    if let Some(share) = settings.prior {
        line("prior", share.to_string());
    }
    line("seed", settings.seed.to_string());
    let rare = fit.hits.iter().filter(|&&hits| hits < RARE).count();
    line(
        "rare",
        format!(
            "{rare} of {} features, with less than {RARE} hits",
            fit.hits.len()
        ),
    );
    text
}

/// The text of a weights file. `hits` are added as comments, and weights of rare features are marked with `*`.
pub fn text(weights: &Weights, provenance: &str, hits: Option<&[u64]>) -> String {
    let mut text = format!("{MAGIC}\n{provenance}");
    for &family in Family::ALL {
        let value = |index: Index, part: WeightPart| {
            let value = weights[index].part(part);
            let is_rare = hits.is_some_and(|hits| hits[index.get()] < RARE);
            format!("{value}{}", if is_rare { "*" } else { "" })
        };
        text += &family_text(family, hits, value);
    }
    text
}

/// The part of a weights file with one family; `value` returns a part of a weight.
pub fn family_text(
    family: Family,
    hits: Option<&[u64]>,
    value: impl Fn(Index, WeightPart) -> String,
) -> String {
    let mut text = section(family) + "\n";
    let indices: Vec<Index> = family.indices().collect();
    let axes = family.declaration().axes;
    let row = axes.last().map_or(1, |axis| axis.size);
    for cells in indices.chunks(row) {
        let _ = writeln!(text, "# {}", title(family, cells[0]));
        if let Some(hits) = hits {
            text += "# hits";
            for &index in cells {
                let _ = write!(text, " {}", hits[index.get()]);
            }
            text.push('\n');
        }
        for part in WeightPart::ALL {
            text += part.key();
            for &index in cells {
                let _ = write!(text, " {}", value(index, part));
            }
            text.push('\n');
        }
    }
    text
}

/// The title of a row: its cell on all axes but the last, and the range of the last.
fn title(family: Family, first: Index) -> String {
    let declared = family.declaration();
    let Some((last, fixed)) = declared.axes.split_last() else {
        return declared.name.to_owned();
    };
    let mut title = declared.name.to_owned();
    for (axis, cell) in fixed.iter().zip(first.cells()) {
        let _ = write!(title, ", {} {}", axis.name, (axis.label)(cell));
    }
    let (from, to) = ((last.label)(0), (last.label)(last.size - 1));
    let _ = write!(title, ": {} {from} to {to}", last.name);
    title
}
