//! Solves tables and, first, the tables that they lead to.
//! Uses: every file of the generator. Used by: cli, tests.
//! Idea: what is solved is kept as outcomes only, half a byte each, until nothing that is asked for needs it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;

use super::exact::Exact;
use super::file;
use super::sample::{self, Sample};
use super::seed::{Links, Seeding};
use super::slice::{FIFTY_MOVES, Slice, best_class};
use super::solve::{BLESSED, search, solve_file};
use super::space::Space;
use super::statistics::Statistics;
use super::storage;
use super::table::{self, Mismatch, Plan, Subtable};
use super::values;
use crate::base::progress::Progress;
use crate::base::sync::Mutex;
use crate::tablebase::Material;
use crate::tablebase::Metric;

/// How many steps of progress a table takes.
pub const STEPS: u64 = 16;

/// A table made: its files and its statistics.
pub struct Made {
    /// How many positions are won, drawn, lost, and for how long.
    pub statistics: Statistics,
    /// The file of outcomes.
    pub wdl: Vec<u8>,
    /// The file of distances.
    pub dtz: Option<Vec<u8>>,
}

/// Outcomes of solved tables.
#[derive(Default)]
pub struct Generator {
    exacts: Mutex<HashMap<Material, Arc<Exact>>>,
}

/// A table with more cells in a file than this is solved file by file, to bound the memory.
const SMALL_FILE: usize = 1 << 22;

impl Generator {
    /// The statistics of a table, solved afresh.
    #[must_use]
    pub fn statistics(&self, material: Material) -> Statistics {
        self.solve(material, false, |_, _| ()).0
    }

    /// At least so many positions of a table with the values of a fresh solution.
    #[must_use]
    pub fn sample(&self, material: Material, count: usize, seed: u64) -> Vec<Sample> {
        let files = if material.pawns() == [0, 0] { 1 } else { 4 };
        let count = count.div_ceil(files);
        let draw =
            |file: usize, slices: Vec<Slice>| sample::draw(&slices, count, seed + file as u64);
        self.solve(material, false, draw).1.concat()
    }

    /// The outcomes of a table: kept ones, or solved now.
    #[must_use]
    pub fn exact(&self, material: Material) -> Arc<Exact> {
        let kept = |workshop: &Self| {
            let exacts = workshop.exacts.lock();
            exacts.get(&material).cloned()
        };
        if let Some(exact) = kept(self) {
            return exact;
        }
        let _ = self.solve(material, true, |_, _| ());
        kept(self).unwrap_or_else(|| Arc::new(Exact::new(material)))
    }

    /// Solves a table and makes its files: WDL and, unless `wdl_only`, DTZ; its outcomes are kept for others if `is_kept`. They are compared with the solver's values
    /// before they are handed out.
    ///
    /// # Errors
    /// A value that does not survive the compression: a fault of the program.
    pub fn make(
        &self,
        material: Material,
        wdl_only: bool,
        is_kept: bool,
        progress: &dyn Progress,
    ) -> Result<Made, Mismatch> {
        let part = if material.pawns() == [0, 0] {
            STEPS
        } else {
            STEPS / 4
        };
        let (statistics, parts) = self.solve(material, is_kept, |file, slices| {
            progress.advance(part / 2);
            let made = compress(slices, file, wdl_only);
            progress.advance(part - part / 2);
            made
        });
        let space = Space::new(material);
        let (mut wdl, mut dtz) = (Vec::new(), Vec::new());
        for part in parts {
            let (outcomes, distances) = part?;
            wdl.push(outcomes);
            dtz.extend(distances.map(|table| vec![table]));
        }
        Ok(Made {
            statistics,
            wdl: file::write(&space, Metric::Wdl, &wdl),
            dtz: (!wdl_only).then(|| file::write(&space, Metric::Dtz, &dtz)),
        })
    }

    /// Compares the values of files with a fresh solution; `tables` are their subtables. Returns the statistics too.
    ///
    /// # Errors
    /// The first value that differs.
    pub fn verify(
        &self,
        material: Material,
        tables: &[(Metric, Vec<Vec<Subtable>>)],
    ) -> Result<Statistics, Mismatch> {
        let (statistics, parts) = self.solve(material, false, |file, slices| {
            tables.iter().try_for_each(|(metric, tables)| {
                let mut sides = tables[file].iter();
                sides.try_for_each(|table| table.check(&slices, file, *metric == Metric::Dtz))
            })
        });
        parts.into_iter().collect::<Result<(), _>>()?;
        Ok(statistics)
    }

    /// Forgets the outcomes that none of these tables needs.
    pub fn retain_for(&self, coming: &[Material]) {
        let needed: HashSet<Material> = coming.iter().copied().flat_map(Material::needs).collect();
        let mut exacts = self.exacts.lock();
        exacts.retain(|material, _| needed.contains(material));
    }

    /// About how many bytes of memory it takes at most to make these tables one after the other, the outcomes of those
    /// that they lead to included: these too are solved, where they are not made.
    #[must_use]
    pub fn memory(tables: &[Material]) -> usize {
        let plan = storage::closure(tables);
        let sizes: Vec<usize> = plan.iter().map(|&table| kept(&Space::new(table))).collect();
        let moments = plan.iter().enumerate().map(|(at, &table)| {
            // Of what is solved by then, the table itself included, that stays which something later leads to.
            let later = storage::closure(&plan[at + 1..]);
            let own = storage::closure(&[table]);
            let kept = (0..=at).filter(|&earlier| {
                let table = &plan[earlier];
                later.contains(table) || own.contains(table)
            });
            let space = Space::new(table);
            let file = space.files[0].len() * space.cells();
            // Both sides' values and the search's agenda; where all files are worked on at once, what is compressed too.
            let working = if is_small(&space) {
                file * space.files.len() * 5
            } else {
                file * 4 + file / 16
            };
            let is_kept = plan[at + 1..]
                .iter()
                .any(|later| later.needs().contains(&table));
            let unkept = if is_kept { 0 } else { sizes[at] };
            working + kept.map(|earlier| sizes[earlier]).sum::<usize>() - unkept
        });
        moments.max().unwrap_or_default() + (32 << 20)
    }

    /// Solves a table; `visit` gets each file's slices. Its outcomes are kept if `is_kept`.
    fn solve<T: Send>(
        &self,
        material: Material,
        is_kept: bool,
        visit: impl Fn(usize, Vec<Slice>) -> T + Sync,
    ) -> (Statistics, Vec<T>) {
        let space = Space::new(material);
        let links: Result<Links, ()> = Links::new(&space, |needed| Ok(self.exact(needed)));
        let Ok(links) = links else {
            return (Statistics::default(), Vec::new());
        };
        let solve = |file: usize| {
            let slices = solve_file(&space, file, &|slice, finished| {
                let links = &links;
                Seeding {
                    slice,
                    links,
                    finished,
                }
                .run();
                search(slice, &|_, _, bits| {
                    if best_class(bits) == BLESSED {
                        FIFTY_MOVES + 1
                    } else {
                        0
                    }
                });
            });
            let mut sum = Statistics::default();
            for slice in &slices {
                sum.add(&Statistics::twice(slice, file));
            }
            let outcomes = is_kept.then(|| slices.iter().map(Exact::pack).collect());
            (sum, outcomes, visit(file, slices))
        };
        let files = 0..space.files.len();
        let solved: Vec<_> = if is_small(&space) {
            files.into_par_iter().map(solve).collect()
        } else {
            files.map(solve).collect()
        };
        let (mut statistics, mut visited) = (Statistics::default(), Vec::new());
        let mut exact = Exact::new(material);
        for (file, (sum, outcomes, seen)) in solved.into_iter().enumerate() {
            statistics.add(&sum);
            exact.set_file(file, outcomes.unwrap_or_default());
            visited.push(seen);
        }
        statistics.halve();
        if is_kept {
            let mut exacts = self.exacts.lock();
            exacts.insert(material, Arc::new(exact));
        }
        (statistics, visited)
    }
}

/// The subtables of a file: the outcomes, by side, and the distances unless `wdl_only`.
fn compress(
    mut slices: Vec<Slice>,
    file: usize,
    wdl_only: bool,
) -> Result<(Vec<Subtable>, Option<Subtable>), Mismatch> {
    let space = slices[0].space;
    let sides = if space.material.is_symmetric() { 1 } else { 2 };
    let plan = |slices: &[Slice]| (!wdl_only).then(|| Plan::new(slices, file));
    if is_small(space) {
        // Side by side: the memory does not matter.
        let outcomes = || {
            let sides = (0..sides).into_par_iter();
            let tables = sides.map(|side| table::outcomes(&slices, file, side));
            tables.collect::<Result<Vec<_>, _>>()
        };
        let distances = || {
            let plan = plan(&slices);
            plan.map(|plan| table::distances(&slices, file, plan))
                .transpose()
        };
        let (outcomes, distances) = rayon::join(outcomes, distances);
        return Ok((outcomes?, distances?));
    }
    // One after the other, and of the side whose distances are not stored no more than the outcomes: what is compressed
    // takes less memory beside what is left than the solution took.
    let plan = plan(&slices);
    let whole = plan.as_ref().map_or(0, |plan| plan.side);
    values::narrow(&mut slices, 1 - whole);
    let outcomes = (0..sides).map(|side| table::outcomes(&slices, file, side));
    let outcomes = outcomes.collect::<Result<Vec<_>, _>>()?;
    let distances = plan.map(|plan| table::distances(&slices, file, plan));
    Ok((outcomes, distances.transpose()?))
}

/// How many bytes the outcomes of a table take that are kept for others.
fn kept(space: &Space) -> usize {
    space.files.iter().map(Vec::len).sum::<usize>() * space.cells()
}

/// Whether a table's files are small enough to be worked on side by side.
fn is_small(space: &Space) -> bool {
    space.files[0].len() * space.cells() <= SMALL_FILE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_stated_counts_what_is_kept() {
        let memory = |name: &str| Generator::memory(&[name.parse().expect("a name")]);
        assert!(memory("KQRvKR") < 600_000_000);
        // While the last of the four tables that promotions lead to is solved, the outcomes of all four are in memory.
        let cells = Space::new("KNNvKQ".parse().expect("a name")).cells();
        assert!(memory("KNNvKP") > cells * (4 + 4));
    }
}
