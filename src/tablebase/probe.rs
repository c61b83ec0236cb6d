//! Asking tables about one position.
//! Uses: catalogue, material, files, chess, shakmaty-syzygy. Used by: root, search, engine, cli.
//! Idea: whether a material can be answered is worked out beforehand, so that a position without tables costs one look
//! into a map; a material whose table proves to be bad is not asked again.

use std::collections::HashMap;
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

/// How far the next capture or pawn move is on the best way, in plies from the mover's view: positive where the mover
/// wins, negative where it loses, 0 where the position is drawn; beyond ±100 the fifty-move rule makes it a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dtz {
    /// The plies.
    pub plies: i32,
    /// Whether the true number may be greater by one: many tables keep halves.
    pub rounded: bool,
}

/// What is known of the tables for a material.
struct Entry {
    /// A table proved to be bad: it is not asked again.
    refused: AtomicBool,
    /// Whether an answer may need a file that is not in memory.
    on_disk: bool,
}

/// Tablebases that can be asked, by any number of threads at a time.
pub struct Tablebases {
    catalogue: Catalogue,
    /// The materials whose win, draw or loss the tables can tell, in both colourings.
    entries: HashMap<Material, Arc<Entry>>,
    max_pieces: u32,
    /// Whether there are others than the program's.
    has_folders: bool,
}

/// The tables of the program alone.
static EMBEDDED: LazyLock<Arc<Tablebases>> =
    LazyLock::new(|| Arc::new(Tablebases::new(&[], false)));

impl Tablebases {
    /// The program's tables and those of these folders. No file is opened yet. Who is `patient` waits for a slow disk; for
    /// others what lies on it is as good as missing for a while.
    #[must_use]
    pub fn new(folders: &[PathBuf], patient: bool) -> Self {
        let catalogue = Catalogue::new(folders, patient);
        let mut known = HashMap::new();
        let materials: Vec<Material> = catalogue
            .tables()
            .filter(|(_, metric, _)| *metric == Metric::Wdl)
            .map(|(material, ..)| material)
            .collect();
        let mut entries = HashMap::new();
        for material in materials {
            if let Some(on_disk) = complete(&catalogue, material, &mut known) {
                let entry = Arc::new(Entry {
                    refused: AtomicBool::new(false),
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
            has_folders: !folders.is_empty(),
        }
    }

    /// The tables of the program alone, made once.
    #[must_use]
    pub fn embedded() -> Arc<Self> {
        Arc::clone(&EMBEDDED)
    }

    /// Which tables there are.
    #[must_use]
    pub const fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The most men of any position that can be answered; 0 without tables.
    #[inline]
    #[must_use]
    pub const fn max_pieces(&self) -> u32 {
        self.max_pieces
    }

    /// The first table that a material lacks, its own or one that a capture leads to.
    #[must_use]
    pub fn missing(&self, material: Material) -> Option<Material> {
        if self.catalogue.get(material, Metric::Wdl).is_none() {
            return Some(material.normalized());
        }
        let mut below = material.successors(false).into_iter();
        below.find_map(|successor| self.missing(successor))
    }

    /// What was found to be wrong with tables since this was asked last.
    #[must_use]
    pub fn take_faults(&self) -> Vec<TableFault> {
        self.catalogue.take_faults()
    }

    /// The entry for a position that may be asked about.
    #[inline]
    fn entry(&self, position: &Position) -> Option<&Entry> {
        if position.has_castling_rights() || position.occupied().count() as u32 > self.max_pieces {
            return None;
        }
        let entry = self.entries.get(&Material::of(position))?;
        let rests = entry.on_disk && self.catalogue.files().is_resting();
        (!rests && !entry.refused.load(Ordering::Relaxed)).then_some(entry)
    }

    /// Win, draw or loss for the mover, were the half-move clock zero. Takes no memory from the heap where all goes well.
    #[must_use]
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        if position.occupied().count() == 2 {
            return Some(Wdl::Draw);
        }
        let wdl = self.ask(position, &Tablebase::probe_wdl_after_zeroing)?;
        Some(wdl.into())
    }

    /// The distance to the next capture or pawn move.
    #[must_use]
    pub fn dtz(&self, position: &Position) -> Option<Dtz> {
        if position.occupied().count() == 2 {
            return Some(Dtz {
                plies: 0,
                rounded: false,
            });
        }
        // A missing table of distances leaves win, draw and loss as they are.
        let (dtz, rounded) = match self.ask(position, &Tablebase::probe_dtz)? {
            MaybeRounded::Precise(dtz) => (dtz, false),
            MaybeRounded::Rounded(dtz) => (dtz, true),
        };
        Some(Dtz {
            plies: dtz.0,
            rounded,
        })
    }

    /// What the tables answer; where those in folders rest or are bad, what the program's own answer.
    fn ask<T>(
        &self,
        position: &Position,
        question: &impl Fn(&Tablebase<Chess>, &Chess) -> Result<T, SyzygyError>,
    ) -> Option<T> {
        let answer = self.entry(position).and_then(|entry| {
            question(self.catalogue.prober(), &position.to_chess())
                .inspect_err(|error| self.refuse(entry, error))
                .ok()
        });
        if answer.is_some() || !self.has_folders {
            return answer;
        }
        EMBEDDED.ask(position, question)
    }

    /// Leaves a material out from now on if its table is at fault, and notes why.
    #[cold]
    fn refuse(&self, entry: &Entry, error: &SyzygyError) {
        let SyzygyError::ProbeFailed {
            metric,
            material,
            error,
        } = error
        else {
            return;
        };
        let reason = match error.as_ref() {
            // Reading rests after a slow disk; the table itself is good.
            ProbeError::Read { error } if error.kind() == std::io::ErrorKind::TimedOut => return,
            ProbeError::Read { error } => error.to_string(),
            ProbeError::Magic { .. } => "the first bytes are not those of such a table".to_owned(),
            ProbeError::CorruptedTable { .. } => "the contents make no sense".to_owned(),
        };
        entry.refused.store(true, Ordering::Relaxed);
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
            .note(TableFault::File { path, reason });
    }
}

/// Whether win, draw and loss of a material can be told, with all that captures lead to: whether that needs a file that
/// is not in memory, or `None` where a table is missing.
fn complete(
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
            on_disk |= complete(catalogue, successor, known)?;
        }
        Some(on_disk)
    });
    known.insert(material, found);
    found
}
