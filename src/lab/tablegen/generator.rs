//! Solves tables, and first the tables that they convert into.
//! Solved tables are kept as WDL values, half a byte per position and side, until no requested table needs them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::conversions::Conversions;
use super::file;
use super::init::SliceInit;
use super::pawn_slice::{FIFTY_MOVES, PawnSlice, Status, best_class, raise_class, with_status};
use super::retrograde::{self, BLESSED_LOSS_CLASS, solve_file};
use super::sample::{self, SolvedPosition};
use super::solver_index::SolverIndex;
use super::stats::TableStats;
use super::storage;
use super::subtable::{self, DtzPlan, Mismatch, Subtable};
use super::values;
use super::wdl_store::WdlStore;
use crate::base::progress::Progress;
use crate::base::sync::Mutex;
use crate::tablebase::Material;
use crate::tablebase::Metric;

/// Progress steps per table.
pub const STEPS: u64 = 16;

/// A generated table.
pub struct Generated {
    pub stats: TableStats,
    /// The WDL file.
    pub wdl: Vec<u8>,
    /// The DTZ file, unless only WDL was requested.
    pub dtz: Option<Vec<u8>>,
}

/// Generates tables.
#[derive(Default)]
pub struct Generator {
    solved: Mutex<HashMap<Material, Arc<WdlStore>>>,
}

/// Tables with more cells per file of the leading pawn are solved file by file, to save memory.
const SMALL_FILE: usize = 1 << 22;

impl Generator {
    /// Solves a table and counts its results.
    #[must_use]
    pub fn stats(&self, material: Material) -> TableStats {
        self.solve(material, false, |_, _| ()).0
    }

    /// Solves a table and draws at least `count` random positions.
    #[must_use]
    pub fn sample(&self, material: Material, count: usize, seed: u64) -> Vec<SolvedPosition> {
        let files = if material.pawns() == [0, 0] { 1 } else { 4 };
        let count = count.div_ceil(files);
        let draw =
            |file: usize, slices: Vec<PawnSlice>| sample::draw(&slices, count, seed + file as u64);
        self.solve(material, false, draw).1.concat()
    }

    /// The WDL values of a table, solved if they are not kept.
    fn wdl(&self, material: Material) -> Arc<WdlStore> {
        let kept = || self.solved.lock().get(&material).cloned();
        kept().unwrap_or_else(|| {
            let _ = self.solve(material, true, |_, _| ());
            kept().unwrap_or_else(|| Arc::new(WdlStore::new(material)))
        })
    }

    /// Solves a table and writes its files: WDL and, unless `wdl_only`, DTZ. With `keep`, its WDL values are kept for other
    /// tables.
    ///
    /// # Errors
    /// A value in a file differs from the solution: a bug.
    pub fn generate(
        &self,
        material: Material,
        wdl_only: bool,
        keep: bool,
        progress: &dyn Progress,
    ) -> Result<Generated, Mismatch> {
        let part = if material.pawns() == [0, 0] {
            STEPS
        } else {
            STEPS / 4
        };
        let (stats, parts) = self.solve(material, keep, |file, slices| {
            progress.advance(part / 2);
            let compressed = compress(slices, file, wdl_only);
            progress.advance(part - part / 2);
            compressed
        });
        let index = SolverIndex::new(material);
        let (mut wdl, mut dtz) = (Vec::new(), Vec::new());
        for part in parts {
            let (wdl_tables, dtz_table) = part?;
            wdl.push(wdl_tables);
            dtz.extend(dtz_table.map(|table| vec![table]));
        }
        Ok(Generated {
            stats,
            wdl: file::write(&index, Metric::Wdl, &wdl),
            dtz: (!wdl_only).then(|| file::write(&index, Metric::Dtz, &dtz)),
        })
    }

    /// Compares the values of files with a new solution; `tables` are their subtables by `[file][side]`.
    ///
    /// # Errors
    /// The first value that differs.
    pub fn verify(
        &self,
        material: Material,
        tables: &[(Metric, Vec<Vec<Subtable>>)],
    ) -> Result<(), Mismatch> {
        let (_, parts) = self.solve(material, false, |file, slices| {
            tables.iter().try_for_each(|(metric, tables)| {
                let mut sides = tables[file].iter();
                sides.try_for_each(|table| table.check(&slices, file, *metric == Metric::Dtz))
            })
        });
        parts.into_iter().collect()
    }

    /// Drops the WDL values that none of these tables needs.
    pub fn retain_for(&self, coming: &[Material]) {
        let needed: HashSet<Material> = coming.iter().copied().flat_map(Material::needs).collect();
        self.solved
            .lock()
            .retain(|material, _| needed.contains(material));
    }

    /// About how many bytes of memory it takes at most to generate these tables one after the other, including the WDL values
    /// of those that they need.
    #[must_use]
    pub fn memory(tables: &[Material]) -> usize {
        let plan = storage::closure(tables);
        let sizes: Vec<usize> = plan
            .iter()
            .map(|&table| wdl_bytes(&SolverIndex::new(table)))
            .collect();
        let moments = plan.iter().enumerate().map(|(at, &table)| {
            // Values of tables solved so far are kept if this or a later table needs them.
            let later = storage::closure(&plan[at + 1..]);
            let own = storage::closure(&[table]);
            let kept = (0..=at).filter(|&earlier| {
                let table = &plan[earlier];
                later.contains(table) || own.contains(table)
            });
            let index = SolverIndex::new(table);
            let file = index.files[0].len() * index.cells();
            // The cells of both sides and the worklist; small tables also compress all files at once.
            let working = if is_small(&index) {
                file * index.files.len() * 5
            } else {
                file * 4 + file / 16
            };
            let keep = plan[at + 1..]
                .iter()
                .any(|later| later.needs().contains(&table));
            let unkept = if keep { 0 } else { sizes[at] };
            working + kept.map(|earlier| sizes[earlier]).sum::<usize>() - unkept
        });
        moments.max().unwrap_or_default() + (32 << 20)
    }

    /// Solves a table and calls `visit` with the slices of each file. With `keep`, its WDL values are kept.
    fn solve<T: Send>(
        &self,
        material: Material,
        keep: bool,
        visit: impl Fn(usize, Vec<PawnSlice>) -> T + Sync,
    ) -> (TableStats, Vec<T>) {
        let index = SolverIndex::new(material);
        let conversions = Conversions::new(&index, |needed| self.wdl(needed));
        let solve = |file: usize| {
            let slices = solve_file(&index, file, &|slice, solved| {
                solve_slice(slice, solved, &conversions);
            });
            let mut sum = TableStats::default();
            for slice in &slices {
                sum.add(&TableStats::twice(slice, file));
            }
            let values = keep.then(|| slices.iter().map(WdlStore::pack).collect());
            (sum, values, visit(file, slices))
        };
        let files = 0..index.files.len();
        let solved: Vec<_> = if is_small(&index) {
            files.into_par_iter().map(solve).collect()
        } else {
            files.map(solve).collect()
        };
        let (mut stats, mut visited) = (TableStats::default(), Vec::new());
        let mut store = WdlStore::new(material);
        for (file, (sum, values, seen)) in solved.into_iter().enumerate() {
            stats.add(&sum);
            store.set_file(file, values.unwrap_or_default());
            visited.push(seen);
        }
        stats.halve();
        if keep {
            self.solved.lock().insert(material, Arc::new(store));
        }
        (stats, visited)
    }
}

/// Solves a slice for WDL and DTZ.
fn solve_slice(
    slice: &PawnSlice,
    solved: &[Option<PawnSlice>],
    conversions: &Conversions<WdlStore>,
) {
    let init = SliceInit {
        slice,
        conversions,
        solved,
        raise: |side: usize, cell: usize, score, is_capture| {
            raise_class(&slice.cells[side][cell], score, is_capture);
        },
    };
    init.run();
    for side in 0..2 {
        slice.for_each_cell(&|cell| {
            let here = &slice.cells[side][cell];
            let bits = here.load(Relaxed);
            if Status::of(bits) == Status::Illegal {
                return;
            }
            let status = match best_class(bits) {
                5 => Status::Win(1),
                4 => Status::Win(FIFTY_MOVES + 1),
                1 | 2 => Status::Recheck,
                0 if slice.is_mate(side, cell) => Status::Loss(0),
                _ => Status::Unknown,
            };
            here.store(with_status(bits, status), Relaxed);
        });
    }
    retrograde::solve_slice(slice, &|_, _, bits| {
        if best_class(bits) == BLESSED_LOSS_CLASS {
            FIFTY_MOVES + 1
        } else {
            0
        }
    });
}

/// The subtables of a file: WDL by side, and DTZ unless `wdl_only`.
fn compress(
    mut slices: Vec<PawnSlice>,
    file: usize,
    wdl_only: bool,
) -> Result<(Vec<Subtable>, Option<Subtable>), Mismatch> {
    let index = slices[0].index;
    let sides = if index.material.is_symmetric() { 1 } else { 2 };
    let plan = |slices: &[PawnSlice]| (!wdl_only).then(|| DtzPlan::new(slices, file));
    if is_small(index) {
        let wdl = || {
            let sides = (0..sides).into_par_iter();
            let tables = sides.map(|side| subtable::wdl(&slices, file, side));
            tables.collect::<Result<Vec<_>, _>>()
        };
        let dtz = || {
            let plan = plan(&slices);
            plan.map(|plan| subtable::dtz(&slices, file, plan))
                .transpose()
        };
        let (wdl, dtz) = rayon::join(wdl, dtz);
        return Ok((wdl?, dtz?));
    }
    // To save memory compress one after the other, and keep only WDL values of the side whose DTZ is not stored.
    let plan = plan(&slices);
    let whole = plan.as_ref().map_or(0, |plan| plan.side);
    values::narrow(&mut slices, 1 - whole);
    let wdl = (0..sides).map(|side| subtable::wdl(&slices, file, side));
    let wdl = wdl.collect::<Result<Vec<_>, _>>()?;
    let dtz = plan.map(|plan| subtable::dtz(&slices, file, plan));
    Ok((wdl, dtz.transpose()?))
}

/// Bytes of the WDL values of a table in memory.
fn wdl_bytes(index: &SolverIndex) -> usize {
    index.files.iter().map(Vec::len).sum::<usize>() * index.cells()
}

/// Whether the files of a table are solved in parallel.
fn is_small(index: &SolverIndex) -> bool {
    index.files[0].len() * index.cells() <= SMALL_FILE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_includes_kept_wdl_values() {
        let memory = |name: &str| Generator::memory(&[name.parse().expect("a name")]);
        assert!(memory("KQRvKR") < 600_000_000);
        // The values of all four tables that promotions lead to are in memory at once.
        let cells = SolverIndex::new("KNNvKQ".parse().expect("a name")).cells();
        assert!(memory("KNNvKP") > cells * (4 + 4));
    }
}
