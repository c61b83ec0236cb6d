//! Tables on disk: whole under their names, or not there.
//! Uses: file, material, space. Used by: workshop's callers, which write by output.
//! Idea: a name is a promise: what stands under it is whole, and is looked at all the same before it is built on.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::file::{self, FileFault};
use super::space::Space;
use super::table::Subtable;
use crate::tablebase::Material;
use crate::tablebase::Metric;

/// Where the table of this material and metric stands in a folder.
#[must_use]
pub fn path(folder: &Path, material: Material, metric: Metric) -> PathBuf {
    folder.join(format!("{material}.{}", metric.extension()))
}

/// Why a table on disk cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ShelfError {
    /// The system does not hand it out.
    #[error("{0}: {1}")]
    System(PathBuf, io::Error),
    /// It is not what its name says.
    #[error("{0}: {1}")]
    Fault(PathBuf, FileFault),
}

/// The subtables, `[file][side]`, of a table on disk; `None` if it is not there.
///
/// # Errors
/// What is wrong with it.
pub fn read(
    folder: &Path,
    material: Material,
    metric: Metric,
) -> Result<Option<Vec<Vec<Subtable>>>, ShelfError> {
    let path = path(folder, material, metric);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ShelfError::System(path, error)),
    };
    match file::read(&Space::new(material), metric, &bytes) {
        Ok(tables) => Ok(Some(tables)),
        Err(fault) => Err(ShelfError::Fault(path, fault)),
    }
}

/// These tables and all that they lead to, each after those it needs, without doubles.
#[must_use]
pub fn closure(wanted: &[Material]) -> Vec<Material> {
    fn add(material: Material, list: &mut Vec<Material>) {
        if list.contains(&material) {
            return;
        }
        for needed in material.needs() {
            add(needed, list);
        }
        list.push(material);
    }
    let mut list = Vec::new();
    for &material in wanted {
        add(material, &mut list);
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_comes_first() {
        let material = "KRvKP".parse().expect("a name");
        let list = closure(&[material]);
        assert_eq!(list.last(), Some(&material));
        for (at, material) in list.iter().enumerate() {
            assert!(
                material
                    .needs()
                    .iter()
                    .all(|needed| list[..at].contains(needed))
            );
        }
    }
}
