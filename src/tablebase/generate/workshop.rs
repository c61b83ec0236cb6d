//! Solves tables and, first, the tables that they lead to.
//! Uses: every file of the generator. Used by: cli, tests.
//! Idea: what is solved is kept as outcomes only, half a byte each, until nothing that is asked for needs it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::exact::Exact;
use super::material::Material;
use super::seed::Links;
use super::slice::Slice;
use super::solve::solve_file;
use super::space::Space;
use super::statistics::Statistics;

/// Outcomes of solved tables.
#[derive(Default)]
pub struct Workshop {
    exacts: Mutex<HashMap<Material, Arc<Exact>>>,
}

/// A table with more cells in a file than this is solved file by file, to bound the memory.
const SMALL_FILE: usize = 1 << 22;

impl Workshop {
    /// The statistics of a table, solved afresh.
    #[must_use]
    pub fn statistics(&self, material: Material) -> Statistics {
        self.solve(material, |_, _| ()).0
    }

    /// The outcomes of a table: kept ones, or solved now.
    #[must_use]
    pub fn exact(&self, material: Material) -> Arc<Exact> {
        let kept = |workshop: &Self| {
            let exacts = workshop
                .exacts
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            exacts.get(&material).cloned()
        };
        if let Some(exact) = kept(self) {
            return exact;
        }
        let _ = self.solve(material, |_, _| ());
        kept(self).unwrap_or_else(|| Arc::new(Exact::new(material)))
    }

    /// Solves a table; `visit` sees each file's slices before they go.
    pub fn solve<T: Send>(
        &self,
        material: Material,
        visit: impl Fn(usize, &[Slice]) -> T + Sync,
    ) -> (Statistics, Vec<T>) {
        let space = Space::new(material);
        let links: Result<Links, ()> = Links::new(&space, |needed| Ok(self.exact(needed)));
        let Ok(links) = links else {
            return (Statistics::default(), Vec::new());
        };
        let solve = |file: usize| {
            let slices = solve_file(&space, file, &links);
            let mut sum = Statistics::default();
            for slice in &slices {
                sum.add(&Statistics::twice(slice, file));
            }
            let outcomes: Vec<Vec<u8>> = slices.iter().map(Exact::pack).collect();
            (sum, outcomes, visit(file, &slices))
        };
        let files = 0..space.files.len();
        let is_small = space.files[0].len() * space.cells() <= SMALL_FILE;
        let solved: Vec<_> = if is_small {
            files.into_par_iter().map(solve).collect()
        } else {
            files.map(solve).collect()
        };
        let (mut statistics, mut visited) = (Statistics::default(), Vec::new());
        let mut exact = Exact::new(material);
        for (file, (sum, outcomes, seen)) in solved.into_iter().enumerate() {
            statistics.add(&sum);
            exact.set_file(file, outcomes);
            visited.push(seen);
        }
        statistics.halve();
        let mut exacts = self.exacts.lock().unwrap_or_else(PoisonError::into_inner);
        exacts.insert(material, Arc::new(exact));
        (statistics, visited)
    }
}
