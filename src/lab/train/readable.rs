//! Readable weights: constants moved between families so that single weights can be read, and no evaluation changes.
//!
//! Training determines only the sum. Every rook has exactly one cell of the mobility table, so 20 centipawns more in every
//! cell and 20 less in the value of a rook are the same evaluation. Families declare what they are counted once for
//! ([`Per`]).

use std::fmt::Write as _;

use thiserror::Error;

use crate::eval::families::{AxisDeclaration, Family, Per, ZeroAt};
use crate::eval::weights::{self, Digest, WeightsError};
use crate::eval::{Index, Weight, WeightPart, Weights};

/// Why a file cannot be made readable.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ReadableError {
    /// Not a weights file.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// A family is missing.
    #[error("the file lacks {0} (`lucena weights --complete` adds it with zero weights)")]
    Missing(&'static str),
}

/// Cells whose weights may all be lowered by a constant.
struct Group {
    cells: Vec<Index>,
    /// The cells to be raised by the same constant: in each position each side has as many of them. Empty if both sides have
    /// equally many of `cells`.
    receivers: Vec<Index>,
    zero: ZeroAt,
}

/// All groups, those first that change the families of later ones.
fn groups() -> Vec<Group> {
    let with = |is_wanted: fn(Per) -> bool| {
        let families = Family::ALL.iter().copied();
        families.filter_map(move |family| {
            let (per, zero) = family.declaration().once?;
            is_wanted(per).then(|| groups_of(family, per, zero))
        })
    };
    let into_others = with(|per| per != Per::Side);
    into_others
        .chain(with(|per| per == Per::Side))
        .flatten()
        .collect()
}

fn groups_of(family: Family, per: Per, zero: ZeroAt) -> Vec<Group> {
    let (receiver, only) = match per {
        Per::Side => {
            return vec![Group {
                cells: family.indices().collect(),
                receivers: Vec::new(),
                zero,
            }];
        }
        Per::Piece => (Family::Material, None),
        Per::Bishop => (Family::Material, Some("bishop")),
        Per::Rook => (Family::Material, Some("rook")),
        Per::King => (Family::KingPressure, None),
        Per::PassedPawn => (Family::PassedPlace, None),
    };
    let mut groups: Vec<(Vec<usize>, Group)> = Vec::new();
    for index in receiver.indices() {
        if only.is_some_and(|only| !words(index).any(|(_, word)| word == only)) {
            continue;
        }
        let Some(key) = key(family, index) else {
            continue;
        };
        if let Some((_, group)) = groups.iter_mut().find(|(other, _)| *other == key) {
            group.receivers.push(index);
            continue;
        }
        let cells = family.indices();
        let group = Group {
            cells: cells
                .filter(|&cell| own_key(receiver, cell) == key)
                .collect(),
            receivers: vec![index],
            zero,
        };
        groups.push((key, group));
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// The axes of an index and its cells in words.
fn words(index: Index) -> impl Iterator<Item = (&'static AxisDeclaration, String)> {
    let axes = index.family().declaration().axes.iter();
    axes.zip(index.cells())
        .map(|(axis, cell)| (axis, (axis.label)(cell)))
}

/// The cells of `family` on the axes that it shares with a receiver's index; `None` if an axis lacks the cell. A last cell
/// that stands for more matches all greater ones.
fn key(family: Family, index: Index) -> Option<Vec<usize>> {
    let receiver = index.family();
    let axes = shared(family, receiver).map(|axis| {
        let (_, word) = words(index).find(|(other, _)| other.name == axis.name)?;
        let last = axis.size - 1;
        let same = (0..axis.size).find(|&cell| (axis.label)(cell) == word);
        same.or_else(|| (axis.label)(last).ends_with('+').then_some(last))
    });
    axes.collect()
}

/// The cells of an index on the axes that its family shares with a receiver.
fn own_key(receiver: Family, index: Index) -> Vec<usize> {
    let axes = index.family().declaration().axes.iter().zip(index.cells());
    let names: Vec<&str> = shared(index.family(), receiver)
        .map(|axis| axis.name)
        .collect();
    axes.filter(|(axis, _)| names.contains(&axis.name))
        .map(|(_, cell)| cell)
        .collect()
}

/// The axes of a family whose names are those of axes of another family.
fn shared(family: Family, receiver: Family) -> impl Iterator<Item = &'static AxisDeclaration> {
    let others = receiver.declaration().axes;
    let axes = family.declaration().axes.iter();
    axes.filter(|axis| others.iter().any(|other| other.name == axis.name))
}

/// Moves constants between the families of weights; every evaluation stays the same. `hits` are by index. A constant that
/// would not fit into a weight stays where it is.
pub fn readable(weights: &Weights, hits: &[u64]) -> Weights {
    let mut readable = Weights(weights.0);
    for group in groups() {
        let constant = match group.zero {
            ZeroAt::FirstCell => group.cells.first().map(|&cell| parts(readable[cell])),
            ZeroAt::Mean => mean(&readable, &group.cells, hits),
        };
        let Some(constant) = constant else {
            continue;
        };
        let lowered = shifted(&readable, &group.cells, constant.map(|part| -part));
        let raised = shifted(&readable, &group.receivers, constant);
        if let (Some(lowered), Some(raised)) = (lowered, raised) {
            for (index, weight) in lowered.into_iter().chain(raised) {
                readable[index] = weight;
            }
        }
    }
    readable
}

/// A constant to be added to weights, by part.
type Constant = [i64; WeightPart::COUNT];

fn parts(weight: Weight) -> Constant {
    weight.0.map(i64::from)
}

/// The mean of some weights, weighted by hits and rounded to whole quarters; `None` without hits.
fn mean(weights: &Weights, cells: &[Index], hits: &[u64]) -> Option<Constant> {
    let (mut sums, mut total) = ([0_i128; WeightPart::COUNT], 0_i128);
    for &cell in cells {
        let hits = i128::from(hits[cell.get()]);
        total += hits;
        for (sum, part) in sums.iter_mut().zip(parts(weights[cell])) {
            *sum += hits * i128::from(part);
        }
    }
    // Rounded so that the mean of what remains is rounded to 0.
    (total > 0).then(|| sums.map(|sum| (2 * sum + total).div_euclid(2 * total) as i64))
}

/// Some weights with a constant added; `None` if one would not fit.
fn shifted(weights: &Weights, cells: &[Index], constant: Constant) -> Option<Vec<(Index, Weight)>> {
    let add = |&cell: &Index| {
        let mut weight = weights[cell];
        for (part, constant) in weight.0.iter_mut().zip(constant) {
            *part = i16::try_from(i64::from(*part) + constant).ok()?;
        }
        Some((cell, weight))
    };
    cells.iter().map(add).collect()
}

/// A weights file with readable weights. All other lines stay; the provenance gets the fingerprint of the weights before.
///
/// # Errors
/// [`ReadableError`] names the line at fault or the missing family.
pub fn readable_text(text: &str) -> Result<String, ReadableError> {
    let old = weights::parse(text)?;
    if let Some(family) = weights::missing(text).first() {
        return Err(ReadableError::Missing(family.declaration().name));
    }
    let new = readable(&old, &weights::hits(text));
    let mut out = String::new();
    let mut at: Option<usize> = None;
    let is_changed = new != old;
    let last = weights::last_part(text);
    for line in text.lines() {
        if line.starts_with('[') {
            if is_changed && at.is_none() && !out.contains("\n[") {
                let _ = writeln!(out, "{}", provenance(&old));
            }
            at = family_of(line).map(Family::offset);
        }
        let row = WeightPart::ALL.into_iter().find_map(|part| {
            let values = line.strip_prefix(part.key())?.strip_prefix(' ')?;
            Some((part, values))
        });
        let (Some(first), Some((part, values))) = (at, row) else {
            let _ = writeln!(out, "{line}");
            continue;
        };
        out += part.key();
        let row: Vec<&str> = values.split_whitespace().collect();
        for (value, weight) in row.iter().zip(&new.0[first..]) {
            let mark = if value.ends_with('*') { "*" } else { "" };
            let _ = write!(out, " {}{mark}", weight.part(part));
        }
        out.push('\n');
        if part == last {
            at = Some(first + row.len());
        }
    }
    Ok(out)
}

/// The line of provenance of weights that were made readable.
pub fn provenance(before: &Weights) -> String {
    let before = Digest::of_weights(before);
    format!("readable from {before}: constants moved between families, no evaluation changed")
}

fn family_of(line: &str) -> Option<Family> {
    let mut families = Family::ALL.iter().copied();
    families.find(|&family| weights::section(family) == line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;
    use crate::chess::{Color, Position, Role};
    use crate::eval::families::{Material, Mobility};
    use crate::eval::weights::{FILE, WEIGHTS, untrained};
    use crate::eval::{COUNT, DetailedTrace, Score, Trace};

    /// Starts with all pieces, with many queens, with promotions near, and with few pieces.
    const STARTS: [&str; 6] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w GBgb - 0 1",
        "8/PPPP1PPP/4k3/8/8/4K3/pppp1ppp/8 w - - 0 1",
        "3qkq2/1q4q1/8/8/8/8/1Q4Q1/3QKQ2 w - - 0 1",
        "r2qk2r/8/8/3PP3/3pp3/8/8/R2QK2R w KQkq - 0 1",
        "8/3k4/8/8/8/8/4KBN1/8 w - - 0 1",
    ];

    /// All positions of random games.
    fn random_positions(games: usize) -> Vec<Position> {
        let mut positions = Vec::new();
        for game in 0..games {
            let mut random = Random::new(28, game as u64);
            let start = Position::from_fen(STARTS[game % STARTS.len()]);
            let mut position = start.expect("a position");
            for _ in 0..120 {
                positions.push(position);
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves[random.below(moves.len())]);
            }
        }
        positions
    }

    /// Random weights and hits.
    fn random_weights(random: &mut Random) -> (Box<Weights>, Vec<u64>) {
        let mut weights = Box::new(Weights::ZERO);
        for weight in &mut weights.0 {
            *weight = Weight(std::array::from_fn(|_| random.below(2001) as i16 - 1000));
        }
        let hits = (0..COUNT).map(|_| random.below(3000) as u64).collect();
        (weights, hits)
    }

    #[test]
    fn each_side_has_as_many_cells_of_a_group_as_receivers() {
        let groups = groups();
        let mut counted = vec![0; groups.len()];
        for position in random_positions(120) {
            let mut counts = [vec![0; COUNT], vec![0; COUNT]];
            for term in DetailedTrace::of(&position).counts() {
                counts[term.color as usize][term.index.get()] += term.count;
            }
            let sum = |color: Color, cells: &[Index]| {
                let counts = &counts[color as usize];
                cells.iter().map(|cell| counts[cell.get()]).sum::<i32>()
            };
            for (group, counted) in groups.iter().zip(&mut counted) {
                let cells = Color::ALL.map(|color| sum(color, &group.cells));
                let wanted = match group.receivers.as_slice() {
                    [] => [cells[1], cells[0]],
                    receivers => Color::ALL.map(|color| sum(color, receivers)),
                };
                let family = group.cells[0].family().declaration().name;
                assert_eq!(cells, wanted, "{family}: {}", position.to_fen());
                *counted += cells[0];
            }
        }
        // The random games reach every group, so nothing is proved by absence.
        for (group, counted) in groups.iter().zip(counted) {
            assert!(counted > 0, "{}", group.cells[0]);
        }
    }

    #[test]
    fn no_evaluation_changes() {
        let mut random = Random::new(1, 0);
        for _ in 0..2 {
            let (weights, hits) = random_weights(&mut random);
            let shifted = Box::new(readable(&weights, &hits));
            for position in random_positions(60) {
                let trace = Trace::of(&position);
                assert_eq!(
                    trace.dot(&weights),
                    trace.dot(&shifted),
                    "{}",
                    position.to_fen()
                );
            }
            let changed = Index::all().filter(|&index| weights[index] != shifted[index]);
            assert!(changed.count() > 1000);
            assert_eq!(readable(&shifted, &hits), *shifted);
        }
    }

    #[test]
    fn a_constant_that_does_not_fit_stays() {
        let mut weights = Weights(WEIGHTS.0);
        let mut hits = vec![0; COUNT];
        for role in [Role::Knight, Role::Rook] {
            weights[Mobility::at(role, 3)] = Weight::constant(1000);
            hits[Mobility::at(role, 3).get()] = 1;
        }
        weights[Material::at(Role::Rook)] = Weight::constant(32_000);
        let shifted = readable(&weights, &hits);
        let of = |role| shifted[Mobility::at(role, 3)];
        assert_eq!(of(Role::Knight), Weight::ZERO);
        assert_eq!(of(Role::Rook), Weight::constant(1000));
        assert_eq!(shifted[Material::at(Role::Rook)], Weight::constant(32_000));
    }

    #[test]
    fn the_built_in_weights_are_readable() {
        assert_eq!(readable_text(FILE).as_deref(), Ok(FILE));
        assert_eq!(
            weights::hits(FILE)[Material::at(Role::Pawn).get()],
            563_598_050
        );
    }

    #[test]
    fn a_file_keeps_everything_but_its_values() {
        let header = weights::section(Family::Mobility);
        let (before, rest) = FILE.split_once(&header).expect("the family");
        let (rows, after) = rest.split_once("\n[").expect("another family");
        let raise = |row: &str| {
            let raise = |value: &str| match value.trim_end_matches('*').parse::<i32>() {
                Ok(number) => format!(
                    "{}{}",
                    number + 40,
                    if value.ends_with('*') { "*" } else { "" }
                ),
                Err(_) => value.to_owned(),
            };
            let values: Vec<String> = row.split(' ').map(raise).collect();
            values.join(" ")
        };
        let rows: Vec<String> = rows
            .lines()
            .map(|row| {
                if row.starts_with('#') {
                    row.to_owned()
                } else {
                    raise(row)
                }
            })
            .collect();
        let raised = format!("{before}{header}{}\n[{after}", rows.join("\n"));
        let old = weights::parse(&raised).expect("weights");
        assert_ne!(old, WEIGHTS);
        let text = readable_text(&raised).expect("weights");
        let line = provenance(&old);
        assert_eq!(text.matches(&line).count(), 1);
        let new = weights::parse(&text).expect("weights");
        for role in ["knight", "bishop", "rook", "queen"] {
            let of = |weights: &Weights| {
                let mut material = Family::Material.indices();
                let index = material.find(|index| index.to_string() == role);
                index.map_or(Score::ZERO, |index| weights[index].score())
            };
            assert_eq!(of(&new), of(&WEIGHTS) + Weight([40; 4]).score(), "{role}");
        }
        assert_eq!(untrained(&text), untrained(&raised));
        assert_eq!(text.lines().count(), raised.lines().count() + 1);

        let missing = raised.replace(&header, "[agility: 4 28]");
        assert_eq!(
            readable_text(&missing),
            Err(ReadableError::Missing("mobility"))
        );
        assert_eq!(readable_text(""), Err(WeightsError::Version.into()));
    }
}
