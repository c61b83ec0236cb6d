//! Tables on disk: whole under their names, or not there.
//! Uses: file, material, space. Used by: workshop's callers.
//! Idea: a file is written aside, forced to the disk and renamed, so a kill or a full disk leaves no half table behind.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::file::{self, FileFault};
use super::space::Space;
use super::table::Subtable;
use crate::tablebase::Material;
use crate::tablebase::Metric;

/// How the file under work ends; no reader takes it for a table.
const ASIDE: &str = "part";

/// Where the table of this material and metric stands in a folder.
#[must_use]
pub fn path(folder: &Path, material: Material, metric: Metric) -> PathBuf {
    folder.join(format!("{material}.{}", metric.extension()))
}

/// Writes a file whole or not at all.
///
/// # Errors
/// What the system said; nothing is left under the name then, or what was there before.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ASIDE);
    let beside = PathBuf::from(name);
    // A rename would put the file in the place of a device or a pipe.
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(io::Error::other("not a regular file"));
    }
    let written = File::create(&beside)
        .and_then(|mut out| {
            out.write_all(bytes)?;
            out.sync_all()
        })
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
        return written;
    }
    // The new name itself must survive a loss of power, where the system can promise that.
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        && let Ok(folder) = File::open(folder)
    {
        let _ = folder.sync_all();
    }
    Ok(())
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

    #[test]
    fn nothing_half_written_gets_a_name() {
        let folder = std::env::temp_dir().join(format!("lucena-shelf-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let good = folder.join("KQvK.rtbw");
        write(&good, &[1; 80]).expect("written");
        assert!(write(&folder, &[1; 80]).is_err() && folder.is_dir());
        // A folder in the way of the file under work stands for a disk that takes no more.
        fs::create_dir(folder.join("KRvK.rtbw.part")).expect("a folder");
        assert!(write(&folder.join("KRvK.rtbw"), &[1; 80]).is_err());
        let names: Vec<_> = fs::read_dir(&folder)
            .expect("a folder")
            .flatten()
            .map(|entry| entry.file_name())
            .collect();
        assert!(names.contains(&"KQvK.rtbw".into()) && !names.contains(&"KRvK.rtbw".into()));
        let _ = fs::remove_dir_all(&folder);
    }
}
