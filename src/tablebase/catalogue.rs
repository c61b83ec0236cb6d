//! Which tables there are.
//! Uses: material, embedded, files, shakmaty-syzygy. Used by: engine, search, cli.
//! Idea: the names are collected once, the program's first and then each folder's, where a later table takes the place
//! of an earlier one; files are opened when they are first asked.

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

/// How the files of other kinds of chess end, in the same format.
const OTHER_KINDS: [&str; 6] = ["atbw", "atbz", "gtbw", "gtbz", "stbw", "stbz"];

/// A table that is there to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The file, or its name in the program.
    pub path: PathBuf,
    /// Its length in bytes.
    pub bytes: u64,
    /// Whether it is in the program itself.
    pub embedded: bool,
}

/// All tables that are there.
pub struct Catalogue {
    tables: BTreeMap<(u32, Material, Metric), Table>,
    /// Tables seen in folders, those included for which the embedded copy is used.
    in_folders: BTreeSet<(Material, Metric)>,
    prober: Tablebase<Chess>,
    files: Arc<Files>,
}

impl Catalogue {
    /// The program's tables and those of these folders. Nothing is opened yet. Who is `patient` waits for a slow disk; for
    /// others what lies on it is as good as missing for a while.
    #[must_use]
    pub fn new(folders: &[PathBuf], patient: bool) -> Self {
        let files = Arc::new(Files::new(patient));
        let mut catalogue = Self {
            tables: BTreeMap::new(),
            in_folders: BTreeSet::new(),
            prober: Tablebase::with_filesystem(Arc::<Files>::clone(&files)),
            files,
        };
        for table in embedded::TABLES {
            catalogue.add(&Path::new(EMBEDDED_FOLDER).join(table.name), true);
        }
        for folder in folders {
            catalogue.add_folder(folder);
        }
        catalogue
    }

    /// Adds the tables of a folder, not of the folders in it.
    fn add_folder(&mut self, folder: &Path) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                return self.files.note(TableFault::Folder {
                    path: folder.display().to_string(),
                    reason: error.to_string(),
                });
            }
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        let others: Vec<&PathBuf> = paths.iter().filter(|path| is_other_kind(path)).collect();
        if let Some(example) = others.first().and_then(|path| path.file_name()) {
            self.files.note(TableFault::Variant {
                path: folder.display().to_string(),
                count: others.len(),
                example: example.to_string_lossy().into_owned(),
            });
        }
        for path in paths {
            self.add(&path, false);
        }
    }

    /// Adds a file if its name is that of a table.
    fn add(&mut self, path: &Path, is_embedded: bool) {
        let name = path.file_name().and_then(|name| name.to_str());
        let Some((material, metric)) = name.and_then(parse_file_name) else {
            return;
        };
        if !is_embedded {
            self.in_folders.insert((material.normalized(), metric));
            // The embedded tables are complete: a file of the same name adds nothing, and may be damaged.
            if name.and_then(embedded::find).is_some() {
                return;
            }
        }
        let added = check_length(path).and_then(|bytes| {
            let added = self.prober.add_file(path);
            added.map(|()| bytes).map_err(|error| error.to_string())
        });
        match added {
            Ok(bytes) => {
                let material = material.normalized();
                let table = Table {
                    path: path.to_owned(),
                    bytes,
                    embedded: is_embedded,
                };
                self.tables
                    .insert((material.piece_count(), material, metric), table);
            }
            Err(reason) => self.files.note_file(path, reason),
        }
    }

    /// The table of a material, whichever its colouring.
    #[must_use]
    pub fn get(&self, material: Material, metric: Metric) -> Option<&Table> {
        let material = material.normalized();
        self.tables.get(&(material.piece_count(), material, metric))
    }

    /// What reads the tables.
    pub(super) const fn prober(&self) -> &Tablebase<Chess> {
        &self.prober
    }

    /// Where the tables lie.
    pub(super) fn files(&self) -> &Files {
        &self.files
    }

    /// Every table, fewer men first.
    pub fn tables(&self) -> impl Iterator<Item = (Material, Metric, &Table)> {
        self.tables
            .iter()
            .map(|(&(_, material, metric), table)| (material, metric, table))
    }

    /// Number of tables of a kind in the folders, whether embedded as well or not.
    #[must_use]
    pub fn count_in_folders(&self, metric: Metric) -> usize {
        let kinds = self.in_folders.iter().map(|&(_, kind)| kind);
        kinds.filter(|&kind| kind == metric).count()
    }

    /// How many tables of a kind there are.
    #[must_use]
    pub fn count(&self, metric: Metric) -> usize {
        self.tables()
            .filter(|(_, found, _)| *found == metric)
            .count()
    }

    /// What was found to be wrong with tables since this was asked last.
    #[must_use]
    pub fn take_faults(&self) -> Vec<TableFault> {
        self.files.take_faults()
    }
}

fn is_other_kind(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| OTHER_KINDS.contains(&extension))
}
