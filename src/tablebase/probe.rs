//! Probing of one position.
//! Whether a material can be probed (its table and all tables that captures lead to are there) is computed beforehand, so
//! that other positions cost one hash map lookup. A material whose table is faulty is not probed again.

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use shakmaty::Chess;
use shakmaty_syzygy::{MaybeRounded, ProbeError, SyzygyError, Tablebase};

use crate::chess::Position;

use super::catalogue::Catalogue;
use super::files::TableFault;
use super::material::Material;
use super::{Metric, Wdl};

/// Distance to zeroing: plies to the next capture or pawn move with best play. Positive if the side to move wins, negative
/// if it loses, 0 for a draw; beyond ±100 the fifty-move rule makes it a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dtz {
    pub plies: i32,
    /// Whether the true distance may be one ply greater: many tables store moves, not plies.
    pub rounded: bool,
}

/// A material that can be probed.
struct Entry {
    /// A table is faulty: do not probe.
    faulty: AtomicBool,
    /// Whether a probe may read a file.
    on_disk: bool,
}

/// All available tables, for probing by any number of threads.
pub struct Tablebases {
    catalogue: Catalogue,
    /// The materials whose WDL can be probed, with both colours as white.
    entries: HashMap<Material, Arc<Entry>>,
    max_pieces: u32,
}

impl fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebases")
            .field("max_pieces", &self.max_pieces)
            .finish_non_exhaustive()
    }
}

static EMBEDDED: LazyLock<Arc<Tablebases>> =
    LazyLock::new(|| Arc::new(Tablebases::new(&[], false)));

impl Tablebases {
    /// The built-in tables and those in `folders`. No file is opened yet. After a slow read, tables on disk are treated as
    /// missing for some seconds, unless `wait_for_disk`.
    #[must_use]
    pub fn new(folders: &[PathBuf], wait_for_disk: bool) -> Self {
        let catalogue = Catalogue::new(folders, wait_for_disk);
        let mut known = HashMap::new();
        let materials: Vec<Material> = catalogue
            .tables()
            .filter(|(_, metric, _)| *metric == Metric::Wdl)
            .map(|(material, ..)| material)
            .collect();
        let mut entries = HashMap::new();
        for material in materials {
            if let Some(on_disk) = needs_disk(&catalogue, material, &mut known) {
                let entry = Arc::new(Entry {
                    faulty: AtomicBool::new(false),
                    on_disk,
                });
                entries.insert(material.swapped(), Arc::clone(&entry));
                entries.insert(material, entry);
            }
        }
        let max_pieces = entries.keys().map(|material| material.piece_count()).max();
        Self {
            catalogue,
            entries,
            max_pieces: max_pieces.unwrap_or_default(),
        }
    }

    /// The built-in tables, loaded once.
    #[must_use]
    pub fn embedded() -> Arc<Self> {
        Arc::clone(&EMBEDDED)
    }

    #[must_use]
    #[doc(hidden)]
    pub const fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The most pieces of a position that can be probed; 0 without tables.
    #[inline]
    #[must_use]
    pub const fn max_pieces(&self) -> u32 {
        self.max_pieces
    }

    /// A table that is missing to probe a material: its own or one that a capture leads to.
    #[must_use]
    #[doc(hidden)]
    pub fn missing(&self, material: Material) -> Option<Material> {
        if self.catalogue.get(material, Metric::Wdl).is_none() {
            return Some(material.normalized());
        }
        let mut below = material.successors(false).into_iter();
        below.find_map(|successor| self.missing(successor))
    }

    /// Faults of tables found since the last call.
    #[must_use]
    pub fn take_faults(&self) -> Vec<TableFault> {
        self.catalogue.take_faults()
    }

    /// The entry of a position that can be probed now.
    #[inline]
    fn entry(&self, position: &Position) -> Option<&Entry> {
        if position.has_castling_rights() || position.occupied().count() as u32 > self.max_pieces {
            return None;
        }
        let entry = self.entries.get(&Material::of(position))?;
        let is_paused = entry.on_disk && self.catalogue.files().is_paused();
        (!is_paused && !entry.faulty.load(Ordering::Relaxed)).then_some(entry)
    }

    /// The result for the side to move with a halfmove clock of 0; `None` if unknown, as with castling rights, which tables do
    /// not have. Does not allocate, except on errors.
    #[must_use]
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        if position.occupied().count() == 2 {
            return Some(Wdl::Draw);
        }
        let wdl = self.probe(position, &Tablebase::probe_wdl_after_zeroing)?;
        Some(wdl.into())
    }

    /// The distance to zeroing; `None` if unknown.
    #[must_use]
    pub fn dtz(&self, position: &Position) -> Option<Dtz> {
        if position.occupied().count() == 2 {
            return Some(Dtz {
                plies: 0,
                rounded: false,
            });
        }
        let (dtz, rounded) = match self.probe(position, &Tablebase::probe_dtz)? {
            MaybeRounded::Precise(dtz) => (dtz, false),
            MaybeRounded::Rounded(dtz) => (dtz, true),
        };
        Some(Dtz {
            plies: dtz.0,
            rounded,
        })
    }

    fn probe<T>(
        &self,
        position: &Position,
        probe: &impl Fn(&Tablebase<Chess>, &Chess) -> Result<T, SyzygyError>,
    ) -> Option<T> {
        let entry = self.entry(position)?;
        probe(self.catalogue.prober(), &position.to_chess())
            .inspect_err(|error| self.mark_faulty(entry, error))
            .ok()
    }

    /// Excludes a material whose table is faulty, and reports the fault. A missing DTZ table is no fault.
    #[cold]
    fn mark_faulty(&self, entry: &Entry, error: &SyzygyError) {
        let SyzygyError::ProbeFailed {
            metric,
            material,
            error,
        } = error
        else {
            return;
        };
        let reason = match error.as_ref() {
            // The disk is paused; the table itself is good.
            ProbeError::Read { error } if error.kind() == std::io::ErrorKind::TimedOut => return,
            ProbeError::Read { error } => error.to_string(),
            ProbeError::Magic { .. } => "wrong magic number: not a Syzygy table".to_owned(),
            ProbeError::CorruptedTable { .. } => "corrupted".to_owned(),
        };
        entry.faulty.store(true, Ordering::Relaxed);
        let metric = match metric {
            shakmaty_syzygy::Metric::Wdl => Metric::Wdl,
            shakmaty_syzygy::Metric::Dtz => Metric::Dtz,
        };
        let found = material.to_string().parse().ok();
        let table = found.and_then(|material: Material| self.catalogue.get(material, metric));
        let path = table.map_or_else(
            || format!("{material}.{}", metric.extension()),
            |table| table.path.display().to_string(),
        );
        self.catalogue
            .files()
            .report(TableFault::File { path, reason });
    }
}

/// Whether probing a material may read a file; `None` if its table or one that captures lead to is missing.
fn needs_disk(
    catalogue: &Catalogue,
    material: Material,
    known: &mut HashMap<Material, Option<bool>>,
) -> Option<bool> {
    let material = material.normalized();
    if let Some(&found) = known.get(&material) {
        return found;
    }
    let found = catalogue.get(material, Metric::Wdl).and_then(|table| {
        let dtz = catalogue.get(material, Metric::Dtz);
        let mut on_disk = !table.embedded || dtz.is_some_and(|table| !table.embedded);
        for successor in material.successors(false) {
            on_disk |= needs_disk(catalogue, successor, known)?;
        }
        Some(on_disk)
    });
    known.insert(material, found);
    found
}
