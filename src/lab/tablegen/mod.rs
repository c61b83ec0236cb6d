//! Endgame tables made from nothing but the rules: a retrograde solver and a writer of genuine Syzygy files.
//! Uses: chess, progress, tablebase's material. Used by: cli.
//! Idea: solve a material slice by slice on all cores, keep its outcomes for the tables that lead to it, write its values
//! in the numbering of the files. The format is described by its readers; all code here is Lucena's own.
//!
//! Reading order: `material`, `geometry`, `space`, `slice`, `exact`, `seed`, `solve`, `statistics`; then `numbering`,
//! `values`, `pairs`, `pack`, `orders`, `table`, `checksum`, `file`, `shelf`, `sample`; `generator` joins them;
//! `mates`, `mating`.

mod exact;
pub(super) mod file;
mod generator;
mod geometry;
mod material;
mod mates;
mod mating;
mod numbering;
mod orders;
mod pack;
mod pairs;
mod sample;
mod seed;
mod slice;
mod solve;
pub(super) mod space;
mod statistics;
pub mod storage;
mod table;
mod values;

use std::ops::Range;

use rayon::prelude::*;

pub use file::FileFault;
pub use generator::{Generator, Made, STEPS};
pub use material::{Man, NameError, parse_name};
pub use mating::{MATING_MEN, Mating};
pub use sample::Sample;
pub use statistics::{Statistics, Tally};
pub use table::Mismatch;

/// How many cells a thread takes at a time.
const PORTION: usize = 1 << 14;

/// Does something with every part of `0..count`, on all cores where it is worth it.
fn parallel(count: usize, work: &(impl Fn(Range<usize>) + Sync)) {
    if count <= 2 * PORTION {
        work(0..count);
        return;
    }
    (0..count.div_ceil(PORTION))
        .into_par_iter()
        .for_each(|part| {
            let start = part * PORTION;
            work(start..count.min(start + PORTION));
        });
}
