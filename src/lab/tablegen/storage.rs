//! Table files in a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::file::{self, FileFault};
use super::solver_index::SolverIndex;
use super::subtable::Subtable;
use crate::tablebase::Material;
use crate::tablebase::Metric;

/// The path of a table in a folder.
#[must_use]
pub fn path(folder: &Path, material: Material, metric: Metric) -> PathBuf {
    folder.join(format!("{material}.{}", metric.extension()))
}

/// A table on disk cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    #[error("{0}: {1}")]
    Fault(PathBuf, FileFault),
}

/// Reads the subtables, `[file][side]`, of a table; `None` if there is no file.
///
/// # Errors
/// The file cannot be read or is damaged.
pub fn read(
    folder: &Path,
    material: Material,
    metric: Metric,
) -> Result<Option<Vec<Vec<Subtable>>>, StorageError> {
    let path = path(folder, material, metric);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(StorageError::Io(path, error)),
    };
    match file::read(&SolverIndex::new(material), metric, &bytes) {
        Ok(tables) => Ok(Some(tables)),
        Err(fault) => Err(StorageError::Fault(path, fault)),
    }
}

/// These tables and all that they need, each after those it needs.
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
    fn needed_tables_come_first() {
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
