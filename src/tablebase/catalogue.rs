//! The list of available tables: the built-in ones, then those of each folder.
//! A table in a later folder replaces one of an earlier folder, but never a built-in table. Files are opened on first use.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use shakmaty::Chess;
use shakmaty_syzygy::Tablebase;

use super::embedded;
use super::files::{EMBEDDED_FOLDER, Files, TableFault, check_length};
use super::material::Material;
use super::{Metric, parse_file_name};

/// File name extensions of Syzygy tables for other chess variants.
const VARIANT_EXTENSIONS: [&str; 6] = ["atbw", "atbz", "gtbw", "gtbz", "stbw", "stbz"];

/// An available table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFile {
    /// The file; for a built-in table a name in `EMBEDDED_FOLDER`.
    pub path: PathBuf,
    /// File length in bytes.
    pub bytes: u64,
    pub embedded: bool,
}

/// All available tables.
pub struct Catalogue {
    /// Keyed by piece count first, for the order of [`Self::tables`].
    tables: BTreeMap<(u32, Material, Metric), TableFile>,
    /// Tables found in folders, also those whose built-in copy is used.
    in_folders: BTreeSet<(Material, Metric)>,
    prober: Tablebase<Chess>,
    files: Arc<Files>,
}

impl Catalogue {
    /// Lists the built-in tables and those in `folders`, without opening any. `wait_for_disk`: as in
    /// [`Tablebases::new`](super::Tablebases::new).
    #[must_use]
    pub fn new(folders: &[PathBuf], wait_for_disk: bool) -> Self {
        let files = Arc::new(Files::new(wait_for_disk));
        let mut catalogue = Self {
            tables: BTreeMap::new(),
            in_folders: BTreeSet::new(),
            prober: Tablebase::with_filesystem(Arc::<Files>::clone(&files)),
            files,
        };
        for table in embedded::iter() {
            catalogue.add(&Path::new(EMBEDDED_FOLDER).join(table.name), true);
        }
        for folder in folders {
            catalogue.add_folder(folder);
        }
        catalogue
    }

    /// Adds the tables of a folder, not of its subfolders.
    fn add_folder(&mut self, folder: &Path) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                return self.files.report(TableFault::Folder {
                    path: folder.display().to_string(),
                    reason: error.to_string(),
                });
            }
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        let others: Vec<&PathBuf> = paths.iter().filter(|path| is_variant(path)).collect();
        if let Some(example) = others.first().and_then(|path| path.file_name()) {
            self.files.report(TableFault::Variant {
                path: folder.display().to_string(),
                count: others.len(),
                example: example.to_string_lossy().into_owned(),
            });
        }
        for path in paths {
            self.add(&path, false);
        }
    }

    /// Adds a file if it has the name of a table.
    fn add(&mut self, path: &Path, is_embedded: bool) {
        let name = path.file_name().and_then(|name| name.to_str());
        let Some((material, metric)) = name.and_then(parse_file_name) else {
            return;
        };
        let length = check_length(path);
        // A file with the name of a built-in table adds nothing and may be damaged.
        if !is_embedded && name.and_then(embedded::find).is_some() {
            if length.is_ok() {
                self.in_folders.insert((material.normalized(), metric));
            }
            return;
        }
        let added = length.and_then(|bytes| {
            let added = self.prober.add_file(path);
            added.map(|()| bytes).map_err(|error| error.to_string())
        });
        match added {
            Ok(bytes) => {
                if !is_embedded {
                    self.in_folders.insert((material.normalized(), metric));
                }
                let material = material.normalized();
                let table = TableFile {
                    path: path.to_owned(),
                    bytes,
                    embedded: is_embedded,
                };
                self.tables
                    .insert((material.piece_count(), material, metric), table);
            }
            Err(reason) => self.files.report_file(path, reason),
        }
    }

    /// The table of a material, whichever side is white.
    #[must_use]
    pub fn get(&self, material: Material, metric: Metric) -> Option<&TableFile> {
        let material = material.normalized();
        self.tables.get(&(material.piece_count(), material, metric))
    }

    pub(super) const fn prober(&self) -> &Tablebase<Chess> {
        &self.prober
    }

    pub(super) fn files(&self) -> &Files {
        &self.files
    }

    /// All tables, by piece count.
    pub fn tables(&self) -> impl Iterator<Item = (Material, Metric, &TableFile)> {
        self.tables
            .iter()
            .map(|(&(_, material, metric), table)| (material, metric, table))
    }

    /// The number of tables of a metric in folders, built in or not.
    #[must_use]
    pub fn count_in_folders(&self, metric: Metric) -> usize {
        let found = self.in_folders.iter();
        found.filter(|&&(_, kind)| kind == metric).count()
    }

    /// The number of tables of a metric.
    #[must_use]
    pub fn count(&self, metric: Metric) -> usize {
        self.tables()
            .filter(|(_, found, _)| *found == metric)
            .count()
    }

    /// Faults of tables found since the last call.
    #[must_use]
    pub fn take_faults(&self) -> Vec<TableFault> {
        self.files.take_faults()
    }
}

fn is_variant(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| VARIANT_EXTENSIONS.contains(&extension))
}
