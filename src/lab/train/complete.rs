//! Completes a weights file for this build: families and cells that it lacks are added with zero weights.
//!
//! A new evaluation term can then be tried before anything is trained.

use std::fmt::Write as _;

use thiserror::Error;

use super::emit::family_text;
use crate::eval::WeightPart;
use crate::eval::families::{AxisDeclaration, Family};
use crate::eval::weights::{self, Digest, MAGIC, WeightsError, section};

/// Why a file cannot be completed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CompleteError {
    /// Not a weights file.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The file's family is not a part of this build's family.
    #[error(
        "line {0}: {1} has more cells or other axes than {2} of this build; remove the family to start with zeros"
    )]
    Shape(usize, String, String),
}

/// A completed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completed {
    pub text: String,
    /// What was added and left out, in words.
    pub changes: Vec<String>,
}

/// One family of a file.
struct Block<'a> {
    /// The line number of the header.
    line: usize,
    header: &'a str,
    /// The lines after the header.
    rows: Vec<&'a str>,
}

impl<'a> Block<'a> {
    fn name(&self) -> &'a str {
        let inner = self.header.trim_start_matches('[');
        inner.split_once(':').map_or(inner, |(name, _)| name)
    }

    /// The sizes of the axes.
    fn sizes(&self) -> Vec<usize> {
        let (_, sizes) = self.header.split_once(':').unwrap_or_default();
        let sizes = sizes.trim_end_matches(']').split_whitespace();
        sizes.filter_map(|size| size.parse().ok()).collect()
    }

    /// All values of the part with this key as written.
    fn values(&self, key: &str) -> Vec<&'a str> {
        let rows = self.rows.iter().filter_map(|row| row.strip_prefix(key));
        rows.flat_map(str::split_whitespace).collect()
    }
}

/// Adds what a weights file lacks. All other weights, their marks and the comments stay as they are; families that this
/// build does not have are left out.
///
/// # Errors
/// [`CompleteError`] names the line.
pub fn complete(text: &str) -> Result<Completed, CompleteError> {
    weights::parse(text)?;
    let (mut head, mut blocks) = (Vec::new(), Vec::<Block<'_>>::new());
    for (number, line) in (1..).zip(text.lines()) {
        match blocks.last_mut() {
            _ if line.starts_with('[') => blocks.push(Block {
                line: number,
                header: line,
                rows: Vec::new(),
            }),
            Some(block) => block.rows.push(line),
            None => head.push(line),
        }
    }

    let (mut families, mut changes) = (String::new(), Vec::new());
    let is_old = weights::last_part(text) == WeightPart::Endgame;
    if is_old {
        changes.push("added zero parts for pawns".to_owned());
        head[0] = MAGIC;
    }
    for &family in Family::ALL {
        let declared = family.declaration();
        match blocks.iter().rfind(|block| block.name() == declared.name) {
            Some(block) if block.header == section(family) => {
                let _ = writeln!(families, "{}", block.header);
                for row in &block.rows {
                    let _ = writeln!(families, "{row}");
                    if let Some(values) = row.strip_prefix("eg ").filter(|_| is_old) {
                        let zeros = " 0*".repeat(values.split_whitespace().count());
                        let _ = writeln!(families, "mp{zeros}\nep{zeros}");
                    }
                }
            }
            Some(block) => {
                families += &grown(block, family, is_old)?;
                let added = declared.size() - block.sizes().iter().product::<usize>();
                changes.push(format!("added {added} zero weights of {}", declared.name));
            }
            None => {
                families += &family_text(family, None, |_, _| "0*".to_owned());
                changes.push(format!(
                    "added {} zero weights of {}",
                    declared.size(),
                    declared.name
                ));
            }
        }
    }
    for block in &blocks {
        let name = block.name();
        if !Family::ALL
            .iter()
            .any(|family| family.declaration().name == name)
        {
            changes.push(format!("left out {name}: not a family of this build"));
        }
    }

    let mut completed = String::new();
    for line in head {
        let _ = match line.strip_prefix("families ") {
            Some(_) => writeln!(completed, "families {}", Digest::of_families()),
            None => writeln!(completed, "{line}"),
        };
    }
    if !changes.is_empty() {
        let _ = writeln!(completed, "completed {}", changes.join("; "));
    }
    Ok(Completed {
        text: completed + &families,
        changes,
    })
}

/// The text of a family that has more cells than in the file.
fn grown(block: &Block<'_>, family: Family, is_old: bool) -> Result<String, CompleteError> {
    let (sizes, axes) = (block.sizes(), family.declaration().axes);
    let fits = |(size, axis): (&usize, &AxisDeclaration)| *size <= axis.size;
    if sizes.len() != axes.len() || !sizes.iter().zip(axes).all(fits) {
        let (old, new) = (block.header.to_owned(), section(family));
        return Err(CompleteError::Shape(block.line, old, new));
    }
    let parts = WeightPart::ALL.map(|part| block.values(part.key()));
    let present = if is_old { 2 } else { WeightPart::COUNT };
    let cells: usize = sizes.iter().product();
    if parts[..present].iter().any(|values| values.len() != cells) {
        return Err(WeightsError::Count(block.line).into());
    }
    Ok(family_text(family, None, |index, part| {
        let cells = index.cells();
        if cells.iter().zip(&sizes).any(|(cell, size)| cell >= size) {
            return "0*".to_owned();
        }
        let place = (cells.iter().zip(&sizes)).fold(0, |place, (cell, size)| place * size + cell);
        let value = parts[part as usize].get(place);
        value.map_or_else(|| "0*".to_owned(), |&value| value.to_owned())
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Role;
    use crate::eval::families::Mobility;
    use crate::eval::weights::{FILE, WEIGHTS, missing, parse, untrained};
    use crate::eval::{Weight, Weights};

    /// The built-in file without one family.
    fn without(name: &str) -> String {
        let (before, rest) = FILE.split_once(&format!("[{name}:")).expect("the family");
        let (_, after) = rest.split_once("\n[").expect("another family");
        format!("{before}[{after}")
    }

    #[test]
    fn a_complete_file_stays_as_it_is() {
        let completed = complete(FILE).expect("weights");
        assert_eq!(completed.text, FILE);
        assert!(completed.changes.is_empty());
    }

    #[test]
    fn missing_families_are_added_with_zeros() {
        let text = without("mobility")
            .replace("[reach:", "[agility:")
            .replace('\n', "\r\n");
        let completed = complete(&text).expect("weights");
        let changes = [
            "added 112 zero weights of mobility",
            "added 112 zero weights of reach",
            "left out agility: not a family of this build",
        ];
        assert_eq!(completed.changes, changes);
        assert!(missing(&completed.text).is_empty());
        let mut expected = Weights(WEIGHTS.0);
        for index in [Family::Mobility, Family::Reach]
            .into_iter()
            .flat_map(Family::indices)
        {
            expected[index] = Weight::ZERO;
            assert!(untrained(&completed.text)[index.get()]);
        }
        assert_eq!(parse(&completed.text), Ok(expected));
        assert_eq!(
            complete(&completed.text).map(|again| again.changes),
            Ok(Vec::new())
        );
    }

    #[test]
    fn grown_families_keep_their_weights() {
        let header = section(Family::Mobility);
        let (before, rest) = FILE.split_once(&header).expect("the family");
        let (rows, after) = rest.split_once("\n[").expect("another family");
        let shorten = |line: &str| match line.rsplit_once(' ') {
            Some((short, _)) if !line.starts_with('#') => short.to_owned(),
            _ => line.to_owned(),
        };
        let rows: Vec<String> = rows.lines().map(shorten).collect();
        let short = format!("{before}[mobility: 4 27]{}\n[{after}", rows.join("\n"));
        assert_eq!(missing(&short), [Family::Mobility]);
        let completed = complete(&short).expect("weights");
        assert_eq!(completed.changes, ["added 4 zero weights of mobility"]);
        let mut expected = Weights(WEIGHTS.0);
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            expected[Mobility::at(role, 27)] = Weight::ZERO;
        }
        assert_eq!(parse(&completed.text), Ok(expected));
    }

    #[test]
    fn files_of_version_1_get_zero_parts_for_pawns() {
        let is_kept = |line: &&str| !line.starts_with("mp ") && !line.starts_with("ep ");
        let lines: Vec<&str> = FILE.lines().skip(1).filter(is_kept).collect();
        let old = format!("lucena weights 1\n{}\n", lines.join("\n"));
        let completed = complete(&old).expect("weights");
        assert_eq!(completed.changes, ["added zero parts for pawns"]);
        let parsed = parse(&completed.text);
        assert_eq!(parsed, parse(&old));
        for (weight, whole) in parsed.expect("weights").0.iter().zip(&WEIGHTS.0) {
            let [middlegame, endgame, ..] = whole.0;
            assert_eq!(weight.0, [middlegame, endgame, 0, 0]);
        }
    }

    #[test]
    fn other_shapes_are_errors() {
        let line = 1 + FILE
            .lines()
            .position(|line| line.starts_with("[mobility:"))
            .expect("it");
        let header = section(Family::Mobility);
        for shape in ["[mobility: 4 29]", "[mobility: 112]"] {
            let error = complete(&FILE.replace(&header, shape));
            let expected = CompleteError::Shape(line, shape.to_owned(), header.clone());
            assert_eq!(error, Err(expected));
        }
        let error = complete(&FILE.replace(&header, "[mobility: 4 20]"));
        assert_eq!(error, Err(WeightsError::Count(line).into()));
        assert_eq!(complete(""), Err(WeightsError::Version.into()));
    }
}
